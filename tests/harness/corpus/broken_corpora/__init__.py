"""Corpora with exactly one mistake each: the change to the small corpus, and the code and place of the problem.

In a new text `¶` marks the line that the problem has to name; it is removed before the file is written.
"""

from __future__ import annotations

from broken_corpora.encodings import ENCODING
from broken_corpora.expectations import EXPECTATIONS
from broken_corpora.extremes import EXTREMES
from broken_corpora.keys_and_names import NAMES, UNKNOWN_KEYS
from broken_corpora.mistake import Broken as Broken
from broken_corpora.references import CITATIONS
from broken_corpora.schemas import SCHEMAS
from broken_corpora.sentences import SENTENCES as SENTENCES
from broken_corpora.strays import STRAYS
from broken_corpora.tables import TABLES
from broken_corpora.yaml_texts import SURPRISES, SYNTAX

ALL = [
    *EXTREMES,
    *SYNTAX,
    *ENCODING,
    *SURPRISES,
    *UNKNOWN_KEYS,
    *NAMES,
    *CITATIONS,
    *EXPECTATIONS,
    *TABLES,
    *SCHEMAS,
    *STRAYS,
]
