"""Checks a command against the adapter protocol: one finding a line, the most severe first, each with its remedy."""

from __future__ import annotations

import argparse
import functools
import shlex
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path

from ..base.text_limits import MAX_OUTPUT
from ..corpus.checker import Checker
from ..corpus.loader import Corpus, load_corpus
from ..corpus.paths import cache, shipped
from ..errors import one_line, plural, printable
from ..model import Implementation
from ..plan.chosen_cases import corpus_folder
from ..probe.checks import ProbeResult, probe
from ..probe.mistakes import ProbeFinding, language_named, language_of, sentence
from ..probe.samples import sample_of
from ..protocol import Connection
from ..report.output_text import HOME_HINT, barred, needs_home
from ..transport.adapter_spec import has_name, parse_specs
from ..transport.connect import connect
from ..transport.manifest import shipped_manifests
from ..transport.sandbox import Sandbox
from .options import ADAPTERS, add_options, options_of
from .streams import WIDTH

_STDERR_LINES = 15
_MAX_STDERRS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command", metavar="COMMAND", nargs="+", help="[LABEL=]COMMAND in quotes, or a shipped adapter's name"
    )
    copy = "use this working copy instead of the release of COMMAND"
    add_options(parser, [name for name in ADAPTERS if name != "adapters"], sdk=copy)


def run(arguments: argparse.Namespace) -> int:
    words: list[str] = arguments.command
    given = words[0] if len(words) == 1 else shlex.join(words)
    options = options_of(arguments)
    corpus = load_corpus(corpus_folder(options))
    manifests = shipped_manifests(shipped())
    [spec] = parse_specs([given if has_name(given) else f"probed={given}"], manifests, arguments.sdk)
    with Sandbox() as sandbox:
        result = _probe(connect(spec, manifests, cache(), sandbox, options.pass_env), corpus, options.timeout)
    report = (
        _findings(result, language_of(manifests[spec.adapter].run.command if spec.is_shipped else spec.command))
        if result.findings
        else _success(result, corpus, arguments.sdk, given)
    )
    for line in report:
        print(printable(line))
    return 1 if result.findings else 0


def _probe(adapter: Connection, corpus: Corpus, seconds: float) -> ProbeResult:
    checker = Checker(corpus.schemas)
    return probe(
        functools.partial(adapter.start, ()),
        corpus.operations,
        lambda name: sample_of(
            name, [case for case in corpus.cases if case.operation == name], corpus.operations, checker
        ),
        seconds,
    )


def _findings(result: ProbeResult, language: str) -> Iterator[str]:
    reported = result.implementation.language if result.implementation else ""
    for finding in result.findings:
        yield sentence(finding, language or language_named(reported))
    yield ""
    good = f"; {plural(result.well_formed, 'operation')} gave a well-formed reply" if result.well_formed else ""
    yield f"{plural(len(result.findings), 'finding')}{good}. docs/protocol.md has the rules."
    yield from _standard_error(result.findings)


def _standard_error(findings: Sequence[ProbeFinding]) -> Iterator[str]:
    """The last lines of standard error of the processes with findings, the most severe findings first."""
    titles_of: dict[tuple[str, ...], list[str]] = {}
    for finding in findings:
        lines = finding.stderr.strip().replace("\r\n", "\n").split("\n")
        titles_of.setdefault(tuple(lines[-_STDERR_LINES:]), []).append(finding.kind.title)
    titles_of.pop(("",), None)
    for shown, titles in islice(titles_of.items(), _MAX_STDERRS):
        at = ", ".join(f'"{title}"' for title in titles)
        whose = f" at {at}" if len(titles) < len(findings) else ""
        yield f"Its standard error{whose} (the end):"
        yield from barred(shown)
    if any(needs_home(finding.stderr) for finding in findings):
        yield HOME_HINT


def _success(result: ProbeResult, corpus: Corpus, sdk: Path | None, given: str) -> Iterator[str]:
    one = result.implementation
    assert one is not None
    name = f"{one.implementation} {one.version} ({', '.join(part for part in (one.language, one.runtime) if part)})"
    yield f"{one_line(name)} follows the protocol: no findings."
    yield ""
    yield "  checked: initialize, one request of each operation, characters outside ASCII, characters to escape,"
    yield "  an unknown operation, malformed requests, requests in one piece, a long line, shutdown, the end of input."
    yield "  not checked: whether the answers are right."
    yield ""
    for names, reply in _by_area(result.replies, corpus):
        yield f"  {names}  {reply}"
    yield from _without_reply(result, one, corpus)
    yield ""
    option = given if given in shipped_manifests(shipped()) else shlex.quote(given)
    copy = f" --sdk {shlex.quote(str(sdk))}" if sdk else ""
    yield f"next: parity run --adapter {option}{copy}"


def _without_reply(result: ProbeResult, one: Implementation, corpus: Corpus) -> Iterator[str]:
    """The operations that the probe did not call: no request in the corpus, unsupported, or not offered."""
    unknown = sorted(one.operations - set(result.replies))
    if unknown:
        yield f"  offered, but the corpus has no request: {one_line(', '.join(unknown), MAX_OUTPUT)}"
    missing = sorted(set(corpus.operations) - one.operations)
    reasons = {name: f"unsupported: {one_line(one.unsupported[name])}" for name in missing if name in one.unsupported}
    yield from (f"  {names}  {reason}" for names, reason in _by_area(reasons, corpus))
    touched = {
        corpus.operations[name].system for name in {*one.operations, *one.unsupported} if name in corpus.operations
    }
    elsewhere = [corpus.operations[name].system for name in missing if corpus.operations[name].system not in touched]
    if elsewhere:
        yield f"  not offered: {plural(len(elsewhere), 'operation')} of other systems ({', '.join(sorted({*elsewhere}))})"
    unexplained = [name for name in missing if name not in reasons and corpus.operations[name].system in touched]
    if unexplained:
        yield "  not offered, without a reason under unsupported:"
    area_of = functools.partial(_area, corpus)
    for system, names in groupby(sorted(unexplained, key=area_of), lambda name: area_of(name)[0]):
        areas = ", ".join(area for area, _ in _by_area(dict.fromkeys(names, ""), corpus))
        yield from textwrap.wrap(f"{system}: {areas}", WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 6)


def _by_area(texts: Mapping[str, str], corpus: Corpus) -> Iterator[tuple[str, str]]:
    """The operations with their texts; an area whose operations all have the same text is one entry."""
    area_of = functools.partial(_area, corpus)
    sizes = Counter(map(area_of, corpus.operations))
    for area, group in groupby(sorted(texts, key=area_of), area_of):
        names = sorted(group)
        if 1 < len(names) == sizes[area] and len({texts[name] for name in names}) == 1:
            yield f"{area[1]}.* ({len(names)} operations)", texts[names[0]]
        else:
            yield from ((name, texts[name]) for name in names)


def _area(corpus: Corpus, operation: str) -> tuple[str, str]:
    """The system of an operation, and the first part of its name."""
    return corpus.operations[operation].system, operation.partition(".")[0]
