"""JUnit XML that CI systems take: its rules, its counts, and nothing that an implementation could break."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from made_records import HOSTILE, everything, failing, record, result, shifted, with_metadata
from renderers import junit

from harness.model import RunRecord

render = junit.render


def suites(made: RunRecord) -> dict[str, ElementTree.Element]:
    """The suites of the document, by name."""
    return {suite.get("name", ""): suite for suite in ElementTree.fromstring(render(made).encode())}


@pytest.mark.parametrize("complete", [True, False], ids=["complete", "cut short"])
def test_the_schema_of_ant_and_jenkins(complete: bool) -> None:
    """The document keeps to what both schemas take, with every verdict and hostile texts in it."""
    xmlschema = pytest.importorskip("xmlschema", reason="xmlschema is not installed, so no schema is checked")
    made = everything() if complete else record(result("choir/verse/first", "alto"), complete=False)
    schema = xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd"))
    assert [str(error) for error in schema.iter_errors(ElementTree.fromstring(render(made).encode()))] == []


def test_every_verdict_under_its_tag() -> None:
    """fail is a failure, error an error, unsupported skipped; pass and variant pass."""
    found = suites(everything())
    tags = {
        name: [child.tag for case in suite.iter("testcase") for child in case]
        for name, suite in found.items()
        if name.startswith("bass.")
    }
    assert tags == {
        "bass.choir.verse": ["failure", "error"],
        "bass.choir.refrain.high": [],
        "bass.organ.pipes": ["failure", "skipped"],
    }
    pipes = found["bass.organ.pipes"]
    assert [pipes.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["2", "1", "0", "1"]
    assert "follows RUL-1=b" in str(found["bass.choir.refrain.high"].findtext("system-out"))


def test_a_failure_tells_what_explains_it() -> None:
    """Place, difference, requirement and the command that asks again stand in the text of a failure."""
    failure = suites(record(failing("choir/verse/first", "bass")))["bass.choir.verse"].find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == '$.tune wanted "fa" got "so"'
    for part in (
        "cases/choir/verse.yaml:7",
        "SONG-01  A song is sung to its end.",
        "repeat: parity run --adapter bass",
    ):
        assert part in str(failure.text)


def test_illegal_characters_come_as_escapes() -> None:
    """What XML cannot hold, and what could steer a terminal, is written out; the rest comes back as it was."""
    text = render(everything())
    assert not any(ord(one) < 32 and one != "\n" for one in text)
    assert not set(text) & {"\ud800", "\ufffe", "\u202e", "\u2028"}
    failure = suites(everything())["bass.choir.verse"].find("testcase/failure")
    assert failure is not None
    assert "</script><script>window.hit = 1</script>" in str(failure.get("message"))
    assert "\\ud800" in str(failure.text)
    assert HOSTILE[:40] in str(failure.text)


def test_a_run_that_cannot_be_trusted_is_not_green() -> None:
    """A record without footer and an incident each fail a test case, though every case passed."""
    cut_short = suites(record(result("choir/verse/first", "alto"), complete=False))["parity.run"]
    assert cut_short.get("errors") == "1"
    assert "no footer" in str(cut_short.findtext("testcase/error"))
    sound = suites(record(result("choir/verse/first", "alto")))["parity.run"]
    assert (sound.get("tests"), sound.get("errors")) == ("1", "0")
    disturbed = suites(everything())["parity.run"]
    assert [error.get("type") for error in disturbed.iter("error")] == ["incident/timeout"]


def test_a_record_that_another_program_wrote() -> None:
    """A time that is none and a case outside of any suite leave the document whole."""
    made = record(failing("lonely", "bass"))
    made = with_metadata(made, started_at="\x1b\ud800")
    found = suites(made)
    assert found["bass.lonely"].get("timestamp") == "\\x1b\\ud800"
    assert found["bass.lonely"].find("testcase/failure") is not None


def test_a_message_has_the_aligned_difference() -> None:
    """An element that is missing at the front is named as missing; it is not shown as a difference at each position."""
    failure = suites(record(shifted("choir/verse/first", "bass")))["bass.choir.verse"].find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == '$.notes: missing element 0 (a): {"id": "a"}'
