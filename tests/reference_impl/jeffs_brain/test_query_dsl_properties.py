"""What holds of the query DSL for every text, lone surrogates included."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from reference_impl.jeffs_brain import stopwords
from reference_impl.jeffs_brain.aliases import expand_aliases
from reference_impl.jeffs_brain.anchors import parse_question_date
from reference_impl.jeffs_brain.ast import Kind
from reference_impl.jeffs_brain.date_formats import date_search_tokens
from reference_impl.jeffs_brain.fts5 import compile_to_fts
from reference_impl.jeffs_brain.normalise import WHITE_SPACE, ZERO_WIDTH, normalise
from reference_impl.jeffs_brain.parser import STRIP_SET, parse_query
from reference_impl.jeffs_brain.temporal import augment_query_with_temporal, expand_temporal
from reference_impl.observer import Step, observing
from reference_impl.wire.jeffs_brain.query_dsl import ast_from_json

PIECES = ["AND", "OR", "NOT", "not", '"', "*", " ", "\u0085", "\u200b", "the", "go", "kube", "İ", "Σ", "\ud800", "😀"]
PHRASES = ["2 weeks ago", " last friday", " first", " ", "9", "9" * 400 + " days ago", " 1 month ago", "latest"]

texts = st.text(st.characters()) | st.text()
queries = texts | st.lists(st.sampled_from(PIECES) | texts).map("".join)
questions = queries | st.lists(st.sampled_from(PHRASES)).map("".join)
anchors = st.dates().map(str) | st.from_regex(r"[+-]?\d{4,6}(-\d\d){0,2}(T\d\d:\d\d)?Z?", fullmatch=True) | texts
tables = st.dictionaries(st.sampled_from(["kube", "not", "i\u0307"]) | texts, st.lists(queries, max_size=4))


@given(queries)
def test_normalised_text(query: str) -> None:
    """Normalised text holds one kind of white space, never doubled, never at an end, and no zero-width character."""
    text = normalise(query)
    assert re.search(f"[{WHITE_SPACE}]", text.replace(" ", "")) is None
    assert ZERO_WIDTH.search(text) is None
    assert "  " not in text
    assert text == text.strip(" ")


@given(queries)
def test_tokens(query: str) -> None:
    """No term or prefix is empty, no term or prefix holds a stripped character or white space, and no phrase a quote."""
    ast = parse_query(query)
    assert ast.raw == normalise(query)
    assert ast.has_operators or not any(token.operator or token.kind is Kind.PHRASE for token in ast.tokens)
    for token in ast.tokens:
        assert token.text or token.kind is Kind.PHRASE
        assert not set(token.text).intersection('"' if token.kind is Kind.PHRASE else f"{STRIP_SET} ")
        assert ast.has_operators or token.text not in stopwords.COMBINED
    assert ast_from_json(ast.to_json()) == ast


@given(queries, tables)
def test_expansion(query: str, table: dict[str, list[str]]) -> None:
    """Expansion keeps raw text, phrases, prefixes and the number of operators, and never loses a token."""
    ast = parse_query(query)
    expanded = expand_aliases(ast, table)
    assert (expanded.raw, expanded.has_operators) == (ast.raw, ast.has_operators)
    assert len(expanded.tokens) >= len(ast.tokens)
    assert [t.operator for t in expanded.tokens if t.operator] == [t.operator for t in ast.tokens if t.operator]
    assert [t for t in expanded.tokens if t.kind is Kind.PREFIX] == [t for t in ast.tokens if t.kind is Kind.PREFIX]
    assert expand_aliases(ast, {}) == ast


@given(queries)
def test_match(query: str) -> None:
    """The MATCH string is empty without tokens and else the joined surfaces with one connective between any two."""
    ast = parse_query(query)
    match = compile_to_fts(ast)
    assert (match == "") == (not ast.tokens)
    surfaces = sum(len(token.text) + {Kind.TERM: 0, Kind.PHRASE: 2, Kind.PREFIX: 1}[token.kind] for token in ast.tokens)
    connectives = [{"AND": " AND ", "NOT": " AND NOT "}.get(str(token.operator), " OR ") for token in ast.tokens[1:]]
    assert len(match) == surfaces + sum(map(len, connectives))


@settings(deadline=None)
@given(questions, st.none() | anchors)
def test_temporal_expansion(question: str, anchor: str | None) -> None:
    """Expansion never raises, only adds, is resolved exactly when it has hints, and its hints are dates."""
    steps: list[Step] = []
    with observing(steps.append):
        expansion = expand_temporal(question, anchor)
    assert expansion.resolved == bool(expansion.date_hints)
    assert all(re.fullmatch(r"\d{4}/\d\d/\d\d", hint) for hint in expansion.date_hints)
    assert len(expansion.expanded_query) >= len(question)
    assert steps[0].step == "anchor"
    augmented = augment_query_with_temporal(question, anchor)
    assert augmented.startswith(question)
    assert (augmented == question) == (not expansion.resolved)


@given(anchors)
def test_date_tokens(value: str) -> None:
    """There are tokens exactly where there is an anchor, each once."""
    tokens = date_search_tokens(value)
    assert bool(tokens) == (parse_question_date(value) is not None)
    assert len(tokens) == len(set(tokens))
