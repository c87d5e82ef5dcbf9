"""The known-divergence file of a gate: which one, and the command that updates it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..corpus.paths import shipped
from ..errors import ParityError, UsageError, one_line
from ..gate.known_divergences import KnownDivergences
from ..gate.reader import FILE_NAME, file_exists, files_in, load_known
from ..model import Implementation
from ..report.gate_text import KnownFile
from ..transport.adapter_spec import adapter_of
from ..transport.manifest import shipped_manifests
from .run_command import gate_command


def known_files(arguments: argparse.Namespace) -> list[KnownDivergences]:
    """The content of `--known`, else of an existing `--write-known`, else of the shipped adapter's own files."""
    writing: Path | None = arguments.write_known
    if arguments.known is not None:
        if not file_exists(arguments.known):
            made = gate_command(_without_known(arguments), "--write-known", str(writing or arguments.known))
            raise ParityError(f"{arguments.known}: no such file. To create it: {made}")
        files = files_in(arguments.known) if arguments.known.is_dir() else [arguments.known]
        if not files:
            raise ParityError(f"{arguments.known}: the folder has no {FILE_NAME}. Name a file, or another folder.")
        return [load_known(file, allow_todo=writing is not None) for file in files]
    if writing is not None and file_exists(writing):
        return [load_known(writing, allow_todo=True)]
    manifest = shipped_manifests(shipped()).get(adapter_of(arguments.adapter[0].partition("=")[0]))
    return [load_known(file) for file in files_in(manifest.folder)] if manifest else []


def for_version(
    files: Sequence[KnownDivergences], introduced: Implementation | None, arguments: argparse.Namespace
) -> KnownDivergences:
    """The file for the version that the implementation reports; one with `versions` comes before one without. Without a
    file at all, an empty one. Raises `UsageError` if no file is for this version."""
    if not files or introduced is None:
        return files[0] if files else KnownDivergences()
    fitting = [known for known in files if known.holds_for(introduced.version)]
    if not fitting:
        ranges = "; ".join(f"{known.shown} is for {one_line(known.versions)}" for known in files)
        raise UsageError(
            f"No known-divergence file is for version {one_line(introduced.version)}: {ranges}. "
            "Name a file for it with --known, or change `versions` in one of these."
        )
    chosen = next((known for known in fitting if known.versions), fitting[0])
    if arguments.known:
        arguments.known = Path(chosen.shown)
    return chosen


def _without_known(arguments: argparse.Namespace) -> argparse.Namespace:
    """The same arguments without `--known`."""
    return argparse.Namespace(**{**vars(arguments), "known": None})


def described_file(arguments: argparse.Namespace, shown: str) -> KnownFile:
    """The file `shown` and the command that updates it; a shipped file outside its checkout is copied instead."""
    root = shipped()
    is_shipped = bool(shown) and Path(shown).resolve().is_relative_to(root)
    is_ours = Path.cwd().is_relative_to(root)  # the command runs inside the checkout
    if is_shipped and not is_ours:
        update = gate_command(arguments, "--write-known", FILE_NAME)
        again = gate_command(_without_known(arguments), "--known", FILE_NAME)
        return KnownFile(shown, True, update, again, writes_copy=True)
    target = arguments.write_known or arguments.known or FILE_NAME
    writes_copy = bool(shown) and not (arguments.write_known or arguments.known)
    return KnownFile(shown, is_shipped, gate_command(arguments, "--write-known", str(target)), writes_copy=writes_copy)
