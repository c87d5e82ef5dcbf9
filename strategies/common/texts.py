"""Texts from choices: words, spaces between them, and characters of every class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from .characters import ASCII_MARKS, CLASSES, COMBINING, NEAR_SPACE, WHITE_SPACE
from .choices import Choices

PLAIN: Final = (
    "alpha bravo charlie delta kubernetes deployment retrieval memory garden bicycle invoice café Zürich résumé naïve "
    "foo bar x y2 ab 42 2026 v1.2.3 user_id don't C++ node.js e-mail"
).split()

_SHAPES: Final[Sequence[Callable[[str], str]]] = (str, str, str.upper, str.capitalize, str.swapcase)


def character(choices: Choices) -> str:
    """A character, or a short sequence that belongs together, of any class."""
    return choices.pick(choices.pick(CLASSES))


def space(choices: Choices) -> str:
    """The space between two words; mostly one blank."""
    kind = choices.byte()
    if kind < 192:
        return " "
    if kind < 224:
        return choices.pick(WHITE_SPACE)
    if kind < 240:
        return choices.pick(WHITE_SPACE) + choices.pick(WHITE_SPACE)
    return choices.pick(NEAR_SPACE)


def cased(choices: Choices, word: str) -> str:
    """The word in lower case, upper case, or mixed."""
    return choices.pick(_SHAPES)(word)


def altered(choices: Choices, word: str) -> str:
    """The word with a change: another case, a mark around it, a character of any class inside it; often none."""
    kind = choices.below(16)
    if kind < 7:
        return word
    if kind < 9:
        return cased(choices, word)
    if kind == 9:
        return word + choices.pick(ASCII_MARKS)
    if kind == 10:
        return choices.pick(ASCII_MARKS) + word
    at = choices.below(len(word) + 1) if len(word) < 128 else 0
    if kind == 11:
        return word[:at] + choices.pick(ASCII_MARKS) + word[at:]
    if kind == 12:
        return word[:at] + choices.pick(COMBINING) + word[at:]
    if kind == 13:
        return word[:at] + choices.pick(NEAR_SPACE) + word[at:]
    return word[:at] + character(choices) + word[at:]


def word(choices: Choices, words: Sequence[str] = PLAIN) -> str:
    """One of the words, often altered."""
    return altered(choices, choices.pick(words))


def sentence(choices: Choices, words: Sequence[str] = PLAIN, most: int = 6, least: int = 0) -> str:
    """Words and the spaces between them; rarely with a space at an end."""
    parts: list[str] = []
    for _ in range(least + choices.below(most - least + 1)):
        parts += [word(choices, words), space(choices)]
    if not choices.one_in(8):
        del parts[-1:]
    return "".join(parts)


def noise(choices: Choices, most: int = 6) -> str:
    """Characters of every class without order."""
    return "".join(choices.many(character, most))
