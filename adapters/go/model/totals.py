"""The order of the notes in a question for a total: Go v0.3.0."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from adapters.ts.model.probes import ENUMERATION, MONEY
from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain import intent
from reference_impl.jeffs_brain.candidates import Result
from reference_impl.jeffs_brain.intent import IntentDecisions
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions
from reference_impl.readings.jeffs_brain.metadata import asks_for_an_answer, lowered, metadata_text, source_role

from .facets import Facets
from .wide_probes import singular

ACTS_ON = ("intent.*", "retrieval.search")

_compiled = regexps.compile_ignoring_case

_NUMBER: Final = _compiled(r"\b(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_COMPARISON: Final = _compiled(r"\b(?:most|least|highest|lowest|largest|smallest|biggest|which|where)\b")
_QUESTION_NOTE: Final = _compiled(
    r"(?:^|\n)(?:what\s+(?:are|is|should|could)|which\s+(?:should|would)|how\s+(?:can|should|could|long)|can\s+you"
    r"|could\s+you|should\s+i|would\s+you|when\s+did|where\s+(?:can|should)|why\s+(?:is|does|did))\b"
)
_UNIT: Final = r"(?:minutes?|hours?|days?|weeks?|months?|years?)\b"
_AMOUNT: Final = r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_DURATION: Final = _compiled(rf"\b{_AMOUNT}(?:\s*-\s*{_AMOUNT})?(?:\s+|-){_UNIT}")
_UNIT_OF_TIME: Final = _compiled(rf"\b{_UNIT}")
_PRICE: Final = _compiled(r"(?:[$£€]\s?\d|\b\d+(?:\.\d{1,2})?\s?(?:dollars?|usd|eur|gbp|pounds?|euros?)\b)")
_MOST_EVIDENCE: Final = 8


@dataclass(frozen=True, slots=True)
class _Evidence:
    result: Result
    part: int
    strength: float


class EvidenceFirst(IntentDecisions, deviation="evidence-of-a-total-first"):
    def in_final_order(self, query: str, weighted: list[Result]) -> list[Result]:
        """In a question for a total or a comparison, at most eight notes with the strongest evidence come first."""
        return _with_evidence_first(query, super().in_final_order(query, weighted))


def _with_evidence_first(query: str, results: list[Result]) -> list[Result]:
    derived = Facets()
    if len(results) < 2 or not _asks_for_a_total(lowered(query)) or derived.counts_types(query):
        return results
    parts = derived.parts_of_a_total(query)
    found = [_evidence(query, result, parts) for result in results]
    strong = sorted((one for one in found if one.strength >= 1.25), key=lambda one: -one.strength)
    chosen = _of_different_parts(strong)
    if not chosen or (len(chosen) == 1 and strong[0].strength < 2.0):
        return results
    first = [one.result for one in chosen]
    kept = {id(result) for result in first}
    return first + [result for result in results if id(result) not in kept]


def _asks_for_a_total(text: str) -> bool:
    is_comparison = _COMPARISON.search(text) is not None
    is_measured = MONEY.search(text) is not None or _UNIT_OF_TIME.search(text) is not None
    return ENUMERATION.search(text) is not None or (is_measured and is_comparison)


def _of_different_parts(strong: Sequence[_Evidence]) -> list[_Evidence]:
    """At most eight; of one session or one part, the first and those of a strength of 3.4."""
    chosen: list[_Evidence] = []
    sessions: set[str] = set()
    parts: set[int] = set()
    for one in strong:
        session = _session(one.result)
        if (session in sessions or one.part in parts) and one.strength < 3.4:
            continue
        chosen.append(one)
        sessions |= {session} - {""}
        parts |= {one.part} - {-1}
    return chosen[:_MOST_EVIDENCE]


def _session(result: Result) -> str:
    """The session of a note, in its metadata or in the front matter of its content."""
    front = re.match(r"\s*---\s*\n(.*?)(?:\n\s*---\s*(?:\n|\Z)|\Z)", result.candidate.content, re.DOTALL)
    written = re.search(r"^\s*session_id:(.*)$", front[1] if front else "", re.MULTILINE)
    return metadata_text(result.candidate, "session_id", "sessionId") or (strings.trim(written[1]) if written else "")


def _evidence(query: str, result: Result, parts: Sequence[str]) -> _Evidence:
    text = intent.note_text(result.candidate)
    part, size = _best_phrase(text, parts)
    strength = _strength_of_share(size, has_parts=bool(parts)) + _strength_of_values(lowered(query), text)
    strength = _with_strength_of_note(strength, lowered(query), result, text)
    if parts and size < 0.25 and not _PRICE.search(text) and not _DURATION.search(text):
        strength -= 1.5
    return _Evidence(result, part, strength)


def _strength_of_share(size: float, *, has_parts: bool) -> float:
    steps = ((0.99, 2.0), (0.66, 1.35), (0.5, 0.8), (0.25, 0.35))
    return next((strength for least, strength in steps if size >= least), 0.0 if has_parts else 0.6)


def _strength_of_values(query: str, text: str) -> float:
    if MONEY.search(query) and _PRICE.search(text):
        return 2.4
    if ENUMERATION.search(query) and _UNIT_OF_TIME.search(query) and _DURATION.search(text):
        return 2.0
    return 1.0 if _NUMBER.search(text) else 0.0


def _with_strength_of_note(strength: float, query: str, result: Result, text: str) -> float:
    """The sum in the order of the SDK: another order of the additions rounds to another side of a limit."""
    rule = decided(IntentDecisions)
    path, role = strings.to_lower_case(result.path), source_role(result.candidate)
    strength += 1.2 if rule.is_fact(path, text) else 0.0
    strength += 0.65 if "memory/global/" in path else 0.0
    if role == "user":
        strength += 0.8
    elif role == "assistant" and not asks_for_an_answer(query):
        strength -= 0.6
    strength -= 0.45 if rule.matches("GENERIC_NOTE_RE", text) else 0.0
    strength -= 0.75 if _QUESTION_NOTE.search(text) else 0.0
    return strength - (0.35 if rule.matches("ROLLUP_NOTE_RE", text) else 0.0)


def _best_phrase(text: str, phrases: Sequence[str]) -> tuple[int, float]:
    """The number of the phrase of which a text has the greatest share, and this share; -1 without a shared word."""
    shares = [_shared(text, phrase) for phrase in phrases]
    best = max(shares, default=0.0)
    return (shares.index(best), best) if best > 0 else (-1, 0.0)


def _shared(text: str, phrase: str) -> float:
    """The share of the words of a phrase that a text has, in the singular or as written; 1 for the whole phrase."""
    text, phrase = _without_marks(text), _without_marks(phrase)
    if not phrase:
        return 0.0
    if phrase in text:
        return 1.0
    words, wanted = text.split(" "), phrase.split(" ")
    found = {*words, *map(singular, words)}
    return sum(singular(word) in found for word in wanted) / len(wanted)


def _without_marks(text: str) -> str:
    rule = decided(RetryLadderDecisions)
    return " ".join(rule.words_of(re.sub(r"[-/()\[\],.:;?!]", " ", strings.to_lower_case(text))))
