"""Tables whose rows and columns do not make cases."""

from __future__ import annotations

from toy_corpus import SAID

from broken_corpora.mistake import Broken

TABLES = [
    Broken(
        "row-too-short",
        SAID,
        "[second, b, b]",
        "¶[second, b]",
        "has 2 cells; the table has 3 columns",
        "one cell a column",
    ),
    Broken(
        "row-too-long",
        SAID,
        "[second, b, b]",
        "¶[second, b, b, b]",
        "has 4 cells; the table has 3 columns",
        "one cell a column",
    ),
    Broken(
        "row-is-a-text",
        SAID,
        "[second, b, b]",
        "¶second",
        "has the text second; the table has 3 columns",
        "one cell a column",
    ),
    Broken(
        "no-column-id",
        SAID,
        "[id, request.text, answer.text]",
        "¶[note, request.text, answer.text]",
        "no column id",
        "Add a column",
    ),
    Broken(
        "no-rows",
        SAID,
        "      rows:\n        - [first, a, a]\n        - [second, b, b]\n        - [third, c, c]\n",
        "      ¶rows: []\n",
        "no rows",
        "a list for each row",
    ),
    Broken(
        "column-through-scalar",
        SAID,
        "request.text, answer.text]",
        "¶request.text, answer.text, origin.why]",
        "leads through the text spec-text",
        "Only mappings",
    ),
    Broken(
        "column-of-no-key",
        SAID,
        "request.text, answer.text]",
        "¶requst.text, answer.text]",
        "requst.text leads to no key",
        "mean request?",
    ),
    Broken(
        "column-inside-column",
        SAID,
        "[id, request.text, answer.text]",
        "¶[id, answer, answer.text]",
        "answer.text lies inside the column answer",
        "Keep one",
    ),
    Broken("column-with-empty-step", SAID, "answer.text]", "¶answer.]", "has an empty step", "Put a name"),
    Broken(
        "shared-mistake",
        SAID,
        "origin: spec-text\n    table",
        "¶origin: text\n    table",
        "The origin text is unknown",
        "spec-example",
    ),
    Broken(
        "column-twice",
        SAID,
        "request.text, answer.text]",
        "¶answer.text, answer.text]",
        "columns lists answer.text more than once",
        "once",
    ),
]
