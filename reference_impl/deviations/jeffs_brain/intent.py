"""Deviations from the algorithms document's section "Intent-aware reweighting": patterns and intents."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from ...javascript import regexps, strings
from ...jeffs_brain import intent
from ...jeffs_brain.intent import Intent
from ...jeffs_brain.intent import matches as matches_in_javascript
from ...switches import Switches
from . import probes

SWITCHES = Switches()

_compiled = regexps.compile_ignoring_case

PROPERTY: Final = _compiled(
    r"\b(?:how long is my|how often do i|what time do i|what time is my|where do i|where did i|where have i|where am i"
    r"|where is my|what speed is my|how fast is my|what percentage(?: of)?|(?:what was the )?page count"
    r"|(?:what|which) (?:specific|exact)|(?:what|which) (?:mode of )?transport did i)\b"
)
_FURTHER_VERBS: Final = _compiled(r"\b(?:take|took|keep|kept|see|saw)\b")
FIRST_PERSON: Final = _compiled(r"\b(?:my|me|i)\b")

# The engine of the patterns. These have an effect beside RUL-B69 b alone, which leaves the engine open.


def _in_this_engine(
    engine: Mapping[str, re.Pattern[str]], current: Callable[[str, str], bool], pattern: str, text: str
) -> bool:
    """Where another engine differs from JavaScript's, this one decides."""
    found = current(pattern, text)
    return found if found == matches_in_javascript(pattern, text) else engine[pattern].search(text) is not None


# RE2's meaning of the parts of a pattern that Python's engine reads in another way with its flag for ASCII.
_IN_RE2: Final = {r"\s": r"[\t\n\f\r ]", "k": "[k\u212a]", "s": "[s\u017f]"}


def _translated(source: str) -> str:
    return re.sub(r"\\.|.", lambda part: _IN_RE2.get(part[0], part[0]), source)


_RE2: Final = {
    name: re.compile(_translated(source), re.IGNORECASE | re.ASCII) for name, source in intent.PATTERN_SOURCES.items()
}
_PYTHON: Final = {name: re.compile(source, re.IGNORECASE) for name, source in intent.PATTERN_SOURCES.items()}


@SWITCHES.deviation("patterns-of-re2", intent.matches, wraps=True)
def matches_in_re2(current: Callable[[str, str], bool], pattern: str, text: str) -> bool:
    r"""The other engine is RE2: ``\b`` and ``\s`` are ASCII, and the flag i folds U+017F and U+212A."""
    return _in_this_engine(_RE2, current, pattern, text)


@SWITCHES.deviation("patterns-of-python", intent.matches, wraps=True)
def matches_in_python(current: Callable[[str, str], bool], pattern: str, text: str) -> bool:
    r"""The other engine is Python's: ``\b``, ``\s`` and the flag i follow Unicode."""
    return _in_this_engine(_PYTHON, current, pattern, text)


@SWITCHES.deviation("patterns-of-python", intent.intent_of, wraps=True)
def intent_with_full_lower_case(current: Callable[[str], Intent], query: str) -> Intent:
    """The lower case of U+0130 is two characters."""
    return current(query.replace("\u0130", "i\u0307"))


# Intents.


def _or_fact(is_fact: Callable[[str], bool], current: Callable[[str], Intent], query: str) -> Intent:
    found = current(query)
    return found if found.concrete_fact_query else replace(found, concrete_fact_query=is_fact(query))


def fact_query(name: str) -> Callable[[Callable[[str], bool]], Callable[[str], bool]]:
    """Decorator: a deviation that makes more queries concrete-fact queries."""

    def add(is_fact: Callable[[str], bool]) -> Callable[[str], bool]:
        by = partial(_or_fact, is_fact)
        SWITCHES.deviation(name, intent.intent_of, wraps=True)(by)
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
    return FIRST_PERSON.search(text) is not None and probes.MONEY.search(text) is not None


@SWITCHES.deviation("further-fact-verbs", intent.matches, wraps=True)
def matches_further_verbs(current: Callable[[str, str], bool], pattern: str, text: str) -> bool:
    """The verbs of a fact are also take, took, keep, kept, see and saw."""
    return current(pattern, text) or (pattern == "FACT_LOOKUP_VERB_RE" and _FURTHER_VERBS.search(text) is not None)
