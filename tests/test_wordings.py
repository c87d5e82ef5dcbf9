"""Suggested wordings of the shipped rulings: sentences that a specification can take as they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from harness.corpus.catalogue import LEVELS
from harness.corpus.loader import Corpus
from harness.model import Ruling

_DEMANDS = tuple(level for level in LEVELS if level.isupper())

_BARRED = (
    *("row", "rows", "variant", "reading", "readings", "ruling", "rulings", "verdict", "corpus", "case", "cases"),
    *("harness", "parity", "Better", "editor", "sentence", "specification"),
)
"""Words that a specification does not use of itself, or that only this project knows."""

_ORDERS = ("Print", "Delete", "State", "Move", "Name", "List", "Quote", "Add", "Replace", "Publish", "Write")
"""First words of an order to the editor."""


def _texts(ruling: Ruling) -> Iterator[tuple[str, str]]:
    """The wordings of a ruling by the name of their member."""
    yield "wording", ruling.wording
    if ruling.better:
        yield "better", ruling.better
    if ruling.topic and ruling.topic.wording:
        yield "topic", ruling.topic.wording


def _mistakes(text: str, ids: set[str]) -> Iterator[str]:
    if not re.search(rf"\b(?:{'|'.join(_DEMANDS)})\b", text):
        yield f"none of {', '.join(_DEMANDS)}"
    if text.startswith(_ORDERS):
        yield "an order to the editor"
    words = re.findall(r"[\w-]+", text)
    yield from (word for word in words if word in ids or word in _BARRED)


def test_a_wording_is_a_sentence_of_a_specification(shipped_corpus: Corpus) -> None:
    """It demands something, and names nothing that only this project knows."""
    ids = {*shipped_corpus.rulings, *shipped_corpus.requirements}
    wrong = {
        (ruling.id, member): found
        for ruling in shipped_corpus.rulings.values()
        for member, text in _texts(ruling)
        if (found := [*_mistakes(text, ids)])
    }
    assert wrong == {}


def test_a_wording_excludes_every_other_reading(shipped_corpus: Corpus) -> None:
    """For each reading that is not adopted, and no other, some words of the wording exclude it."""
    wrong = {
        ruling.id: sorted(ruling.excludes)
        for ruling in shipped_corpus.rulings.values()
        if ruling.excludes.keys() != ruling.readings.keys() - {ruling.adopted}
    }
    assert wrong == {}


def test_no_wording_stands_twice(shipped_corpus: Corpus) -> None:
    """Two rulings that need one sentence share a topic."""
    texts = Counter(
        (ruling.system, text)
        for ruling in shipped_corpus.rulings.values()
        for text in (ruling.wording, ruling.better)
        if text
    )
    assert [text for text, count in texts.items() if count > 1] == []
