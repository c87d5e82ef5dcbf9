"""Selection of cases by expressions."""

from __future__ import annotations

import pytest
from toy_corpus import write_corpus

from harness.corpus.loader import load_corpus
from harness.corpus.selection import select, split_expressions
from harness.errors import EmptySelection, UsageError
from harness.model import Case

ALL = [
    "toy/said/word",
    "toy/said/silence",
    "toy/said/counted",
    "toy/said/many.first",
    "toy/said/many.second",
    "toy/said/many.third",
    "toy/shouted/loud/word",
    "toy/shouted/loud/nothing",
]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Case, ...]:
    return tuple(load_corpus(write_corpus(tmp_path_factory.mktemp("corpus"))).cases)


def _verdicts(record: str) -> list[tuple[str, str, str]]:
    assert record == "run.jsonl"  # also where the implementation's name has an @
    return [
        ("toy/said/word", "ts", "fail"),
        ("toy/said/silence", "go", "fail"),
        ("toy/said/counted", "ts", "pass"),
        ("toy/gone", "ts", "variant"),
        ("toy/said/many.first", "ts@0.2.0", "unsupported"),
    ]


@pytest.mark.parametrize(
    ("expressions", "wanted"),
    [
        ([], ALL),
        (["toy/said/word"], ["toy/said/word"]),
        (["toy/said/many"], ["toy/said/many.first", "toy/said/many.second", "toy/said/many.third"]),
        (["toy/shouted"], ["toy/shouted/loud/word", "toy/shouted/loud/nothing"]),
        (["toy/shouted/"], ["toy/shouted/loud/word", "toy/shouted/loud/nothing"]),
        (["*word"], ["toy/said/word", "toy/shouted/loud/word"]),
        (["toy/*/word"], ["toy/said/word", "toy/shouted/loud/word"]),
        (["toy/said/many.*d"], ["toy/said/many.second", "toy/said/many.third"]),
        (["requirement:TOY-02"], ["toy/shouted/loud/word", "toy/shouted/loud/nothing"]),
        (["operation:toy.sh*"], ["toy/shouted/loud/word", "toy/shouted/loud/nothing"]),
        (["origin:oracle:*"], ["toy/said/counted"]),
        (["ruling:RUL-*"], ["toy/said/silence", "toy/said/many.first"]),
        (["toy/said !*many* !ruling:*"], ["toy/said/word", "toy/said/counted"]),
        (["verdict:error@run.jsonl", "toy/said/word"], ["toy/said/word"]),
        (["toy/said/word", "toy/shouted/loud/word"], ["toy/said/word", "toy/shouted/loud/word"]),
        (["verdict:fail@run.jsonl"], ["toy/said/word", "toy/said/silence"]),
        (["verdict:fail:ts@run.jsonl"], ["toy/said/word"]),
        (["verdict:unsupported:ts@0.2.0@run.jsonl"], ["toy/said/many.first"]),
        (["verdict:*:ts@run.jsonl !*word"], ["toy/said/counted"]),
    ],
    ids=lambda value: " + ".join(value) if isinstance(value, list) and len(value) < 3 else "",
)
def test_an_expression_selects_cases(expressions: list[str], wanted: list[str], cases: tuple[Case, ...]) -> None:
    """All terms of an expression must match, a case needs one expression, and the order is the order of the corpus."""
    assert [case.name for case in select(cases, expressions, _verdicts)] == wanted


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("toy/said/word", ["toy/said/word"]),
        ("toy/said,toy/shouted", ["toy/said", "toy/shouted"]),
        ("toy/said !*word, toy/shouted", ["toy/said !*word", "toy/shouted"]),
        ("requirement:TOY-0[1,2],tag:x,", ["requirement:TOY-0[1,2]", "tag:x"]),
        ("verdict:fail:ts@a,b.jsonl", ["verdict:fail:ts@a,b.jsonl"]),
        ("verdict:fail:ts@a.jsonl,verdict:error:ts@a.jsonl", ["verdict:fail:ts@a.jsonl", "verdict:error:ts@a.jsonl"]),
        ("verdict:fail@a.jsonl, toy/said", ["verdict:fail@a.jsonl", "toy/said"]),
        (",", [","]),
        ("", [""]),
    ],
)
def test_commas_separate_expressions(expression: str, parts: list[str]) -> None:
    """A comma separates, except inside brackets and in the path of a record."""
    assert split_expressions([expression]) == parts


@pytest.mark.parametrize("expression", ["toy/said/wor", "toy/said/many.", "TOY/said", "tag:x", "word"])
def test_a_selection_of_nothing_is_an_error(expression: str, cases: tuple[Case, ...]) -> None:
    """An expression without a match is an error."""
    with pytest.raises(EmptySelection, match="matches no case"):
        select(cases, [expression], _verdicts)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("toy/siad", "toy has no siad. Did you mean toy/said?"),
        ("toy/siad/*", "toy has no siad. Did you mean toy/said/*?"),
        ("TOY/said", "the corpus has no TOY. Did you mean toy/said?"),
        ("toy/siad/word", "toy has no siad. Did you mean toy/said/word?"),
        ("toy/said/count", "toy/said has no count. Did you mean toy/said/counted?"),
        ("toy/said/many.frist", "toy/said has no many.frist. Did you mean toy/said/many.first?"),
        ("cases/toy/siad.yaml", "toy has no siad. Did you mean toy/said?"),
        ("said/word", "a name starts with its system. Did you mean toy/said/word?"),
        ("word", "a name starts with its system. Did you mean toy/said/word?"),
        ("*cuonted", "Did you mean toy/said/counted?"),
        ("toy/*/wrod", "no name matches it. Did you mean toy/s"),
        ("toy/xyzzy", "toy has no xyzzy. `parity cases` lists the names."),
        ("operation:toy.sya", "the operation toy.sya does not exist. Did you mean operation:toy.say?"),
        ("operation:toy.whistle", "the operation toy.whistle exists, but no case calls it."),
        ("requirement:TOY-2", "the requirement TOY-2 does not exist. Did you mean requirement:TOY-02?"),
        ("requirement:TOY-09", "the requirement TOY-09 exists, but no case cites it."),
        ("ruling:RUL-T0", "the ruling RUL-T0 does not exist. Did you mean ruling:RUL-T01?"),
        ("tag:x", "the tag x does not exist. No case has a tag."),
        ("revision:7", "the revision 7 does not exist. Use one of: 1.0."),
        ("toy/said operation:toy.shout", "each term matches some case, but no case matches all terms."),
        ("!toy", "!toy excludes every case."),
        ("toy/siad revision:7", "toy has no siad. Did you mean toy/said? Also: the revision 7 does not exist."),
        ("verdict:fail:js@run.jsonl", "run.jsonl has no results of js. Its implementations: go, ts, ts@0.2.0."),
        ("verdict:error@run.jsonl", "no result in run.jsonl has this verdict."),
        ("verdict:variant@run.jsonl", "the cases with this verdict in run.jsonl are not in the corpus."),
    ],
)
def test_the_reason_of_an_empty_selection(expression: str, reason: str, cases: tuple[Case, ...]) -> None:
    """The message names the unknown part and the nearest known name."""
    known = {
        "requirement": ["TOY-01", "TOY-02", "TOY-09"],
        "operation": ["toy.say", "toy.shout", "toy.whistle"],
        "ruling": ["RUL-T01"],
    }
    with pytest.raises(EmptySelection) as raised:
        select(cases, [expression], _verdicts, known)
    assert reason in str(raised.value)
    assert expression.startswith("*") or f"matches no case: {reason}" in str(raised.value)


def test_a_slip_beside_an_expression_that_selects(cases: tuple[Case, ...]) -> None:
    """Each expression has to match a case; the message names only the expression without a match."""
    with pytest.raises(EmptySelection) as raised:
        select(cases, ["toy/said/word", "toy/siad", "verdict:error@run.jsonl"], _verdicts)
    assert "toy has no siad" in str(raised.value)
    assert "toy/said/word" not in str(raised.value)


def test_only_a_term_with_verdict_may_match_no_case(cases: tuple[Case, ...]) -> None:
    """A tag whose name contains `verdict:` is a tag, so an expression that matches no case is refused."""
    with pytest.raises(EmptySelection, match="tag:verdict:old"):
        select(cases, ["toy/said/word", "tag:verdict:old"], _verdicts)


def test_an_empty_corpus_is_an_empty_selection() -> None:
    """A corpus without a case is an error."""
    with pytest.raises(EmptySelection, match="The corpus has no case"):
        select([], [], _verdicts)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("", "the expression is empty"),
        ("!", "no term after"),
        ("suite:toy", "suite: is not a field"),
        ("requirment:TOY-02", "requirment: is not a field. Did you mean requirement:TOY-02?"),
        ("verdict:fail", "verdict:V"),
        ("verdict:@run.jsonl", "verdict:V"),
        ("verdict:fail@", "verdict:V"),
    ],
)
def test_an_invalid_expression_is_a_usage_error(expression: str, reason: str, cases: tuple[Case, ...]) -> None:
    """The message shows the correct form."""
    with pytest.raises(UsageError, match=reason):
        select(cases, [expression], _verdicts)
