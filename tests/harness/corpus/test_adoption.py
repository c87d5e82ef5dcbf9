"""Adopting a reading: what changes in the text of a corpus, and what is left to a person."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from harness.compare.alternatives import Alternative, Combined, Effects
from harness.corpus.adoption import Adoption, adopt, mentions
from harness.corpus.loader import load_corpus
from harness.model import Answered, Case, Choice, Response

RULINGS = """\
system: echo
revision: '1.0'
rulings:
  - id: RUL-E1
    title: How loud
    requirements: [ECHO-02]
    question: All capitals or the first alone?
    readings: {a: Every letter is a capital., b: The first letter is a capital., c: The last one is.}
    adopted: a  # since 1.0
    basis: prose
    why: Shouting is loud.
    severity: low
    evidence: [echo/disputed/loud]
    wording: Say all.
    excludes: {b: all, c: all}
    revision: "1.0"
"""
CASES = """\
suite: echo/disputed
operation: echo.shout
cases:
  - {id: loud, requirements: [ECHO-02], origin: spec-text, request: {text: hello}, disputed: {ruling: RUL-E1, adopted: a,
     readings: {a: {answer: {text: HELLO}}, b: {answer: {text: Hello}}}}}
  - id: last
    origin: spec-text
    request: {text: hi}
    disputed:
      ruling: RUL-E1
      adopted: a
      readings: {a: {answer: {text: HI}}, c: {answer: {text: hI}}}
  - {id: flow, origin: spec-text, request: {text: hey}, answer: {text: "HEY"}}  # kept
  - id: block
    origin: spec-text
    request: {text: so so}
    answer:
      text: >-
        SO
        SO

  - id: rows
    origin: spec-text
    table:
      columns: [id, request.text, answer.text]
      rows:
        - [first, ho, HO]
        - [second, h, H]  # the same by both
  - id: shared
    origin: spec-text
    answer: {text: HUM}
    table: {columns: [id, request.text], rows: [[low, hum], [high, Hum]]}
"""
MARK = "  # unconfirmed: by the reference under RUL-E1=b"


class Shouter:
    """Answers `echo.shout` under the readings of `RUL-E1`."""

    def offers(self, operation: str) -> bool:
        return operation == "echo.shout"

    def answers(self, cases: Sequence[Case], choices: Sequence[Choice]) -> Sequence[Response | None]:
        return [self._answer(case, choice) for case, choice in zip(cases, choices, strict=True)]

    def _answer(self, case: Case, choice: Choice) -> Response | None:
        if not self.offers(case.operation):
            return None
        text = str(case.request["text"])
        readings = {"a": text.upper(), "b": text.capitalize(), "c": text[:-1] + text[-1:].upper()}
        return Answered({"text": readings[dict(choice.readings).get("RUL-E1", "a")]})

    def effects(self, case: Case) -> Effects | None:
        raise NotImplementedError

    def combined(
        self, case: Case, beside: Choice, further: Collection[Alternative], size: int, limit: int
    ) -> Combined | None:
        raise NotImplementedError

    def needed(self, case: Case, choice: Choice) -> Choice:
        raise NotImplementedError


@pytest.fixture
def adoption(echo_corpus: Path) -> Adoption:
    """The adoption of reading b, of the echo corpus with these cases alone."""
    folder = echo_corpus / "cases" / "echo"
    (folder / "rulings.yaml").write_text(RULINGS, "utf-8")
    (folder / "disputed.yaml").write_text(CASES, "utf-8")
    for path in folder.glob("shouted.yaml"):
        path.unlink()
    return adopt((("RUL-E1", "b"),), load_corpus(echo_corpus), Shouter())


def changed_lines(before: str, after: str) -> list[tuple[str, str]]:
    """The lines of two texts of the same length that differ."""
    return [pair for pair in zip(before.split("\n"), after.split("\n"), strict=True) if pair[0] != pair[1]]


def test_the_letter_changes_and_comments_stay(adoption: Adoption) -> None:
    """The ruling and the disputed case have the other letter, in the style of the file; no wording excludes it any more."""
    rulings = adoption.texts["cases/echo/rulings.yaml"]
    assert changed_lines(RULINGS.replace("    excludes: {b: all, c: all}\n", ""), rulings) == [
        ("    adopted: a  # since 1.0", "    adopted: b  # since 1.0")
    ]
    assert [case.name for case in adoption.switched] == ["echo/disputed/loud"]
    assert "disputed: {ruling: RUL-E1, adopted: b,\n" in adoption.texts["cases/echo/disputed.yaml"]


def test_an_answer_that_nobody_recorded_is_marked(adoption: Adoption) -> None:
    """The answers of plain cases and rows change where they stand, and their lines say that nobody has derived them."""
    text = adoption.texts["cases/echo/disputed.yaml"]
    assert f'answer: {{text: "Hey"}}}}  # kept{MARK}\n' in text
    assert f'      text: "So so"{MARK}\n\n  - id: rows\n' in text
    assert f'        - [first, ho, "Ho"]{MARK}\n        - [second, h, H]  # the same by both\n' in text


def test_what_cannot_be_written_is_named(adoption: Adoption) -> None:
    """A case without an answer by the reading keeps its letter; an answer that rows share stays, with the reason."""
    assert [(each.case.name, each.alike) for each in adoption.unlisted] == [("echo/disputed/last", "")]
    assert {each.change.case.name: each.why for each in adoption.computed if each.why} == {
        f"echo/disputed/shared.{row}": "other cases of its file share this answer" for row in ("low", "high")
    }


def test_the_written_corpus_can_be_read(adoption: Adoption, echo_corpus: Path) -> None:
    """The corpus with the new texts has the answers of the reading, once the case without one is gone."""
    for name, text in adoption.texts.items():
        last = text[text.index("  - id: last") : text.index("  - {id: flow")] if "id: last" in text else ""
        (echo_corpus / name).write_text(text.replace(last, ""), "utf-8")
    cases = {case.name: case for case in load_corpus(echo_corpus).cases}
    assert cases["echo/disputed/loud"].expected == Answered({"text": "Hello"})
    assert cases["echo/disputed/block"].expected == Answered({"text": "So so"})


def test_an_alias_keeps_its_anchor(echo_corpus: Path) -> None:
    """An answer that is an anchor of others is not written, because they would change too."""
    folder = echo_corpus / "cases" / "echo"
    (folder / "rulings.yaml").write_text(RULINGS, "utf-8")
    anchored = CASES.partition("  - {id: flow")[0] + (
        "  - {id: one, origin: spec-text, request: {text: hey}, answer: &hey {text: HEY}}\n"
        "  - {id: two, origin: spec-text, operation: echo.say, request: {text: HEY}, answer: *hey}\n"
    )
    (folder / "disputed.yaml").write_text(anchored, "utf-8")
    found = adopt((("RUL-E1", "b"),), load_corpus(echo_corpus), Shouter())
    whys = {each.change.case.name: each.why for each in found.computed}
    assert whys["echo/disputed/one"] == "other cases of its file share this answer"
    assert "adopted: b" in found.texts["cases/echo/disputed.yaml"]
    assert "&hey {text: HEY}" in found.texts["cases/echo/disputed.yaml"]


def test_places_that_name_a_ruling_are_found(tmp_path: Path) -> None:
    """Lines of the reference, the oracles and the adapters, and of no longer id."""
    (tmp_path / "reference_impl").mkdir()
    (tmp_path / "reference_impl" / "shout.py").write_text('"""RUL-E1: all.\n\nRUL-E12: none."""\n', "utf-8")
    (tmp_path / "oracles").mkdir()
    (tmp_path / "oracles" / "shout.mjs").write_text("// by RUL-E1\n", "utf-8")
    assert [found.place for found in mentions(tmp_path, ["RUL-E1"])] == [
        "reference_impl/shout.py:1",
        "oracles/shout.mjs:1",
    ]
