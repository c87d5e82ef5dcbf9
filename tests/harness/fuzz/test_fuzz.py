"""`parity fuzz` on the echo system: what it finds, how small, and with which exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from harness.fuzz.classify import Class
from harness.records import read_record

pytestmark = pytest.mark.slow

Fuzz = Callable[..., Any]


def results(tmp_path: Path, name: str) -> list[Any]:
    """The failing results of an implementation in the record."""
    record = read_record(tmp_path / "out" / "fuzz.jsonl")
    return [one for one in record.results if one.implementation == name and one.verdict.value in ("fail", "error")]


def test_equal_implementations_give_nothing_new(fuzz: Fuzz, tmp_path: Path) -> None:
    """Exit status 0, and a record without a result."""
    done = fuzz(mine="none")
    assert done.returncode == 0, done.stderr
    assert "nothing new" in done.stdout
    assert list(tmp_path.rglob(".hypothesis")) == []
    assert results(tmp_path, "mine") == []


def test_a_difference_is_shrunk_to_its_smallest_request(fuzz: Fuzz, tmp_path: Path) -> None:
    """One finding for each operation, with only the characters that it needs."""
    done = fuzz(mine="lengthens")
    assert done.returncode == 1, done.stdout + done.stderr
    found = results(tmp_path, "mine")
    assert sorted(one.operation for one in found) == ["echo.say", "echo.shout"]
    assert {len(one.request["text"]) for one in found} == {2}
    assert all(one.case.startswith("echo/fuzz/echo-s") for one in found)


def test_two_causes_at_one_place_are_two_findings(fuzz: Fuzz, tmp_path: Path) -> None:
    """The edit that removes the first difference does not apply to a request with the second."""
    done = fuzz("--operation", "echo.say", examples=600, mine="two-bugs")
    assert done.returncode == 1, done.stdout + done.stderr
    assert {one.request["text"] for one in results(tmp_path, "mine")} == {"a", "z"}
    assert 'in place of "a"' in done.stdout
    assert 'in place of "z"' in done.stdout
    assert "explained by: no reading or deviation of the reference" in done.stdout


@pytest.mark.parametrize(("flaw", "kind"), [("crash", "crash"), ("protocol", "protocol")])
def test_a_break_is_new_and_shrunk(fuzz: Fuzz, tmp_path: Path, flaw: str, kind: str) -> None:
    """The request that is to blame has one character."""
    done = fuzz("--operation", "echo.say", examples=60, mine=flaw)
    assert done.returncode == 1, done.stdout + done.stderr
    [found] = results(tmp_path, "mine")
    assert (found.kind, found.request) == (kind, {"text": "e"})


def test_a_hang_is_new(fuzz: Fuzz, tmp_path: Path) -> None:
    """The request is found; the wait is the given one."""
    done = fuzz("--operation", "echo.say", "--timeout", "0.3", examples=40, mine="hang")
    assert done.returncode == 1, done.stdout + done.stderr
    assert [one.kind for one in results(tmp_path, "mine")] == ["timeout"]


def test_a_difference_that_comes_and_goes_is_flaky(fuzz: Fuzz, tmp_path: Path) -> None:
    """Its first request is the evidence."""
    done = fuzz("--operation", "echo.say", examples=60, mine="flaky")
    assert done.returncode == 1
    assert ", flaky)" in done.stdout
    assert len(results(tmp_path, "mine")) == 1


def test_the_findings_depend_on_the_seed_alone(fuzz: Fuzz, tmp_path: Path) -> None:
    """Two campaigns with one seed have the same record, except for times; the second sends the stored examples first."""
    assert fuzz("--seed", "5", mine="lengthens").returncode == 1
    first = [(one.case, one.request, one.signature) for one in results(tmp_path, "mine")]
    (tmp_path / "cache" / "parity" / "fuzz").rename(tmp_path / "away")
    assert fuzz("--seed", "5", mine="lengthens").returncode == 1
    assert [(one.case, one.request, one.signature) for one in results(tmp_path, "mine")] == first


def test_the_next_campaign_begins_with_stored_examples(fuzz: Fuzz) -> None:
    """Few requests are enough to find a known example again, and a repaired one is forgotten."""
    assert fuzz("--operation", "echo.say", mine="lengthens").returncode == 1
    assert fuzz("--operation", "echo.say", examples=1, mine="lengthens").returncode == 1
    assert fuzz("--operation", "echo.say", examples=1, mine="none").returncode == 0
    assert fuzz("--operation", "echo.say", examples=1, mine="lengthens").returncode == 0


def test_implementations_that_differ_from_each_other_are_counted(fuzz: Fuzz) -> None:
    """Also where both differ from the expected answer."""
    done = fuzz(mine="lengthens", yours="others")
    assert done.returncode == 1
    assert "mine and yours differ from each other on" in done.stdout


def test_an_interrupt_keeps_the_findings(fuzz: Fuzz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit status 130, the findings so far in the record, and the way to go on."""
    looks = count()

    def interrupted() -> None:
        if next(looks) == 150:
            raise KeyboardInterrupt

    monkeypatch.setattr("harness.cli.fuzz.raise_pending_interrupt", interrupted)
    done = fuzz(examples=100_000, mine="lengthens")
    assert done.returncode == 130
    assert "parity fuzz --resume" in done.stderr
    assert results(tmp_path, "mine") != []


def test_a_campaign_ends_when_it_has_sent_every_request(fuzz: Fuzz, echo_corpus: Path) -> None:
    """A schema with few valid requests needs no limit."""
    file = echo_corpus / "schemas" / "echo" / "echo.say.json"
    schema = json.loads(file.read_text("utf-8"))
    schema["$defs"]["request"]["properties"]["text"] = {"enum": ["hello", ""]}
    file.write_text(json.dumps(schema), "utf-8")
    done = fuzz("--operation", "echo.say", examples=100, mine="none")
    assert done.returncode == 0
    assert "2 requests in" in done.stdout


def test_workers_share_a_campaign(fuzz: Fuzz, tmp_path: Path) -> None:
    """Each sends other requests; a group that several find is one finding."""
    done = fuzz("--jobs", "2", examples=400, mine="lengthens")
    assert done.returncode == 1, done.stdout + done.stderr
    assert {len(one.request["text"]) for one in results(tmp_path, "mine")} == {2}
    assert "2 new findings" in done.stdout


def test_a_campaign_is_resumed_with_later_rounds(fuzz: Fuzz, tmp_path: Path) -> None:
    """The state holds the seed and the next round."""
    fuzz("--seed", "3", examples=200, mine="none")
    state = json.loads((tmp_path / "out" / "fuzz.state.json").read_text("utf-8"))
    assert state["seed"] == 3
    fuzz("--resume", examples=200, mine="none")
    again = json.loads((tmp_path / "out" / "fuzz.state.json").read_text("utf-8"))
    assert again["round"] > state["round"] > 0
    assert fuzz("--resume", "--seed", "4", mine="none").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--operation", "echo.sing"], "no operation is called echo.sing"),
        (["--system", "nothing"], "the corpus has no such system"),
        (["--for", "soon"], "soon is not a time such as 60s, 5m or 1h"),
        (["--resume"], "is missing or broken"),
    ],
)
def test_mistakes_of_the_command_line(fuzz: Fuzz, arguments: list[str], message: str) -> None:
    """Exit status 2, and the place of the mistake."""
    done = fuzz(*arguments, mine="none")
    assert done.returncode == 2
    assert message in done.stderr


def test_an_adapter_that_does_not_start_has_status_3(fuzz: Fuzz) -> None:
    """The others are fuzzed all the same."""
    done = fuzz("--adapter", "broken=false --", mine="none")
    assert done.returncode == 3
    assert "broken cannot run" in done.stderr


def test_the_classes_have_an_order() -> None:
    """The table shows them in this order."""
    assert [*Class] == ["explained", "known", "new"]
