"""``signals.ts``, detectLanguage: the language of a text, from its scripts."""

import re
from typing import Final

ENGLISH: Final = "en"

# In order: Japanese also uses Han characters, so its own syllables come first.
_SCRIPTS: Final = tuple(
    (code, re.compile(f"[{characters}]"))
    for code, characters in (
        ("ja", "\u3040-\u30ff"),
        ("ko", "\uac00-\ud7af\u1100-\u11ff"),
        ("zh", "\u4e00-\u9fff"),
        ("ru", "\u0400-\u04ff"),
        ("ar", "\u0600-\u06ff\u0750-\u077f"),
        ("hi", "\u0900-\u097f"),
        ("th", "\u0e00-\u0e7f"),
        ("he", "\u0590-\u05ff"),
        ("el", "\u0370-\u03ff"),
    )
)


def detect_language(text: str) -> str:
    """The first language in the table with a character in the text, else ``en``. ``signals.ts``, detectLanguage."""
    return next((code for code, script in _SCRIPTS if script.search(text)), ENGLISH)
