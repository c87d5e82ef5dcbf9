"""Deviations from the algorithms document's section "Multipliers": more factors of a note."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from adapters.go.model.wide_probes import WideProbes
from adapters.ts.model import probes
from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain import intent
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.intent import Intent, IntentDecisions, Multipliers
from reference_impl.readings.jeffs_brain import metadata
from reference_impl.readings.jeffs_brain.metadata import WithQuery, lowered, query_of

ACTS_ON = ("intent.*", "retrieval.search")

Factor = Callable[[str, Candidate, str], float]
"""Factor of a note from the query, the note and its text in lower case."""

_compiled = regexps.compile_ignoring_case

_QUESTION_NOTE: Final = _compiled(
    r"(?:^|\n)(?:what\s+(?:are|is|should|could)|which\s+(?:should|would)|how\s+(?:can|should|could|long)|can\s+you"
    r"|could\s+you|should\s+i|would\s+you|when\s+did|where\s+(?:can|should)|why\s+(?:is|does|did))\b"
)
_HOW_LONG: Final = _compiled(r"\bhow long\b")
_MONTH_AND_DAY: Final = _compiled(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d{1,2}"
    r"(?:st|nd|rd|th)?\b"
)
_UNIT: Final = r"(?:minutes?|hours?|days?|weeks?|months?|years?)\b"
_DIGITS: Final = r"\d+(?:\.\d+)?"
_NUMBER: Final = rf"(?:{_DIGITS}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_DURATION: Final = _compiled(rf"\b{_DIGITS}(?:\s*-\s*{_DIGITS})?(?:\s+|-){_UNIT}")
_DURATION_IN_WORDS: Final = _compiled(rf"\b{_NUMBER}(?:\s*-\s*{_NUMBER})?(?:\s+|-){_UNIT}")
_UNIT_OF_TIME: Final = _compiled(rf"\b{_UNIT}")
_PRICE: Final = _compiled(r"(?:[$£€]\s?\d|\b\d+(?:\.\d{1,2})?\s?(?:dollars?|usd|eur|gbp|pounds?|euros?)\b)")
_ROUTINE_QUERY: Final = _compiled(r"\b(?:daily|every|weekday|each way)\b")
_ROUTINE_NOTE: Final = _compiled(r"\b(?:daily commute|every day|every weekday|weekday|weekdays|each way)\b")
_SEGMENT_NOTE: Final = _compiled(r"\b(?:morning commute|often|some days?|sometimes|around)\b")

# Patterns of notes that another note supersedes.
_SUPERSEDED: Final = _compiled(
    r"(?:superseded_by\s*:|superseded by\b|replaced by\b|status\s*:\s*superseded\b|no longer current\b)"
)
_SUPERSEDED_IN_LINES: Final = re.compile(
    r"(?:^[\t\n\f\r ]*superseded_by:[\t\n\f\r ]*[^\t\n\f\r ]+|\bsuperseded by\b|\breplaced by\b"
    r"|\bstatus[\t\n\f\r ]*:[\t\n\f\r ]*superseded\b|\bno longer current\b)",
    re.ASCII | re.IGNORECASE | re.MULTILINE,
)
_SUPERSEDED_OR_ARCHIVED: Final = re.compile(r"\b(?:superseded[_ ]by|replaced by|archived)\b", re.IGNORECASE)


def _multiplied(name: str, apply: Callable[[Intent, Multipliers, float], Multipliers]) -> Callable[[Factor], Factor]:
    """Decorator: a deviation that multiplies the factors of a note by one more."""

    def add(factor: Factor) -> Factor:
        class Multiplied(WithQuery, deviation=name):
            def multipliers(self, found: Intent, note: Candidate) -> Multipliers:
                before = super().multipliers(found, note)
                return apply(found, before, factor(query_of(found), note, intent.note_text(note)))

        del Multiplied
        return factor

    return add


def _times_if_fact(found: Intent, before: Multipliers, factor: float) -> Multipliers:
    return replace(before, concrete_fact=before.concrete_fact * factor) if found.concrete_fact_query else before


def _times_if_preference(found: Intent, before: Multipliers, factor: float) -> Multipliers:
    return replace(before, preference=before.preference * factor) if found.preference_query else before


def _times_once(found: Intent, before: Multipliers, factor: float) -> Multipliers:
    """The combined factor has it once."""
    apply = _times_if_fact if found.concrete_fact_query else _times_if_preference
    return apply(found, before, factor)


def fact_factor(name: str) -> Callable[[Factor], Factor]:
    """Decorator: a deviation with one more factor for concrete-fact queries."""
    return _multiplied(name, _times_if_fact)


# Factors of a concrete-fact query.


@fact_factor("action-date-factor")
def factor_of_action_date(query: str, note: Candidate, text: str) -> float:
    """In a question for the date of an action, a note with month and day counts 1.45, any other 0.78."""
    if not probes.action_date_probes(query):
        return 1.0
    return 1.45 if _MONTH_AND_DAY.search(text) else 0.78


def _factor_of_duration(duration: re.Pattern[str], query: str, text: str) -> float:
    if not _HOW_LONG.search(query):
        return 1.0
    return 1.35 if duration.search(text) else 0.72


@fact_factor("duration-factor")
def factor_of_duration(query: str, note: Candidate, text: str) -> float:
    """In a question with `how long`, a note with a duration in digits counts 1.35, any other 0.72."""
    return _factor_of_duration(_DURATION, query, text)


@fact_factor("duration-factor-with-number-words")
def factor_of_duration_in_words(query: str, note: Candidate, text: str) -> float:
    """In a question with `how long`, a note with a duration, also in words, counts 1.35, any other 0.72."""
    return _factor_of_duration(_DURATION_IN_WORDS, query, text)


@fact_factor("total-duration-factor")
def factor_of_total_duration(query: str, note: Candidate, text: str) -> float:
    """In a query for a total of a unit of time, a note with a duration counts 1.55, a generic or question note 0.68."""
    if not (probes.ENUMERATION.search(query) and has_unit_of_time(query)):
        return 1.0
    return 1.55 if has_duration(text) else 0.68 if _is_generic_or_question(text) else 1.0


@fact_factor("price-factor")
def factor_of_price(query: str, note: Candidate, text: str) -> float:
    """In a query with a word of payment, a note with a price counts 1.45, a generic or question note 0.62."""
    if not probes.MONEY.search(query):
        return 1.0
    return 1.45 if has_price(text) else 0.62 if _is_generic_or_question(text) else 1.0


@fact_factor("question-note-factor")
def factor_of_question_note(query: str, note: Candidate, text: str) -> float:
    """A generic note with a line that begins as a question counts 0.45."""
    return 0.45 if is_question_note(text) and decided(IntentDecisions).matches("GENERIC_NOTE_RE", text) else 1.0


def is_question_note(text: str) -> bool:
    """Whether a line of a note begins as a question."""
    return _QUESTION_NOTE.search(text) is not None


def _is_generic_or_question(text: str) -> bool:
    return decided(IntentDecisions).matches("GENERIC_NOTE_RE", text) or is_question_note(text)


def has_unit_of_time(text: str) -> bool:
    """Whether a text has a unit of time."""
    return _UNIT_OF_TIME.search(text) is not None


def has_price(text: str) -> bool:
    """Whether a text has a price."""
    return _PRICE.search(text) is not None


def has_duration(text: str) -> bool:
    """Whether a text has a duration, in digits or words."""
    return _DURATION_IN_WORDS.search(text) is not None


@fact_factor("shared-phrase-factor")
def factor_of_shared_phrase(query: str, note: Candidate, text: str) -> float:
    """A note with a phrase of the query counts 1.6, with two thirds of its words 1.25."""
    derived = probes.Probes()
    phrases = derived.priority_sub_queries(query) or derived.filtered_phrase_probes(query)
    return _factor_of_share(max((shared_words(text, phrase) for phrase in phrases), default=0.0))


@fact_factor("shared-singular-phrase-factor")
def factor_of_shared_singular_phrase(query: str, note: Candidate, text: str) -> float:
    """As `shared-phrase-factor`, with more phrases and their singulars; 0.18 for a count of types without a quarter."""
    derived = WideProbes()
    phrases = derived.priority_queries(query) or derived.filtered_phrase_probes(query)
    best = max((derived.shared(text, phrase) for phrase in phrases), default=0.0)
    if phrases and best < 0.25 and derived.counts_types(query):
        return 0.18
    return _factor_of_share(best)


def shared_words(text: str, phrase: str) -> float:
    """The share of the words of a phrase that a text has; 1 for the whole phrase, also inside other words."""
    return probes.shared(text, phrase, lambda word: word)


def _factor_of_share(share: float) -> float:
    return 1.6 if share >= 0.99 else 1.25 if share >= 0.66 else 1.0


def _is_global(note: Candidate) -> bool:
    return "memory/global/" in strings.to_lower_case(note.path)


def _factor_of_first_person(query: str, note: Candidate, text: str, is_personal: Callable[[str, str], bool]) -> float:
    rule = decided(IntentDecisions)
    query, path = lowered(query), strings.to_lower_case(note.path)
    if not metadata.is_of_the_first_person(query):
        return 1.0
    is_fact = rule.is_fact(path, text)
    if _is_global(note):
        factor = 1.35 if is_fact else 1.22
    elif is_fact:
        factor = 1.25 if is_personal(path, text) else 0.88
    else:
        factor = 0.58
    if not _is_global(note) and rule.matches("GENERIC_NOTE_RE", text):
        factor *= 0.82
    return factor * _factor_of_routine(query, text)


def _factor_of_routine(query: str, text: str) -> float:
    if not (_HOW_LONG.search(query) and _ROUTINE_QUERY.search(query)):
        return 1.0
    if _ROUTINE_NOTE.search(text):
        return 1.25
    return 0.15 if _SEGMENT_NOTE.search(text) else 1.0


def _is_never_personal(path: str, text: str) -> bool:
    return False


def _is_of_the_user(path: str, text: str) -> bool:
    return "user" in path or "user " in text


@fact_factor("first-person-factor")
def factor_of_first_person(query: str, note: Candidate, text: str) -> float:
    """A query of the first person weighs a note by its folder and by facts: 1.35, 1.22, 0.88 or 0.58."""
    return _factor_of_first_person(query, note, text, _is_never_personal)


@fact_factor("first-person-factor-with-user-notes")
def factor_of_first_person_and_user(query: str, note: Candidate, text: str) -> float:
    """As `first-person-factor`, with 1.25 for a fact outside memory/global/ whose path or text has the word `user`."""
    return _factor_of_first_person(query, note, text, _is_of_the_user)


# Notes that another note supersedes, by their text.


@_multiplied("superseded-note-factor", _times_once)
def factor_of_superseded(query: str, note: Candidate, text: str) -> float:
    """A superseded note counts 0.32 in a query with any intent, unless its metadata already weigh it (RUL-B153)."""
    return 0.32 if _SUPERSEDED.search(text) and not metadata.is_superseded(note) else 1.0


@_multiplied("superseded-line-factor", _times_once)
def factor_of_superseded_line(query: str, note: Candidate, text: str) -> float:
    """As `superseded-note-factor`, with word boundaries, and `superseded_by:` at the start of a line alone."""
    return 0.32 if _SUPERSEDED_IN_LINES.search(text) and not metadata.is_superseded(note) else 1.0


@fact_factor("superseded-fact-factor")
def factor_of_superseded_fact(query: str, note: Candidate, text: str) -> float:
    """A superseded or archived note counts 0.18 in a concrete-fact query, unless its metadata already weigh it."""
    return 0.18 if _SUPERSEDED_OR_ARCHIVED.search(text) and not metadata.names_a_newer_note(note) else 1.0
