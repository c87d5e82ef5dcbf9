"""Sanitised queries and the strongest term: what holds of all texts."""

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.decisions import decided
from reference_impl.javascript import strings
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions, sanitise_query, strongest_term


@given(st.text())
def test_sanitised_text_stays(query: str) -> None:
    """Sanitising twice is sanitising once."""
    assert sanitise_query(sanitise_query(query)) == sanitise_query(query)


@given(st.text(alphabet="abc ,!é😀"))
def test_strongest_term_is_a_token(query: str) -> None:
    """The strongest term is one of the query tokens, none of which is longer."""
    tokens, strongest = decided(RetryLadderDecisions).query_tokens(query), strongest_term(query)
    assert strongest == max(tokens, key=strings.length, default=None)
