"""Tells whether a command speaks the adapter protocol: one finding a line, the gravest first, each with its remedy."""

from __future__ import annotations

import argparse
import functools
import shlex
from collections.abc import Callable, Iterator, Sequence

from harness.cli.options import add_corpus_folder, add_patience
from harness.connections.environment import Surroundings
from harness.connections.manifest import Manifest, shipped_manifests
from harness.connections.naming import choose, says_a_name
from harness.connections.probed import ProbedProcess
from harness.connections.starting import Subprocess, connect
from harness.corpus.checking import Checker
from harness.corpus.loading import Corpus, load_corpus
from harness.errors import one_line, printable
from harness.model import Implementation
from harness.places import cache, shipped
from harness.probing.findings import language_of, sentence
from harness.probing.questions import Probe, probe
from harness.probing.samples import sample_of
from harness.reporting.describing import plural

_STDERR_LINES = 15


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command", metavar="COMMAND", nargs="+", help="[LABEL=]COMMAND in quotes, or a shipped adapter's name"
    )
    add_corpus_folder(parser)
    add_patience(parser, 10.0)


def run(arguments: argparse.Namespace) -> int:
    words: list[str] = arguments.command
    given = words[0] if len(words) == 1 else shlex.join(words)
    corpus = load_corpus((arguments.corpus or shipped()).resolve())
    with Surroundings() as surroundings:
        adapter = _adapter(given, shipped_manifests(shipped()), surroundings, arguments.pass_env)
        found = _probe(adapter, corpus, arguments.timeout)
    report = _praise(found, corpus, given) if not found.findings else _findings(found, language_of(adapter.command))
    for line in report:
        print(printable(line))
    return 1 if found.findings else 0


def _adapter(
    given: str, manifests: dict[str, Manifest], surroundings: Surroundings, passed: Sequence[str]
) -> Subprocess:
    option = given if says_a_name(given) else f"probed={given}"
    return connect(choose([option], manifests)[0], manifests, cache(), surroundings, passed)


def _probe(adapter: Subprocess, corpus: Corpus, seconds: float) -> Probe:
    checker = Checker(corpus.schemas)
    start: Callable[[], ProbedProcess] = functools.partial(
        ProbedProcess, adapter.command, adapter.folder, adapter.environment
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
        yield sentence(finding, language or _KNOWN.get(told.lower(), ""))
    yield ""
    asked = f"; {plural(len(found.answered), 'operation')} gave a well-formed reply" if found.answered else ""
    yield f"{plural(len(found.findings), 'finding')}{asked}. docs/protocol.md has the rules."
    said = found.stderr.strip().splitlines()
    if said:
        yield "Its standard error (the end):"
        yield from (f"  {one_line(line)}" for line in said[-_STDERR_LINES:])


_KNOWN = {"python": "Python", "javascript": "JavaScript", "typescript": "JavaScript", "go": "Go", "golang": "Go"}
"""What `initialize` calls the languages for which there is advice."""


def _praise(found: Probe, corpus: Corpus, given: str) -> Iterator[str]:
    one = found.implementation
    assert one is not None
    said = " ".join(part for part in (one.implementation, one.version, f"({one.language})", one.runtime) if part)
    yield f"{one_line(said)} speaks the protocol: no findings."
    yield ""
    yield "  looked at: initialize, one request of each operation, characters outside ASCII, an unknown operation,"
    yield "  malformed requests, requests in one piece, a long line, shutdown, the end of input. Not: who is right."
    yield ""
    for name, how in found.answered.items():
        yield f"  {name}  {how}"
    yield from _not_asked(found, one, corpus)
    yield ""
    option = given if given in shipped_manifests(shipped()) else shlex.quote(given)
    yield f"next: parity run --adapter {option}"


def _not_asked(found: Probe, one: Implementation, corpus: Corpus) -> Iterator[str]:
    unasked = sorted(one.operations - set(found.answered))
    if unasked:
        yield f"  offered, but the corpus has no request: {one_line(', '.join(unasked), 2000)}"
    unsaid = []
    for name in sorted(set(corpus.operations) - one.operations):
        if name in one.unsupported:
            yield f"  {name}  unsupported: {one_line(one.unsupported[name])}"
        else:
            unsaid.append(name)
    if unsaid:
        yield f"  not offered, and no reason given under unsupported: {', '.join(unsaid)}"
