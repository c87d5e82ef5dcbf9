"""Query DSL document, section "Stopword filtering", and the retry ladder's own list: words as data.

The documents name these lists without printing them; ``stopwords.json`` holds them and says where each came from.
"""

import json
from pathlib import Path
from typing import Final, Literal

Language = Literal["en", "nl"]

_LISTS = json.loads(Path(__file__).with_name("stopwords.json").read_text(encoding="utf-8"))

ENGLISH: Final[frozenset[str]] = frozenset(_LISTS["en"])
DUTCH: Final[frozenset[str]] = frozenset(_LISTS["nl"])

# The filter's "combined EN + NL stopword set".
COMBINED: Final = ENGLISH | DUTCH

# Algorithms document, section "forceRefreshIndex retry ladder": the STOP_WORDS of strongestTerm.
RETRY: Final[frozenset[str]] = frozenset(_LISTS["retry"])


def words(language: Language) -> list[str]:
    """The canonical list of one language, sorted. Section "Stopword filtering"."""
    return sorted({"en": ENGLISH, "nl": DUTCH}[language])
