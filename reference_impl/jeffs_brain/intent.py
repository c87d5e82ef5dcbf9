r"""Algorithms document, sections "Intent-aware reweighting" and "Intent-aware reweighting (English-only)"."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ..decisions import Decisions, decided
from ..javascript import regexps, strings
from ..observer import observe
from .candidates import Candidate, Result, SortKey

SECTION = "Intent-aware reweighting"

# Sections "Query-side regexes" and "Document-side regexes": the exact source texts, all with the single flag i.
PATTERN_SOURCES: Final = MappingProxyType(
    {
        "PREFERENCE_QUERY_RE": (
            r"\b(?:recommend|suggest|recommendation|suggestion|tips?|advice|ideas?|what should i|which should i)\b"
        ),
        "ENUMERATION_OR_TOTAL_QUERY_RE": r"\b(?:how many|count|total|in total|sum|add up|list|what are all)\b",
        "FIRST_PERSON_FACT_LOOKUP_RE": r"\b(?:did i|have i|was i|were i)\b",
        "FACT_LOOKUP_VERB_RE": (
            r"\b(?:pick(?:ed)? up|bought|ordered|spent|earned|sold|drove|travelled|traveled|watched|visited|completed"
            r"|finished|submitted|booked)\b"
        ),
        "PREFERENCE_NOTE_RE": (
            r"\b(?:prefer(?:s|red)?|like(?:s|d)?|love(?:s|d)?|want(?:s|ed)?|need(?:s|ed)?|avoid(?:s|ed)?"
            r"|dislike(?:s|d)?|hate(?:s|d)?|enjoy(?:s|ed)?|interested in|looking for)\b"
        ),
        "GENERIC_NOTE_RE": (
            r"\b(?:tips?|advice|suggest(?:ion|ed)?s?|recommend(?:ation|ed)?s?|ideas?|options?|guide|tracking|tracker"
            r"|checklist)\b"
        ),
        "ROLLUP_NOTE_RE": (
            r"\b(?:roll-?up|summary|recap|overview|aggregate|combined|overall|in total|totalled?|totalling)\b"
        ),
        "ATOMIC_EVENT_NOTE_RE": (
            r"\b(?:i|we)\s+(?:picked up|bought|ordered|spent|earned|sold|drove|travelled|traveled|went|watched|visited"
            r"|completed|finished|started|booked|got|took|submitted)\b"
        ),
        "DATE_TAG_RE": r"\[(?:date|observed on):",
    }
)

_PATTERNS: Final = {name: regexps.compile_ignoring_case(source) for name, source in PATTERN_SOURCES.items()}


@dataclass(frozen=True, slots=True)
class Intent:
    """The intents of a query: none, one or both. Section "Intent categories"."""

    preference_query: bool
    concrete_fact_query: bool


@dataclass(frozen=True, slots=True)
class Multipliers:
    """The factor of each intent; 1 for an intent that the query does not have. Section "Multipliers"."""

    preference: float
    concrete_fact: float

    @property
    def combined(self) -> float:
        """The product of both factors, which multiplies the score."""
        return self.preference * self.concrete_fact


def reweight(query: str, results: Sequence[Result]) -> list[Result]:
    """reweightSharedMemoryRanking: multiplies the scores and sorts again. A query without an intent changes nothing."""
    rule = decided(IntentDecisions)
    intent = rule.detect(query)
    if not (intent.preference_query or intent.concrete_fact_query):
        return list(results)
    weighted = [result.weighted(rule.multipliers(intent, result.candidate).combined) for result in results]
    weighted.sort(key=rule.highest_first)
    observe(SECTION, "reweighted", [[result.id, result.score] for result in weighted])
    return rule.in_final_order(query, weighted)


def detect(query: str) -> Intent:
    """detectRetrievalIntent: the intents of the query. Section "Intent categories"."""
    rule = decided(IntentDecisions)
    intent = rule.intent_of(rule.text_of_query(query))
    observe("Intent categories", "preferenceQuery", intent.preference_query)
    observe("Intent categories", "concreteFactQuery", intent.concrete_fact_query)
    return intent


def intent_of(query: str) -> Intent:
    """The rows of the table in section "Intent categories"."""
    rule = decided(IntentDecisions)
    text, facts = strings.to_lower_case(query), rule.text_for_concrete_facts(query)
    return Intent(
        preference_query=rule.matches("PREFERENCE_QUERY_RE", text),
        concrete_fact_query=rule.matches("ENUMERATION_OR_TOTAL_QUERY_RE", facts)
        or (rule.matches("FIRST_PERSON_FACT_LOOKUP_RE", facts) and rule.matches("FACT_LOOKUP_VERB_RE", facts)),
    )


def note_text(note: Candidate) -> str:
    """The input of the document-side patterns: four fields, joined and lower-cased. Section "Document-side regexes"."""
    return strings.to_lower_case(decided(IntentDecisions).joined((note.path, note.title, note.summary, note.content)))


def multipliers(intent: Intent, note: Candidate) -> Multipliers:
    """retrievalIntentMultiplier: the factors of a note, for the intents of the query. Section "Multipliers"."""
    path, text = decided(IntentDecisions).path_in_conditions(note.path), note_text(note)
    preference = _preference_factors(path, text) if intent.preference_query else []
    concrete_fact = list(_concrete_fact_factors(path, text)) if intent.concrete_fact_query else []
    observe("Multipliers", note.path, {"preference": preference, "concreteFact": concrete_fact})
    return Multipliers(math.prod(preference, start=1.0), math.prod(concrete_fact, start=1.0))


def _preference_factors(path: str, text: str) -> list[float]:
    """preferenceIntentMultiplier: the rows of its table; only the first two exclude each other."""
    rule = decided(IntentDecisions)
    factors = []
    if _is_global(path) and "user-preference-" in path:
        factors.append(2.35)
    elif _is_global(path) and rule.matches("PREFERENCE_NOTE_RE", text):
        factors.append(2.1)
    if not _is_global(path) and rule.matches("GENERIC_NOTE_RE", text):
        factors.append(0.82)
    return rule.with_roll_up_row(factors) if rule.matches("ROLLUP_NOTE_RE", text) else factors


def _concrete_fact_factors(path: str, text: str) -> Iterator[float]:
    """concreteFactIntentMultiplier: the rows of its table."""
    rule = decided(IntentDecisions)
    has_fact = rule.is_fact(path, text)
    if has_fact:
        yield 2.2
    if rule.matches("ROLLUP_NOTE_RE", text):
        yield 0.45
    if not _is_global(path) and rule.is_lowered_as_generic(text, has_fact=has_fact):
        yield 0.75


def has_fact_path(path: str) -> bool:
    """Whether the path alone makes a note a fact."""
    return "user-fact-" in path or "milestone-" in path


def has_date_or_event(text: str) -> bool:
    """Whether the text has a date tag or an atomic event."""
    rule = decided(IntentDecisions)
    return rule.matches("DATE_TAG_RE", text) or rule.matches("ATOMIC_EVENT_NOTE_RE", text)


def _is_global(path: str) -> bool:
    """Whether the path contains ``memory/global/``."""
    return "memory/global/" in path


class IntentDecisions(Decisions):
    """What the two sections leave open, as adopted: patterns, the rows of the tables, and the order of equal scores."""

    def matches(self, pattern: str, text: str) -> bool:
        """RUL-B69: the named pattern matches in the text as in JavaScript with the flag i. Sections "Query-side
        regexes" and "Document-side regexes".
        """
        return _PATTERNS[pattern].search(text) is not None

    def detect(self, query: str) -> Intent:
        """RUL-B154: the intents of a query are all that its factors depend on."""
        return detect(query)

    def text_of_query(self, query: str) -> str:
        """RUL-B72: the patterns are tested on the query of the request, not normalised."""
        return query

    def intent_of(self, query: str) -> Intent:
        """RUL-B70: the patterns decide, regardless of the language of the query."""
        return intent_of(query)

    def text_for_concrete_facts(self, query: str) -> str:
        """RUL-B130: the concrete-fact patterns are tested on the lower-cased query too."""
        return strings.to_lower_case(query)

    def multipliers(self, found: Intent, note: Candidate) -> Multipliers:
        """RUL-B153, RUL-B154: the metadata of a note give it no factor."""
        return multipliers(found, note)

    def joined(self, fields: Sequence[str]) -> str:
        r"""RUL-B68: a newline joins the fields, so that the word boundary ``\b`` stays at both ends of every field."""
        return "\n".join(fields)

    def path_in_conditions(self, path: str) -> str:
        """RUL-B67: the condition "path contains" of the tables searches the path as written."""
        return path

    def in_final_order(self, query: str, weighted: list[Result]) -> list[Result]:
        """The order of the weighted scores is final."""
        return weighted

    def highest_first(self, result: Result) -> SortKey:
        """RUL-B73: sort key: weighted score descending; equal scores keep their fused order."""
        return -result.score

    def with_roll_up_row(self, factors: list[float]) -> list[float]:
        """RUL-B64, RUL-B65: the row for roll-ups applies together with every row above it."""
        return [*factors, 0.9]

    def is_fact(self, path: str, text: str) -> bool:
        """RUL-B100: a note is a fact by its path, or by a date tag or an event unless it is a roll-up."""
        return has_fact_path(path) or (has_date_or_event(text) and not self.matches("ROLLUP_NOTE_RE", text))

    def is_lowered_as_generic(self, text: str, *, has_fact: bool) -> bool:
        """RUL-B100: the row for generic notes does not apply to a note with the factor 2.2."""
        return self.is_generic(text) and not has_fact

    def is_generic(self, text: str) -> bool:
        """RUL-B66: a note is generic if GENERIC_NOTE_RE matches; a roll-up without such a word is not."""
        return self.matches("GENERIC_NOTE_RE", text)
