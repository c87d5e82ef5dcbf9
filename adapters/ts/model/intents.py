"""Concrete-fact queries and a factor of a note that the intent tables lack: ts 0.2.0, Go v0.3.0, Python 22a586e."""

import re
from dataclasses import replace
from typing import Final

from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain import intent
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.intent import Intent, IntentDecisions, Multipliers
from reference_impl.readings.jeffs_brain.metadata import WithQuery, is_of_the_first_person, lowered, query_of

ACTS_ON = ("intent.*", "retrieval.search")

_compiled = regexps.compile_ignoring_case

PROPERTY: Final = _compiled(
    r"\b(?:how long is my|how often do i|what time do i|what time is my|where do i|where did i|where have i|where am i"
    r"|where is my|what speed is my|how fast is my|what percentage(?: of)?|(?:what was the )?page count"
    r"|(?:what|which) (?:specific|exact)|(?:what|which) (?:mode of )?transport did i)\b"
)
ACTION: Final = _compiled(
    r"\b(?:submit(?:ted)?|book(?:ed|ing)?|buy|bought|purchase(?:d)?|order(?:ed)?|join(?:ed)?|start(?:ed)?|begin|began"
    r"|finish(?:ed)?|complete(?:d)?|accept(?:ed|ance)?)\b"
)
_FURTHER_VERBS: Final = re.compile("take|took|keep|kept|see|saw", re.IGNORECASE)

# Concrete-fact queries.


class QueryForAProperty(IntentDecisions, deviation="property-question-is-a-fact"):
    def intent_of(self, query: str) -> Intent:
        """A question for a property, such as `how often do I`, is a concrete-fact query."""
        found = super().intent_of(query)
        is_fact = found.concrete_fact_query or PROPERTY.search(strings.to_lower_case(query)) is not None
        return replace(found, concrete_fact_query=is_fact)


class QueryForADate(IntentDecisions, deviation="when-and-an-action-is-a-fact"):
    def intent_of(self, query: str) -> Intent:
        """A question with `when` and an action, such as `booked`, is a concrete-fact query."""
        found = super().intent_of(query)
        asks_when = "when" in lowered(query) and ACTION.search(lowered(query)) is not None
        return replace(found, concrete_fact_query=found.concrete_fact_query or asks_when)


class FurtherVerbs(IntentDecisions, deviation="further-fact-verbs"):
    def matches(self, pattern: str, text: str) -> bool:
        """The verbs of a fact are also take, took, keep, kept, see and saw."""
        current = super().matches
        if current(pattern, text) or pattern != "FACT_LOOKUP_VERB_RE":
            return current(pattern, text)
        # A verb of the printed pattern stands for the verb, so that the engine decides where the word ends.
        verbs = _FURTHER_VERBS.finditer(text)
        return any(current(pattern, f"{text[: verb.start()]}sold{text[verb.end() :]}") for verb in verbs)


class FactorOfTheFirstPerson(WithQuery, deviation="first-person-factor"):
    def multipliers(self, found: Intent, note: Candidate) -> Multipliers:
        """In a concrete-fact query of the first person, a note counts 1.35, 1.22, 0.88 or 0.58."""
        return _with_first_person(super().multipliers(found, note), found, note, of_the_user=0.88)


class FactorOfTheFirstPersonAndTheUser(WithQuery, deviation="first-person-factor-with-user-notes"):
    def multipliers(self, found: Intent, note: Candidate) -> Multipliers:
        """As `first-person-factor`, with 1.25 for a fact outside memory/global/ whose path or text has the word `user`."""
        return _with_first_person(super().multipliers(found, note), found, note, of_the_user=1.25)


def _with_first_person(before: Multipliers, found: Intent, note: Candidate, of_the_user: float) -> Multipliers:
    query = lowered(query_of(found))
    if not (found.concrete_fact_query and is_of_the_first_person(query)):
        return before
    rule = decided(IntentDecisions)
    path, text = strings.to_lower_case(note.path), intent.note_text(note)
    is_global, is_fact = "memory/global/" in path, rule.is_fact(path, text)
    if is_global:
        factor = 1.35 if is_fact else 1.22
    else:
        of_fact = of_the_user if "user" in path or "user " in text else 0.88
        factor = (of_fact if is_fact else 0.58) * (0.82 if rule.matches("GENERIC_NOTE_RE", text) else 1.0)
    return replace(before, concrete_fact=before.concrete_fact * factor)
