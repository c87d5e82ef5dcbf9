"""Cases that do not say what they ask, what they expect or why."""

from __future__ import annotations

from toy_corpus import LOUD, REQUIREMENTS, SAID

from broken_corpora.mistake import Broken

EXPECTATIONS = [
    Broken(
        "readings-alike",
        SAID,
        "        b: {answer: {text: .}}",
        '        b: {answer: {text: ""}}',
        "same outcome",
        "another input",
        f"{SAID}:18",
    ),
    Broken(
        "readings-alike-as-numbers",
        SAID,
        '      readings:\n        a: {answer: {text: ""}}\n        b: {answer: {text: .}}',
        "      ¶readings:\n        a: {answer: {text: x, count: 1}}\n        b: {answer: {text: x, count: 1.0}}",
        "same outcome",
        "another input",
    ),
    Broken(
        "one-reading",
        SAID,
        "        b: {answer: {text: .}}\n",
        "",
        "at least two readings",
        "plain `answer`",
        f"{SAID}:18",
    ),
    Broken(
        "reading-without-answer",
        SAID,
        "b: {answer: {text: .}}",
        "¶b: {}",
        "reading b has not one of answer and error",
        "b: {answer",
    ),
    Broken(
        "answer-and-error",
        LOUD,
        "answer: {text: A}",
        "answer: {text: A}\n    ¶error: {type: empty}",
        "answer and error",
        "Keep one",
    ),
    Broken("no-expectation", LOUD, "    answer: {text: A}\n", "", "expects nothing", "Add one of answer", f"{LOUD}:3"),
    Broken(
        "error-not-listed",
        LOUD,
        "type: empty",
        "¶type: full",
        "raises no error of the type full",
        "empty, unclassified",
    ),
    Broken(
        "answer-is-a-text", LOUD, "answer: {text: A}", "¶answer: A", "answer is the text A, not a mapping", "members"
    ),
    Broken(
        "no-request", LOUD, "    request: {text: a}\n", "", "The key request is missing", "Add `request", f"{LOUD}:3"
    ),
    Broken(
        "unknown-origin",
        LOUD,
        "spec-text\n    request",
        "¶reference\n    request",
        "The origin reference is unknown",
        "spec-example",
    ),
    Broken(
        "oracle-without-evidence",
        SAID,
        "    evidence: {command: \"python3 -c 'print(2)'\"}\n",
        "",
        "has no evidence",
        "command",
        f"{SAID}:24",
    ),
    Broken(
        "negative-is-a-text",
        LOUD,
        "negative: true",
        "¶negative: yes",
        "negative is the text yes, not true or false",
        "leave it out",
    ),
    Broken(
        "requirements-is-a-text",
        LOUD,
        "    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "    ¶requirements: TOY-02\n    origin: spec-text\n    negative",
        "not a list of texts",
        "[one, two]",
    ),
    Broken(
        "requirement-listed-twice",
        SAID,
        "requirements: [TOY-01]\n    origin: spec-example",
        "¶requirements: [TOY-01, TOY-01]\n    origin: spec-example",
        "more than once",
        "List it once",
    ),
    Broken(
        "case-is-a-text",
        LOUD,
        "  - id: nothing",
        "  - ¶nothing\n  - id: nothing",
        "A case is the text nothing",
        "Write `- id",
    ),
    Broken("no-cases", LOUD, "", "suite: toy/shouted/loud\n¶cases: []\n", "no list of cases", "at least one case"),
    Broken("unknown-level", REQUIREMENTS, "level: SHOULD", "¶level: should", "level is should", "MUST, SHOULD"),
    Broken(
        "observable-false", REQUIREMENTS, "observable: true", "¶observable: false", "observable is false", "a sentence"
    ),
]
