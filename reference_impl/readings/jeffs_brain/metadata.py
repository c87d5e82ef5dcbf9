"""Other readings of the algorithms document's section "Multipliers": a note has metadata, which the document does not
define.
"""

from dataclasses import dataclass, replace
from typing import Final

from ...decisions import Decisions, decided
from ...javascript import regexps, strings
from ...jeffs_brain import intent
from ...jeffs_brain.candidates import Candidate
from ...jeffs_brain.intent import Intent, IntentDecisions, Multipliers
from ...jeffs_brain.retry_ladder import RetryLadderDecisions

ACTS_ON = ("intent.*", "retrieval.search")

FIRST_PERSON: Final = regexps.compile_ignoring_case(r"\b(?:my|me|i)\b")


class PersonDecisions(Decisions):
    """A pattern that no text of the specification has."""

    def names_the_first_person(self, text: str) -> bool:
        """Whether a text has a word such as `my`."""
        return FIRST_PERSON.search(text) is not None


class FactorsOfSuperseded(IntentDecisions, reading="RUL-B153=b"):
    def multipliers(self, found: Intent, note: Candidate) -> Multipliers:
        """A superseded note counts 0.18, once, in a query with any intent."""
        factors = super().multipliers(found, note)
        if not is_superseded(note):
            return factors
        if found.concrete_fact_query:
            return replace(factors, concrete_fact=factors.concrete_fact * 0.18)
        return replace(factors, preference=factors.preference * 0.18) if found.preference_query else factors


class FactorsOfSupersededFact(IntentDecisions, reading="RUL-B153=c"):
    def multipliers(self, found: Intent, note: Candidate) -> Multipliers:
        """A note that names the note which supersedes it counts 0.18 in a concrete-fact query."""
        factors = super().multipliers(found, note)
        if not (found.concrete_fact_query and names_a_newer_note(note)):
            return factors
        return replace(factors, concrete_fact=factors.concrete_fact * 0.18)


@dataclass(frozen=True, slots=True)
class QueryIntent(Intent):
    """The intents of a query, with the query."""

    query: str


class WithQuery(IntentDecisions):
    """The factors depend on the query too."""

    def detect(self, query: str) -> Intent:
        found = super().detect(query)
        return QueryIntent(found.preference_query, found.concrete_fact_query, query)


def query_of(found: Intent) -> str:
    """The query that `WithQuery` keeps."""
    assert isinstance(found, QueryIntent)
    return found.query


class FactorsOfSourceRole(WithQuery, reading="RUL-B154=b"):
    def multipliers(self, found: Intent, note: Candidate) -> Multipliers:
        """In a concrete-fact query of the first person, a note of the user counts 1.18, a note of the assistant 0.72. In a
        preference query about an earlier answer, a note of the assistant counts 1.35, and no other factor.
        """
        factors = super().multipliers(found, note)
        query, role = strings.to_lower_case(query_of(found)), source_role(note)
        is_answer = role == "assistant" and asks_for_an_answer(query)
        is_own = found.concrete_fact_query and is_of_the_first_person(lowered(query_of(found)))
        if is_own and role in ("user", "assistant") and not is_answer:
            factors = replace(factors, concrete_fact=factors.concrete_fact * (1.18 if role == "user" else 0.72))
        if not (found.preference_query and is_answer) or _is_global_preference(note):
            return factors
        return replace(factors, preference=1.35)


def lowered(query: str) -> str:
    """The query in lower case, without white space at its ends."""
    return strings.to_lower_case(decided(RetryLadderDecisions).trimmed(query))


def is_of_the_first_person(query: str) -> bool:
    """Whether a query has a word such as `my`, or asks for a fact of the first person."""
    is_own = decided(PersonDecisions).names_the_first_person(query)
    return is_own or decided(IntentDecisions).matches("FIRST_PERSON_FACT_LOOKUP_RE", query)


def _is_global_preference(note: Candidate) -> bool:
    rule = decided(IntentDecisions)
    path = strings.to_lower_case(note.path)
    is_preference = "user-preference-" in path or rule.matches("PREFERENCE_NOTE_RE", intent.note_text(note))
    return "memory/global/" in path and is_preference


def source_role(note: Candidate) -> str:
    """The role in the metadata of a note: `user`, `assistant`, another text, or empty."""
    return strings.to_lower_case(metadata_text(note, "source_role", "sourceRole"))


def asks_for_an_answer(query: str) -> bool:
    """Whether a query is about an earlier answer of the assistant."""
    hints = ("recommended", "suggested", "previous chat", "previous conversation", "remind me")
    return any(hint in query for hint in hints)


def metadata_text(note: Candidate, *keys: str) -> str:
    """The first text in the metadata under one of the keys that is not blank; empty without one."""
    found = (note.metadata.get(key) for key in keys)
    return next((text for value in found if isinstance(value, str) and (text := strings.trim(value))), "")


def names_a_newer_note(note: Candidate) -> bool:
    """Whether the metadata of a note names the note that supersedes it."""
    return bool(metadata_text(note, "superseded_by", "supersededBy"))


def is_superseded(note: Candidate) -> bool:
    """Whether the metadata of a note names a newer note, or a status such as superseded."""
    status = strings.to_lower_case(metadata_text(note, "status"))
    return names_a_newer_note(note) or status in {"superseded", "stale", "obsolete"}
