"""Bugs planted in copies of the reference, to measure what generated requests find.

Each bug replaces one text of one module by another. No case of the corpus notices it.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from generated import OPERATIONS, ROOT, requests

from reference_impl.wire.operations import Operation

BATCH = 20
"""Requests of one operation in a row."""


@dataclass(frozen=True, slots=True)
class PlantedBug:
    """One replacement; ``module`` is a path below `reference_impl/`, and ``system`` has the operations that show it."""

    name: str
    system: str
    module: str
    before: str
    after: str


BUGS = (
    PlantedBug(
        "second-not-is-dropped",
        "jeffs_brain",
        "jeffs_brain/fts5.py",
        "before = rule.connective(token) if place else rule.first_connective(token)",
        (
            "before = rule.connective(token) if place else rule.first_connective(token)\n        if place > 2 and"
            ' before == "AND NOT" and ast.tokens[place - 1].operator == "NOT":\n            before = "AND"'
        ),
    ),
    PlantedBug(
        "two-digit-year-50",
        "jeffs_brain",
        "javascript/date_parser.py",
        "    if 0 <= year <= 49:",
        "    if 0 <= year <= 50:",
    ),
    PlantedBug(
        "half-past-noon",
        "jeffs_brain",
        "javascript/date_parser.py",
        "            if hour > 12:",
        "            if hour >= 12 and self.half == 12 and minute > 30:",
    ),
    PlantedBug(
        "name-of-mst",
        "jeffs_brain",
        "javascript/date_parser.py",
        '"mst": -7, "mdt": -6',
        '"mst": -6, "mdt": -6',
    ),
    PlantedBug(
        "small-k-is-replaced",
        "jeffs_brain",
        "jeffs_brain/fusion.py",
        "if k > 0 else RRF_DEFAULT_K",
        "if k >= 1e-6 else RRF_DEFAULT_K",
    ),
    PlantedBug(
        "negative-limit-of-agreement",
        "jeffs_brain",
        "jeffs_brain/rerank.py",
        "return agreements >= agree_min",
        "return agreements >= abs(agree_min)",
    ),
    PlantedBug(
        "path-with-two-slashes",
        "jeffs_brain",
        "jeffs_brain/intent.py",
        'return "memory/global/" in path',
        'return "memory/global/" in path.replace("//", "/")',
    ),
    PlantedBug(
        "path-with-a-final-slash",
        "jeffs_brain",
        "jeffs_brain/trigram.py",
        'segment = decided(RetryLadderDecisions).lower_case(path).rpartition("/")[2]',
        'segment = decided(RetryLadderDecisions).lower_case(path).rstrip("/").rpartition("/")[2]',
    ),
    PlantedBug(
        "fourth-token-of-trigrams",
        "jeffs_brain",
        "jeffs_brain/trigram.py",
        "wanted = [grams(token) for token in tokens]",
        "wanted = [grams(token) for token in tokens[:3]]",
    ),
    PlantedBug(
        "quote-far-in-the-query",
        "jeffs_brain",
        "jeffs_brain/parser.py",
        "has_operators = '\"' in text or",
        "has_operators = '\"' in text[:24] or",
    ),
    PlantedBug(
        "empty-entry-falls-back",
        "jeffs_brain",
        "jeffs_brain/aliases.py",
        "if found is None else found",
        "if not found else found",
    ),
    PlantedBug(
        "fourth-phrase",
        "jeffs_brain",
        "jeffs_brain/temporal.py",
        "self.resolved_matches(list(pattern.finditer(self.comparable(question))))",
        "self.resolved_matches(list(pattern.finditer(self.comparable(question)))[:3])",
    ),
    PlantedBug(
        "near-ties-of-reweighting",
        "jeffs_brain",
        "jeffs_brain/intent.py",
        "    return -result.score\n",
        "    return -round(result.score, 12)\n",
    ),
    PlantedBug(
        "strongest-of-four",
        "jeffs_brain",
        "jeffs_brain/retry_ladder.py",
        "return max(words, key=self.length)",
        "return max(words[:4], key=self.length)",
    ),
    PlantedBug(
        "content-of-the-same-path",
        "jeffs_brain",
        "jeffs_brain/fusion.py",
        "content=first.content or later.content",
        'content=first.content or (later.content if later.path == first.path else "")',
    ),
    PlantedBug(
        "seconds-of-a-surface-form",
        "jeffs_brain",
        "jeffs_brain/anchors.py",
        'return rf"({two}):({two})(?::({two}))?"',
        'return rf"({two}):({two})(?::([0-5]\\d))?"',
    ),
    PlantedBug(
        "month-name-before-year",
        "jeffs_brain",
        "javascript/date_parser.py",
        "if 1 <= first <= 31 else (first, second)\n",
        "if 1 <= first <= 30 else (first, second)\n",
    ),
    PlantedBug(
        "recent-text-ids",
        "nexus",
        "nexus/retrieval.py",
        "if episode.id not in recent]",
        "if episode.id not in recent and str(episode.id) not in recent]",
    ),
    PlantedBug(
        "session-id-with-zeros",
        "nexus",
        "nexus/scope.py",
        "ids.append(int(part))",
        "ids.append(int(part) or 0) if not part.startswith('00') else None",
    ),
    PlantedBug(
        "keyword-limit-above-1000",
        "nexus",
        "nexus/retrieval.py",
        "memory.search_episodes(semantic_limit * FTS_HEADROOM",
        "memory.search_episodes(min(semantic_limit * FTS_HEADROOM, 1000)",
    ),
    PlantedBug(
        "refused-patch-resets",
        "nexus",
        "wire/nexus/operations.py",
        "            settings = patched.settings\n",
        "            settings = patched.settings if patched.accepted else Settings()\n",
    ),
    PlantedBug(
        "scope-without-repeats",
        "nexus",
        "nexus/scope.py",
        "        return list(session_ids)\n",
        "        return list(dict.fromkeys(session_ids))\n",
    ),
    PlantedBug(
        "accesses-are-capped",
        "tideline",
        "tideline/decay.py",
        "math.log1p(durability.access_count)",
        "math.log1p(min(durability.access_count, 1000))",
    ),
    PlantedBug(
        "ninth-recalled",
        "tideline",
        "tideline/hybrid.py",
        "limit = settings.limit if settings.limit > 0 else DEFAULT_LIMIT",
        "limit = settings.limit if 0 < settings.limit < 100 else DEFAULT_LIMIT",
    ),
    PlantedBug(
        "escaped-segment-in-notice",
        "tideline",
        "tideline/blocks.py",
        "this {record.segment} fact",
        "this {escape(record.segment)} fact",
    ),
    PlantedBug(
        "clip-at-a-space",
        "tideline",
        "tideline/blocks.py",
        "{strings.slice_units(text, 0, AUTO_RECALL_UNITS)}\\n...",
        "{strings.slice_units(text, 0, AUTO_RECALL_UNITS).rstrip()}\\n...",
    ),
    PlantedBug(
        "named-entity-after-seven-words",
        "augur",
        "augur/signals.py",
        "for word in words[1:])",
        "for word in words[1:7])",
    ),
    PlantedBug(
        "rank-of-repeat",
        "augur",
        "augur/fusion.py",
        "fused[hit.id] = replace(hit, score=self.contribution(of_vec, rank, k))",
        "fused[hit.id] = replace(hit, score=self.contribution(of_vec, len(fused), k))",
    ),
    PlantedBug(
        "question-with-two-marks",
        "augur",
        "augur/signals.py",
        'is_question = text.endswith("?") or',
        'is_question = (text.endswith("?") and not text.endswith("??")) or',
    ),
    PlantedBug(
        "weight-above-one",
        "augur",
        "augur/fusion.py",
        "of_vec = self.clamp(vector_weight, 0, 1)",
        "of_vec = self.clamp(vector_weight, 0, 1) if vector_weight < 2 else 0.5",
    ),
)


def planted(bug: PlantedBug, folder: Path) -> Mapping[str, Operation]:
    """The operations of the bug's system, from a copy of the reference in ``folder`` with the bug in it."""
    package = "planted_" + bug.name.replace("-", "_")
    copy = folder / package
    if not copy.exists():
        shutil.copytree(ROOT / "reference_impl", copy, ignore=shutil.ignore_patterns("__pycache__", "readings"))
    path = copy / bug.module
    text = path.read_text("utf-8")
    assert text.count(bug.before) == 1, f"{bug.name}: {text.count(bug.before)} times in {bug.module}"
    path.write_text(text.replace(bug.before, bug.after), "utf-8")
    sys.path.insert(0, str(folder))
    try:
        table: Any = import_module(f"{package}.wire.{bug.system}.operations").OPERATIONS
    finally:
        sys.path.remove(str(folder))
    return dict(table)


@dataclass(frozen=True, slots=True)
class Found:
    """The first request with another answer: its operation (None without one), requests until then, CPU seconds."""

    operation: str | None
    requests: int
    seconds: float


def outcome(table: Mapping[str, Operation], operation: str, request: Any) -> Any:
    """The answer, or the name of the exception."""
    try:
        return table[operation](request)
    except Exception as error:
        return type(error).__name__


def first_difference(bug: PlantedBug, folder: Path, *, seconds: float, seed: int = 0) -> Found:
    """Sends requests of every operation of the bug's system, in turns, to the reference and to the copy with the bug."""
    table = planted(bug, folder)
    streams = {operation: requests(operation, seed) for operation in table}
    count, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        for operation, stream in streams.items():
            for request in islice(stream, BATCH):
                count += 1
                if outcome(table, operation, request) != outcome(OPERATIONS, operation, request):
                    return Found(operation, count, time.process_time() - start)
    return Found(None, count, time.process_time() - start)
