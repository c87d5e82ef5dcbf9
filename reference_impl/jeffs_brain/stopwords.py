"""Stop words: the lists of the query DSL document, section "Stopword filtering", and the list of the retry ladder.

The documents name these lists without their words; ``stopwords.json`` has the words and the source of each list.
"""

import json
from pathlib import Path
from typing import Final, Literal

Language = Literal["en", "nl"]

_LISTS = json.loads(Path(__file__).with_name("stopwords.json").read_text(encoding="utf-8"))

ENGLISH: Final[frozenset[str]] = frozenset(_LISTS["en"])
DUTCH: Final[frozenset[str]] = frozenset(_LISTS["nl"])

# The "combined EN + NL stopword set" of the filter.
COMBINED: Final = ENGLISH | DUTCH

# Algorithms document, section "forceRefreshIndex retry ladder": the STOP_WORDS of strongestTerm.
RETRY: Final[frozenset[str]] = frozenset(_LISTS["retry"])


def words(language: Language) -> list[str]:
    """The canonical list of one language, sorted."""
    return sorted({"en": ENGLISH, "nl": DUTCH}[language])
