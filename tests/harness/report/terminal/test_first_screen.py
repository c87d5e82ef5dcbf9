"""The screen that `parity run` prints: short, whatever the record has."""

from __future__ import annotations

import re
from typing import Any

import made_records
import made_values
import pytest
from renderers import first_screen

from harness.model import (
    Cause,
    Choice,
    ConformanceProfile,
    ErrorKind,
    Failed,
    NotOffered,
    NotTested,
    NotTestedCode,
    OutOfReach,
    RecordedResult,
    RunRecord,
    Unsupported,
    Verdict,
    replace,
)
from harness.report.run_summary import summarise
from harness.report.terminal.first_screen import LINES, failure_causes, first_failures

NAMES = ("alto", "bass", "tenor")
DEAF, LATE = Choice(deviations=("deaf",)), Choice(deviations=("late",))


def failing(case: str, name: str, *choices: Choice, **more: Any) -> RecordedResult:
    """A failure that these deviations explain together."""
    deviations = tuple(one for choice in choices for one in choice.deviations)
    found = made_records.failing(case, name, requirements=("SONG-02", "SONG-01"), **more)
    assert isinstance(found.outcome, Failed)
    return replace(found, outcome=replace(found.outcome, explained_by=Choice(deviations=deviations)))


def entry(name: str) -> Any:
    return replace(made_records.entry(name), causes=(Cause("deaf", "It does not hear the tune.", "ear.py:3"),))


def crowded() -> RunRecord:
    """Three implementations with failures at many places, incidents, and one that cannot be fetched."""
    results = [
        failing(f"choir/part_{suite}/verse-{number}", name, *([DEAF] if suite % 3 else []), operation=f"song.op{suite}")
        for suite in range(12)
        for number in range(4)
        for name in NAMES
    ]
    incidents = [made_values.incident("bass", ErrorKind.CRASH, (), f"SIG{name}") for name in "ABCDEFGHI"]
    missing = NotTested("bird", NotTestedCode.NOT_FETCHED, "its release cannot be fetched: 403")
    entries = [entry(name) for name in NAMES]
    return made_records.record(*results, entries=entries, incidents=incidents, skipped=[missing])


def row(text: str, name: str) -> list[str]:
    """The cells of an implementation."""
    return next(line for line in text.splitlines() if line.startswith(name)).split()


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("color", [True, False])
def test_a_crowded_record_fits_one_screen(width: int, color: bool) -> None:
    """Only commands and sums are wider than the terminal; with the path of the record it is at most `LINES` lines."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", first_screen.render(crowded(), color=color, width=width))
    assert text.count("\n") < LINES
    assert [
        line for line in text.splitlines() if len(line) > width and ": parity " not in re.sub(" +", " ", line)
    ] == []
    assert "bird is not tested: its release cannot be fetched: 403" in text
    assert "… and 6 more incidents" in text


def test_an_implementation_is_one_row() -> None:
    """Answered, pass, other reading, fail and error of each implementation stand below their names."""
    results = [made_records.result(f"choir/verse/{number}", "bass") for number in range(1200)]
    results += [made_records.result("choir/verse/x", "bass", Verdict.VARIANT, ruling="RUL-1", reading="b")]
    results += [made_records.failing("choir/verse/y", "bass"), made_records.crash("choir/verse/z", "bass")]
    text = first_screen.render(made_records.record(*results), color=False)
    assert text.splitlines()[0].split() == ["answered", "pass", "other", "reading", "fail", "error", "version"]
    assert row(text, "bass") == ["bass", "1,202", "of", "1,203", "1,200", "1", "1", "1", "1.0"]


def test_causes_come_with_their_first_case() -> None:
    """A cause has its reason and its number of failures; a failure without one is counted at its operation and place."""
    results = [failing(f"choir/verse/{number}", "bass", DEAF) for number in range(5)]
    results += [failing("choir/verse/9", "bass", DEAF, LATE), failing("choir/verse/8", "bass", at="cases/other.yaml:3")]
    text = first_screen.render(made_records.record(*results, entries=[entry("bass")]), color=False)
    table = text[text.index("cause or place of failures") :].splitlines()[1:5]
    assert table == [
        "   6  deaf: It does not hear the tune.",
        "   1  late",
        "   1  song.sing $.tune: no known cause",
        "A failure with several causes counts for each of them.",
    ]
    assert re.findall(r"^bass: (\S+)", text, re.MULTILINE) == ["cases/choir/verse.yaml:7"] * 2 + ["cases/other.yaml:3"]


def test_failures_without_a_cause_have_places() -> None:
    """A table without a known cause lists places, and calls the others places too."""
    results = [failing(f"choir/verse/{n}", "bass", operation=f"song.part{n}") for n in range(9)]
    text = first_screen.render(made_records.record(*results), color=False)
    assert "  place of failures\n" in text
    assert re.search(r"^ +3  3 other places$", text, re.MULTILINE)


def test_the_example_of_a_cause_is_an_error_if_there_is_one() -> None:
    """An error that a cause explains stands for it, before a difference that the record has earlier."""
    error = made_records.explained(made_records.crash("choir/verse/b", "bass"), Choice((), ("deaf",)))
    made = made_records.record(failing("choir/verse/a", "bass", DEAF), error)
    [cause] = failure_causes(summarise(made), ["bass"])
    assert first_failures([cause], 1)[0].case == "choir/verse/b"


def test_only_a_sum_that_is_too_large_is_explained() -> None:
    """If each failure has one cause, nothing says that one counts twice."""
    text = first_screen.render(made_records.record(failing("choir/verse/1", "bass", DEAF)), color=False)
    assert "several causes" not in text


def test_a_failure_names_one_sentence() -> None:
    """Of the sentences that a failure charges, the one is shown of which most cases fail."""
    others = [made_records.result(f"choir/verse/{n}", "bass", requirements=("SONG-02",)) for n in range(3)]
    text = first_screen.render(made_records.record(failing("choir/verse/x", "bass"), *others), color=False)
    assert re.findall(r"^  candidate: (SONG-\d+  .*)$", text, re.MULTILINE) == ["SONG-01  A song is sung to its end."]


def test_without_a_failure_there_is_a_row_and_a_command() -> None:
    """A record in which all passes has no causes, no cases and no command about a failing case."""
    text = first_screen.render(made_records.record(made_records.result("choir/verse/1", "bass")), color=False)
    assert row(text, "bass")[:5] == ["bass", "1", "of", "1", "1"]
    assert re.findall(r"^(\w+): +parity ", text, re.MULTILINE) == ["details"]
    assert len(text.splitlines()) == 6


def test_breaks_of_an_adapter_come_first() -> None:
    """One crash stands before a cause of many failures."""
    many = [failing(f"choir/verse/{number}", "bass", DEAF) for number in range(5)]
    text = first_screen.render(made_records.record(*many, made_records.crash("choir/verse/x", "bass")), color=False)
    assert re.search(r"cause or place of failures\n +1  song.sing error/crash status 9: .*\n +5  deaf", text)


def test_cases_that_are_not_tested_have_their_reason() -> None:
    """The most frequent reason is shown, and the number of the others."""
    results = [
        made_records.result(
            f"choir/verse/{number}", "bass", Verdict.UNSUPPORTED, reason=f"verse {number // 2} is too low"
        )
        for number in range(3)
    ]
    none = replace(results[0], case="choir/verse/8", outcome=Unsupported(NotOffered("not written yet")))
    sung = made_records.result("choir/verse/9", "bass")
    text = first_screen.render(made_records.record(*results, none, sung), color=False)
    assert (
        "bass is not tested with 1 case not implemented: not written yet; 3 cases out of reach: 2 × verse 0 is too low,"
        in " ".join(text.replace("|", " ").split())
    )


def test_an_operation_that_takes_no_case_is_not_implemented() -> None:
    """A skeleton offers its sketched operation and refuses each of its cases; an operation that takes some is out of reach
    with the others."""
    refused = Unsupported(OutOfReach("not written yet"))
    results = [made_records.result(f"choir/verse/{n}", "bass", operation="song.sing") for n in range(3)]
    results = [replace(one, outcome=refused) if number else one for number, one in enumerate(results)]
    results += [replace(made_records.result("choir/verse/z", "bass", operation="song.hum"), outcome=refused)]
    operations = {"song.sing": 3, "song.hum": 1}
    made = made_records.with_metadata(
        made_records.record(*results), profiles=(ConformanceProfile("choir", "all", "", operations),)
    )
    text = " ".join(first_screen.render(made, color=False).replace("| ", "").split())
    assert "1 case not implemented: not written yet; 2 cases out of reach: not written yet" in text


def test_a_sketched_operation_is_not_implemented_in_a_part_of_the_corpus_either() -> None:
    """A selection does not show whether an operation takes other cases; the reason, which other operations are not offered
    for, shows it."""
    sketched = made_records.result("choir/verse/1", "bass", Verdict.UNSUPPORTED, reason="not written yet")
    high = made_records.result("choir/verse/2", "bass", Verdict.UNSUPPORTED, reason="too high")
    made = made_records.record(sketched, high)
    [entry] = made.metadata.implementations
    assert entry.identity
    identity = replace(entry.identity, unsupported={"song.hum": "not written yet"})
    made = made_records.with_metadata(made, implementations=(replace(entry, identity=identity),))
    text = " ".join(first_screen.render(made, color=False).replace("| ", "").split())
    assert "1 case not implemented: not written yet; 1 case out of reach: too high" in text


def test_nothing_of_an_adapter_can_steer_a_terminal() -> None:
    """Control characters in an answer, a reason or a version come out as escapes."""
    hostile = "\x1b[2J\u202e\ud800\r"
    results = [
        made_records.failing("choir/verse/1", "bass", hostile, stderr=hostile),
        made_records.result("choir/verse/2", "bass", Verdict.UNSUPPORTED, reason=hostile),
    ]
    text = first_screen.render(made_records.record(*results), color=False)
    assert all(character == "\n" or character.isprintable() for character in text)


def test_a_sentence_on_what_is_not_tested_has_its_end() -> None:
    """A long reason is cut, and not the sentence around it."""
    results = [
        made_records.result(f"choir/verse/{number}", "bass", Verdict.UNSUPPORTED, reason=f"{number} {'long ' * 80}")
        for number in range(3)
    ]
    text = first_screen.render(
        made_records.record(*results, made_records.result("choir/verse/sung", "bass")), color=False
    )
    assert "…, and 2 more reasons" in " ".join(re.sub(r"^ *\|", "", line).strip() for line in text.splitlines())


def test_cases_without_an_answer_are_counted() -> None:
    """The answered, the unsupported and these cases are all cases of a row."""
    broken = [
        made_records.crash(f"choir/verse/{kind}", "bass", kind=kind) for kind in (ErrorKind.TIMEOUT, ErrorKind.CRASH)
    ]
    text = first_screen.render(
        made_records.record(*broken, made_records.result("choir/verse/sung", "bass")), color=False
    )
    assert "bass gave no answer to 2 cases: 1 × crash, 1 × timeout\n" in text
