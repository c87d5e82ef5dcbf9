"""Keys that nobody knows, and names that are taken, misplaced or misspelt."""

from __future__ import annotations

from toy_corpus import LOUD, REQUIREMENTS, RULINGS, SAID

from broken_corpora.mistake import Broken

UNKNOWN_KEYS = [
    Broken("file-key", LOUD, "cases:", "¶operaton: toy.shout\ncases:", "operaton is not a key of ", "mean operation?"),
    Broken(
        "case-key",
        SAID,
        "origin: spec-example",
        "origin: spec-example\n    ¶reqest: 1",
        "reqest is not a key of ",
        "mean request?",
    ),
    Broken("table-key", SAID, "      rows:", "      ¶row: []\n      rows:", "row is not a key of ", "mean rows?"),
    Broken(
        "evidence-key",
        SAID,
        "evidence: {command:",
        "¶evidence: {note: x, command:",
        "note is not a key of ",
        "command",
    ),
    Broken(
        "dispute-key",
        SAID,
        "      adopted: a\n",
        "      adopted: a\n      ¶why: x\n",
        "why is not a key of ",
        "ruling",
    ),
    Broken(
        "reading-key",
        SAID,
        "b: {answer: {text: .}}",
        "¶b: {answer: {text: .}, note: x}",
        "note is not a key of ",
        "answer",
    ),
    Broken("error-key", LOUD, "{type: empty}", "¶{type: empty, message: x}", "message is not a key of ", "type"),
    Broken("environment-key", SAID, "environment: {TZ:", "¶environment: {LANG: C, TZ:", "LANG is not a key of ", "TZ"),
    Broken(
        "requirements-key",
        REQUIREMENTS,
        "system: toy",
        "¶version: x\nsystem: toy",
        "version is not a key of ",
        "mean revision?",
    ),
    Broken(
        "requirement-key",
        REQUIREMENTS,
        "    section: Saying",
        "    ¶sections: x\n    section: Saying",
        "sections is not a key of ",
        "mean section?",
    ),
    Broken(
        "ruling-key",
        RULINGS,
        "    severity: low",
        "    ¶sever: x\n    severity: low",
        "sever is not a key of ",
        "mean severity?",
    ),
]

NAMES = [
    Broken(
        "case-twice",
        LOUD,
        "id: nothing",
        "¶id: word",
        "The name toy/shouted/loud/word is taken on line 3",
        "id of its own",
    ),
    Broken(
        "row-twice",
        SAID,
        "[second, b, b]",
        "¶[first, b, b]",
        "The name toy/said/many.first is taken on line 36",
        "id of its own",
    ),
    Broken("requirement-twice", REQUIREMENTS, "id: TOY-02", "¶id: TOY-01", f"taken at {REQUIREMENTS}:4", "another"),
    Broken("id-with-capitals", LOUD, "id: nothing", "¶id: Nothing", "other characters than a-z, 0-9 and -", "Rename"),
    Broken("row-id-is-a-number", SAID, "[second, b, b]", "¶[2, b, b]", "id is the number 2, not a text", "quote"),
    Broken(
        "wrong-suite",
        LOUD,
        "suite: toy/shouted/loud",
        "¶suite: toy/loud",
        "is called toy/loud",
        "suite: toy/shouted/loud",
    ),
    Broken("wrong-system", RULINGS, "system: toy", "¶system: echo", "lies in cases/toy", "system: toy"),
    Broken("requirement-id-form", REQUIREMENTS, "id: TOY-02", "¶id: toy2", "has not the form AREA-01", "Rename"),
]
