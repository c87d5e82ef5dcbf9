"""Names of cases in a known-divergence file: full names, operations, and globs over either. Pure.

`cover` finds few names for many cases: they mean these cases and no others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import translate
from functools import cache

_SPECIAL = frozenset("*?[")
"""Characters that make a name a glob."""


def is_glob(name: str) -> bool:
    """Whether a name is a glob."""
    return not _SPECIAL.isdisjoint(name)


def means(name: str, case: str, operation: str) -> bool:
    """Whether a name of `unsupported` means this case: a name with a slash is about cases, others about operations."""
    return matches(name, case if "/" in name else operation)


def matches(name: str, text: str) -> bool:
    """Whether a name is this text, or a glob over it."""
    return _pattern(name).match(text) is not None if is_glob(name) else name == text


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile(translate(glob))


def cover_cases(cases: Collection[str], operation_of: Mapping[str, str]) -> list[str]:
    """Few names for these cases: an operation or a glob if it means no other case of the corpus."""
    operations = set(operation_of.values())
    sizes = Counter(operation.partition(".")[0] for operation in operations)

    def candidates(case: str) -> Iterator[str]:
        operation = operation_of.get(case, "")
        group = operation.partition(".")[0]
        if sizes[group] > 1:
            yield f"{group}.*"
        yield operation
        yield from case_globs(case)

    return cover(cases, operation_of, candidates, whole=operations)


def case_globs(case: str) -> Iterator[str]:
    """The globs that mean a case and its neighbours, the widest first: a section, a suite, a table."""
    parts = case.split("/")
    yield from (f"{'/'.join(parts[:length])}/*" for length in range(2, len(parts)))
    table, dot, _ = case.partition(".")
    if dot:
        yield f"{table}.*"


def cover(
    cases: Collection[str],
    corpus: Iterable[str],
    candidates: Callable[[str], Iterable[str]],
    whole: Collection[str] = (),
) -> list[str]:
    """Names for exactly these cases, sorted: for each case the widest candidate that means no other case of the corpus.
    A candidate means two cases or more, except those in `whole`."""
    everywhere: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for case in corpus:
        everywhere.update(candidates(case))
    for case in cases:
        inside.update(candidates(case))

    def name(case: str) -> str:
        for candidate in candidates(case):
            if inside[candidate] == everywhere[candidate] and (everywhere[candidate] > 1 or candidate in whole):
                return candidate
        return case

    return sorted({name(case) for case in cases})
