"""Deviations from the algorithms document's section "Intent-aware reweighting": the order after the weights."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from adapters.go.model.facets import Facets
from adapters.go.model.wide_probes import DAYS_BETWEEN, WideProbes, past
from adapters.ts.model import probes
from adapters.ts.model.intent import PROPERTY
from adapters.ts.model.multipliers import has_duration, has_price, has_unit_of_time, is_question_note, shared_words
from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain import intent
from reference_impl.jeffs_brain.candidates import Result
from reference_impl.jeffs_brain.intent import IntentDecisions
from reference_impl.readings.jeffs_brain.metadata import asks_for_an_answer, lowered, metadata_text, source_role

ACTS_ON = ("intent.*", "retrieval.search")

Share = Callable[[str, str], float]

_compiled = regexps.compile_ignoring_case

_CONNECTOR: Final = _compiled(r"\b(?:and|or|plus)\b")
_NUMBER: Final = _compiled(r"\b(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_COMPARISON: Final = _compiled(r"\b(?:most|least|highest|lowest|largest|smallest|biggest|which|where)\b")
_MOST_EVIDENCE: Final = 8


def reordering(name: str) -> Callable[[Callable[[str, list[Result]], list[Result]]], Any]:
    """Decorator: a deviation that changes the order of the weighted results of a query with an intent."""

    def add(order: Callable[[str, list[Result]], list[Result]]) -> Any:
        class Reordered(IntentDecisions, deviation=name):
            def in_final_order(self, query: str, weighted: list[Result]) -> list[Result]:
                return order(query, super().in_final_order(query, weighted))

        del Reordered
        return order

    return add


def _text(result: Result) -> str:
    return intent.note_text(result.candidate)


def _best_phrase(text: str, phrases: Sequence[str], share: Share) -> tuple[int, float]:
    """The number of the phrase of which a text has the greatest share, and this share; -1 without a shared word."""
    shares = [share(text, phrase) for phrase in phrases]
    best = max(shares, default=0.0)
    return (shares.index(best), best) if best > 0 else (-1, 0.0)


# One note for each part of a question with a connector.


def _one_for_each_part(results: list[Result], parts: Sequence[str], share: Share) -> list[Result]:
    """First a note for each part, then the notes without a part, those with a quarter of one, and the repetitions."""
    if len(results) < 3 or len(parts) < 2:
        return results
    groups: tuple[list[Result], ...] = ([], [], [], [])
    covered: set[int] = set()
    for result in results:
        part, size = _best_phrase(_text(result), parts, share)
        if size >= 0.5:
            groups[3 if part in covered else 0].append(result)
            covered.add(part)
        else:
            groups[2 if size >= 0.25 else 1].append(result)
    return [result for group in groups for result in group]


def _asks_for_facts(text: str) -> bool:
    rule = decided(IntentDecisions)
    verbs = rule.matches("FIRST_PERSON_FACT_LOOKUP_RE", text) and rule.matches("FACT_LOOKUP_VERB_RE", text)
    return probes.ENUMERATION.search(text) is not None or PROPERTY.search(text) is not None or verbs


def _has_spaced_connector(text: str) -> bool:
    return any(f" {connector} " in text for connector in ("and", "plus", "or"))


@reordering("one-note-for-each-part")
def one_note_for_each_part(query: str, results: list[Result]) -> list[Result]:
    """In a question for facts with and, or, plus, a note for each part comes first."""
    text = lowered(query)
    if not (_CONNECTOR.search(text) and _asks_for_facts(text)):
        return results
    return _one_for_each_part(results, probes.Probes().filtered_phrase_probes(query), shared_words)


@reordering("one-note-for-each-part-of-a-count")
def one_note_for_each_part_of_a_count(query: str, results: list[Result]) -> list[Result]:
    """In a question for a count or a list with a connector between spaces, a note for each part comes first."""
    text = lowered(query)
    if not (_has_spaced_connector(text) and probes.ENUMERATION.search(text)):
        return results
    return _one_for_each_part(results, probes.Probes().filtered_phrase_probes(query), shared_words)


@reordering("one-note-for-each-singular-part")
def one_note_for_each_singular_part(query: str, results: list[Result]) -> list[Result]:
    """In a question for facts with a connector between spaces, a note for each part, in the singular, comes first."""
    text, derived = lowered(query), WideProbes()
    if not (_has_spaced_connector(text) and _asks_for_facts(text)):
        return results
    return _one_for_each_part(results, derived.filtered_phrase_probes(query), derived.shared)


# The strongest evidence of a total.


@dataclass(frozen=True, slots=True)
class _Evidence:
    result: Result
    part: int
    strength: float


@reordering("evidence-of-a-total-first")
def evidence_of_a_total_first(query: str, results: list[Result]) -> list[Result]:
    """In a question for a total or a comparison, at most eight notes with the strongest evidence come first."""
    derived = Facets()
    if len(results) < 2 or not _asks_for_a_total(lowered(query)) or derived.counts_types(query):
        return results
    parts = derived.parts_of_a_total(query)
    found = [_evidence(query, result, parts, derived.shared) for result in results]
    strong = sorted((one for one in found if one.strength >= 1.25), key=lambda one: -one.strength)
    chosen = _of_different_parts(strong)
    if not chosen or (len(chosen) == 1 and strong[0].strength < 2.0):
        return results
    first = [one.result for one in chosen]
    kept = {id(result) for result in first}
    return first + [result for result in results if id(result) not in kept]


def _asks_for_a_total(text: str) -> bool:
    is_comparison = _COMPARISON.search(text) is not None
    is_measured = probes.MONEY.search(text) is not None or has_unit_of_time(text)
    return probes.ENUMERATION.search(text) is not None or (is_measured and is_comparison)


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


def _evidence(query: str, result: Result, parts: Sequence[str], share: Share) -> _Evidence:
    text = _text(result)
    part, size = _best_phrase(text, parts, share)
    strength = _strength_of_share(size, has_parts=bool(parts)) + _strength_of_values(lowered(query), text)
    strength = _with_strength_of_note(strength, lowered(query), result, text)
    if parts and size < 0.25 and not has_price(text) and not has_duration(text):
        strength -= 1.5
    return _Evidence(result, part, strength)


def _strength_of_share(size: float, *, has_parts: bool) -> float:
    steps = ((0.99, 2.0), (0.66, 1.35), (0.5, 0.8), (0.25, 0.35))
    return next((strength for least, strength in steps if size >= least), 0.0 if has_parts else 0.6)


def _strength_of_values(query: str, text: str) -> float:
    if probes.MONEY.search(query) and has_price(text):
        return 2.4
    if probes.ENUMERATION.search(query) and has_unit_of_time(query) and has_duration(text):
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
    strength -= 0.75 if is_question_note(text) else 0.0
    return strength - (0.35 if rule.matches("ROLLUP_NOTE_RE", text) else 0.0)


# Personal notes, and both events.


def _first_of_each(results: list[Result], slot: Callable[[Result], int]) -> list[Result]:
    """First the first note of each slot, then the others; -1 is no slot."""
    first: dict[int, Result] = {}
    others = []
    for result in results:
        number = slot(result)
        if number >= 0 and number not in first:
            first[number] = result
        else:
            others.append(result)
    return [*first.values(), *others]


@reordering("personal-evidence-first")
def personal_evidence_first(query: str, results: list[Result]) -> list[Result]:
    """In a preference query, a personal note under memory/global/ comes first for each phrase."""
    derived = WideProbes()
    phrases = derived.priority_queries(query) or derived.filtered_phrase_probes(query)
    if len(results) < 3 or not phrases or not decided(IntentDecisions).matches("PREFERENCE_QUERY_RE", query):
        return results

    def slot(result: Result) -> int:
        text = _text(result)
        phrase, size = _best_phrase(text, phrases, derived.shared)
        return phrase if size >= 0.5 and _is_personal(result, text) else -1

    return _first_of_each(results, slot)


def _is_personal(result: Result, text: str) -> bool:
    path = strings.to_lower_case(result.path)
    is_generic = "memory/project/" in path and decided(IntentDecisions).matches("GENERIC_NOTE_RE", text)
    if "user-preference-" in path or is_generic or "memory/global/" not in path:
        return False
    return "user_" in path or "user-" in path or "user " in text or "i " in text


@reordering("both-events-first")
def both_events_first(query: str, results: list[Result]) -> list[Result]:
    """In a query for the days between two events, a note of each event comes first."""
    events = DAYS_BETWEEN.search(query)
    if len(results) < 3 or events is None:
        return results
    words = [WideProbes().question_tokens(event) for event in events.groups()]

    def slot(result: Result) -> int:
        text = _text(result)
        return next((number for number, tokens in enumerate(words) if _is_about(text, tokens)), -1)

    return _first_of_each(results, slot)


def _is_about(text: str, words: Sequence[str]) -> bool:
    """Whether a text has every word; the first one also in the past."""
    forms = [(word, past(word)) if not index else (word,) for index, word in enumerate(words)]
    return bool(words) and all(any(form in text for form in word) for word in forms)
