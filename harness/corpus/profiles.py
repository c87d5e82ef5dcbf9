"""Conformance profiles of a corpus, from `profiles.yaml` of each system, and floors of operations, from their cases.

Neither changes a verdict, so profiles are no part of the corpus digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..compare.canonical import equality_text
from ..errors import CorpusError, Problem
from ..model import Answered, Case, ConformanceProfile, Json
from .corpus_files import PROFILES, read_text
from .json_schema import file_faults
from .loader import Corpus, OpenCorpus

ALL = "all"
"""The profile that every system has: all its operations. It comes last."""


def corpus_profiles(corpus: Corpus) -> tuple[ConformanceProfile, ...]:
    """The profiles of each system, in the order in which a port grows. Raises `CorpusError`."""
    return tuple(_all_profiles(corpus, Counter(case.operation for case in corpus.cases)))


def profile_operations(corpus: Corpus | OpenCorpus) -> Mapping[str, frozenset[str]]:
    """The operations of each profile by its name; systems with a profile of the same name add up. Raises `CorpusError`."""
    found: dict[str, frozenset[str]] = {}
    for profile in _all_profiles(corpus, {}):
        found[profile.name] = found.get(profile.name, frozenset()) | profile.operations.keys()
    return found


def _all_profiles(corpus: Corpus | OpenCorpus, counts: Mapping[str, int]) -> Iterator[ConformanceProfile]:
    """The profiles of all systems, with the number of cases of each operation."""
    systems: dict[str, list[str]] = {}
    for operation in corpus.operations.values():
        systems.setdefault(operation.system, []).append(operation.name)
    for system, own in sorted(systems.items()):
        yield from _profiles(corpus.root, system, own, counts)


def floors_of(cases: Iterable[Case], least: int = 1) -> Mapping[str, float]:
    """The share of each operation's cases, 0 to 1, that expect its most frequent answer: one constant answer passes them.
    Operations with fewer than `least` cases are left out."""
    answers: dict[str, Counter[str]] = {}
    for case in cases:
        expected = equality_text(case.expected.value) if isinstance(case.expected, Answered) else ""
        answers.setdefault(case.operation, Counter())[expected] += 1
    return {
        name: max((count for text, count in counts.items() if text), default=0) / counts.total()
        for name, counts in sorted(answers.items())
        if counts.total() >= least
    }


def _profiles(root: Path, system: str, own: list[str], counts: Mapping[str, int]) -> Iterator[ConformanceProfile]:
    value = _read(root, system)
    listed = [] if value is None else value["profiles"]
    for entry in listed:
        unknown = [name for name in entry["operations"] if name not in own]
        if unknown or entry["name"] == ALL:
            place = f"cases/{system}/{PROFILES}"
            message = (
                f"The profile {entry['name']} has the unknown operation {unknown[0]}."
                if unknown
                else f"The profile {ALL} has all operations of a system."
            )
            remedy = "Name an operation of schemas/." if unknown else "Delete it from the file."
            raise CorpusError([Problem(place, "bad-profile", message, remedy)])
        yield ConformanceProfile(
            system, entry["name"], entry["title"], {name: counts.get(name, 0) for name in entry["operations"]}
        )
    yield ConformanceProfile(
        system, ALL, f"All operations of {system}.", {name: counts.get(name, 0) for name in sorted(own)}
    )


def _read(root: Path, system: str) -> Any:
    """The value of the system's `profiles.yaml`; None if the system does not have it. Raises `CorpusError`."""
    path = root / "cases" / system / PROFILES
    if not path.exists():
        return None
    from .strict_yaml import parse_yaml

    shown = f"cases/{system}/{PROFILES}"
    problems: list[Problem] = []
    text = read_text(path, shown, problems)
    value: Json = None
    if text is not None:
        value, found = parse_yaml(text, shown)
        problems += found
    if not problems:
        problems = [
            Problem(shown, "bad-profile", message, "Follow schemas/profiles.schema.json.")
            for message in file_faults(value, "profiles.schema.json")
        ]
    if problems:
        raise CorpusError(problems)
    return value
