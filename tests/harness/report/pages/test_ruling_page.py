"""The page on a ruling: who follows which reading, and which cases show it."""

from __future__ import annotations

from made_records import CASES, disputed, result, ruled

from harness.model import RunRecord, Verdict, replace
from harness.report.document_terminal import Medium
from harness.report.pages.ruling_page import RulingPage, render


def page(record: RunRecord) -> list[str]:
    """The lines of the section on the readings."""
    rulings = record.metadata.rulings
    made = RulingPage(ruling=rulings["RUL-1"], requirements=[], disputed=[], cited=[], rulings=rulings, record=record)
    return render(made, Medium()).partition("\nreadings\n")[2].partition("\n\n")[0].splitlines()


def test_nobody_answered_the_cases_of_a_ruling() -> None:
    """If no implementation was tested on any case of a ruling, no reading is said to be followed by none."""
    nobody = "  Nobody in this record answered these cases."
    lines = page(ruled(result(CASES[0], "alto", Verdict.UNSUPPORTED, ruling="RUL-1")))
    assert nobody in lines
    assert not any("followed by none" in line for line in lines)
    assert nobody not in page(ruled(disputed("alto", "b")))


def test_the_cases_of_a_reading_begin_with_the_disputed_ones() -> None:
    """First come the disputed cases in the order of the corpus, then other cases that show the same reading."""
    plain = replace(result("choir/chorus/plain", "alto", Verdict.VARIANT), outcome=disputed("alto", "b").outcome)
    answers = [
        plain,
        *(replace(disputed("alto", "b", case), at=f"cases/song.yaml:{9 - at}") for at, case in enumerate(CASES)),
    ]
    listed = [line.strip() for line in page(ruled(*answers))]
    assert [line for line in listed if line.startswith("choir/")] == [*reversed(CASES), "choir/chorus/plain"]
