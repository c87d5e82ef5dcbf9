"""Selection of cases: `--system` and `--select` expressions.

An expression is a list of terms that must all match; `!` before a term negates it; a case is selected if any expression
matches. A term is a glob over full names (`*` also matches `/`; a name without `*` also selects everything below it), or
`requirement:`, `operation:`, `origin:`, `tag:`, `ruling:`, `revision:` with a glob, `profile:NAME`, or
`verdict:V[:NAME]@RECORD`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fnmatch import translate

from msgspec import Struct

from ..base.near_names import nearest
from ..errors import EmptySelection, UsageError, one_line
from ..model import Case, Status, Verdict
from .suggestions import why_no_name, why_no_value, why_no_verdict
from .traps import may_be_trap

Test = Callable[[Case], bool]
TagsOf = Callable[[Case], Iterable[str]]
"""Reader of all tags of a case, also of those that are derived from its values."""

VerdictsOf = Callable[[str], Iterable[tuple[str, str, str]]]
"""Reader of a record: case name, implementation name and verdict of each result."""

_IN_RECORD = re.compile(r"(?:^|\s)!?verdict:[^\s@]*@\S*\Z")
_AFTER_RECORD = re.compile(r"\s|!?[a-z]+:|\Z")
_WILDCARD = re.compile(r"[*?[]")

_FIELDS: dict[str, Callable[[Case], Iterable[str]]] = {
    "requirement": lambda case: case.requirements,
    "operation": lambda case: (case.operation,),
    "origin": lambda case: (case.origin,),
    "tag": lambda case: case.tags,
    "ruling": lambda case: (case.ruling, *case.cited_by_rulings) if case.ruling else case.cited_by_rulings,
    "revision": lambda case: (case.revision,),
}


def of_systems(cases: Sequence[Case], systems: Sequence[str]) -> Sequence[Case]:
    """The cases of these systems; all cases if no system is given. Raises `UsageError` for a system without cases."""
    if not systems:
        return cases
    existing = sorted({case.system for case in cases})
    for system in systems:
        if system not in existing:
            message = f"--system '{one_line(system)}': the corpus has no such system."
            raise UsageError(f"{message} Use one of: {', '.join(existing)}.")
    return tuple(case for case in cases if case.system in systems)


class _Term(Struct, frozen=True):
    """Test of one term; `why` explains why none of the given cases matches it. `by_verdict`: it reads a record."""

    holds: Test
    why: Callable[[Sequence[Case]], str]
    by_verdict: bool = False


def select(
    cases: Sequence[Case],
    expressions: Sequence[str],
    verdicts_of: VerdictsOf,
    declared: Mapping[str, Collection[str]] | None = None,
    profiles: Mapping[str, Collection[str]] | None = None,
    tags_of: TagsOf = _FIELDS["tag"],
) -> Sequence[Case]:
    """The cases that some expression selects, in corpus order; all cases if there is no expression.

    `declared` maps a field to its existing values, including values without a case; `profiles` a profile to its operations.
    `tags_of` is asked where a term can match a derived tag.
    Raises `EmptySelection` with the reason if an expression matches no case, and `UsageError` if an expression is invalid.
    An expression with `verdict:` may match no case if another expression matches one: all its failures can be fixed by now.
    """
    read = {
        expression: _expression(expression, verdicts_of, declared or {}, profiles or {}, tags_of)
        for expression in expressions
    }
    matched = {expression: [case for case in cases if _holds(terms, case)] for expression, terms in read.items()}
    names = {case.name for selected in matched.values() for case in selected}
    chosen = [case for case in cases if case.name in names] if read else cases
    unmatched = {expression: read[expression] for expression, selected in matched.items() if not selected}
    if not chosen or not all(any(term.by_verdict for term in terms) for terms in unmatched.values()):
        raise EmptySelection(_no_match(cases, unmatched))
    return chosen


def _holds(terms: Sequence[_Term], case: Case) -> bool:
    return all(term.holds(case) for term in terms)


def _no_match(cases: Sequence[Case], unmatched: Mapping[str, Sequence[_Term]]) -> str:
    """One message for each expression without a match, or one about an empty corpus."""
    if not cases:
        return "The corpus has no case. Add one below cases/."
    return "\n".join(
        f"--select '{one_line(expression)}' matches no case: {_why(cases, terms)}"
        for expression, terms in unmatched.items()
    )


def _why(cases: Sequence[Case], terms: Sequence[_Term]) -> str:
    unmatched = [term for term in terms if not any(map(term.holds, cases))]
    if not unmatched:
        return "each term matches some case, but no case matches all terms."
    return " Also: ".join(term.why(cases) for term in unmatched)


def _expression(
    expression: str,
    verdicts_of: VerdictsOf,
    declared: Mapping[str, Collection[str]],
    profiles: Mapping[str, Collection[str]],
    tags_of: TagsOf,
) -> list[_Term]:
    terms = expression.split()
    if not terms:
        raise UsageError("--select: the expression is empty. Write a name, a glob, or a term such as tag:NAME.")
    return [_term(term, verdicts_of, declared, profiles, tags_of) for term in terms]


def _term(
    term: str,
    verdicts_of: VerdictsOf,
    declared: Mapping[str, Collection[str]],
    profiles: Mapping[str, Collection[str]],
    tags_of: TagsOf,
) -> _Term:
    if term.startswith("!"):
        inner = _term(term[1:], verdicts_of, declared, profiles, tags_of)
        why = f"{one_line(term)} excludes every case."
        return _Term(lambda case: not inner.holds(case), lambda _: why, inner.by_verdict)
    if not term:
        raise UsageError("--select: a `!` has no term after it. Write the term, such as !tag:NAME.")
    field, colon, rest = term.partition(":")
    if not colon:
        return _name(term)
    if field == "verdict":
        return _verdict(rest, verdicts_of)
    if field == "profile":
        return _profile(rest, profiles)
    if field not in _FIELDS:
        raise _unknown_field(field, rest)
    values = tags_of if field == "tag" and may_be_trap(rest) else _FIELDS[field]
    return _value(field, rest, values, declared.get(field, ()))


def _unknown_field(field: str, rest: str) -> UsageError:
    fields = (*_FIELDS, "profile", "verdict")
    near = nearest(field, fields)
    meant = f" Did you mean {near}:{one_line(rest)}?" if near else ""
    return UsageError(
        f"--select: {one_line(field)}: is not a field.{meant} Use one of: {', '.join(f'{name}:' for name in fields)}."
    )


def _value(field: str, glob: str, values: TagsOf, declared: Collection[str]) -> _Term:
    matches = _glob(glob)

    def why(cases: Sequence[Case]) -> str:
        used = {value for case in cases for value in values(case)}
        return why_no_value(field, glob, matches, used, declared)

    return _Term(lambda case: any(matches(value) for value in values(case)), why)


def _name(glob: str) -> _Term:
    if glob.endswith(".yaml"):  # the path of a case file, as problems and reports show it
        glob = glob.removeprefix("cases/").removesuffix(".yaml")
    matches = _glob(glob)
    below = tuple(glob.rstrip("/") + mark for mark in "/.")

    def holds(case: Case) -> bool:
        return matches(case.name) or ("*" not in glob and case.name.startswith(below))

    def is_or_is_below(case: Case) -> bool:
        return case.name == glob or case.name.startswith(below)

    test = holds if _WILDCARD.search(glob) else is_or_is_below
    return _Term(test, lambda cases: why_no_name(glob, [case.name for case in cases]))


def _profile(name: str, profiles: Mapping[str, Collection[str]]) -> _Term:
    if name not in profiles:
        message = f"--select profile:{one_line(name)}: the corpus has no such profile."
        raise UsageError(f"{message} Use one of: {', '.join(profiles)}.")
    operations = profiles[name]
    return _Term(lambda case: case.operation in operations, lambda _: f"The profile {name} has no case here.")


def split_expressions(expressions: Sequence[str]) -> list[str]:
    """The expressions, those with commas split: `A,B` selects what `A` or `B` selects. A comma inside brackets belongs to
    a glob; one in `verdict:…@RECORD` belongs to the record, unless a field follows it."""
    found: list[str] = []
    for expression in expressions:
        found += [part.strip() for part in _split(expression) if part.strip()] or [expression]
    return found


def _split(expression: str) -> list[str]:
    """The parts between the commas that separate."""
    parts, depth = [""], 0
    for at, character in enumerate(expression):
        depth += (character == "[") - (character == "]" and depth > 0)
        in_record = _IN_RECORD.search(parts[-1]) and not _AFTER_RECORD.match(expression, at + 1)
        if character == "," and not depth and not in_record:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def with_profiles(expressions: Sequence[str], profiles: Sequence[str]) -> list[str]:
    """The expressions that select the same cases, limited to these profiles; the same expressions without a profile."""
    terms = [f"profile:{profile}" for profile in profiles]
    if not terms:
        return list(expressions)
    pairs = ((expression, term) for term in terms for expression in expressions or [""])
    return [text if term in text.split() else f"{text} {term}".strip() for text, term in pairs]


def profiles_of(expressions: Sequence[str]) -> list[str]:
    """The profiles that limit a selection: of each expression one or more; empty if an expression has none."""
    words = map(str.split, expressions)
    named = [[term.partition(":")[2] for term in terms if term.startswith("profile:")] for terms in words]
    return list(dict.fromkeys(name for names in named for name in names)) if all(named) else []


_VERDICT = re.compile(
    r"(?P<verdict>[^:@]+)(?::(?P<name>[^@]*(?:@[A-Za-z0-9][A-Za-z0-9.+-]*(?=@))?))?@(?P<record>.+)", re.DOTALL
)
"""`V[:NAME]@RECORD`; the name can have a version, such as `fail:ts@0.2.0@run.jsonl`."""


def _verdict(rest: str, verdicts_of: VerdictsOf) -> _Term:
    parts = _VERDICT.fullmatch(rest)
    if not parts:
        raise UsageError("--select verdict: needs the form verdict:V[:NAME]@RECORD, such as verdict:fail:ts@run.jsonl.")
    verdict, name, record = parts["verdict"], parts["name"] or "", parts["record"]
    if "*" not in verdict and verdict not in (*Verdict, *Status):
        message = f"--select verdict:{one_line(verdict)}: this is not a verdict, and no status in a gate."
        raise UsageError(f"{message} Use one of: {', '.join((*Verdict, *Status))}.")
    matches = _glob(verdict)
    found = list(verdicts_of(record))
    chosen = {case for case, who, what in found if matches(what) and (not name or who == name)}
    implementations = {who for _, who, _ in found}
    return _Term(
        lambda case: case.name in chosen,
        lambda _: why_no_verdict(record, name, implementations, in_record=bool(chosen)),
        by_verdict=True,
    )


def _glob(glob: str) -> Callable[[str], bool]:
    compiled = re.compile(translate(glob))
    return lambda text: compiled.match(text) is not None
