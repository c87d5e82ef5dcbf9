"""Signals of a query: what holds of every text."""

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.augur.signals import compute_signals

PIECES = [
    "the",
    "not",
    "useState",
    "pool_mode",
    "RFC 7519",
    "v1.2",
    "?",
    "how",
    "what is",
    '"',
    "'",
    " ",
    "(",
    "\u6771",
]
texts = st.text() | st.lists(st.sampled_from(PIECES)).map("".join)


def test_call_in_a_long_word_is_found_in_linear_time() -> None:
    """A name of more than 129 characters is no call, however long it is."""
    assert not compute_signals("a" * 100_000 + "(").has_code_like


@given(texts)
def test_any_text(query: str) -> None:
    """Every text has signals; ambiguity lies within 0 and 1, and only questions have a type."""
    found = compute_signals(query)
    assert 0 <= found.ambiguity <= 1
    assert found.is_question or found.question_type is None
    assert (found.word_count == 0) == (found.avg_word_len == 0)


@given(texts, st.sampled_from([" ", "\t", "\n", "\u3000", "\ufeff"]))
def test_white_space_around_a_query(query: str, space: str) -> None:
    """White space around a query changes none of its signals."""
    assert compute_signals(space + query + space) == compute_signals(query)
