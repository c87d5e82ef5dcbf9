"""The single HTML page: the contents of the file."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from made_records import (
    HOSTILE,
    RULING,
    disputed,
    everything,
    explained,
    failing,
    great,
    record,
    result,
    ruled,
    with_metadata,
)
from made_site import Links
from renderers import html

from harness.compare.run_diff import compare
from harness.model import Choice, Errored, ErrorKind, ImplementationError, Verdict, replace

render = html.render


def cases_of(page: str) -> list[str]:
    """The names of the cases of a page in their order."""
    return re.findall(r'<div class="body" id="([^"]+)">', page)


def test_nothing_is_loaded_and_only_our_script_runs() -> None:
    """The policy allows the one script and the one style by their digests; the file names no address."""
    page = render(everything())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        bodies = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(bodies) == 1
        digest = base64.b64encode(hashlib.sha256(bodies[0].encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    plain = render(record(failing("choir/verse/first", "alto")))
    assert not re.search(r"https?://|<link|@import|url\(|\ssrc=|\sstyle=|\son\w+=", plain)
    assert "innerHTML" not in page


def test_every_link_leads_to_a_place_of_the_file() -> None:
    """No link leaves the file, none is dead, and no id stands twice."""
    found = Links(render(everything()))
    assert {link for link in found.targets if not link.startswith("#")} == set()
    assert {link.removeprefix("#").replace("%7E", "~") for link in found.targets} <= {*found.ids}
    assert len(found.ids) == len(set(found.ids))


def test_the_page_has_the_cases_that_do_not_simply_pass() -> None:
    """Failures come before variants; passes, unsupported cases and those of an adapter that did not start have no place."""
    assert cases_of(render(everything())) == [
        "choir/verse/second",
        "choir/verse/first",
        "organ/pipes/fifth",
        "choir/refrain/high/third",
    ]


def test_a_case_has_everything_that_explains_it() -> None:
    """Request, both sides of the difference, the answer, standard error, the command; its texts stand once, at the end."""
    page = render(everything())
    case = page.partition('id="choir/verse/first"')[2].partition("</div></details>")[0]
    for part in (
        "cases/choir/verse.yaml:7",
        '{"song": "do re mi"}',
        "<mark>fa</mark>",
        "First differs at <code>/tune</code>.",
        "no such pipe",
        "parity run --adapter bass --record repeat.jsonl --select choir/verse/first",
        '<a href="#requirements/SONG-01.html">SONG-01</a>',
    ):
        assert part in case
    assert page.count("A song is sung to its end.") == 1
    assert "<b>alto</b>" not in case
    variant = page.partition('id="choir/refrain/high/third"')[2].partition("</div></details>")[0]
    assert "b (open) followed by bass" in variant
    assert "The highest." in page.partition("<h2>Rulings</h2>")[2]


def test_expected_answers_are_in_the_page_once() -> None:
    """A passing answer equal to the expected one, apart from unobservable places, is not repeated; any other is."""
    close = {"answer": {"tune": "fa", "more": 1}}
    name = "choir/verse/first"
    page = render(record(result(name, "alto"), result(name, "bass", answer=close), failing(name, "mezzo")))
    assert page.count("The whole answer of bass, with members that are not compared") == 1
    assert "The whole answer of alto" not in page


def test_huge_answers_are_cut() -> None:
    """The page has the beginning of an answer of megabytes, and its differences around the first differing character."""
    long = "x" * 3_000_000
    page = render(record(failing("choir/verse/first", "bass", long)))
    assert len(page) < 60_000
    assert "… 3,000,0" in page
    assert re.search(r'<td class="got">[^/]*x+…', page)


@pytest.mark.slow
def test_the_page_of_many_failures_is_bounded() -> None:
    """It has the first 2,000 cases and the number of the others."""
    page = render(record(*(failing(f"choir/verse/{number}", "bass") for number in range(2_003))))
    assert len(cases_of(page)) == 2_000
    assert "3 more cases are in the run record." in page


def test_the_head_of_the_page() -> None:
    """Headline, alarms and the shares by section are in the file itself, every cell with its numbers in words."""
    page = render(everything())
    doubts = "1 adapter did not start (mute), 1 incident, bass answered 3 of 5 cases"
    headline = f"3 of 8 answers fail, 1 case has no answer, {doubts}"
    assert f'<h1 class="bad">{headline}</h1>' in page
    assert "wings is not on PATH" in page
    assert "50%<small>1 fail</small>" in page
    assert "<img" not in page
    assert "\u202e" not in page
    assert '<h1 class="good">No failures</h1>' in render(record(result("choir/verse/first", "alto")))


def test_the_page_of_an_unfinished_record() -> None:
    """The heading of a record without a footer is that the run did not end, whatever its verdicts are."""
    page = render(record(result("choir/verse/first", "alto"), complete=False))
    assert '<h1 class="bad">The run is incomplete</h1>' in page
    assert "The record is incomplete (no footer)" in page


def test_what_changed_since_an_older_record() -> None:
    """The changes of each implementation have their cases, and a case has its change as a choice of the filter."""
    before = record(result("choir/verse/first", "bass"), failing("choir/verse/second", "bass"))
    after = record(failing("choir/verse/first", "bass"), failing("choir/verse/second", "bass"))
    page = render(after, compare(before, after))
    assert "<p>1 newly failing</p>" in page
    assert '<a href="#choir/verse/first">choir/verse/first</a>' in page.partition("Results by section")[0]
    assert "<option>bass newly failing</option>" in page
    assert "<option>bass fail</option>" in page
    assert "newly failing" not in render(after)


def test_the_choices_of_the_filter() -> None:
    """They are the verdicts of each implementation and the marks of a gate, and stay text."""
    made = record(
        failing("choir/verse/first", "bass", expectation=("known", "It sings flat.")),
        failing("choir/verse/second", "<bass>", expectation=("new", "not-listed")),
        result("choir/verse/third", "bass"),
    )
    page = render(made)
    assert re.findall("<option>(.*?)</option>", page) == ["&lt;bass&gt; fail", "bass fail", "known", "new"]
    assert cases_of(page) == ["choir/verse/second", "choir/verse/first"]
    assert "known: It sings flat." in page


def test_a_stack_trace_is_shown() -> None:
    """A raised error has its stack trace in the page, line by line."""
    cause = ImplementationError("unclassified", "KeyError: 'x'", "at inner\nat outer\n")
    raised = result("choir/verse/first", "alto", Verdict.ERROR, kind=ErrorKind.IMPLEMENTATION)
    assert "at inner\nat outer" in render(record(replace(raised, outcome=Errored(cause, "0123456789ab"))))


def test_equal_answers_stand_once() -> None:
    """Two implementations with one wrong answer share a card and the table of its differences."""
    name = "choir/verse/first"
    page = render(record(result(name, "alto"), failing(name, "bass"), failing(name, "cello")))
    assert page.count('<table class="differences">') == 1
    assert "Differences of bass, cello" in page


def test_a_ruling_that_cites_a_plain_case_is_shown() -> None:
    """The case leads to the ruling, whose readings, reason and note stand at the end."""
    made = record(failing("choir/verse/first", "alto", cited_by_rulings=("RUL-1",)))
    page = render(with_metadata(made, rulings={"RUL-1": RULING}))
    assert '<a href="#rulings/RUL-1.html">RUL-1</a> cites this case: a (adopted)' in page
    for part in ("Which note comes first", "The lowest.", "The text says so."):
        assert part in page.partition("<h2>Rulings</h2>")[2]


def test_two_names_of_one_version() -> None:
    """Implementations of one record stay apart, whatever their versions are."""
    page = render(record(failing("choir/verse/first", "bass"), result("choir/verse/first", "bass@1.0")))
    assert page.count('data-name="failing"') >= 2
    assert "bass@1.0" in page


@pytest.mark.slow
def test_thousands_of_results_make_a_page_of_bounded_size() -> None:
    """A case of four implementations takes less than 4 KB."""
    page = render(great(1_000))
    assert len(page) < 100_000 + 4_000 * len(cases_of(page))


def test_hostile_text_stays_text() -> None:
    """Nothing of an answer, a reason, standard error or a name becomes an element or a character that moves others."""
    names = ["<b>alto</b>", "__proto__"]
    made = record(
        *(failing("choir/verse/first", name, HOSTILE, stderr=HOSTILE, reason=HOSTILE, stage=HOSTILE) for name in names),
        *(failing("choir/<i>verse</i>/second", name, HOSTILE, request={HOSTILE: HOSTILE}) for name in names),
        explained(failing('choir/x" y/third', "alto"), Choice(deviations=(HOSTILE,))),
    )
    page = render(ruled(*made.results, disputed("bass", "b", "choir/verse/fourth")))
    assert not re.search(r"<img|<b>alto|<i>verse|<script>window", page)
    assert page.count("<script>") == page.count("</script>") == 1
    assert not set(page) & {"\u202e", "\u2028", "\x1b", "\x00", "\ufffd"}
    assert 'id="choir/x&#34; y/third"' in page
