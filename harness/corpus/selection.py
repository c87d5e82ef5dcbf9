"""Which cases a run asks: `--select` expressions.

An expression is a list of terms that must all hold, `!` before a term negates it, and several expressions add up. A term
is a glob over full names (`*` crosses `/`; without `*` it also selects all that lies below it), or `requirement:`,
`operation:`, `origin:`, `tag:`, `ruling:`, `revision:` with a glob, or `verdict:V[:NAME]@RECORD`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import translate

from harness.errors import EmptySelection, UsageError, one_line
from harness.model import Case, Verdict

Test = Callable[[Case], bool]
VerdictsOf = Callable[[str], Iterable[tuple[str, str, str]]]
"""Reads a record: for each result the case's name, the implementation's name, the verdict."""

_FIELDS: dict[str, Callable[[Case], Iterable[str]]] = {
    "requirement": lambda case: case.requirements,
    "operation": lambda case: (case.operation,),
    "origin": lambda case: (case.origin,),
    "tag": lambda case: case.tags,
    "ruling": lambda case: (case.ruling, *case.discussed) if case.ruling else case.discussed,
    "revision": lambda case: (case.revision,),
}


def of_systems(cases: Sequence[Case], systems: Sequence[str]) -> tuple[Case, ...]:
    """The cases of these systems; all of them where none is named. Raises `UsageError` for one that has no case."""
    there = sorted({case.system for case in cases})
    for system in systems:
        if system not in there:
            raise UsageError(f"--system {one_line(system)}: the corpus has no such system. It has {', '.join(there)}.")
    return tuple(case for case in cases if not systems or case.system in systems)


def select(cases: Sequence[Case], expressions: Sequence[str], verdicts_of: VerdictsOf) -> tuple[Case, ...]:
    """The cases that some expression selects, in corpus order; all of them where there is no expression.

    Raises `EmptySelection` if that leaves none, and `UsageError` for an expression that cannot be read.
    """
    tests = [_expression(expression, verdicts_of) for expression in expressions]
    chosen = tuple(case for case in cases if not tests or any(test(case) for test in tests))
    if not chosen:
        said = " ".join(f"--select '{one_line(expression)}'" for expression in expressions) or "The corpus"
        raise EmptySelection(f"{said} matches no case, so nothing was asked. `parity cases` lists the names.")
    return chosen


def _expression(expression: str, verdicts_of: VerdictsOf) -> Test:
    terms = expression.split()
    if not terms:
        raise UsageError("--select was given an empty expression. Write a name, a glob, or a term such as tag:NAME.")
    tests = [_term(term, verdicts_of) for term in terms]
    return lambda case: all(test(case) for test in tests)


def _term(term: str, verdicts_of: VerdictsOf) -> Test:
    if term.startswith("!"):
        inner = _term(term[1:], verdicts_of)
        return lambda case: not inner(case)
    if not term:
        raise UsageError("--select has a `!` with no term behind it.")
    field, colon, rest = term.partition(":")
    if not colon:
        return _name(term)
    if field == "verdict":
        return _verdict(rest, verdicts_of)
    if field not in _FIELDS:
        known = ", ".join(f"{name}:" for name in (*_FIELDS, "verdict"))
        raise UsageError(f"--select knows no field {one_line(field)}:. It knows {known}.")
    matches = _glob(rest)
    values = _FIELDS[field]
    return lambda case: any(matches(value) for value in values(case))


def _name(glob: str) -> Test:
    if glob.endswith(".yaml"):  # a file as problems and reports name it
        glob = glob.removeprefix("cases/").removesuffix(".yaml")
    matches = _glob(glob)
    if "*" in glob:
        return lambda case: matches(case.name)
    below = tuple(glob.rstrip("/") + mark for mark in "/.")
    return lambda case: matches(case.name) or case.name.startswith(below)


def _verdict(rest: str, verdicts_of: VerdictsOf) -> Test:
    wanted, at, record = rest.partition("@")
    verdict, _, name = wanted.partition(":")
    if not at or not record or not verdict:
        raise UsageError("--select verdict: is written verdict:V[:NAME]@RECORD, for example verdict:fail:ts@run.jsonl.")
    if "*" not in verdict and verdict not in list(Verdict):
        raise UsageError(f"--select verdict:{one_line(verdict)}: a verdict is one of {', '.join(Verdict)}.")
    matches = _glob(verdict)
    chosen = {case for case, who, what in verdicts_of(record) if matches(what) and (not name or who == name)}
    return lambda case: case.name in chosen


def _glob(glob: str) -> Callable[[str], bool]:
    compiled = re.compile(translate(glob))
    return lambda text: compiled.match(text) is not None
