"""Deviations from the query DSL document's section "Grammar"."""

import re
from collections.abc import Callable, Iterator

from ...javascript import strings
from ...jeffs_brain import parser
from ...jeffs_brain.normalise import WHITE_SPACE
from ...switches import Switches

SWITCHES = Switches("query.*", "retrieval.search")


@SWITCHES.deviation("next-line-separates-no-words", parser.phrases_and_words, wraps=True)
def words_with_next_lines(current: Callable[[str], Iterator[re.Match[str]]], text: str) -> Iterator[re.Match[str]]:
    r"""Words end at the class \s of ECMAScript, and U+0085 is a character of a word."""
    pattern = next(current("word")).re.pattern
    return re.finditer(pattern.replace(WHITE_SPACE, strings.WHITE_SPACE), text)


@SWITCHES.deviation("next-line-separates-no-words", parser.bounds_operator, wraps=True)
def next_line_bounds_no_operator(current: Callable[[str], bool], character: str) -> bool:
    """U+0085 beside AND, OR or NOT makes it a part of a longer word."""
    return character != "\u0085" and current(character)


@SWITCHES.deviation("next-line-stays-in-a-phrase", parser.phrase_text)
def phrase_text_without_white_space_of_ecmascript(quoted: str) -> str:
    """The phrase text is trimmed, and keeps U+0085 at its ends."""
    return strings.trim(quoted)
