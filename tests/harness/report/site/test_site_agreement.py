"""The site: agreement between implementations, versions of one implementation, and readings that the text refutes."""

from __future__ import annotations

import json
import re
from typing import Any

from made_records import RULING, disputed, entry, failing, record, result, ruled, with_metadata
from made_records import explained as with_explanation
from made_site import older, site

from harness.model import Choice, Difference, RecordedImplementation, RunRecord, SdkState, Verdict, replace
from harness.report.site.contents import Site, SiteInput
from harness.report.site.site_paths import case_path

FIRST, SECOND, THIRD = "choir/verse/first", "choir/verse/second", "choir/verse/third"
REFUTED = Choice(readings=(("RUL-1", "b"),))


def text_of(page: str) -> str:
    """The words of a page, each run of white space as one blank."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.partition("<main")[2]))


def rows_of(page: str, heading: str) -> list[str]:
    """The words of each row of the table behind a heading."""
    table = page.split(f'aria-label="{heading}"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return [text_of(f"<main{row}").strip().removeprefix("> ") for row in table.split("<tr")[1:]]


def of_decided(made: RunRecord) -> RunRecord:
    """The record with a ruling whose text decides."""
    return with_metadata(made, rulings={"RUL-1": replace(RULING, text="decides")})


def started(name: str, version: str = "1.0", sdk: SdkState | None = None) -> RecordedImplementation:
    """An entry of the header with this version of its own."""
    made = entry(name)
    assert made.identity is not None
    return replace(made, adapter=f"{name}=/home/me/sdk", identity=replace(made.identity, version=version), sdk=sdk)


def test_shares_of_equal_answers() -> None:
    """Equal failures count as equal answers, unsupported cases are not compared, and the reference is left out."""
    made = record(
        *(result(name, "reference") for name in (FIRST, SECOND, THIRD)),
        *(result(FIRST, name) for name in ("alto", "bass")),
        *(failing(SECOND, name) for name in ("alto", "bass")),
        result(THIRD, "alto"),
        result(THIRD, "bass", Verdict.UNSUPPORTED, reason="no organ"),
    )
    files = site(made)
    alto, bass = rows_of(files["agreement.html"], "Equal answers")
    assert alto == "alto 66.6% of 3 100% of 2"
    assert bass == "bass 50% of 2 100% of 2"
    assert rows_of(files["index.html"], "One answer") == ["alto, bass 100% 2 of 2"]
    assert "At least two implementations answer 2 cases, and 0 of these have different answers." in text_of(
        files["index.html"]
    )


def test_parity_over_versions() -> None:
    """The newest versions stand together and two by two; an older version stands beside the newest ones of the others, and
    its row is folded. The data of the page have the same rows."""
    now = record(*(result(FIRST, name) for name in ("alto", "bass", "cello")), failing(SECOND, "cello"))
    then = older(record(failing(FIRST, "bass"), result(SECOND, "bass")), "bass", "0.9")
    files = site(now, then)
    assert rows_of(files["index.html"].split("<summary>With older")[0], "One answer") == [
        "all: alto, bass 1.0, cello 100% 1 of 1",
        *(f"{pair} 100% 1 of 1" for pair in ("alto, bass 1.0", "alto, cello", "bass 1.0, cello")),
    ]
    assert json.loads(files["agreement.json"])[4:] == [
        {"versions": "bass 0.9 + alto + cello", "one answer": 0, "compared": 1},
        {"versions": "bass 0.9 + alto", "one answer": 0, "compared": 1},
        {"versions": "bass 0.9 + cello", "one answer": 0, "compared": 2},
    ]
    assert files["agreement.csv"].splitlines()[1] == "alto + bass 1.0 + cello,1,1"


def test_the_matrix_has_the_readings_of_each_sdk() -> None:
    """A row names the readings of each SDK with their numbers of cases, and its failures by none of them. A ruling from
    whose adopted reading no answer departs has no row."""
    other = replace(RULING, id="RUL-2", title="How loud")
    made = ruled(
        *(disputed("alto", reading, name) for reading, name in (("a", FIRST), ("b", SECOND), ("b", THIRD))),
        disputed("bass", "a", FIRST),
        failing(SECOND, "bass", cited_by_rulings=("RUL-1",)),
    )
    page = site(with_metadata(made, rulings={"RUL-2": other, **made.metadata.rulings}))["index.html"]
    assert rows_of(page, "Rulings and SDKs") == ["RUL-1 Which note comes first b 2 open a 1 a 1 ✗ failing 1 3"]


def test_groups_lead_to_their_cases() -> None:
    """Each way in which the answers relate has a list of its cases, but not the cases where all match."""
    made = record(
        *(result(FIRST, name) for name in ("alto", "bass")),
        result(SECOND, "alto"),
        failing(SECOND, "bass"),
        failing(THIRD, "alto", "la"),
        failing(THIRD, "bass", signature="ba9876543210"),
    )
    files = site(made)
    assert rows_of(files["agreement.html"], "How the answers relate") == [
        "all match the specification 1",
        "only alto matches the specification 1",
        "none matches the specification, answers differ 1",
    ]
    assert "second" in files["agreement/only-alto.html"]
    assert "third" in files["agreement/all-differ.html"]
    assert "agreement/match.html" not in files


def test_a_member_that_one_cannot_report_is_no_difference() -> None:
    """The pages count an answer as equal if it differs only in a member that the other implementation cannot report."""
    key = (Difference("$.key", "C", "D"),)
    tune = Difference("$.tune", "fa", "so")
    entries = [started("alto"), started("bass")]
    assert entries[1].identity is not None
    hidden = replace(entries[1].identity, unobservable={"song.sing": ("/key",)})
    entries[1] = replace(entries[1], identity=hidden)
    made = record(
        failing(FIRST, "alto", difference=(tune, *key), signature="ba9876543210"),
        failing(FIRST, "bass", difference=(tune,)),
        failing(SECOND, "alto", difference=key),
        result(SECOND, "bass"),
        entries=entries,
    )
    files = site(made)
    assert rows_of(files["agreement.html"], "Equal answers")[0] == "alto 0% of 2 100% of 2"
    assert rows_of(files["agreement.html"], "How the answers relate") == [
        "same answer, but not the specification&#39;s 1",
        "only bass matches the specification 1",
    ]
    assert "answer 2 cases, and 0 of these have different answers." in text_of(files["index.html"])


def test_differences_have_their_causes() -> None:
    """An operation has the causes of different answers: the words of a reading, and each implementation's cases."""
    flat = with_explanation(failing(SECOND, "bass"), Choice(deviations=("flat",)))
    files = site(ruled(disputed("alto", "a", FIRST), disputed("bass", "b", FIRST), result(SECOND, "alto"), flat))
    (row,) = rows_of(files["agreement.html"], "Where and why answers differ")
    assert row.startswith("song.sing 2 2 ")
    assert "RUL-1=b (open): bass 1 Which note comes first: The highest." in row
    assert "flat: bass 1" in row


def test_answers_to_an_older_form_of_a_case_are_not_compared() -> None:
    """Two runs with different corpora are compared only in the cases that both have alike."""
    now = record(result(FIRST, "alto"), result(SECOND, "alto"))
    then = record(result(FIRST, "bass", request={"song": "other"}), failing(SECOND, "bass"), digest="older")
    files = site(now, older(then, "bass", "0.9"))
    assert rows_of(files["agreement.html"], "Equal answers")[0] == "alto 100% of 2 0% of 1"


def test_versions_share_the_part_before_the_mark() -> None:
    """`bass@0.9` and `bass` are versions of one implementation, which has a page with their changes."""
    made = record(
        result(FIRST, "bass"),
        failing(FIRST, "bass@0.9"),
        entries=[started("bass", "1.0"), started("bass@0.9", "0.9")],
    )
    files = site(made)
    assert "bass 2 versions and their trend" in text_of(files["index.html"])
    page = text_of(files["implementations/bass.html"])
    assert "1.0 since 0.9" in page
    assert "1 fixed" in page
    assert "fixed: unexplained , 1 case" in page
    assert 'href="../implementations/bass/0.9/rest-unexplained.html"' in files["implementations/bass.html"]
    assert 'href="../../implementations/bass.html"' in files["implementations/bass/0.9.html"]
    assert "implementations/alto.html" not in site(record(result(FIRST, "alto")))


def test_the_trend_has_the_day_of_a_commit() -> None:
    """The day of the run stands beside it, or alone."""
    copy = SdkState("0123456789abcdef", "c" * 40, date="2025-04-18")
    made = record(
        result(FIRST, "bass"), result(FIRST, "bass@v0.9"), entries=[started("bass", sdk=copy), started("bass@v0.9")]
    )
    day = made.metadata.started_at[:10]
    page = text_of(site(made)["implementations/bass.html"])
    assert f"2025-04-18 run of {day}" in page
    assert page.count(f"run of {day}") == 2


def test_marks_of_versions() -> None:
    """A mark that is a number is the version; any other mark comes before the own version. The newest comes first."""
    copy = SdkState("0123456789abcdef")
    entries = [
        started("bass@0.9", "0.9"),
        started("bass@main", sdk=copy),
        started("bass@v1.2", sdk=copy),
        started("bass"),
    ]
    made = record(*(result(FIRST, one.name) for one in entries), entries=entries)
    columns = Site(SiteInput(records=[made])).columns
    assert [one.version for one in columns] == ["main-files-0123456789", "v1.2", "1.0", "0.9"]
    assert {one.family for one in columns} == {"bass"}


def test_commands_have_no_folder_of_the_run() -> None:
    """A reader has the working copy in another folder."""
    copy = SdkState("0123456789abcdef")
    made = record(failing(FIRST, "bass@main"), entries=[started("bass@main", sdk=copy)])
    page = site(made)[case_path(FIRST)]
    assert "--adapter bass@main=DIR" in page
    assert "/home/me" not in page


def test_refuted_readings_are_marked() -> None:
    """Each place that shows a refuted reading, or who follows it, has the mark."""
    flat = with_explanation(failing(SECOND, "bass"), REFUTED)
    files = site(of_decided(record(disputed("alto", "a", SECOND), replace(flat, ruling="RUL-1"))))
    mark = "refuted by the text"
    assert f"b ( {mark} )" in text_of(files["rulings/RUL-1.html"])
    assert f"b 1 {mark}" in text_of(files["rulings.html"])
    assert f"b ( {mark} ): The highest. Followed by bass." in text_of(files[case_path(SECOND)])
    assert rows_of(files["index.html"], "Rulings and SDKs") == [f"RUL-1 Which note comes first a 1 b 1 {mark} 1"]
    assert f"RUL-1=b ( {mark} ): bass 1" in text_of(files["agreement.html"])
    assert "RUL-1=b refuted reading" in text_of(files["index.html"])
    assert "RUL-1=b refuted reading" in text_of(files["implementations/bass/1.0.html"])
    cause = text_of(files["implementations/bass/1.0/cause-RUL-1.b.html"])
    assert "Reading b of RUL-1, which the text refutes: The highest." in cause
    assert "a (adopted)" in text_of(files["rulings/RUL-1.html"])


def test_followers_on_the_page_of_a_ruling() -> None:
    """A pass that separates no readings is a follower of none; two readings in different cases are mixed."""
    cited: dict[str, Any] = {"cited_by_rulings": ("RUL-1",)}
    flat = with_explanation(failing(SECOND, "bass", **cited), REFUTED)
    plain = text_of(site(of_decided(record(result(FIRST, "bass", **cited), flat)))["rulings/RUL-1.html"])
    assert "a (adopted) The lowest. Followed by none." in plain
    assert "bass passes 1 case that separates no readings." in plain
    assert "mixed" not in plain
    apart = of_decided(record(result(FIRST, "bass", reading="a", **cited), flat))
    assert "bass is mixed: no single reading gives all its answers." in text_of(site(apart)["rulings/RUL-1.html"])


def test_refuted_readings_among_changes_are_marked() -> None:
    """A fixed failure that followed a refuted reading has the mark on the page of the versions."""
    then = older(of_decided(record(with_explanation(failing(SECOND, "bass"), REFUTED))), "bass", "0.9")
    now = of_decided(record(result(SECOND, "bass")))
    page = text_of(site(then, now)["implementations/bass.html"])
    assert "fixed: RUL-1=b ( refuted by the text ), 1 case" in page


def test_a_case_shows_the_readings_that_its_answers_follow() -> None:
    """A ruling that neither disputes nor cites the case is shown if an answer follows one of its readings."""
    made = of_decided(record(result(SECOND, "alto"), with_explanation(failing(SECOND, "bass"), REFUTED)))
    page = text_of(site(made)[case_path(SECOND)])
    assert "An answer follows a reading of this ruling." in page
    assert "Followed by bass." in page
