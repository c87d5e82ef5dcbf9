"""Checks this installation: toolchains, adapters, versions, the corpus, and the operations that each adapter offers."""

from __future__ import annotations

import argparse
import platform
import sqlite3
import sys
import unicodedata
from collections.abc import Iterator

from .. import VERSION
from ..compare.error_text import error_text
from ..compare.fts5_check import engine_missing
from ..corpus.loader import Corpus, load_corpus
from ..corpus.paths import cache, cache_limit, shipped
from ..errors import AdapterUnavailable, CorpusError, one_line, plural
from ..model import Implementation
from ..protocol import Connection
from ..report.pages.doctor_page import AdapterState, Checkup, ToolState, render
from ..report.phrases import corpus_text
from ..transport.adapter_spec import AdapterSpec
from ..transport.build import build
from ..transport.build_cache import removable_size
from ..transport.connect import try_connect
from ..transport.manifest import Manifest, Tool, missing_tool, shipped_manifests, tool_version
from ..transport.operation_support import disagreements, read_declarations
from ..transport.sandbox import Sandbox
from ..transport.sync_client import RequestFailed, SyncClient
from .streams import medium

_STDERR_SHOWN = 300
"""Characters of an adapter's standard error that are shown: the last ones."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds nothing: the verb has no options."""


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001
    manifests = shipped_manifests(shipped())
    corpus, problem = _corpus()
    with Sandbox() as sandbox:
        adapters = [_adapter(manifest, manifests, sandbox, corpus) for manifest in manifests.values()]
    checkup = Checkup(
        own=[*_own(), _corpus_line(corpus, problem), _cache_line()],
        tools=list(_tools(manifests)),
        adapters=adapters,
        operations=sorted(corpus.operations) if corpus else _offered(adapters),
    )
    sys.stdout.write(render(checkup, medium()))
    broken = any(adapter.problem and not adapter.is_skipped for adapter in adapters)
    return max(AdapterUnavailable.exit_status if broken else 0, CorpusError.exit_status if problem else 0)


def _own() -> Iterator[str]:
    """The versions of parity, Python, Unicode and SQLite."""
    yield f"parity {VERSION}, {platform.python_implementation()} {platform.python_version()}, {platform.platform()}"
    fts5 = engine_missing() or "with FTS5: MATCH expressions are checked"
    yield f"Unicode {unicodedata.unidata_version}; SQLite {sqlite3.sqlite_version} {fts5}"


def _cache_line() -> str:
    """The folder of the cache, and how much of their limit the builds of working copies take."""
    taken = removable_size(cache() / "builds")
    limit = f"{taken / 1e6:,.0f} of {cache_limit() / 1e6:,.0f} MB"
    return f"cache: {cache()}; builds of working copies: {limit} (PARITY_CACHE_MB)"


def _corpus() -> tuple[Corpus | None, str]:
    """The shipped corpus, or None and the number of its problems."""
    try:
        return load_corpus(shipped()), ""
    except CorpusError as error:
        return None, f"{plural(len(error.problems), 'problem')}; `parity cases` lists them"


def _corpus_line(corpus: Corpus | None, problem: str) -> str:
    if corpus is None:
        return f"corpus: {problem}"
    counts = (
        f"{len(corpus.cases)} cases, {len(corpus.operations)} operations, "
        f"{len(corpus.requirements)} requirements, {len(corpus.rulings)} rulings"
    )
    return f"{corpus_text(corpus.date, corpus.digest)}: {counts}"


def _tools(manifests: dict[str, Manifest]) -> Iterator[ToolState]:
    """Each tool once, with all adapters that need it."""
    needed: dict[Tool, list[str]] = {}
    for manifest in manifests.values():
        for tool in manifest.tools:
            needed.setdefault(tool, []).append(manifest.name)
    for tool, names in needed.items():
        missing = missing_tool(tool)
        found = (missing.found or "") if missing else tool_version(tool)
        yield ToolState(tool.command, found, tool.minimum, tuple(names), tool.install if missing else "")


def _adapter(
    manifest: Manifest, manifests: dict[str, Manifest], sandbox: Sandbox, corpus: Corpus | None
) -> AdapterState:
    """Builds the adapter if the cache holds no build of it, starts it, and reads its reply to `initialize`."""
    reached = try_connect(AdapterSpec(manifest.name), manifests, sandbox, (), named=False)
    reported, trouble = _initialize(manifest.name, reached.connection) if reached.connection else (None, reached.reason)
    operations = sorted(corpus.operations) if corpus else []
    declared = read_declarations(manifest.folder, operations)
    return AdapterState(
        name=manifest.name,
        pinned=manifest.implementation,
        build_folder=build(manifest, cache(), sandbox) if reached.connection and manifest.build else None,
        reported=reported,
        problem=trouble,
        is_skipped=bool(reached.not_tested and not reached.not_tested.is_error),
        declared=declared,
        disagreements=list(disagreements(declared, reported, operations)) if reported else [],
    )


def _initialize(name: str, connection: Connection) -> tuple[Implementation | None, str]:
    """The adapter's reply to `initialize`, and the failure as text."""
    reported = None
    try:
        with SyncClient(connection.start(())) as client:
            try:
                reported = client.initialize(name)
                broken = client.close()
                return reported, error_text(broken) if broken else ""
            except RequestFailed as failed:
                text = error_text(failed.cause)
                stderr = one_line(client.channel.stderr_since(0)[-_STDERR_SHOWN:], _STDERR_SHOWN)
                return reported, f"{text} Its standard error: {stderr}" if stderr else text
    except AdapterUnavailable as unavailable:
        return None, unavailable.text


def _offered(adapters: list[AdapterState]) -> list[str]:
    """The operations that adapters name; they replace the corpus's list where the corpus cannot be loaded."""
    reported = [adapter.reported for adapter in adapters if adapter.reported]
    return sorted({name for reply in reported for name in (*reply.operations, *reply.unsupported)})
