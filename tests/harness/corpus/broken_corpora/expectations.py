"""Cases without a request, an expectation, a requirement or an origin."""

from __future__ import annotations

from toy_corpus import LOUD, REQUIREMENTS, SAID

from broken_corpora.mistake import Broken

EXPECTATIONS = [
    Broken(
        "readings-alike",
        SAID,
        "        b: {answer: {text: .}}",
        '        b: {answer: {text: ""}}',
        "equal-readings",
        f"{SAID}:18",
    ),
    Broken(
        "readings-alike-as-numbers",
        SAID,
        '      readings:\n        a: {answer: {text: ""}}\n        b: {answer: {text: .}}',
        "      ¶readings:\n        a: {answer: {text: x, count: 1}}\n        b: {answer: {text: x, count: 1.0}}",
        "equal-readings",
    ),
    Broken(
        "any-without-place", SAID, "b: {answer: {text: .}}", "b: {answer: {text: .}, ¶any: [/txt]}", "any-without-place"
    ),
    Broken(
        "any-of-an-error",
        SAID,
        "b: {answer: {text: .}}",
        "b: {error: {type: unclassified}, ¶any: [/text]}",
        "any-without-answer",
    ),
    Broken("contains-nothing", SAID, "b: {answer: {text: .}}", "b: {answer: {text: {¶$contains: []}}}", "no-texts"),
    Broken("one-reading", SAID, "        b: {answer: {text: .}}\n", "", "too-few-readings", f"{SAID}:18"),
    Broken("reading-without-answer", SAID, "b: {answer: {text: .}}", "¶b: {}", "reading-without-outcome"),
    Broken(
        "answer-and-error",
        LOUD,
        "answer: {text: A}",
        "answer: {text: A}\n    ¶error: {type: empty}",
        "several-expectations",
    ),
    Broken("no-expectation", LOUD, "    answer: {text: A}\n", "", "no-expectation", f"{LOUD}:3"),
    Broken("error-not-listed", LOUD, "type: empty", "¶type: full", "unknown-error-type"),
    Broken("answer-is-a-text", LOUD, "answer: {text: A}", "¶answer: A", "not-a-mapping"),
    Broken("no-request", LOUD, "    request: {text: a}\n", "", "missing-key", f"{LOUD}:3"),
    Broken("unknown-origin", LOUD, "spec-text\n    request", "¶reference\n    request", "unknown-origin"),
    Broken(
        "oracle-without-evidence",
        SAID,
        "    evidence: {command: \"python3 -c 'print(2)'\"}\n",
        "",
        "no-evidence",
        f"{SAID}:24",
    ),
    Broken("negative-is-a-text", LOUD, "negative: true", "¶negative: yes", "not-a-boolean"),
    Broken(
        "requirements-is-a-text",
        LOUD,
        "    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "    ¶requirements: TOY-02\n    origin: spec-text\n    negative",
        "not-a-list",
    ),
    Broken(
        "requirement-listed-twice",
        SAID,
        "requirements: [TOY-01]\n    origin: spec-example",
        "¶requirements: [TOY-01, TOY-01]\n    origin: spec-example",
        "duplicate-item",
    ),
    Broken("case-is-a-text", LOUD, "  - id: nothing", "  - ¶nothing\n  - id: nothing", "not-a-mapping"),
    Broken("no-cases", LOUD, "", "suite: toy/shouted/loud\n¶cases: []\n", "no-cases"),
    Broken("unknown-level", REQUIREMENTS, "level: SHOULD", "¶level: should", "bad-level"),
    Broken("observable-false", REQUIREMENTS, "observable: true", "¶observable: false", "bad-observable"),
]
