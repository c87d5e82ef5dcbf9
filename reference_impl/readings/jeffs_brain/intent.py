r"""Other readings of the algorithms document's section "Intent-aware reweighting"."""

import re
from collections.abc import Sequence
from typing import Final

from ...decisions import decided
from ...javascript import strings
from ...jeffs_brain import intent, normalise
from ...jeffs_brain.candidates import CandidatesDecisions, Result
from ...jeffs_brain.intent import Intent, IntentDecisions

ACTS_ON = ("intent.*", "retrieval.search")

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


class MatchesInRe2(IntentDecisions, reading="RUL-B69=b"):
    def matches(self, pattern: str, text: str) -> bool:
        r"""The engine is RE2: ``\b`` and ``\s`` are ASCII, and the flag i folds U+017F and U+212A."""
        return _RE2[pattern].search(text) is not None

    def intent_of(self, query: str) -> Intent:
        """The lower case of U+0130 is i alone, as in the languages that use RE2."""
        return super().intent_of(query.replace("\u0130", "i"))


class MatchesInPython(IntentDecisions, reading="RUL-B69=c"):
    def matches(self, pattern: str, text: str) -> bool:
        r"""The engine is Python's: ``\b``, ``\s`` and the flag i follow Unicode."""
        return _PYTHON[pattern].search(text) is not None


class OnlyInEnglish(IntentDecisions, reading="RUL-B70=b"):
    def intent_of(self, query: str) -> Intent:
        """A query in another language has no intent."""
        words = strings.split_words(strings.to_lower_case(query))
        return Intent(False, False) if _OTHER_WORDS.intersection(words) else super().intent_of(query)


class NormalisedQuery(IntentDecisions, reading="RUL-B72=b"):
    def text_of_query(self, query: str) -> str:
        """The patterns are tested on the query after the normalisation of the query DSL."""
        return normalise.normalise(query)


class QueryAsGiven(IntentDecisions, reading="RUL-B130=b"):
    def text_for_concrete_facts(self, query: str) -> str:
        """The concrete-fact patterns are tested on the query as given."""
        return query


class JoinedByNothing(IntentDecisions, reading="RUL-B68=b"):
    def joined(self, fields: Sequence[str]) -> str:
        """Nothing separates the fields."""
        return "".join(fields)


class JoinedByASpace(IntentDecisions, reading="RUL-B68=c"):
    def joined(self, fields: Sequence[str]) -> str:
        """A space separates the fields."""
        return " ".join(fields)


class LowerCasePath(IntentDecisions, reading="RUL-B67=b"):
    def path_in_conditions(self, path: str) -> str:
        """The path is lower-cased first."""
        return strings.to_lower_case(path)


class GenericAlone(IntentDecisions, reading="RUL-B64=b"):
    def with_roll_up_row(self, factors: list[float]) -> list[float]:
        """A note with 0.82 gets no other factor."""
        return factors if 0.82 in factors else super().with_roll_up_row(factors)


class BoostAlone(IntentDecisions, reading="RUL-B65=b"):
    def with_roll_up_row(self, factors: list[float]) -> list[float]:
        """A note with 2.35 or 2.1 gets no other factor."""
        return factors if {2.35, 2.1}.intersection(factors) else super().with_roll_up_row(factors)


class RollUpsAreGeneric(IntentDecisions, reading="RUL-B66=b"):
    def is_generic(self, text: str) -> bool:
        """Every roll-up outside memory/global/ without the factor 2.2 gets 0.75 too."""
        return self.matches("GENERIC_NOTE_RE", text) or self.matches("ROLLUP_NOTE_RE", text)


class FactAlthoughRollUp(IntentDecisions, reading="RUL-B100=b"):
    def is_fact(self, path: str, text: str) -> bool:
        """A date tag or an event makes any note a fact, as in the summary."""
        return intent.has_fact_path(path) or intent.has_date_or_event(text)

    def is_lowered_as_generic(self, text: str, *, has_fact: bool) -> bool:
        """The factor 0.75 applies to every generic note outside memory/global/, as in the summary."""
        return self.is_generic(text)


class ThenByPath(IntentDecisions, reading="RUL-B73=b"):
    def highest_first(self, result: Result) -> tuple[float, bytes]:
        """Equal weighted scores are ordered by path again."""
        return -result.score, decided(CandidatesDecisions).path_order(result.path)
