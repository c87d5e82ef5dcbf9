"""The HTML page: how it behaves in a browser."""

from __future__ import annotations

from pathlib import Path

import browser
import pytest
from browser_page import opened
from made_records import (
    HOSTILE,
    RULING,
    everything,
    explained,
    failing,
    great,
    record,
    result,
    with_metadata,
)

from harness.model import (
    ABSENT,
    Choice,
    Difference,
    Documented,
    Verdict,
    replace,
)

pytestmark = pytest.mark.slow

TUNE = Difference("$.tune", "fa", "so")


def test_the_page_opens_on_what_fails(chromium: browser.Browser, tmp_path: Path) -> None:
    """At first those cases are shown that fail of themselves; an adapter that did not start makes none of them."""
    page = opened(chromium, tmp_path, everything())
    assert page.rows() == ["choir/verse/first", "choir/verse/second", "organ/pipes/fifth"]
    assert page.status() == "3 of 5 cases"
    assert chromium.console == []
    page.click("#clear")
    assert len(page.rows()) == 5


def test_the_results_of_an_adapter_that_did_not_start_are_counted(chromium: browser.Browser, tmp_path: Path) -> None:
    """They have a box of their own in the filter by verdict, with their number, which shows them."""
    page = opened(chromium, tmp_path, everything())
    page.click("#clear")
    assert page.run("document.getElementById('verdicts').innerText.replaceAll(/\\s+/g, ' ')").endswith("error/start 5")
    page.click("input[value='error/start']")
    assert len(page.rows()) == 5


def test_filters(chromium: browser.Browser, tmp_path: Path) -> None:
    """Verdict, implementation, section, operation, requirement, ruling and text each narrow the list, and add up."""
    page = opened(chromium, tmp_path, everything())
    page.click("#clear")
    narrowed = {
        ("implementation", "alto"): 5,
        ("section", "organ"): 2,
        ("section", "choir/refrain"): 1,
        ("operation", "organ.play"): 2,
        ("requirement", "song-02"): 0,
        ("requirement", "RUL-1"): 1,
        ("text", "exited"): 0,
        ("text", "IT HAS NO ORGAN"): 1,
        ("text", "Verse/Second"): 1,
    }
    for (name, value), count in narrowed.items():
        page.fill(name, value)
        assert len(page.rows()) == count, (name, value)
        page.fill(name, "")
    page.click("input[value=fail]")
    assert page.rows() == ["choir/verse/first", "organ/pipes/fifth"]
    page.fill("implementation", "alto")
    assert page.rows() == ["organ/pipes/fifth"]
    address = str(page.run("location.hash"))
    page.open(address)
    assert page.rows() == ["organ/pipes/fifth"]


def test_the_heat_map_leads_to_its_cases(chromium: browser.Browser, tmp_path: Path) -> None:
    """A cell with failures is a link to those of its section and implementation."""
    page = opened(chromium, tmp_path, everything())
    page.click('a[href*="section=organ&implementation=bass"]')
    assert page.rows() == ["organ/pipes/fifth"]
    assert page.run("document.querySelector('[name=implementation]').value") == "bass"


def test_a_case_has_an_address(chromium: browser.Browser, tmp_path: Path) -> None:
    """`#<full name>` opens that case, even one that the filters would hide, with all that explains it."""
    page = opened(chromium, tmp_path, everything())
    page.open("#choir/verse/first")
    shown = page.detail()
    for part in (
        "A song is sung to its end. (MUST, Singing)",
        "cases/choir/verse.yaml:7",
        '{"song": "do re mi"}',
        "Same answer: alto.",
        "First differs at /tune.",
        "0123456789ab",
        "no such pipe",
        "line one\n",
        "parity run --adapter bass --select choir/verse/first",
        "Not run, because the adapter did not start: mute.",
    ):
        assert part in shown
    page.open("#choir/refrain/high/third")
    assert page.status() == "5 of 5 cases (the filters were removed to show the case in the address)"
    assert "The highest. Followed by bass." in page.detail()
    assert "a (adopted): The lowest. Followed by alto." in page.detail()
    page.open("#choir/verse/second")
    assert "amazing grace" in str(page.run("document.querySelector('tr.detail details').textContent"))
    page.open("#choir/no/such")
    assert page.status() == "This report has no case choir/no/such."


def test_the_difference_is_marked(chromium: browser.Browser, tmp_path: Path) -> None:
    """The differing middle of two texts is marked, and each differing line, also for a reader who sees no colour."""
    wanted, got = {"answer": {"tune": "fa la la", "pipes": [1]}}, {"answer": {"tune": "fa so la"}}
    difference = (Difference("$.tune", "fa la la", "fa so la"), Difference("$.pipes", [1], ABSENT))
    made = record(failing("choir/verse/first", "bass", expected=wanted, answer=got, difference=difference))
    page = opened(chromium, tmp_path, made)
    page.open("#choir/verse/first")
    assert page.run("[...document.querySelectorAll('.differences mark')].map((one) => one.textContent)") == [
        "la",
        "so",
        "[1]",
    ]
    lines = page.run("[...document.querySelectorAll('.answer .differs')].map((one) => one.textContent.trim())")
    assert lines == [
        'differs:   "tune": "fa la la",',
        'differs:   "pipes": [1]',
        "differs: {",
        'differs:   "tune": "fa so la"',
    ]


def test_keyboard(chromium: browser.Browser, tmp_path: Path) -> None:
    """Enter on a case opens it, the focus stays, Enter again closes it; the first Tab reaches the skip link."""
    page = opened(chromium, tmp_path, everything())
    page.browser.press("Tab", 9)
    assert page.run("document.activeElement.className") == "skip"
    page.run("document.querySelector('#cases tbody a').focus()")
    for expanded in ("true", "false"):
        page.browser.press("Enter", 13)
        page.run("new Promise((done) => setTimeout(done, 50))")
        assert page.run("document.activeElement.getAttribute('aria-expanded')") == expanded
        assert bool(page.detail()) is (expanded == "true")


def test_hostile_text_stays_text(chromium: browser.Browser, tmp_path: Path) -> None:
    """Nothing of an answer, a reason, standard error or a name becomes an element; what cannot be seen is an escape."""
    names = ["<b>alto</b>", "__proto__"]
    made = record(
        *(failing("choir/verse/first", name, HOSTILE, stderr=HOSTILE, reason=HOSTILE, stage=HOSTILE) for name in names),
        *(
            result("choir/<i>verse</i>/second", name, answer={"answer": {HOSTILE: {"__proto__": HOSTILE}}})
            for name in names
        ),
    )
    for hash_ in ("#choir/verse/first", "#choir/%3Ci%3Everse%3C/i%3E/second"):
        page = opened(chromium, tmp_path, made)
        page.open(hash_)
        assert page.detail()
        assert page.run(
            "[window.hit, document.querySelectorAll('img, main i:not(.quiet), main b:not(.hidden, p > b, dd b)').length]"
        ) == [None, 0]
        text = str(page.run("document.body.textContent.replace(document.getElementById('data').textContent, '')"))
        assert "</script><script>window.hit = 1</script>" in text
        assert "\\u202e" in text
        assert not set(text) & {"\u202e", "\u2028", "\x1b", "\x00", "\ufffd"}
        assert chromium.console == []


def test_the_policy_holds(chromium: browser.Browser, tmp_path: Path) -> None:
    """Even a fault of the page could not run a stranger's script: markup from text is refused, and so is an added script."""
    page = opened(chromium, tmp_path, everything())
    refused = page.run(
        "(() => { try { document.body.innerHTML = '<b>x</b>'; return false; } catch { return true; } })()"
    )
    assert refused
    page.run(
        "document.body.append(Object.assign(document.createElement('img'), { src: 'data:image/gif;base64,R0lGOD' }))"
    )
    page.run("new Promise((done) => setTimeout(done, 50))")
    assert "Content Security Policy" in "".join(chromium.console)


def test_landmarks_names_and_headers(chromium: browser.Browser, tmp_path: Path) -> None:
    """A screen reader finds landmarks, a name for every control and region, and headers for every table."""
    page = opened(chromium, tmp_path, great(300))
    page.open("#choir/part_1/suite_1/verse-1")
    nodes = chromium.send("Accessibility.getFullAXTree")["nodes"]
    named: dict[str, list[str]] = {}
    for node in nodes:
        if not node["ignored"]:
            named.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
    assert {"banner", "main", "search", "navigation", "status", "heading", "table"} <= set(named)
    assert {"columnheader", "rowheader"} <= set(named)
    for role in (
        "checkbox",
        "combobox",
        "searchbox",
        "textbox",
        "button",
        "link",
        "region",
        "navigation",
        "search",
        "group",
    ):
        assert all(named.get(role, ["-"])), role
    ids = page.run("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))
    assert page.run("document.documentElement.lang") == "en"


def test_pages_of_cases(chromium: browser.Browser, tmp_path: Path) -> None:
    """A hundred rows stand on a page; the buttons turn it, and an address opens the page that its case is on."""
    page = opened(chromium, tmp_path, great(250))
    page.click("#clear")
    assert len(page.rows()) == 100
    page.click("#next")
    page.click("#next")
    assert len(page.rows()) == 50
    assert page.run("document.getElementById('next').disabled")
    page.open("#choir/part_6/suite_30/verse-150")
    assert "choir/part_6/suite_30/verse-150" in page.rows()
    assert page.run("document.getElementById('page').textContent") == "page 2 of 3"


def test_what_changed_can_be_filtered(chromium: browser.Browser, tmp_path: Path) -> None:
    """With an older record there is a filter for what changed; without one there is none."""
    before = record(result("choir/verse/first", "bass"), failing("choir/verse/second", "bass"))
    after = record(failing("choir/verse/first", "bass"), failing("choir/verse/second", "bass"))
    page = opened(chromium, tmp_path, after, before)
    page.fill("change", "newly failing")
    assert page.rows() == ["choir/verse/first"]
    assert "1 newly failing" in str(page.run("document.body.innerText"))
    page = opened(chromium, tmp_path, after)
    assert page.run("document.getElementById('change-label').hidden")


def test_a_kind_of_failure_leads_to_its_cases(chromium: browser.Browser, tmp_path: Path) -> None:
    """A number in the table of kinds shows just the cases that it counts; without failures there is no such filter."""
    other = (Difference("$.pitch[3]", 440, 415),)
    cases = [failing(f"choir/verse/{n}", "bass", difference=other if n == 4 else (TUNE,)) for n in range(5)]
    page = opened(chromium, tmp_path, record(*cases, failing("choir/verse/4", "<alto>")))
    page.click('a[href*="implementation=bass&group=song.sing+%24.pitch"]')
    assert page.rows() == ["choir/verse/4"]
    assert page.run("document.querySelector('[name=group]').value") == "song.sing $.pitch[*]"
    page.click('a[href*="implementation=%3Calto%3E&group=song.sing+%24.tune"]')
    assert page.rows() == ["choir/verse/4"]
    page.fill("implementation", "")
    assert len(page.rows()) == 5
    page = opened(chromium, tmp_path, record(result("choir/verse/first", "bass")))
    assert page.run("document.getElementById('group-label').hidden")
    assert page.run("document.getElementById('mark-label').hidden")


def test_a_part_of_a_description_leads_to_its_cases(chromium: browser.Browser, tmp_path: Path) -> None:
    """The number of a deviation shows exactly its failures, the number of a reading its variants; an open case has the
    explanation."""
    flat = Choice(deviations=("flat",))
    made = record(
        *(explained(failing(f"choir/verse/{name}", "bass"), flat) for name in ("first", "second")),
        failing("choir/verse/third", "bass"),
        result("choir/verse/fourth", "bass", Verdict.VARIANT, reading="b"),
    )
    page = opened(chromium, tmp_path, made)
    page.click(".description a[href*='part=flat']")
    assert page.rows() == ["choir/verse/first", "choir/verse/second"]
    page.click(".description a[href*='part=unexplained']")
    assert page.rows() == ["choir/verse/third"]
    page.click(".description a[href*='part=RUL-1%3Db']")
    assert page.rows() == ["choir/verse/fourth"]
    page.open("#choir/verse/first")
    assert "as predicted by flat" in page.detail()
    assert chromium.console == []


def test_an_open_case_shows_what_another_document_describes(chromium: browser.Browser, tmp_path: Path) -> None:
    """The note stands beside the failing answer, and at the ruling."""
    note = Documented("spec/<SONGS>", "up to four verses")
    made = record(
        failing("choir/verse/first", "bass", expectation=("known", "It sings flat.", note)),
        result("choir/verse/second", "bass", ruling="RUL-1"),
    )
    page = opened(chromium, tmp_path, with_metadata(made, rulings={"RUL-1": replace(RULING, documented=note)}))
    for case in ("first", "second"):
        page.open(f"#choir/verse/{case}")
        assert page.detail().count("spec/<SONGS> describes up to four verses") == 1
