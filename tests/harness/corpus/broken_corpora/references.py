"""Names of operations, requirements, rulings, readings and fixtures that lead to nothing."""

from __future__ import annotations

from toy_corpus import LOUD, REQUIREMENTS, RULINGS, SAID, TEXTS, WORDS

from broken_corpora.mistake import Broken

_ADOPTED = "    adopted: a\n    basis"

CITATIONS = [
    Broken(
        "unknown-operation",
        LOUD,
        "    operation: toy.shout\n    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "    ¶operation: toy.shuot\n    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "toy.shuot has no schema",
        "schemas/toy/toy.shuot.json",
    ),
    Broken(
        "no-operation",
        SAID,
        "operation: toy.say",
        "description: x",
        "names an operation (5 more likewise)",
        "operation: area.verb",
        f"{SAID}:5",
    ),
    Broken(
        "unknown-requirement",
        SAID,
        "requirements: [TOY-01]\n    origin: spec-example",
        "requirements:\n      - TOY-01\n      - ¶TOY-03\n    origin: spec-example",
        f"TOY-03 is not in {REQUIREMENTS}",
        "Cite one",
    ),
    Broken("unknown-ruling", SAID, "ruling: RUL-01", "¶ruling: RUL-02", f"RUL-02 is not in {RULINGS}", "Cite one"),
    Broken(
        "unknown-reading",
        SAID,
        "        b: {answer",
        "        ¶c: {answer",
        "RUL-01 has no reading c",
        "Use one of: a, b",
    ),
    Broken(
        "adopted-not-listed",
        SAID,
        "      adopted: a",
        "      ¶adopted: c",
        "c is not among the readings of this case",
        "Add it",
    ),
    Broken(
        "adopted-not-the-ruling's",
        SAID,
        "      adopted: a",
        "      ¶adopted: b",
        "RUL-01 adopts the reading a, not b",
        "adopted: a",
    ),
    Broken(
        "ruling-adopts-unknown",
        RULINGS,
        _ADOPTED,
        _ADOPTED.replace("adopted: a", "¶adopted: z"),
        "z is not among",
        "Adopt one of: a, b",
    ),
    Broken(
        "ruling-of-unknown-requirement",
        RULINGS,
        "[TOY-01]",
        "¶[TOY-09]",
        "TOY-09 is not in requirements.yaml",
        "Cite one",
    ),
    Broken(
        "ruling-evidence",
        RULINGS,
        "toy/said/many.first",
        "¶toy/said/many.firsts",
        "toy/said/many.firsts, which does not exist",
        "parity cases",
    ),
    Broken(
        "ruling-of-one-reading",
        RULINGS,
        "    readings:\n      a: Nothing comes back.\n      b: A dot comes back.\n",
        "    ¶readings: {a: Nothing.}\n",
        "at least two readings",
        "Add the other",
    ),
    Broken(
        "no-fixture", SAID, "$fixture: words", "¶$fixture: verbs", "no fixture verbs", "cases/toy/fixtures/verbs.yaml"
    ),
    Broken("fixture-with-extras", SAID, "{$fixture: words}", "¶{$fixture: words, x: 1}", "other members", "Write just"),
    Broken(
        "fixture-of-fixture",
        WORDS,
        "- two\n",
        "- ¶{$fixture: words}\n",
        "A fixture refers to a fixture",
        "Write it out",
    ),
    Broken(
        "cites-nothing",
        LOUD,
        "",
        TEXTS[LOUD].replace("    requirements: [TOY-02]\n", "").replace("suite", "¶suite"),
        "No case of this suite cites",
        "requirements: [ID]",
    ),
]
