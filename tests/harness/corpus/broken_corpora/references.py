"""Names of operations, requirements, rulings, readings and fixtures that do not exist."""

from __future__ import annotations

from toy_corpus import LOUD, REQUIREMENTS, RULINGS, SAID, TEXTS, WORDS

from broken_corpora.mistake import Broken

_ADOPTED = "    adopted: a\n    basis"
_OBSERVABLE = "    observable: true\n"
_TOPICS = TEXTS[RULINGS][TEXTS[RULINGS].index("topics:") : TEXTS[RULINGS].index("rulings:")]

CITATIONS = [
    Broken(
        "unknown-operation",
        LOUD,
        "    operation: toy.shout\n    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "    ¶operation: toy.shuot\n    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "unknown-operation",
    ),
    Broken("no-operation", SAID, "operation: toy.say", "description: x", "no-operation", f"{SAID}:5"),
    Broken(
        "unknown-requirement",
        SAID,
        "requirements: [TOY-01]\n    origin: spec-example",
        "requirements:\n      - TOY-01\n      - ¶TOY-03\n    origin: spec-example",
        "unknown-requirement",
    ),
    Broken("unknown-ruling", SAID, "ruling: RUL-01", "¶ruling: RUL-02", "unknown-ruling"),
    Broken("unknown-reading", SAID, "        b: {answer", "        ¶c: {answer", "unknown-reading"),
    Broken("adopted-not-listed", SAID, "      adopted: a", "      ¶adopted: c", "adopted-not-listed"),
    Broken("adopted-not-the-ruling's", SAID, "      adopted: a", "      ¶adopted: b", "adopted-not-the-rulings"),
    Broken(
        "ruling-adopts-unknown", RULINGS, _ADOPTED, _ADOPTED.replace("adopted: a", "¶adopted: z"), "adopted-not-listed"
    ),
    Broken("ruling-of-unknown-text", RULINGS, "text: contradicts-itself", "¶text: open", "bad-text"),
    Broken("ruling-of-unknown-state", RULINGS, "    topic: silence", "    ¶state: closed", "bad-state"),
    Broken("accepted-in-no-revision", RULINGS, "    topic: silence", "    ¶state: accepted", "bad-accepted-in"),
    Broken("proposed-in-a-revision", RULINGS, "    topic: silence", "    ¶accepted-in: '1.1'", "bad-accepted-in"),
    Broken("link-to-no-page", RULINGS, "    topic: silence", "    ¶link: javascript:x", "bad-link"),
    Broken("ruling-of-unknown-requirement", RULINGS, "[TOY-01]", "¶[TOY-09]", "unknown-requirement"),
    Broken("ruling-evidence", RULINGS, "toy/said/many.first", "¶toy/said/many.firsts", "unknown-case"),
    Broken(
        "ruling-of-one-reading",
        RULINGS,
        "    readings:\n      a: Nothing comes back.\n      b: A dot comes back.\n",
        "    ¶readings: {a: Nothing.}\n",
        "too-few-readings",
    ),
    Broken(
        "anchor-without-length", REQUIREMENTS, _OBSERVABLE, f"    anchors: [¶0123456789ab]\n{_OBSERVABLE}", "bad-anchor"
    ),
    Broken(
        "anchors-and-none",
        REQUIREMENTS,
        _OBSERVABLE,
        f"    anchors: [0123456789ab/42]\n    ¶no-anchor: consequence\n{_OBSERVABLE}",
        "anchored-and-not",
    ),
    Broken("no-anchor-for-nothing", REQUIREMENTS, _OBSERVABLE, f"    ¶no-anchor: lost\n{_OBSERVABLE}", "bad-no-anchor"),
    Broken(
        "text-folder-outside", REQUIREMENTS, "system: toy\n", "system: toy\n¶text-folder: ../docs\n", "bad-text-folder"
    ),
    Broken("ruling-of-unknown-topic", RULINGS, "topic: silence", "¶topic: silense", "unknown-topic"),
    Broken("words-of-no-wording", RULINGS, "excludes: {b: Nothing MUST}", "¶excludes: {b: A dot}", "not-in-wording"),
    Broken("words-against-no-reading", RULINGS, "excludes: {b:", "¶excludes: {c:", "unknown-reading"),
    Broken("topic-of-no-ruling", RULINGS, "topics:\n", "¶topics:\n  - {id: noise, title: Noise}\n", "unused-topic"),
    Broken("topics-as-a-mapping", RULINGS, _TOPICS, "¶topics: {id: silence}\n", "not-a-list"),
    Broken("topic-twice", RULINGS, "rulings:\n", "  - {¶id: silence, title: Silence}\nrulings:\n", "duplicate-id"),
    Broken("topic-with-a-blank", RULINGS, "  - id: silence", "  - ¶id: no sound", "bad-id"),
    Broken("topic-as-a-text", RULINGS, "topics:\n", "topics:\n  - ¶noise\n", "not-a-mapping"),
    Broken("no-fixture", SAID, "$fixture: words", "¶$fixture: verbs", "unknown-fixture"),
    Broken("fixture-with-extras", SAID, "{$fixture: words}", "¶{$fixture: words, x: 1}", "bad-fixture-reference"),
    Broken("fixture-of-fixture", WORDS, "- two\n", "- ¶{$fixture: words}\n", "nested-fixture"),
    Broken(
        "cites-nothing",
        LOUD,
        "",
        TEXTS[LOUD].replace("    requirements: [TOY-02]\n", "").replace("suite", "¶suite"),
        "no-requirement-cited",
    ),
]
