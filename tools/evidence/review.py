"""Every evidence command of a corpus, with the exceptions that `exceptions.yaml` records."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from harness.corpus.loader import Corpus
from harness.model import Answered, Case, Json, Response

from .compare import Mismatch, Subject, confirms_some, leaves, mismatches, read
from .engines import Output, outputs, programs

EXCEPTIONS = Path(__file__).with_name("exceptions.yaml")
WHOLE = "whole"
"""The mode of a command that needs no exception."""

PARTS = frozenset({"retrieval.search"})
"""Operations whose commands compute a part of the answer: the matches of FTS5. The trace and the scores follow by hand."""


@dataclass(frozen=True, slots=True)
class Excuse:
    """An entry of exceptions.yaml: the commands that `pattern` finds are compared in `mode`, for a `reason`."""

    pattern: str
    mode: str
    reason: str


@dataclass(frozen=True, slots=True)
class Review:
    """`modes` counts commands by mode; `missing` lists commands that were not run because an engine is missing."""

    modes: Mapping[str, int]
    failures: Mapping[str, Sequence[Mismatch]]
    stale: Sequence[str]
    missing: Sequence[str]


def commands(corpus: Corpus) -> dict[str, list[Case]]:
    """Each evidence command with its cases, in the order of the corpus."""
    found: dict[str, list[Case]] = {}
    for case in corpus.cases:
        if case.evidence:
            found.setdefault(case.evidence, []).append(case)
    return found


def exceptions(file: Path = EXCEPTIONS) -> list[Excuse]:
    return [Excuse(**entry) for entry in yaml.safe_load(file.read_text(encoding="utf-8"))]


def review(corpus: Corpus, known: Sequence[Excuse] | None = None) -> Review:
    """Runs and compares every command. An exception counts only for a command that does not fit without it."""
    known = exceptions() if known is None else known
    cases = commands(corpus)
    words = {system: _fixed(corpus.root / "schemas" / system) for system in {case.system for case in corpus.cases}}
    printed = outputs(cases)
    modes: Counter[str] = Counter()
    failures: dict[str, Sequence[Mismatch]] = {}
    used: set[str] = set()
    missing = []
    for command, of in cases.items():
        subjects = [subject(case, words[case.system]) for case in of]
        output = printed.get(command)
        if output is None and programs(command):
            missing.append(command)
            continue
        found = mismatches(command, subjects, output) if output else [Mismatch(of[0].name, "no engine")]
        entry = next((one for one in known if found and re.search(one.pattern, command)), None)
        if entry:
            used.add(entry.pattern)
            found = [] if fits(entry.mode, subjects, output) else found
        modes[entry.mode if entry else WHOLE] += 1
        if found:
            failures[command] = found
    stale = [] if missing else [one.pattern for one in known if one.pattern not in used]
    return Review(modes, failures, stale, missing)


def subject(case: Case, words: frozenset[str]) -> Subject:
    """A case with its expected outcome and those of other readings; `words` are texts that its schemas fix."""
    outcomes = [_value(one) for one in (case.expected, *case.readings.values())]
    whole = case.origin.startswith("oracle:") and case.operation not in PARTS
    return Subject(case.name, case.request, outcomes, words if whole else None)


def _fixed(folder: Path) -> frozenset[str]:
    """The texts that an `enum` of a system's schemas lists."""
    found: set[str] = set()

    def collect(value: Json) -> None:
        if isinstance(value, dict):
            enum = value.get("enum")
            found.update(one for one in (enum if isinstance(enum, list) else ()) if isinstance(one, str))
            collect(list(value.values()))
        elif isinstance(value, list):
            for item in value:
                collect(item)

    for file in folder.glob("*.json"):
        collect(json.loads(file.read_text(encoding="utf-8")))
    return frozenset(found)


def _value(outcome: Response) -> Json:
    return outcome.value if isinstance(outcome, Answered) else {"error": outcome.type}


def fits(mode: str, subjects: Sequence[Subject], output: Output | None) -> bool:
    """Whether an output is what its mode demands."""
    if output is None:
        return mode == "not-run"
    printed = list(leaves([read(list(line)) for line in output.printed]))
    match mode:
        case "true" | "false":
            return not output.errors and bool(printed) and all(one is (mode == "true") for one in printed)
        case "intent":
            return not output.errors and _intents(subjects, printed)
        case "script":
            return not output.errors and _scripts(subjects, output)
        case "some":
            return confirms_some(subjects, output)
        case "nothing":
            return not output.errors and not printed
        case "refused":
            return bool(output.errors)
        case "unchecked":
            return not output.errors and bool(printed)
    return False


def _intents(subjects: Sequence[Subject], printed: Sequence[Json]) -> bool:
    """One boolean a case: true if a multiplier of the answer is not 1."""
    changed = [any(leaf != 1 for leaf in leaves(list(one.outcomes[:1]))) for one in subjects]
    return changed == list(printed)


def _scripts(subjects: Sequence[Subject], output: Output) -> bool:
    """One boolean a case, in any order of the cases: true if the answer is not English."""
    printed = sorted(text == "true" for line in output.printed for one in line for text in str(one).lower().split(","))
    return printed == sorted("en" not in leaves(list(one.outcomes[:1])) for one in subjects)
