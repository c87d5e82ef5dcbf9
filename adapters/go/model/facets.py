"""Facets: the parts of a question for a total, by quotes, capitals and connectors. Defines no switch."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from adapters.go.model.wide_probes import WideProbes, singular, without_genitive
from adapters.ts.model.probes import joined, words_of
from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions

ACTS_ON = ("retrieval.search",)

FACETS: Final = 4
_MAX_WORDS: Final = 4

_QUOTED: Final = re.compile("[\"'“”‘’]([^\"'“”‘’]{2,80})[\"'“”‘’]")
_WORD: Final = re.compile(r"\b[A-Za-z0-9][A-Za-z0-9'’.-]*\b", re.ASCII)
_SEPARATOR: Final = regexps.compile_ignoring_case(r"\b(?:and|or|including|between|from|to)\b|[,;:]")
_GLUE: Final = frozenset({"of", "the"})
_MARKS: Final = (",", "'", '"')
_CONNECTORS: Final = tuple(f" {word} " for word in ("and", "or", "including", "between", "from"))


class Facets(WideProbes):
    """The derivation with the facets of a question."""

    def parts_of_a_total(self, query: str) -> list[str]:
        """What a question for a total adds up: its facets, its phrases and what they cost."""
        return [*dict.fromkeys([*self.facets(query), *self.filtered_phrase_probes(query), *self.money_probes(query)])]

    def facets(self, query: str) -> list[str]:
        """At most four facets of a question with a connector, a comma or a quote."""
        query = decided(RetryLadderDecisions).trimmed(query)
        text = strings.to_lower_case(query)
        if not any(part in text for part in (*_CONNECTORS, *_MARKS)):
            return []
        found = dict.fromkeys(self._facet(candidate) for candidate in self._candidates(query))
        return list(islice((facet for facet in found if facet not in {"", text}), FACETS))

    def _candidates(self, query: str) -> Iterator[str]:
        yield from (quoted[1] for quoted in _QUOTED.finditer(query))
        yield from islice(self._names(_WORD.findall(query)), FACETS)
        yield from self._segments(_SEPARATOR.split(query))

    def _facet(self, candidate: str) -> str:
        words = self._kept(candidate)[:_MAX_WORDS]
        return "" if len(words) == 1 and self.length(words[0]) < 4 else joined(words, 1)

    def _kept(self, text: str) -> list[str]:
        words = (without_genitive(word) for word in words_of(text))
        return [word for word in words if not self.is_skipped(word)]

    def _names(self, words: Sequence[str]) -> Iterator[str]:
        """Runs of capitalised words, each with one more word behind it."""
        index = 0
        while index < len(words):
            start = index
            index += 1
            if not words[start][0].isupper() or self._is_no_name(words[start]):
                continue
            while index < len(words) and self._continues(words, index):
                index += 1
            yield " ".join(words[start : index + self._has_tail(words, index)])

    def _is_no_name(self, word: str) -> bool:
        found = without_genitive(strings.to_lower_case(word))
        return self.is_skipped(found) and not self.has_digit(found)

    def _continues(self, words: Sequence[str], index: int) -> bool:
        word = without_genitive(strings.to_lower_case(words[index]))
        if self.is_bound(word):
            return word in _GLUE and index + 1 < len(words) and words[index + 1][0].isupper()
        return words[index][0].isupper()

    def _has_tail(self, words: Sequence[str], index: int) -> bool:
        """Whether the word that ends a run still belongs to it."""
        if index >= len(words):
            return False
        word = without_genitive(strings.to_lower_case(words[index]))
        return self.length(word) >= 3 and not self.is_skipped(word)

    def _segments(self, parts: Sequence[str]) -> Iterator[str]:
        if len(parts) <= 1:
            return
        head = next((singular(word) for word in reversed(self._kept(parts[0]))), "")
        found: list[str] = []
        for part in parts:
            words = self._kept(part)
            segment = self.best_phrase(words) if len(words) > 1 else joined(words, 1)
            if segment:
                found.append(segment)
                if head and len(self.question_tokens(segment)) == 1:
                    found.append(f"{head} {segment}")
        yield from found[:FACETS]
