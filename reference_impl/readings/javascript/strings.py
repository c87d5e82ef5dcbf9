"""White space of other languages in place of JavaScript's, in every function of text outside the grammar (RUL-B143)."""

import re
from collections.abc import Callable
from typing import Final

from ...javascript import strings
from ...jeffs_brain import anchors, temporal
from ...jeffs_brain.normalise import WHITE_SPACE
from ...switches import Switches

SWITCHES = Switches()

_UNICODE_RUN: Final = re.compile(f"[{WHITE_SPACE}]+")


@SWITCHES.reading("RUL-B143", "b", strings.trim)
def trim_unicode(text: str) -> str:
    """White space has U+0085, and lacks U+FEFF."""
    return text.strip(WHITE_SPACE)


@SWITCHES.reading("RUL-B143", "b", strings.collapse)
def collapse_unicode(text: str) -> str:
    """Every run of Unicode white space becomes one space."""
    return _UNICODE_RUN.sub(" ", text)


@SWITCHES.reading("RUL-B143", "b", strings.split_words)
def split_unicode_words(text: str) -> list[str]:
    """The non-empty pieces between runs of Unicode white space."""
    return [word for word in _UNICODE_RUN.split(text) if word]


@SWITCHES.reading("RUL-B143", "c", strings.trim)
def trim_python(text: str) -> str:
    """White space has U+0085 and U+001C to U+001F, and lacks U+FEFF."""
    return text.strip()


@SWITCHES.reading("RUL-B143", "c", strings.collapse)
def collapse_python(text: str) -> str:
    """Every run of Python's white space becomes one space."""
    return re.sub(r"\s+", " ", text)


@SWITCHES.reading("RUL-B143", "c", strings.split_words)
def split_python_words(text: str) -> list[str]:
    """The non-empty pieces between runs of Python's white space."""
    return text.split()


@SWITCHES.reading("RUL-B143", "c", temporal.white_space_pattern, wraps=True)
@SWITCHES.reading("RUL-B143", "c", anchors.separator_pattern, wraps=True)
def pattern_of_python(current: Callable[[], str]) -> str:
    r"""The class ``\s`` of a recogniser and of a question date is Python's."""
    characters = rf"{WHITE_SPACE}\x1c-\x1f"
    return current().replace(r"[\s", f"[{characters}").replace(r"\s", f"[{characters}]")
