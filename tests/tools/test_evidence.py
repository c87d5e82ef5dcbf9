"""Evidence commands: what runs them, and what compares their output with the answers."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import pytest

from harness.corpus.loader import Corpus
from harness.model import Json
from tools.evidence import engines
from tools.evidence.compare import Mismatch, Subject, mismatches
from tools.evidence.engines import Output, outputs, programs
from tools.evidence.review import Excuse, exceptions, fits, review

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not on PATH")


def subject(request: Json, answer: Json, name: str = "case") -> Subject:
    return Subject(name, request, [answer])


def printed(*lines: Sequence[Json]) -> Output:
    return Output(lines, ())


@pytest.mark.slow
def test_every_command_fits_its_answers(shipped_corpus: Corpus) -> None:
    """No output contradicts an answer, every exception is needed, and most commands need none."""
    found = review(shipped_corpus, [*exceptions(), Excuse("no such command", "some", "")])
    assert dict(found.failures) == {}
    if shutil.which("node"):
        assert list(found.missing) == []
        assert list(found.stale) == ["no such command"]
        assert found.modes["whole"] > 0.8 * sum(found.modes.values())


@needs_node
def test_snippets_do_not_meet() -> None:
    """A name or a changed built-in of one snippet is unknown to the next one."""
    one = "node -e 'var a = 1; globalThis.b = 2; Array.prototype.map = 3; console.log(a)'"
    other = "node -e 'console.log(typeof a, typeof b, [1].map(x => x))'"
    found = outputs([one, other])
    assert found[one].printed == [[1]]
    assert found[other].printed == [["undefined", "undefined", [1]]]
    one, other = "python3 -c 'a = 1; print(a)'", "python3 -c 'print(\"a\" in globals())'"
    assert outputs([one, other])[other].printed == [[False]]


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("command", ["node -e 'for (;;);'", "python3 -c 'while True: pass'"])
def test_a_command_without_an_end(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program ends at the time limit, and the next one runs."""
    monkeypatch.setattr(engines, "LIMIT", 1)
    other = command.split("'")[0] + ("'console.log(7)'" if "node" in command else "'print(7)'")
    found = outputs([command, other])
    assert len(found[command].errors) == 1
    assert found[other] == Output([[7]], [])


def test_a_command_of_several_programs() -> None:
    """Programs are separated by semicolons outside quotes; a program that no pool runs makes the command unknown."""
    assert [one.engine for one in programs("python3 -c 'a = 1; print(a)'; node -e 'console.log(1)'")] == [
        "python",
        "node",
    ]
    assert programs("npm install x && node -e '1'") == []


def test_a_wrong_answer_is_found() -> None:
    """A printed number that the answer lacks does not fit."""
    output = printed([0.5, 0.25])
    assert mismatches("", [subject({}, {"scores": [0.5, 0.25]})], output) == []
    assert mismatches("", [subject({}, {"scores": [0.5, 0.26]})], output) == [Mismatch("case", 0.25)]


def test_each_row_belongs_to_its_case() -> None:
    """A row belongs to the case whose request it prints, whatever the order; swapped answers do not fit."""
    cases = [subject({"value": "b"}, {"instant": "2"}, "second"), subject({"value": "a"}, {"instant": "1"}, "first")]
    assert mismatches("", cases, printed(["a", "1"], ["b", "2"])) == []
    assert {one.case for one in mismatches("", cases, printed(["a", "2"], ["b", "1"]))} == {"first", "second"}


def test_rows_in_the_order_of_the_command() -> None:
    """Rows without an input have the order of the inputs in the command."""
    cases = [subject({"text": "zwei"}, {"length": 4}, "zwei"), subject({"text": "one"}, {"length": 3}, "one")]
    command = """node -e 'console.log(["one", "zwei"].map(t => t.length))'"""
    assert mismatches(command, cases, printed([[3, 4]])) == []


def test_a_command_for_the_whole_answer() -> None:
    """Each text and number of the answer is printed, is in the request, is fixed by the schema or has a printed part."""
    answer: dict[str, Json] = {"kind": "term", "text": "on 2026/04/18", "raw": "a", "count": 3, "flag": True}
    output = printed(["2026/04/18", 3])
    whole = Subject("case", {"query": "a"}, [answer], frozenset({"term"}))
    assert mismatches("", [whole], output) == []
    changed: dict[str, Json] = {**answer, "count": 7, "text": "on 2026/04/19"}
    other = Subject("case", {"query": "a"}, [changed], frozenset({"term"}))
    assert {Mismatch("case", 7), Mismatch("case", "on 2026/04/19")} <= set(mismatches("", [other], output))


def test_an_error_does_not_fit() -> None:
    """A program that raised confirms nothing, unless its engine refused the request and the answer is an error."""
    assert mismatches("", [subject({}, {"a": 1})], Output([[1]], ["TypeError"])) == [Mismatch("case", "TypeError")]
    refused = Output([["refused: syntax error"]], ["exit status 1"])
    assert mismatches("", [subject({}, {"error": "any"})], refused) == []
    assert mismatches("", [subject({}, {"ids": [1]})], refused) != []


@pytest.mark.parametrize(
    ("mode", "output", "answer", "fitting"),
    [
        ("true", printed([True]), {}, True),
        ("true", printed([True, False]), {}, False),
        ("intent", printed([[True]]), {"preference": 1, "combined": 2.2}, True),
        ("intent", printed([[True]]), {"preference": 1, "combined": 1}, False),
        ("script", printed(["true"]), {"language": "ja"}, True),
        ("script", printed(["true"]), {"language": "en"}, False),
        ("some", printed([1, 2]), {"a": 2}, True),
        ("some", printed([1]), {"a": 2}, False),
        ("nothing", printed(), {}, True),
        ("nothing", printed([1]), {}, False),
        ("refused", Output([], ["OperationalError"]), {}, True),
        ("refused", printed(), {}, False),
        ("unchecked", printed([1]), {}, True),
        ("unchecked", Output([], ["TypeError"]), {}, False),
        ("not-run", None, {}, True),
        ("other", printed(), {}, False),
    ],
)
def test_modes(mode: str, output: Output | None, answer: Json, fitting: bool) -> None:
    """Each mode demands one kind of output."""
    assert fits(mode, [subject({}, answer)], output) is fitting
