"""`parity explain` of a ruling and of a requirement: who follows which reading, and which cause fails which case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands import Parity
from recording import lines, record, write
from test_explain import disputed_corpus, teller

__all__ = ["disputed_corpus"]

SINGLE = "echo/shouted/word"


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def run_record(disputed_corpus: Path, run_parity: Parity, tmp_path: Path) -> Path:
    """A record of two implementations: `loud` fails no case, `soft` fails the case with one answer by reading b, another
    one by a deviation, and answers the disputed case by reading b."""
    file = record(run_parity, disputed_corpus, tmp_path / "run.jsonl", loud={}, soft={"answers": {"hello": "hallo"}})
    values = lines(file)
    for value in values:
        if value["type"] == "result" and value["implementation"] == "soft":
            _change(value)
    return write(file, values)


def _change(value: dict[str, Any]) -> None:
    if value["case"] == "echo/disputed/loud":
        value |= {"verdict": "variant", "readings": {"RUL-E1": "b"}}
        for member in ("signature", "charged"):
            value.pop(member, None)
    elif value["case"] == SINGLE:
        value["explainedBy"] = {"readings": {"RUL-E1": "b"}, "deviations": []}
    elif value["case"] == "echo/said/word":
        value["explainedBy"] = {"readings": {}, "deviations": ["deaf"]}


def section(text: str, heading: str) -> list[str]:
    """The lines of one section of a page."""
    return text.partition(f"\n{heading}\n")[2].partition("\n\n")[0].splitlines()


def test_a_ruling_shows_who_follows_which_reading(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """Each reading has its implementations with the number of cases, failing ones included, and the run."""
    done = run_parity("explain", "RUL-E1", "--corpus", disputed_corpus, "--record", run_record)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("RUL-E1  How loud\ncases/echo/rulings.yaml:")
    assert "question: All capitals or the first alone?" in done.stdout
    assert section(done.stdout, "readings")[:-1] == [
        "  a, adopted: Every letter is a capital.",
        "    loud: 1 case",
        "        echo/disputed/loud",
        "  b: The first letter is a capital.",
        "    excluded in the suggested wording by: all",
        "    soft: 2 cases, 1 of them fails",
        "        echo/disputed/loud",
        f"        {SINGLE}",
        "  loud passes 1 case that separates no readings.",
    ]
    assert section(done.stdout, "readings")[-1].endswith(": loud, soft")
    assert section(done.stdout, "topic") == ["  Loudness", "    Loud MUST mean in capitals."]
    assert section(done.stdout, "suggested wording") == ["  Say all."]
    assert section(done.stdout, "suggested change") == ["  Say little."]
    assert "  ECHO-02  MUST  A shout comes back loud." in section(done.stdout, "requirements")
    assert f"    {SINGLE}" in section(done.stdout, "cases")
    assert section(done.stdout, "repeat") == ["  parity run --record repeat.jsonl --select ruling:RUL-E1"]


def test_a_ruling_shows_how_far_the_editors_are(disputed_corpus: Path, run_parity: Parity) -> None:
    """Its state stands in its head, with the link to their discussion."""
    file = disputed_corpus / "cases" / "echo" / "rulings.yaml"
    state = "state: accepted, accepted-in: '1.1', link: 'https://example.org/issues/7', wording: Say all"
    file.write_text(file.read_text("utf-8").replace("wording: Say all", state), "utf-8")
    done = run_parity("explain", "RUL-E1", "--corpus", disputed_corpus, "--markdown")
    assert "- state: accepted in 1.1  ·  [https:" in done.stdout, done.stderr
    assert "](https://example.org/issues/7)\n" in done.stdout


def test_a_page_for_an_issue(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """`--markdown` prints what an issue of the specification needs: the question, the sentence, who does what, the proposal
    with its effect, the commands. Names are links only with the address of a site."""
    issue = ("explain", "RUL-E1", "--corpus", disputed_corpus, "--record", run_record, "--markdown")
    text = run_parity(*issue).stdout
    for part in (
        "## RUL-E1: ",
        "> A shout comes back loud.",
        "| reading | `loud` | `soft` | as the text |",
        "| **a, adopted**: Every letter is a capital. | 1 | · | · |",
        "| b: The first letter is a capital. | · | 1, 1 fail | 2 pass; at stake: loud 2 |",
        "**Suggested wording**: Say all.",
        "these variants become failures: soft 1.",
        "- `parity run --record repeat.jsonl --select ruling:RUL-E1`",
        "- `parity impact RUL-E1=b repeat.jsonl`",
    ):
        assert part in text
    assert "](" not in text
    linked = run_parity(*issue, "--site", "https://example.org/parity/").stdout
    assert "[RUL-E1 with all its cases](https://example.org/parity/rulings/RUL-E1.html)" in linked
    assert "[1](https://example.org/parity/cases/echo/disputed.html#loud)" in linked
    for address in ("example.org", "https://example.org/)[x](y"):
        refused = run_parity(*issue, "--site", address)
        assert (refused.returncode, "is no address of a site" in refused.stderr) == (2, True)


def test_answers_by_several_readings_are_mixed(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """An implementation that follows different readings is marked under each."""
    values = lines(run_record)
    for value in values:
        if value["type"] == "result" and (value["case"], value["implementation"]) == (SINGLE, "soft"):
            value["explainedBy"] = {"readings": {"RUL-E1": "a"}, "deviations": []}
    text = run_parity("explain", "RUL-E1", "--corpus", disputed_corpus, "--record", write(run_record, values)).stdout
    mark = "(mixed: other answers follow another reading)"
    assert f"    soft: 1 case, 1 of them fails {mark}" in text
    assert f"    soft: 1 case {mark}" in text


def test_failures_beyond_the_ruling_are_counted_apart(
    disputed_corpus: Path, run_parity: Parity, run_record: Path
) -> None:
    """A pass names a reading in the ruling's own cases alone, so the numbers of all implementations count these first."""
    values = lines(run_record)
    for value in values:
        if (value.get("case"), value.get("implementation")) == ("echo/said/word", "soft"):
            value["explainedBy"] = {"readings": {"RUL-E1": "b"}, "deviations": []}
    file = write(run_record, values)
    text = run_parity("explain", "RUL-E1", "--corpus", disputed_corpus, "--record", file).stdout
    line = "    soft: 2 cases, 1 of them fails; 1 case, 1 of them fails, beyond the ruling's own cases"
    assert line in section(text, "readings")


def test_failures_by_no_reading_have_their_cause(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """A failing case of the evidence that follows no reading is listed with its cause."""
    values = lines(run_record)
    for value in values:
        if value["type"] == "result" and (value["case"], value["implementation"]) == (SINGLE, "soft"):
            del value["explainedBy"]
    text = run_parity("explain", "RUL-E1", "--corpus", disputed_corpus, "--record", write(run_record, values)).stdout
    assert f"  soft fails 1 case by none of these readings:\n      {SINGLE}: unexplained\n" in text


def test_a_requirement_shows_its_failures_by_cause(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """Each implementation has the numbers of its verdicts, then its failing cases under their causes."""
    done = run_parity("explain", "ECHO-01", "--corpus", disputed_corpus, "--record", run_record)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ECHO-01  MUST\n")
    assert section(done.stdout, "verdicts")[:-1] == [
        "  loud: 2 pass",
        "  soft: 1 pass, 1 fail",
        "      deaf: 1 failing case",
        "          echo/said/word",
    ]
    assert section(done.stdout, "cases") == ["  cite it: 2 cases", "    echo/said/word", "    echo/said/nothing"]
    loud = run_parity("explain", "ECHO-02", "--corpus", disputed_corpus, "--record", run_record)
    assert "      RUL-E1=b: 1 failing case" in section(loud.stdout, "verdicts")
    assert section(loud.stdout, "repeat") == ["  parity run --record repeat.jsonl --select requirement:ECHO-02"]
    assert section(loud.stdout, "rulings")[0].startswith("  RUL-E1  How loud (severity low; ")


def test_one_implementation_alone(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """`--adapter` limits the page to this implementation of the record, and starts nothing."""
    options = ("--corpus", disputed_corpus, "--record", run_record)
    text = run_parity("explain", "ECHO-01", *options, "--adapter=soft=no-such-command").stdout
    assert [line for line in section(text, "verdicts") if "pass" in line] == ["  soft: 1 pass, 1 fail"]


@pytest.mark.parametrize("id_", ["RUL-E1", "ECHO-01"])
def test_without_a_record_a_line_names_the_way_to_one(id_: str, disputed_corpus: Path, run_parity: Parity) -> None:
    """The page has everything but the answers, and nothing runs, even if an adapter is named."""
    done = run_parity("explain", id_, "--corpus", disputed_corpus, "--adapter=soft=no-such-command")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "Without a run record this page shows no answers. `parity run` writes one; --record FILE names" in done.stdout
    )


def test_the_default_record_is_read(disputed_corpus: Path, run_parity: Parity, run_record: Path, here: Path) -> None:
    """Without `--record` the page shows the record that a run wrote in this folder; one of another corpus is marked."""
    (here / "parity-run.jsonl").write_bytes(run_record.read_bytes())
    said = disputed_corpus / "cases" / "echo" / "said.yaml"
    said.write_text(said.read_text("utf-8").replace("id: nothing", "id: naught"), "utf-8")
    done = run_parity("explain", "ECHO-01", "--corpus", disputed_corpus)
    assert "  loud: 2 pass" in done.stdout, done.stderr
    assert "the corpus has changed since" in done.stdout


def test_near_ids_are_suggested(disputed_corpus: Path, run_parity: Parity) -> None:
    """An unknown id suggests the nearest one, in capitals or not; a name of a case suggests cases."""
    for given, near in (("rul-e1", "RUL-E1"), ("RUL-E11", "RUL-E1"), ("echo-02", "ECHO-02")):
        done = run_parity("explain", given, "--corpus", disputed_corpus)
        assert (done.returncode, f"parity explain {near}" in done.stderr) == (2, True)
    done = run_parity("explain", "echo/shouted/wort", "--corpus", disputed_corpus)
    assert f"No case is called echo/shouted/wort. The nearest names:\n  {SINGLE}\n" in done.stderr


def test_a_record_has_the_answers_to_a_case(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """The page shows the recorded answers and runs nothing; `--adapter` limits it to some implementations."""
    case = "echo/said/word"
    words = ("explain", case, "--corpus", disputed_corpus, "--record", run_record)
    done = run_parity(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1].startswith("run of ")
    assert "loud: pass" in done.stdout
    assert "soft, fail:" in done.stdout
    assert '  $.text   wanted "hello"   got "hallo"' in done.stdout
    assert [line.split()[:3] for line in section(done.stdout, "repeat")] == [["parity", "run", "--adapter"]] * 2
    for adapter in ("soft=no-such-command", "soft"):  # a command, and a name that only the record has
        one = run_parity(*words, "--adapter", adapter)
        assert ("loud: pass" in one.stdout, "soft, fail:" in one.stdout) == (False, True)


def test_a_case_shows_the_reading_that_explains_its_failure(
    disputed_corpus: Path, run_parity: Parity, run_record: Path
) -> None:
    """A cause that is a reading has its text, beside the adopted reading."""
    done = run_parity("explain", SINGLE, "--corpus", disputed_corpus, "--record", run_record)
    assert section(done.stdout, "readings") == [
        "  RUL-E1  How loud (severity low)",
        "    reading a, adopted: Every letter is a capital.",
        "    reading b: The first letter is a capital.",
    ]


def test_a_record_without_the_case(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """The message names the record, the implementation and the case."""
    done = run_parity("explain", SINGLE, "--corpus", disputed_corpus, "--record", run_record, teller("right"))
    assert done.returncode == 2
    assert f"run.jsonl has no result of right for {SINGLE}. Without --record the case runs anew." in done.stderr


def test_a_failure_group_shows_its_cases(disputed_corpus: Path, run_parity: Parity, run_record: Path) -> None:
    """A group, named as `parity run` prints it, has its example in full, its causes, requirements and cases."""
    done = run_parity("explain", "echo.say $.text", "--corpus", disputed_corpus, "--record", run_record)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("echo.say $.text\nfailing cases: soft 1\nrun of ")
    assert '         $.text   wanted "hello"   got "hallo"' in done.stdout
    rows = {title: section(done.stdout, title)[1].split() for title in ("causes", "requirements")}
    assert rows["causes"] == ["deaf", "echo/said/word", "1"]
    assert rows["requirements"] == ["ECHO-01", *"What is said comes back.".split(), "1"]
    assert section(done.stdout, "cases") == ["  echo/said/word"]
    apart = run_parity("explain", "echo.say", "$.text", "--corpus", disputed_corpus, "--record", run_record)
    assert apart.stdout == done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("echo.say $.tune", "Its groups:\n  parity explain 'echo.say $.text'"),
        ("echo.say", "The record has no failure group echo.say."),
    ],
)
def test_a_group_that_the_record_does_not_have(
    name: str, message: str, disputed_corpus: Path, run_parity: Parity, run_record: Path
) -> None:
    """The groups of the same operation are listed, ready to paste."""
    done = run_parity("explain", name, "--corpus", disputed_corpus, "--record", run_record)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_group_without_a_record(disputed_corpus: Path, run_parity: Parity) -> None:
    """Without a record there is no group; the message names both ways to a record."""
    done = run_parity("explain", "echo.say $.text", "--corpus", disputed_corpus)
    assert (done.returncode, done.stdout) == (2, "")
    assert "a failure group needs a run record. Run `parity run`, or name it: --record FILE." in done.stderr


def test_a_record_has_the_note_of_a_case(disputed_corpus: Path, run_parity: Parity, tmp_path: Path) -> None:
    """The note is at the results of its case alone."""
    file = tmp_path / "noted.jsonl"
    run_parity("run", "--corpus", disputed_corpus, "--record", file, teller("quiet"))
    notes = {one["case"]: one.get("note") for one in lines(file) if one["type"] == "result"}
    assert notes["echo/disputed/loud"] == "Only a word of several letters tells."
    assert {note for case, note in notes.items() if case != "echo/disputed/loud"} == {None}
