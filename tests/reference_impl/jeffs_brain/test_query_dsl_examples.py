"""The query DSL document's worked examples, and the sentences that decide what they leave open."""

import pytest

from reference_impl.jeffs_brain import stopwords
from reference_impl.jeffs_brain.aliases import expand_aliases
from reference_impl.jeffs_brain.ast import Ast, Kind, Token
from reference_impl.jeffs_brain.fts5 import compile_to_fts
from reference_impl.jeffs_brain.normalise import normalise
from reference_impl.jeffs_brain.parser import STRIP_SET, parse_query
from reference_impl.wire.jeffs_brain.query_dsl import ast_from_json

WORKED_EXAMPLES = [
    (
        "The Kubernetes Deployment",
        {
            "raw": "The Kubernetes Deployment",
            "tokens": [{"kind": "term", "text": "kubernetes"}, {"kind": "term", "text": "deployment"}],
            "hasOperators": False,
        },
        "kubernetes OR deployment",
    ),
    (
        '"hello world" kube*',
        {
            "raw": '"hello world" kube*',
            "tokens": [{"kind": "phrase", "text": "hello world"}, {"kind": "prefix", "text": "kube"}],
            "hasOperators": True,
        },
        '"hello world" OR kube*',
    ),
    (
        "foo AND bar NOT baz",
        {
            "raw": "foo AND bar NOT baz",
            "tokens": [
                {"kind": "term", "text": "foo"},
                {"kind": "term", "text": "bar", "operator": "AND"},
                {"kind": "term", "text": "baz", "operator": "NOT"},
            ],
            "hasOperators": True,
        },
        "foo AND bar AND NOT baz",
    ),
    (
        "NOT alpha bravo",
        {
            "raw": "NOT alpha bravo",
            "tokens": [{"kind": "term", "text": "alpha", "operator": "NOT"}, {"kind": "term", "text": "bravo"}],
            "hasOperators": True,
        },
        "alpha OR bravo",
    ),
    ("to do list", {"raw": "to do list", "tokens": [], "hasOperators": False}, ""),
]

# Query -> its MATCH string, where a sentence of the document decides.
DECIDED = {
    "foo AND OR bar": "foo OR bar",
    "foo AND *** bar": "foo AND bar",
    'foo AND "" bar': 'foo AND "" OR bar',
    '"': '""',
    'foo " "': 'foo OR " "',
    'NOT"foo" bar': 'not OR "foo" OR bar',
    '"foo"AND bar': '"foo" OR and OR bar',
    "AND foo": "foo",
    "foo AND": "foo",
    "foo and NOT bar": "foo OR and AND NOT bar",
    "go* the* foo": "foo",
    "foo** fo*o* foo*. fo*o": "foo* OR foo* OR foo OR foo",
    '"AND the"': '"and the"',
    '" hello "': '" hello "',
    '"foo bar': '"foo bar"',
    "well-known don't": "wellknown OR dont",
    "hello\u0085world": "hello OR world",
    "hello\u001cworld": "hello\u001cworld",
    "ΟΔΟΣ İstanbul": "οδος OR i\u0307stanbul",
    "né 猫犬 😀a 猫犬馬": "😀a OR 猫犬馬",
    "2026/04/04 2026-04-04": "20260404 OR 20260404",
}


@pytest.mark.parametrize(("query", "ast", "match"), WORKED_EXAMPLES)
def test_worked_example(query: str, ast: dict[str, object], match: str) -> None:
    """A worked example of the document gives its AST and its MATCH string, letter by letter."""
    parsed = parse_query(query)
    assert parsed.to_json() == ast
    assert ast_from_json(parsed.to_json()) == parsed
    assert compile_to_fts(parsed) == match


@pytest.mark.parametrize("query", DECIDED)
def test_decided(query: str) -> None:
    """A sentence of the document decides this query."""
    assert compile_to_fts(parse_query(query)) == DECIDED[query]


@pytest.mark.parametrize("query", ['"', '""', "foo AND", "*** AND"])
def test_a_quote_or_an_operator_is_remembered(query: str) -> None:
    """A quote or an operator marks the query even where it leaves no token."""
    assert parse_query(query).has_operators


@pytest.mark.parametrize("query", ["and or not", "And OR. Not*", "", "\ufeff \u200b", "***", "foo ANDbar"])
def test_a_bare_query_stays_bare(query: str) -> None:
    """Without a quote and an operator between white space a query is a bare-word query."""
    assert not parse_query(query).has_operators


def test_normalisation_keeps_the_order_of_its_steps() -> None:
    """NFC comes before stripping, so an accent that a zero-width space kept apart stays apart."""
    assert normalise("\ufeff  e\u0301\u00a0\t e\u200b\u0301 \u2060 ") == "\u00e9 e\u0301 \u2060"


def test_the_strip_set() -> None:
    """The 31 characters of the document vanish from a word; an underscore stays."""
    assert len(set(STRIP_SET)) == 31
    word = "".join(f"{character}ab" for character in STRIP_SET if character != '"')
    assert parse_query(f"{word}_").tokens == (Token(Kind.TERM, "ab" * 30 + "_"),)


def test_stop_word_lists() -> None:
    """The lists have the sizes of the published ones, and no word is in both languages."""
    assert (len(stopwords.ENGLISH), len(stopwords.DUTCH), len(stopwords.RETRY)) == (183, 84, 94)
    assert len(stopwords.COMBINED) == 267
    assert stopwords.words("nl") == sorted(stopwords.DUTCH)


@pytest.mark.parametrize(
    ("alternatives", "match"),
    [
        (["Kubernetes"], "a AND kubernetes AND NOT b"),
        (["node.js", "NODE JS", "js"], 'a AND "node js" OR js AND NOT b'),
        (["c++", "c"], "a AND c AND NOT b"),
        (["!!!", ""], "a AND k8s AND NOT b"),
        ([], "a AND k8s AND NOT b"),
        (["½", "Ⅷ"], "a AND k8s AND NOT b"),
        (["नमस्ते"], 'a AND "नमस त" AND NOT b'),
    ],
)
def test_alternatives(alternatives: list[str], match: str) -> None:
    """Alternatives are split on all but letters and digits, each emitted once, the first with the operator."""
    expanded = expand_aliases(parse_query("a AND k8s NOT b"), {"k8s": alternatives})
    assert compile_to_fts(expanded) == match


def test_only_terms_expand() -> None:
    """Phrases and prefixes are literal; a term is found by its exact text, else by its lower-cased text."""
    table = {"foo": ["bar"], "Up": ["down"], "up": ["away"]}
    ast = parse_query('"foo" foo* foo')
    assert compile_to_fts(expand_aliases(ast, table)) == '"foo" OR foo* OR bar'
    terms = tuple(Token(Kind.TERM, text) for text in ("FOO", "Up", "UP"))
    assert compile_to_fts(expand_aliases(Ast("", terms, False), table)) == "bar OR down OR away"


def test_deduplication_stays_within_a_term() -> None:
    """The same term twice is expanded twice."""
    expanded = expand_aliases(parse_query("dup dup"), {"dup": ["alpha", "ALPHA", "alpha beta"]})
    assert compile_to_fts(expanded) == 'alpha OR "alpha beta" OR alpha OR "alpha beta"'
