r"""Other readings of the algorithms document's section "Intent-aware reweighting"."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from ...javascript import strings
from ...jeffs_brain import candidates, intent, normalise
from ...jeffs_brain.candidates import Result
from ...jeffs_brain.intent import Intent
from ...switches import Switches

SWITCHES = Switches("intent.*", "retrieval.search")

# RE2's meaning of the parts of a pattern that Python's engine reads in another way with its flag for ASCII.
_IN_RE2: Final = {r"\s": r"[\t\n\f\r ]", "k": "[k\u212a]", "s": "[s\u017f]"}


def _translated(source: str) -> str:
    return re.sub(r"\\.|.", lambda part: _IN_RE2.get(part[0], part[0]), source)


_RE2: Final = {
    name: re.compile(_translated(source), re.IGNORECASE | re.ASCII) for name, source in intent.PATTERN_SOURCES.items()
}
_PYTHON: Final = {name: re.compile(source, re.IGNORECASE) for name, source in intent.PATTERN_SOURCES.items()}

# Frequent words of other languages that are no English words.
_OTHER_LANGUAGES: Final = {
    "Dutch": "aan dat deze een geen heb hebben heeft het hij hoe ik je jij kan maar met mijn naar niet ook van voor zijn",
    "French": "avec ces dans des du elle et je le les nous pour que qui sont sur tu un une vous",
    "German": "auf das dem der ein eine einen für ich mein nicht sind und viel viele von wie wir zu",
    "Italian": "alla che della di gli io mia nel più sono ti tra un una uno",
    "Spanish": "cuántos del las los para por que qué son una unos yo",
}
_OTHER_WORDS: Final = frozenset(word for words in _OTHER_LANGUAGES.values() for word in words.split())


@SWITCHES.reading("RUL-B69", "b", intent.matches)
def matches_in_re2(pattern: str, text: str) -> bool:
    r"""The engine is RE2: ``\b`` and ``\s`` are ASCII, and the flag i folds U+017F and U+212A."""
    return _RE2[pattern].search(text) is not None


@SWITCHES.reading("RUL-B69", "b", intent.intent_of, wraps=True)
def intent_with_simple_lower_case(current: Callable[[str], Intent], query: str) -> Intent:
    """The lower case of U+0130 is i alone, as in the languages that use RE2."""
    return current(query.replace("\u0130", "i"))


@SWITCHES.reading("RUL-B69", "c", intent.matches)
def matches_in_python(pattern: str, text: str) -> bool:
    r"""The engine is Python's: ``\b``, ``\s`` and the flag i follow Unicode."""
    return _PYTHON[pattern].search(text) is not None


@SWITCHES.reading("RUL-B70", "b", intent.intent_of, wraps=True)
def only_in_english(current: Callable[[str], Intent], query: str) -> Intent:
    """A query in another language has no intent."""
    words = strings.split_words(strings.to_lower_case(query))
    return Intent(False, False) if _OTHER_WORDS.intersection(words) else current(query)


@SWITCHES.reading("RUL-B72", "b", intent.text_of_query)
def normalised_query(query: str) -> str:
    """The patterns are tested on the query after the normalisation of the query DSL."""
    return normalise.normalise(query)


@SWITCHES.reading("RUL-B130", "b", intent.text_for_concrete_facts)
def query_as_given(query: str) -> str:
    """The concrete-fact patterns are tested on the query as given."""
    return query


@SWITCHES.reading("RUL-B68", "b", intent.joined)
def joined_by_nothing(fields: Sequence[str]) -> str:
    """Nothing separates the fields."""
    return "".join(fields)


@SWITCHES.reading("RUL-B68", "c", intent.joined)
def joined_by_a_space(fields: Sequence[str]) -> str:
    """A space separates the fields."""
    return " ".join(fields)


@SWITCHES.reading("RUL-B67", "b", intent.path_in_conditions)
def lower_case_path(path: str) -> str:
    """The path is lower-cased first."""
    return strings.to_lower_case(path)


@SWITCHES.reading("RUL-B64", "b", intent.with_roll_up_row, wraps=True)
def generic_alone(current: Callable[[list[float]], list[float]], factors: list[float]) -> list[float]:
    """A note with 0.82 gets no other factor."""
    return factors if 0.82 in factors else current(factors)


@SWITCHES.reading("RUL-B65", "b", intent.with_roll_up_row, wraps=True)
def boost_alone(current: Callable[[list[float]], list[float]], factors: list[float]) -> list[float]:
    """A note with 2.35 or 2.1 gets no other factor."""
    return factors if {2.35, 2.1}.intersection(factors) else current(factors)


@SWITCHES.reading("RUL-B66", "b", intent.is_generic)
def roll_ups_are_generic(text: str) -> bool:
    """Every roll-up outside memory/global/ without the factor 2.2 gets 0.75 too."""
    return intent.matches("GENERIC_NOTE_RE", text) or intent.matches("ROLLUP_NOTE_RE", text)


@SWITCHES.reading("RUL-B100", "b", intent.is_fact)
def fact_although_roll_up(path: str, text: str) -> bool:
    """A date tag or an event makes any note a fact, as in the summary."""
    return intent.has_fact_path(path) or intent.has_date_or_event(text)


@SWITCHES.reading("RUL-B100", "b", intent.is_lowered_as_generic)
def lowered_although_fact(text: str, *, has_fact: bool) -> bool:
    """The factor 0.75 applies to every generic note outside memory/global/, as in the summary."""
    del has_fact
    return intent.is_generic(text)


@SWITCHES.reading("RUL-B73", "b", intent.highest_first)
def then_by_path(result: Result) -> tuple[float, bytes]:
    """Equal weighted scores are ordered by path again."""
    return -result.score, candidates.path_order(result.path)
