"""Tells whether a command speaks the adapter protocol: one finding a line, the gravest first, each with its remedy."""

from __future__ import annotations

import argparse
import functools
import shlex
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, islice

from harness.cli.options import add_corpus_folder, add_timeouts
from harness.cli.streams import WIDTH
from harness.corpus.checker import Checker
from harness.corpus.loader import Corpus, load_corpus
from harness.corpus.paths import cache, shipped
from harness.errors import one_line, printable
from harness.model import Implementation
from harness.probe.checks import Probe, probe
from harness.probe.findings import ProbeFinding, language_of, sentence
from harness.probe.samples import sample_of
from harness.report.text import barred, plural
from harness.transport.adapter_spec import choose, says_a_name
from harness.transport.connect import ProcessConnection, connect
from harness.transport.manifest import Manifest, shipped_manifests
from harness.transport.process import Process
from harness.transport.sandbox import Sandbox

_STDERR_LINES = 15
_MOST_STDERRS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command", metavar="COMMAND", nargs="+", help="[LABEL=]COMMAND in quotes, or a shipped adapter's name"
    )
    add_corpus_folder(parser)
    add_timeouts(parser, 10.0)


def run(arguments: argparse.Namespace) -> int:
    words: list[str] = arguments.command
    given = words[0] if len(words) == 1 else shlex.join(words)
    corpus = load_corpus((arguments.corpus or shipped()).resolve())
    with Sandbox() as sandbox:
        adapter = _adapter(given, shipped_manifests(shipped()), sandbox, arguments.pass_env)
        found = _probe(adapter, corpus, arguments.timeout)
    report = _praise(found, corpus, given) if not found.findings else _findings(found, language_of(adapter.command))
    for line in report:
        print(printable(line))
    return 1 if found.findings else 0


def _adapter(given: str, manifests: dict[str, Manifest], sandbox: Sandbox, passed: Sequence[str]) -> ProcessConnection:
    option = given if says_a_name(given) else f"probed={given}"
    return connect(choose([option], manifests)[0], manifests, cache(), sandbox, passed)


def _probe(adapter: ProcessConnection, corpus: Corpus, seconds: float) -> Probe:
    checker = Checker(corpus.schemas)
    start: Callable[[], Process] = functools.partial(
        Process, adapter.command, adapter.folder, adapter.environment
    )
    return probe(
        start,
        corpus.operations,
        lambda name: sample_of(name, corpus.cases, corpus.operations, checker),
        seconds,
    )


def _findings(found: Probe, language: str) -> Iterator[str]:
    told = found.implementation.language if found.implementation else ""
    for finding in found.findings:
        yield sentence(finding, language or _KNOWN.get(told.lower(), told))
    yield ""
    asked = f"; {plural(found.well_formed, 'operation')} gave a well-formed reply" if found.well_formed else ""
    yield f"{plural(len(found.findings), 'finding')}{asked}. docs/protocol.md has the rules."
    yield from _standard_error(found.findings)


def _standard_error(findings: Sequence[ProbeFinding]) -> Iterator[str]:
    """The ends of what the processes wrote to standard error that the findings are about, of the gravest ones first."""
    about: dict[tuple[str, ...], list[str]] = {}
    for finding in findings:
        said = finding.stderr.strip().replace("\r\n", "\n").split("\n")
        about.setdefault(tuple(said[-_STDERR_LINES:]), []).append(finding.mistake.named)
    about.pop(("",), None)
    for lines, names in islice(about.items(), _MOST_STDERRS):
        at = ", ".join(f'"{name}"' for name in names)
        whose = f" at {at}" if len(names) < len(findings) else ""
        yield f"Its standard error{whose} (the end):"
        yield from barred(lines)


_KNOWN = {
    "python": "Python",
    "javascript": "JavaScript",
    "typescript": "JavaScript",
    "go": "Go",
    "golang": "Go",
    "java": "Java",
    "kotlin": "Java",
    "ruby": "Ruby",
    "rust": "Rust",
    "perl": "Perl",
}
"""What `initialize` calls the languages for which there is advice; any other has the general one alone."""


def _praise(found: Probe, corpus: Corpus, given: str) -> Iterator[str]:
    one = found.implementation
    assert one is not None
    said = " ".join(part for part in (one.implementation, one.version, f"({one.language})", one.runtime) if part)
    yield f"{one_line(said)} speaks the protocol: no findings."
    yield ""
    yield "  looked at: initialize, one request of each operation, characters outside ASCII, an unknown operation,"
    yield "  malformed requests, requests in one piece, a long line, shutdown, the end of input. Not: who is right."
    yield ""
    for names, how in _together(found.answered, corpus):
        yield f"  {names}  {how}"
    yield from _not_asked(found, one, corpus)
    yield ""
    option = given if given in shipped_manifests(shipped()) else shlex.quote(given)
    yield f"next: parity run --adapter {option}"


def _not_asked(found: Probe, one: Implementation, corpus: Corpus) -> Iterator[str]:
    unasked = sorted(one.operations - set(found.answered))
    if unasked:
        yield f"  offered, but the corpus has no request: {one_line(', '.join(unasked), 2000)}"
    missing = sorted(set(corpus.operations) - one.operations)
    reasons = {name: f"unsupported: {one_line(one.unsupported[name])}" for name in missing if name in one.unsupported}
    yield from (f"  {names}  {reason}" for names, reason in _together(reasons, corpus))
    unsaid = [name for name in missing if name not in reasons]
    if unsaid:
        yield "  not offered, and no reason given under unsupported:"
    area_of = functools.partial(_area, corpus)
    for system, names in groupby(sorted(unsaid, key=area_of), lambda name: area_of(name)[0]):
        areas = ", ".join(area for area, _ in _together(dict.fromkeys(names, ""), corpus))
        yield from textwrap.wrap(f"{system}: {areas}", WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 6)


def _together(said: Mapping[str, str], corpus: Corpus) -> Iterator[tuple[str, str]]:
    """What is said of each operation; those of an area are one if `said` has all of them and says the same of each."""
    area_of = functools.partial(_area, corpus)
    whole = Counter(map(area_of, corpus.operations))
    for area, group in groupby(sorted(said, key=area_of), area_of):
        names = sorted(group)
        if 1 < len(names) == whole[area] and len({said[name] for name in names}) == 1:
            yield f"{area[1]}.* ({len(names)} operations)", said[names[0]]
        else:
            yield from ((name, said[name]) for name in names)


def _area(corpus: Corpus, operation: str) -> tuple[str, str]:
    """The system of an operation, and the part of its name that it shares with its like."""
    return corpus.operations[operation].system, operation.partition(".")[0]
