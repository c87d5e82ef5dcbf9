"""Deviations from the algorithms document's section "Intent-aware reweighting": patterns and intents."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from adapters.ts.model import probes
from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain.intent import Intent, IntentDecisions
from reference_impl.readings.jeffs_brain.metadata import PersonDecisions

ACTS_ON = ("intent.*", "retrieval.search")

_compiled = regexps.compile_ignoring_case

PROPERTY: Final = _compiled(
    r"\b(?:how long is my|how often do i|what time do i|what time is my|where do i|where did i|where have i|where am i"
    r"|where is my|what speed is my|how fast is my|what percentage(?: of)?|(?:what was the )?page count"
    r"|(?:what|which) (?:specific|exact)|(?:what|which) (?:mode of )?transport did i)\b"
)
_FURTHER_VERBS: Final = re.compile("take|took|keep|kept|see|saw", re.IGNORECASE)
_FOLDED: Final = {"\u212a": "boo\u212aed", "\u017f": "\u017fold"}

# Intents.


def fact_query(name: str) -> Callable[[Callable[[str], bool]], Callable[[str], bool]]:
    """Decorator: a deviation that makes more queries concrete-fact queries."""

    def add(is_fact: Callable[[str], bool]) -> Callable[[str], bool]:
        class FactQuery(IntentDecisions, deviation=name):
            def intent_of(self, query: str) -> Intent:
                found = super().intent_of(query)
                return found if found.concrete_fact_query else replace(found, concrete_fact_query=is_fact(query))

        del FactQuery
        return is_fact

    return add


@fact_query("property-question-is-a-fact")
def asks_for_a_property(query: str) -> bool:
    """A question for a property, such as `how often do I`, is a concrete-fact query."""
    return PROPERTY.search(strings.to_lower_case(query)) is not None


@fact_query("when-and-an-action-is-a-fact")
def asks_for_a_date(query: str) -> bool:
    """A question with `when` and an action, such as `booked`, is a concrete-fact query."""
    return bool(probes.action_date_probes(query))


@fact_query("recall-of-the-exact-is-a-fact")
def asks_to_be_reminded(query: str) -> bool:
    """`remind me` or `remember`, with `the specific` or `the exact`, is a concrete-fact query."""
    text = strings.to_lower_case(query)
    return ("remind me" in text or "remember" in text) and ("the specific" in text or "the exact" in text)


@fact_query("own-payment-is-a-fact")
def asks_for_own_payment(query: str) -> bool:
    """A question of the first person with a word of payment is a concrete-fact query."""
    text = strings.to_lower_case(query)
    return decided(PersonDecisions).names_the_first_person(text) and decided(probes.OwnPatterns).is_about_money(text)


class MatchesFurtherVerbs(IntentDecisions, deviation="further-fact-verbs"):
    def matches(self, pattern: str, text: str) -> bool:
        """The verbs of a fact are also take, took, keep, kept, see and saw."""
        current = super().matches
        if current(pattern, text) or pattern != "FACT_LOOKUP_VERB_RE":
            return current(pattern, text)
        return any(current(pattern, _with_printed_verb(text, verb)) for verb in _FURTHER_VERBS.finditer(text))


def _with_printed_verb(text: str, verb: re.Match[str]) -> str:
    """The text with a verb of the printed pattern, which has the same folded letter, so that the engine decides."""
    printed = next((word for letter, word in _FOLDED.items() if letter in verb[0]), "sold")
    return text[: verb.start()] + printed + text[verb.end() :]
