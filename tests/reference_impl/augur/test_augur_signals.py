"""Signals of a query: the repository's own examples, and what holds of every text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.augur.signals import QuestionType, compute_signals

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


@pytest.mark.parametrize(
    ("query", "is_code_like"),
    [
        ("useState in React", True),
        ("pg_repack production", True),
        ("rbac.authorization.k8s.io", True),
        ("how should I deploy this", False),
    ],
)
def test_code_like(query: str, is_code_like: bool) -> None:
    """camelCase, snake_case and dotted names are code, prose is not."""
    assert compute_signals(query).has_code_like is is_code_like


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("how do I deploy with zero downtime", QuestionType.PROCEDURAL),
        ("why does my pod restart", QuestionType.PROCEDURAL),
        ("what is the GIL", QuestionType.DEFINITIONAL),
        ("what does FSDP do", QuestionType.DEFINITIONAL),
        ("when was TLS 1.3 standardized", QuestionType.FACTOID),
        ("deploy production rollout pipeline", None),
    ],
)
def test_question_type(query: str, kind: QuestionType | None) -> None:
    """A question's type is read off its first words."""
    assert compute_signals(query).question_type is kind


@pytest.mark.parametrize("query", ["released in 2018", "upgrade to v3.1.2", "TLS 1.3 handshake", "RFC 7519"])
def test_date_or_version(query: str) -> None:
    """Years, versions and RFC numbers are found anywhere in the query."""
    assert compute_signals(query).has_date_or_version


@pytest.mark.parametrize(("query", "is_specific"), [("0xCAFEBABE", True), ("plain English text", False)])
def test_specific_tokens(query: str, is_specific: bool) -> None:
    """A hexadecimal number is specific, words are not."""
    assert compute_signals(query).has_specific_tokens is is_specific


@pytest.mark.parametrize(("query", "negated"), [("HTTP vs HTTPS", True), ("redis cluster setup", False)])
def test_negation(query: str, negated: bool) -> None:
    """A comparison counts as a negation."""
    assert compute_signals(query).has_negation is negated


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
