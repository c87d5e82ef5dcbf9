"""The query DSL document's section "Temporal expansion": its example, its edge cases, its anchors."""

import pytest

from reference_impl.decisions import decided
from reference_impl.javascript import dates
from reference_impl.jeffs_brain.anchors import AnchorsDecisions
from reference_impl.jeffs_brain.date_formats import date_search_tokens
from reference_impl.jeffs_brain.temporal import augment_query_with_temporal, expand_temporal

QUESTION = "what did I watch 2 weeks ago last Friday?"
ANCHOR = "2026-04-18 (Sat)"
EARLIEST = " [Note: look for the earliest dated event]"
MOST_RECENT = " [Note: look for the most recently dated event]"


def test_worked_example() -> None:
    """The worked example holds but for its note, which its own rule does not give: no hint is in the question."""
    assert expand_temporal(QUESTION, ANCHOR).to_json() == {
        "originalQuery": QUESTION,
        "expandedQuery": "what did I watch 2 weeks ago (around 2026/04/04) last Friday (2026/04/17)?",
        "dateHints": ["2026/04/04", "2026/04/17"],
        "resolved": True,
    }
    assert (
        augment_query_with_temporal(QUESTION, ANCHOR)
        == "what did I watch 2 weeks ago last Friday? 2026/04/04 2026-04-04 2026/04/17 2026-04-17"
    )


@pytest.mark.parametrize(
    ("question", "anchor", "expanded"),
    [
        ("1 month ago", "2026-03-31", "1 month ago (around 2026/03/03)"),
        ("1 MONTHS  AGO", "2024-03-31", "1 MONTHS  AGO (around 2024/03/02)"),
        ("13 months ago", "2026-01-15", "13 months ago (around 2024/12/15)"),
        ("1 day ago", "2026-03-01", "1 day ago (around 2026/02/28)"),
        ("0 days ago", "2026-03-01", "0 days ago (around 2026/03/01)"),
        ("last monday", "2026-04-20", "last monday (2026/04/13)"),
        ("last SUNDAY", "2026-04-20", "last SUNDAY (2026/04/19)"),
        ("last friday or 1 week ago", "2026-04-18", "last friday (2026/04/17) or 1 week ago (around 2026/04/11)"),
        ("-5 days ago", "2026-04-18", "-5 days ago (around 2026/04/13)"),
        ("3\u00a0weeks ago", "2026-04-18", "3\u00a0weeks ago (around 2026/03/28)"),
        ("latest before first", "2026-04-18", "latest before first" + EARLIEST),
        ("the MOST RECENT one", "2026-04-18", "the MOST RECENT one" + MOST_RECENT),
        ("beforehand, the last time", "2026-04-18", "beforehand, the last time" + EARLIEST),
    ],
)
def test_expanded(question: str, anchor: str, expanded: str) -> None:
    """A recognised phrase gets its date, a question its note."""
    assert expand_temporal(question, anchor).expanded_query == expanded


@pytest.mark.parametrize(
    "question",
    [
        *("today", "yesterday", "this week", "last week", "last month", "this quarter", "in March", "2026-04-01"),
        *("the week of 12 March", "two weeks ago", "a week ago", "3 years ago", "vorige maandag", "2 weken geleden"),
        *("x12 days ago", "5 days agone", "blast monday", "last mondays", "la\u017ft friday", "3 wee\u212as ago"),
        *("٣ days ago", "most  recent", "99999999999 days ago", "50000 months ago", "9" * 5000 + " days ago"),
    ],
)
def test_not_expanded(question: str) -> None:
    """What no recogniser names, and what has no date that YYYY/MM/DD can write, passes through unresolved."""
    expansion = expand_temporal(question, "2026-04-18")
    assert (expansion.expanded_query, expansion.resolved) == (question, False)
    assert augment_query_with_temporal(question, "2026-04-18") == question


@pytest.mark.parametrize("anchor", [None, "", "soon", "18/04/2026", "2026-04-18 Sat"])
def test_without_an_anchor(anchor: str | None) -> None:
    """Without an anchor that can be parsed nothing is expanded, not even by a note."""
    assert expand_temporal("first, 2 days ago", anchor).to_json() == {
        "originalQuery": "first, 2 days ago",
        "expandedQuery": "first, 2 days ago",
        "dateHints": [],
        "resolved": False,
    }


def test_hints_are_given_once_in_the_order_of_the_recognisers() -> None:
    """Relative times come before weekdays, and a date that two phrases share is one hint."""
    hints = expand_temporal("last friday, 1 day ago, 2 weeks ago, 14 days ago", "2026-04-18").date_hints
    assert hints == ("2026/04/17", "2026/04/04")


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        ("2026-04-18", "2026-04-18T00:00:00.000Z"),
        (" 2026/04/18\u00a0(Xyz) ", "2026-04-18T00:00:00.000Z"),
        ("2026/04/18 (Sat) 10:30", "2026-04-18T10:30:00.000Z"),
        ("2026-04-18 10:30:59", "2026-04-18T10:30:59.000Z"),
        ("2026-02-30", "2026-03-02T00:00:00.000Z"),
        ("2026-13-45 25:99", "2027-02-15T02:39:00.000Z"),
        ("0050-06-15", "0050-06-15T00:00:00.000Z"),
        ("0050", "0050-01-01T00:00:00.000Z"),
        ("2026-04-18T10:30:00.123+02:00", "2026-04-18T08:30:00.123Z"),
        ("2026-04-18T10:30", "2026-04-18T10:30:00.000Z"),
        ("April 18 2026 9:05 pm", "2026-04-18T21:05:00.000Z"),
        ("2026-04-18 10:30 (Sat)", "2026-04-18T10:30:00.000Z"),
        ("-271821-04-20T00:00Z", "-271821-04-20T00:00:00.000Z"),
    ],
)
def test_anchor(value: str, instant: str) -> None:
    """A question date is read in UTC, parts outside their range carry over, and V8 parses other texts."""
    parsed = decided(AnchorsDecisions).parse_question_date(value)
    assert parsed is not None
    assert dates.to_iso_string(parsed) == instant


@pytest.mark.parametrize(
    "value", ["tomorrow", "18/04/2026", "2026-04-18 Sat", "2026-04-18T10", "２026-04-18", "2026-04-18\n x"]
)
def test_no_anchor(value: str) -> None:
    """A text that is no surface form and that V8 does not parse is no date."""
    assert decided(AnchorsDecisions).parse_question_date(value) is None


@pytest.mark.parametrize(
    ("value", "tokens"),
    [
        ("2026-04-18 (Sat) 10:30", ["2026-04-18", "2026/04/18", "2026", "Saturday", "April"]),
        ("0100-01-01", ["0100-01-01", "0100/01/01", "0100", "Friday", "January"]),
        ("+012026-01-01", ["Thursday", "January"]),
        ("2026-04-18 to 2026-04-19", []),
        (None, []),
    ],
)
def test_date_search_tokens(value: str | None, tokens: list[str]) -> None:
    """A date gives its two forms, its four-digit year and its English names; anything else gives nothing."""
    assert date_search_tokens(value) == tokens
