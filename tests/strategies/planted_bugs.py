"""Bugs planted in copies of the reference, to measure what generated requests find.

Each bug replaces one text of one module by another. No case of the corpus notices it, unless `is_known`.
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

from reference_impl.observer import silent
from reference_impl.operation import Operation

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


def _bugs(system: str, *rows: tuple[str, str, str, str]) -> tuple[PlantedBug, ...]:
    return tuple(PlantedBug(name, system, module, before, after) for name, module, before, after in rows)


BUGS = (
    *_bugs(
        "jeffs_brain",
        ("long-runs-of-white-space", "jeffs_brain/normalise.py", 'f"[{WHITE_SPACE}]+")', 'f"[{WHITE_SPACE}]{{1,3}}")'),
        ("operator-stays-after-prefix", "jeffs_brain/parser.py", "            pending = None\n\n\ndef pending", "            pending = pending if piece.kind is Kind.PREFIX else None\n\n\ndef pending"),
        ("second-star-is-no-prefix", "jeffs_brain/parser.py", 'return word.endswith("*")', 'return word.endswith("*") and not word.endswith("**")'),
        ("phrase-loses-line-of-blanks", "jeffs_brain/parser.py", "    return quoted\n", '    return quoted if quoted.strip() else ""\n'),
        ("alias-key-is-folded", "jeffs_brain/aliases.py", "table.get(strings.to_lower_case(text)) if found is None", "table.get(text.casefold()) if found is None"),
        ("alias-keeps-five-words", "jeffs_brain/aliases.py", '" ".join(words)) if words', '" ".join(words[:2])) if words'),
        ("alias-of-operator-not", "jeffs_brain/aliases.py", "[replace(first, operator=token.operator) for first in distinct[:1]]", "[replace(first, operator=token.operator) for first in distinct[-1:]]"),
        ("second-not-is-dropped", "jeffs_brain/fts5.py", "before = connective(token) if place else first_connective(token)", 'before = connective(token) if place else first_connective(token)\n        before = "AND" if place > 2 and before == "AND NOT" and ast.tokens[place - 1].operator == "NOT" else before'),
        ("days-of-many-digits", "jeffs_brain/temporal.py", 'return f"{digit_pattern()}+"', 'return f"{digit_pattern()}{{1,12}}"'),
        ("suffix-after-equal-dates", "jeffs_brain/temporal.py", 'yield Phrase(match, date, "" if date is None else', 'yield Phrase(match, date, "" if date is None or date.startswith("0") else'),
        ("weekday-before-1970", "javascript/dates.py", "return (instant // _DAY + 4) % 7", "return (int(instant / _DAY) + 4) % 7"),
        ("century-is-leap-day", "javascript/date_parser.py", "    if 0 <= year <= 49:", "    if 0 <= year <= 50:"),
        ("noon-with-pm", "javascript/date_parser.py", "            if hour > 12:", "            if hour >= 12 and self.half == 12 and minute > 30:"),
        ("offset-of-half-hours", "javascript/date_parser.py", "return self.sign * ((self.hour or 0) * 60 + (self.minute or 0))", "return self.sign * (self.hour or 0) * 60 * 60_000 + ((self.minute or 0))"),
        ("name-of-mst", "javascript/date_parser.py", '"mst": -7, "mdt": -6', '"mst": -6, "mdt": -6'),
        ("milliseconds-of-two-digits", "javascript/date_parser.py", '(token.text[:3]).ljust(3, "0")', "(token.text[:3])"),
        ("blank-title-is-filled", "jeffs_brain/fusion.py", "title=first.title or later.title", "title=first.title.strip() or later.title"),
        ("second-fill-of-rank", "jeffs_brain/fusion.py", "later.vector_similarity if is_blank(first.vector_similarity)", "later.vector_similarity if is_blank(first.vector_similarity) and not is_blank(first.bm25_rank)"),
        ("small-k-is-replaced", "jeffs_brain/fusion.py", "if k > 0 else RRF_DEFAULT_K", "if k >= 1e-6 else RRF_DEFAULT_K"),
        ("snippet-is-trimmed-again", "jeffs_brain/rerank.py", "return strings.slice_units(text, 0, SNIPPET_UNITS)", "return strings.slice_units(text, 0, SNIPPET_UNITS).rstrip()"),
        ("content-trimmed-as-python", "jeffs_brain/rerank.py", "snippet(strings.trim(content))", "snippet(content.strip())"),
        ("negative-limit-of-agreement", "jeffs_brain/rerank.py", "return agreements >= agree_min", "return agreements >= abs(agree_min)"),
        ("agreement-counts-id-once", "jeffs_brain/rerank.py", "agreements = sum(agree(left, right) for left, right in zip(head, vector, strict=False))", "agreements = len({left for left, right in zip(head, vector, strict=False) if agree(left, right)})"),
        ("event-in-one-line", "jeffs_brain/intent.py", r'r"\b(?:i|we)\s+(?:picked', r'r"\b(?:i|we)[ \n\t]+(?:picked'),
        ("total-of-words", "jeffs_brain/intent.py", "|in total|totalled?|totalling", "|in total|totalled|totalling"),
        ("lower-case-path-in-multiplier", "jeffs_brain/intent.py", '"user-preference-" in path:', '"user-preference-" in path.lower():'),
        ("global-at-the-start", "jeffs_brain/intent.py", 'return "memory/global/" in path', 'return "memory/global/" in path.replace("//", "/")'),
        ("first-rung-trim", "jeffs_brain/retry_ladder.py", "if term == strings.trim(strings.to_lower_case(query))", "if term == strings.trim(strings.to_lower_case(query)).strip('\"')"),
        ("length-of-astral-words", "jeffs_brain/retry_ladder.py", "if length(word) >= SHORTEST_TERM", "if len(word) >= SHORTEST_TERM"),
        ("double-suffix", "jeffs_brain/trigram.py", '.removesuffix(".md")', '.removesuffix(".md").removesuffix(".md")'),
        ("path-with-a-final-slash", "jeffs_brain/trigram.py", 'segment = strings.to_lower_case(path).rpartition("/")[2]', 'segment = strings.to_lower_case(path).rstrip("/").rpartition("/")[2]'),
        ("limit-of-zero", "jeffs_brain/trigram.py", "most_similar_first)[:limit]", "most_similar_first)[: limit or None]"),
        ("empty-token-of-trigrams", "jeffs_brain/trigram.py", "wanted = [grams(token) for token in tokens]", "wanted = [grams(token) for token in tokens[:3]]"),
        ("two-failures", "jeffs_brain/retrieval.py", "trace_of_failures(trace, failed)\n", "trace_of_failures(trace, failed if len(failed) < 3 else failed[1:])\n"),
        ("rerank-of-no-document", "jeffs_brain/retrieval.py", "for result in fused[: request.rerank_top_n]]", "for result in fused[: request.rerank_top_n or None]]"),
        ("mode-of-empty-embedding", "jeffs_brain/retrieval.py", "if embedding else ()", "if embedding and request.candidate_k else ()"),
        ("aliases-of-a-rung", "jeffs_brain/retrieval.py", "return compile_query(text, self.aliases, observe)\n\n    def row", "return compile_query(text, self.aliases if ' ' in text else None, observe)\n\n    def row"),
        ("top-k-before-rerank", "jeffs_brain/retrieval.py", "fused[: request.rerank_top_n]]\n", "fused[: min(request.rerank_top_n, max(request.top_k, 2))]]\n"),
        ("shortcut-of-three", "jeffs_brain/retrieval.py", "shortcut = rerank.unanimity_shortcut(bm25.ids, vector.ids)\n        agreements", "shortcut = rerank.unanimity_shortcut(bm25.ids[: request.rerank_top_n], vector.ids)\n        agreements"),
    ),
    *_bugs(
        "nexus",
        ("weights-of-a-tie", "nexus/fusion.py", "if rank is None else weight / (RRF_K + rank)", "if rank is None else weight * (1 / (RRF_K + rank))"),
        ("tiny-keyword-gain", "nexus/fusion.py", "elif gained > 0:", "elif gained > 1e-10:"),
        ("negative-limit", "nexus/fusion.py", "return list(ranked[:limit])", "return list(ranked[:limit]) if limit is None or limit > -2 else []"),
        ("recent-text-ids", "nexus/retrieval.py", "if episode.id not in recent]", "if episode.id not in recent and str(episode.id) not in recent]"),
        ("boolean-in-order", "nexus/settings.py", "for name in FIELDS.items()", "for name in FIELDS.items()"),
        ("negative-zero-id", "nexus/scope.py", "ids.append(int(part))", "ids.append(int(part) or 0) if not part.startswith('00') else None"),
    ),
    *_bugs(
        "tideline",
        ("future-access", "tideline/decay.py", "days = max(0.0, ", "days = abs("),
        ("recovery-of-two", "tideline/hybrid.py", "return FIRST_RECOVERY * DAMPING**place", "return FIRST_RECOVERY * DAMPING ** min(place, 2)"),
        ("valid-until-now", "tideline/store.py", "record.valid_to > now)", "record.valid_to >= now)"),
        ("cut-pair", "tideline/blocks.py", "if unicodedata", "if unicodedata"),
        ("empty-session-key", "tideline/origin.py", "    channel = None\n    if route is not None:", "    channel = None\n    if route is not None and session_key:"),
        ("mmr-of-negative", "tideline/diversity.py", "max([0.0, *(cosine", "max([-1.0, *(cosine"),
        ("pool-of-mmr", "tideline/diversity.py", "scale = greatest if greatest > 0 else 1.0", "scale = greatest if greatest > 0.5 else 1.0"),
    ),
    *_bugs(
        "augur",
        ("quoted-with-tab", "augur/signals.py", r"""re.compile(r"[\"'][^\"']{2,}[\"']")""", r"""re.compile(r"[\"'][^\"'\s]{2,}[\"']|[\"'][^\"']{3,}[\"']")"""),
        ("named-first-word", "augur/signals.py", "for word in words[1:])", "for word in words[1:7])"),
        ("hexadecimal-letters", "augur/signals.py", '_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")', '_HEXADECIMAL = re.compile(r"0x[0-9a-f]+")'),
        ("rank-of-repeat", "augur/fusion.py", "fused[hit.id] = replace(hit, score=_part(of_vec, rank, k))", "fused[hit.id] = replace(hit, score=_part(of_vec, len(fused), k))"),
        ("ad-hoc-negative", "augur/ad_hoc.py", "if len(self._kept) >= self.size:", "if len(self._kept) > self.size:"),
        ("null-filter", "augur/filters.py", "name in metadata and metadata[name] == value", "metadata.get(name) == value"),
        ("filter-dropped-with-user-filter", "augur/router.py", 'return strategy is Strategy.RERANK or (signals.has_negation', 'return strategy is Strategy.RERANK and not self.always_rerank or (signals.has_negation'),
        ("minimum-score", "augur/search.py", "if lowest is None or hit.score >= lowest]", "if not lowest or hit.score >= lowest]"),
        ("gap-of-two", "augur/fusion.py", "visible_range(scores[:VISIBLE])", "visible_range(scores[: VISIBLE + 1])"),
    ),
)  # fmt: skip


def planted(bug: PlantedBug, folder: Path) -> Mapping[str, Operation]:
    """The operations of the bug's system, from a copy of the reference in ``folder`` with the bug in it."""
    package = "planted_" + bug.name.replace("-", "_")
    copy = folder / package
    if not copy.exists():
        shutil.copytree(
            ROOT / "reference_impl", copy, ignore=shutil.ignore_patterns("__pycache__", "readings", "deviations")
        )
    path = copy / bug.module
    text = path.read_text("utf-8")
    assert text.count(bug.before) == 1, f"{bug.name}: {text.count(bug.before)} times in {bug.module}"
    path.write_text(text.replace(bug.before, bug.after), "utf-8")
    sys.path.insert(0, str(folder))
    try:
        table: Any = import_module(f"{package}.{bug.system}.operations").OPERATIONS
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
        return table[operation](request, silent)
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
