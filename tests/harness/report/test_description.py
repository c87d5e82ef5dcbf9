"""The description of an SDK: followed readings, causes of failures, and the rest; as values and as text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from made_records import CASES, crash, disputed, entry, explained, failing, record, result, ruled, with_metadata
from renderers import html

from harness.compare.causes import refuted_parts
from harness.gate.places import SourcePlace
from harness.model import (
    Cause,
    Choice,
    Failed,
    Readings,
    RecordedResult,
    Ruling,
    RunRecord,
    Undecided,
    Verdict,
    replace,
)
from harness.report.cause_text import description_lines, description_sentence, explained_by_text
from harness.report.description import Description, descriptions

OPEN, REFUTED = ("RUL-1", "b"), ("RUL-2", "b")


def rulings() -> dict[str, Ruling]:
    """An open ruling, and one that the text decides."""
    found = record().metadata.rulings["RUL-1"]
    return {
        "RUL-1": replace(found, text="leaves-room"),
        "RUL-2": replace(found, id="RUL-2", text="decides"),
    }


def failed(case: str = CASES[0], readings: Readings = (), deviations: tuple[str, ...] = ()) -> RecordedResult:
    """A failure of bass with this explanation."""
    return explained(failing(case, "bass"), Choice(readings, deviations))


def undecided(size: int, case: str = CASES[0]) -> RecordedResult:
    """A failure of bass whose search ended after combinations of this size."""
    result = failing(case, "bass")
    assert isinstance(result.outcome, Failed)
    return replace(result, outcome=replace(result.outcome, undecided=Undecided(41, size)))


def of(*results: Any, **more: Any) -> Description:
    """The one description of a record with these results."""
    (found,) = descriptions(made(*results, **more))
    return found


def made(*results: Any, **more: Any) -> RunRecord:
    return with_metadata(ruled(*results, **more), rulings=rulings())


@pytest.mark.parametrize(
    ("one", "causes"),
    [
        (failed(), []),
        (failed(deviations=("flat",)), ["flat"]),
        (failed(readings=(REFUTED,)), ["RUL-2=b"]),
        (failed(readings=(OPEN,), deviations=("flat",)), ["flat"]),
        (failed(readings=(OPEN, REFUTED)), ["RUL-2=b"]),
        (failed(readings=(OPEN,)), []),
        (disputed("bass", "b"), []),
        (result(CASES[0], "bass"), []),
    ],
    ids=[
        "unexplained",
        "deviation",
        "refuted",
        "with-an-open-one",
        "with-a-refuted-one",
        "combined",
        "variant",
        "pass",
    ],
)
def test_causes(one: RecordedResult, causes: list[str]) -> None:
    """A cause is a deviation or a refuted reading; an open reading is none."""
    assert list(refuted_parts(one.explained_by, rulings())) == causes


def test_a_failure_that_is_not_decided_says_how_far_the_search_went() -> None:
    """The number of readings, and the size of the combinations that were not all compared."""
    reached = "not decided: of the 41 open readings that the request reaches,"
    assert [explained_by_text(undecided(size), rulings()) for size in range(4)] == [
        "not decided: parity searches an explanation for the first 1,000 failures of a run; repeat this case alone to "
        "search for its own",
        f"{reached} not all pairs were compared with the answer",
        f"{reached} not all combinations of 3 were compared with the answer",
        "not decided: not all combinations with a deviation were compared with the answer",
    ]


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (failed(), ""),
        (failed(deviations=("flat",)), "known cause: flat"),
        (failed(readings=(REFUTED,)), "known cause: RUL-2=b, a reading that the text refutes"),
        (failed(readings=(OPEN,), deviations=("deaf", "flat")), "known cause: deaf and flat, with RUL-1=b"),
        (
            failed(readings=(OPEN, REFUTED), deviations=("flat",)),
            "known cause: flat and RUL-2=b, a reading that the text refutes, with RUL-1=b",
        ),
        (
            failed(readings=(OPEN, ("RUL-3", "c"))),
            "would be explained by RUL-1=b and RUL-3=c together, which another of its answers contradicts",
        ),
    ],
    ids=["unexplained", "deviation", "refuted", "with-an-open-one", "all", "combined"],
)
def test_an_explanation_is_one_sentence(one: RecordedResult, text: str) -> None:
    """Causes predict a failure; open readings alone would explain it."""
    assert explained_by_text(one, rulings()) == text


def test_each_failure_is_in_one_part() -> None:
    """Failures with a cause, of combined readings, unexplained and not decided ones are apart; numbers count cases."""
    found = of(
        failed(CASES[0], deviations=("deaf", "flat")),
        failed(CASES[1], deviations=("flat",)),
        failed(CASES[2], readings=(OPEN,)),
        failing("choir/verse/other", "bass"),
        crash("choir/verse/last", "bass"),
        undecided(2, "choir/verse/long"),
    )
    assert [(one.name, len(one.results)) for one in found.causes] == [("flat", 2), ("deaf", 1)]
    assert (found.caused, *map(len, found.rest.values())) == (2, 1, 2, 1)


def test_causes_have_the_reason_and_the_place_of_the_known_divergence_file() -> None:
    """The header's entry gives reason and place; a refuted reading without an entry has the title of its ruling."""
    listed = (Cause("flat", "It sings flat.", "sing.c:7"),)
    found = of(
        failed(CASES[0], deviations=("flat",)),
        failed(CASES[1], deviations=("sharp",)),
        failed(CASES[2], readings=(REFUTED,)),
        entries=[replace(entry("bass"), causes=listed)],
    )
    assert {one.name: (one.reason, one.place) for one in found.causes} == {
        "flat": ("It sings flat.", SourcePlace("sing.c", line=7)),
        "sharp": ("", None),
        "RUL-2=b": ("Which note comes first", None),
    }


def test_several_readings_of_one_ruling_are_mixed() -> None:
    """Answers by different readings are mixed, failing ones too, but not one that needs a deviation beside the reading."""
    mixed = of(disputed("bass", "a", CASES[0]), disputed("bass", "b", CASES[1]))
    (ruling,) = mixed.rulings
    assert (ruling.is_mixed, [one.reading for one in ruling.readings], mixed.readings) == (True, ["a", "b"], 1)
    (beside,) = of(disputed("bass", "b"), failed(CASES[1], readings=(("RUL-1", "a"),))).rulings
    assert (beside.is_mixed, [(one.reading, one.cases) for one in beside.readings]) == (True, [("a", 1), ("b", 1)])
    (alone,) = of(disputed("bass", "b"), failed(CASES[1], readings=(("RUL-1", "a"),), deviations=("flat",))).rulings
    assert (alone.is_mixed, [(one.reading, one.cases) for one in alone.readings]) == (False, [("a", 1), ("b", 1)])


def test_a_case_does_not_decide_on_a_reading_that_it_does_not_list() -> None:
    """Answers by two readings are not mixed if a third one, or one of the two, can give both of them."""
    three = replace(rulings()["RUL-1"], readings={"a": "All.", "b": "Some.", "c": "None."})

    def mixed(*answers: tuple[str, tuple[str, ...]]) -> bool:
        results = [
            replace(disputed("bass", reading, case), separates=separates)
            for (reading, separates), case in zip(answers, CASES, strict=False)
        ]
        (found,) = descriptions(with_metadata(ruled(*results), rulings={"RUL-1": three}))
        return found.rulings[0].is_mixed

    assert not mixed(("b", ("a", "b")), ("a", ("a", "c")))
    assert mixed(("b", ("a", "b", "c")), ("a", ("a", "b")))
    assert mixed(("b", ()), ("a", ()))


def test_the_reference_has_no_description() -> None:
    """The reference, and an implementation that did not start, have no description."""
    names = [one.implementation for one in descriptions(made(disputed("reference", "a"), disputed("bass", "a")))]
    assert names == ["bass"]


def test_the_sentence_counts_each_part() -> None:
    """The sentence has the parts with a number, and no others."""
    found = of(
        disputed("bass", "b", CASES[1]),
        failed(CASES[0], deviations=("deaf", "flat")),
        failed(CASES[2], readings=(OPEN,)),
        failing("choir/verse/other", "bass"),
    )
    assert description_sentence(found) == (
        "bass: 3 failing (1 by 2 deviations, 1 by combined readings alone, 1 unexplained), 1 variant (1 other reading)"
    )
    assert description_sentence(of(result(CASES[0], "bass"))) == "bass: no failure and no variant"


def test_the_console_has_at_most_eight_lines() -> None:
    """The causes with most failures come first, the others are one line; mixed rulings have a mark."""
    failures = [
        failed(f"choir/verse/{name}-{number}", deviations=(name,))
        for count, name in enumerate(("e", "d", "c", "b", "a"), 1)
        for number in range(count)
    ]
    found = of(*failures, disputed("bass", "a", CASES[0]), disputed("bass", "b", CASES[1]))
    assert list(description_lines(found, 100)) == [
        "bass: 15 failing (15 by 5 deviations), 1 variant (1 other reading)",
        "     5  a",
        "     4  b",
        "     3  c",
        "     3  2 other causes",
        "  readings (cases, * mixed: several readings of one ruling): RUL-1=a 1 b 1*",
    ]
    assert list(description_lines(of(result(CASES[0], "bass")), 100)) == []
    both = of(disputed("bass", "b", CASES[0]), failed("choir/verse/failing", (("RUL-1", "b"),), deviations=("a",)))
    assert list(description_lines(both, 100))[-1] == "  readings (cases): RUL-1=b 2"


def test_a_narrow_terminal_gets_whole_parts() -> None:
    """Readings fill the lines that they need; no line ends within one."""
    ids = [f"RUL-{number}" for number in range(30)]
    one = rulings()["RUL-1"]
    results = [result(f"choir/verse/{id_}", "bass", Verdict.VARIANT, reading="b", ruling=id_) for id_ in ids]
    (found,) = descriptions(with_metadata(record(*results), rulings={id_: replace(one, id=id_) for id_ in ids}))
    lines = list(description_lines(found, 60))
    assert all(len(line) <= 60 for line in lines)
    assert [line for line in lines[1:-1] if not line.endswith(" 1,")] == []


def test_a_page_has_the_parts_of_a_description() -> None:
    """Each cause and the unexplained rest have their cases; the open readings stand with their numbers."""
    run = made(
        disputed("bass", "a", CASES[0]),
        disputed("bass", "b", CASES[1]),
        failed(CASES[2], deviations=("flat",)),
        failing("choir/verse/other", "bass"),
        disputed("alto", "a"),
    )
    page = html.render(run)
    lists = dict(re.findall(r'<div id="implementations/bass/1.0/([a-z-]+).html">(.*?)</div>', page, re.DOTALL))
    assert [CASES[2] in lists[name] for name in ("cause-flat", "rest-unexplained")] == [True, False]
    assert "choir/verse/other" in lists["rest-unexplained"]
    readings = page.partition("Open readings that it follows")[2].partition("</tr></tbody>")[0]
    assert re.findall(r'([ab]) <small class="quiet">(1 case)</small>', readings) == [("a", "1 case"), ("b", "1 case")]
    assert "<strong>mixed</strong>" in readings
