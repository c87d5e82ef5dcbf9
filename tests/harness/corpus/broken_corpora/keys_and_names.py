"""Unknown keys, and names that are duplicate, misplaced or misspelt."""

from __future__ import annotations

from toy_corpus import LOUD, REQUIREMENTS, RULINGS, SAID

from broken_corpora.mistake import Broken

UNKNOWN_KEYS = [
    Broken("file-key", LOUD, "cases:", "¶operaton: toy.shout\ncases:", "unknown-key"),
    Broken("case-key", SAID, "origin: spec-example", "origin: spec-example\n    ¶reqest: 1", "unknown-key"),
    Broken("table-key", SAID, "      rows:", "      ¶row: []\n      rows:", "unknown-key"),
    Broken("evidence-key", SAID, "evidence: {command:", "¶evidence: {note: x, command:", "unknown-key"),
    Broken("dispute-key", SAID, "      adopted: a\n", "      adopted: a\n      ¶why: x\n", "unknown-key"),
    Broken("reading-key", SAID, "b: {answer: {text: .}}", "¶b: {answer: {text: .}, note: x}", "unknown-key"),
    Broken("error-key", LOUD, "{type: empty}", "¶{type: empty, message: x}", "unknown-key"),
    Broken("environment-key", SAID, "environment: {TZ:", "¶environment: {LANG: C, TZ:", "unknown-key"),
    Broken("requirements-key", REQUIREMENTS, "system: toy", "¶version: x\nsystem: toy", "unknown-key"),
    Broken(
        "requirement-key", REQUIREMENTS, "    section: Saying", "    ¶sections: x\n    section: Saying", "unknown-key"
    ),
    Broken("ruling-key", RULINGS, "    severity: low", "    ¶sever: x\n    severity: low", "unknown-key"),
]

NAMES = [
    Broken("case-twice", LOUD, "id: nothing", "¶id: word", "duplicate-id"),
    Broken("row-twice", SAID, "[second, b, b]", "¶[first, b, b]", "duplicate-id"),
    Broken("requirement-twice", REQUIREMENTS, "id: TOY-02", "¶id: TOY-01", "duplicate-id"),
    Broken("id-with-capitals", LOUD, "id: nothing", "¶id: Nothing", "bad-id"),
    Broken("row-id-is-a-number", SAID, "[second, b, b]", "¶[2, b, b]", "not-a-text"),
    Broken("wrong-suite", LOUD, "suite: toy/shouted/loud", "¶suite: toy/loud", "wrong-suite"),
    Broken("wrong-system", RULINGS, "system: toy", "¶system: echo", "wrong-system"),
    Broken("requirement-id-form", REQUIREMENTS, "id: TOY-02", "¶id: toy2", "bad-id"),
]
