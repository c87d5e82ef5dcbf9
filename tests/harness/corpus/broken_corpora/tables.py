"""Tables with bad rows or columns."""

from __future__ import annotations

from toy_corpus import SAID

from broken_corpora.mistake import Broken

TABLES = [
    Broken("row-too-short", SAID, "[second, b, b]", "¶[second, b]", "bad-row"),
    Broken("row-too-long", SAID, "[second, b, b]", "¶[second, b, b, b]", "bad-row"),
    Broken("row-is-a-text", SAID, "[second, b, b]", "¶second", "bad-row"),
    Broken(
        "no-column-id", SAID, "[id, request.text, answer.text]", "¶[note, request.text, answer.text]", "no-id-column"
    ),
    Broken(
        "no-rows",
        SAID,
        "      rows:\n        - [first, a, a]\n        - [second, b, b]\n        - [third, c, c]\n",
        "      ¶rows: []\n",
        "no-rows",
    ),
    Broken(
        "column-through-scalar",
        SAID,
        "request.text, answer.text]",
        "¶request.text, answer.text, origin.why]",
        "column-through-scalar",
    ),
    Broken("column-of-no-key", SAID, "request.text, answer.text]", "¶requst.text, answer.text]", "unknown-column"),
    Broken(
        "column-inside-column",
        SAID,
        "[id, request.text, answer.text]",
        "¶[id, answer, answer.text]",
        "overlapping-columns",
    ),
    Broken("column-with-empty-step", SAID, "answer.text]", "¶answer.]", "bad-column"),
    Broken("shared-mistake", SAID, "origin: spec-text\n    table", "¶origin: text\n    table", "unknown-origin"),
    Broken("column-twice", SAID, "request.text, answer.text]", "¶answer.text, answer.text]", "duplicate-item"),
]
