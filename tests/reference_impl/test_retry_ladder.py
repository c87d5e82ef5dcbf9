"""Sanitising, the strongest term, the query tokens, and the five rungs."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.decisions import decided
from reference_impl.javascript import strings
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions, sanitise_query, strongest_term, walk

HIT = [Candidate("a", "a.md")]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("title:foo", "title foo"),
        ("well-known  C++ facts!", "well known C facts"),
        ("!!!", ""),
        ("foo_bar", "foo bar"),
        ("5€ “so”—yes", "5 so yes"),
        ("a.p{b}S", "a p b S"),
        ("tab\tand\u00a0space\ufeff", "tab and space"),
        ("no\u0085break", "no\u0085break"),
    ],
)
def test_sanitising(query: str, wanted: str) -> None:
    """Runs of punctuation and symbols become one space, and so does white space; the ends are bare."""
    assert sanitise_query(query) == wanted


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("the Kubernetes deployment", "kubernetes"),
        ("alpha bravo", "alpha"),
        ("recommend tips", None),
        ("ab cd", None),
        ("née 猫犬", "née"),
        ("cats 𝒜𝒷𝒸", "𝒜𝒷𝒸"),
        ("don't", "don"),
        ("", None),
    ],
)
def test_strongest_term(query: str, wanted: str | None) -> None:
    """The longest word counts in UTF-16 units, the first of equals wins, stop words and short words never do."""
    assert strongest_term(query) == wanted


def test_query_tokens() -> None:
    """Tokens are lower-cased searchable words, each once, in order."""
    rule = decided(RetryLadderDecisions)
    assert rule.query_tokens("Zebra the ox, ZEBRA; list stripes") == ["zebra", "list", "stripes"]


@given(st.text())
def test_sanitised_text_stays(query: str) -> None:
    """Sanitising twice is sanitising once."""
    assert sanitise_query(sanitise_query(query)) == sanitise_query(query)


@given(st.text(alphabet="abc ,!é😀"))
def test_strongest_term_is_a_token(query: str) -> None:
    """The strongest term is one of the query tokens, none of which is longer."""
    tokens, strongest = decided(RetryLadderDecisions).query_tokens(query), strongest_term(query)
    assert strongest == max(tokens, key=strings.length, default=None)


def climb(query: str, *, found_by: str | None = None) -> list[tuple[str, str, int]]:
    """The rows of a ladder on which only one text, or "trigram", finds something."""

    def search(text: str) -> Sequence[Candidate]:
        return HIT if text == found_by else []

    def fuzzy(tokens: Sequence[str]) -> Sequence[Candidate]:
        assert list(tokens) == decided(RetryLadderDecisions).query_tokens(query)
        return HIT if found_by == "trigram" else []

    rungs = [rung.attempt for rung in walk(query, search, fuzzy)]
    return [(row.strategy, row.query, row.hits) for row in rungs]


def test_every_rung() -> None:
    """A ladder that finds nothing has a row for every rung but the second."""
    assert climb("Zebra, stripes!") == [
        ("strongest_term", "stripes", 0),
        ("refreshed_sanitised", "Zebra stripes", 0),
        ("refreshed_strongest", "stripes", 0),
        ("trigram_fuzzy", "zebra stripes", 0),
    ]


@pytest.mark.parametrize(
    ("found_by", "wanted"), [("stripes", 1), ("Zebra stripes", 2), ("trigram", 4)], ids=["first", "third", "fifth"]
)
def test_first_hit_ends_the_walk(found_by: str, wanted: int) -> None:
    """The walk ends with the row of the first rung that finds something."""
    rows = climb("Zebra, stripes!", found_by=found_by)
    assert len(rows) == wanted
    assert [hits for _, _, hits in rows] == [0] * (wanted - 1) + [1]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (" Kubernetes ", ["refreshed_sanitised", "refreshed_strongest", "trigram_fuzzy"]),
        ("Kubernetes!", ["strongest_term", "refreshed_sanitised", "refreshed_strongest", "trigram_fuzzy"]),
        ("what is it", ["refreshed_sanitised"]),
        ("?!", []),
    ],
)
def test_skipped_rungs(query: str, wanted: list[str]) -> None:
    """Rung 1 is skipped when it says nothing new, and every rung is when it has nothing to say."""
    assert [strategy for strategy, _, _ in climb(query)] == wanted
