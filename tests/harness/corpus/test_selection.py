"""Which cases an expression selects."""

from __future__ import annotations

import pytest
from toy_corpus import write_corpus

from harness.corpus.loading import load_corpus
from harness.corpus.selection import select
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
    return load_corpus(write_corpus(tmp_path_factory.mktemp("corpus"))).cases


def _verdicts(record: str) -> list[tuple[str, str, str]]:
    assert record == "run.jsonl"
    return [("toy/said/word", "ts", "fail"), ("toy/said/silence", "go", "fail"), ("toy/said/counted", "ts", "pass")]


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
        (["!revision:1.0", "toy/said/word"], ["toy/said/word"]),
        (["toy/said/word", "toy/shouted/loud/word"], ["toy/said/word", "toy/shouted/loud/word"]),
        (["verdict:fail@run.jsonl"], ["toy/said/word", "toy/said/silence"]),
        (["verdict:fail:ts@run.jsonl"], ["toy/said/word"]),
        (["verdict:*:ts@run.jsonl !*word"], ["toy/said/counted"]),
    ],
    ids=lambda value: " + ".join(value) if isinstance(value, list) and len(value) < 3 else "",
)
def test_what_an_expression_selects(expressions: list[str], wanted: list[str], cases: tuple[Case, ...]) -> None:
    """Terms in one expression must all hold, expressions add up, and the order is the corpus'."""
    assert [case.name for case in select(cases, expressions, _verdicts)] == wanted


@pytest.mark.parametrize("expression", ["toy/said/wor", "toy/said/many.", "TOY/said", "tag:x", "word"])
def test_a_selection_of_nothing_is_an_error(expression: str, cases: tuple[Case, ...]) -> None:
    """An expression that matches no case is refused, since nothing could fail."""
    with pytest.raises(EmptySelection, match="matches no case"):
        select(cases, [expression], _verdicts)


def test_an_empty_corpus_is_an_empty_selection() -> None:
    """A corpus without a case is refused as well."""
    with pytest.raises(EmptySelection, match="The corpus matches no case"):
        select([], [], _verdicts)


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ("", "empty expression"),
        ("!", "no term behind"),
        ("suite:toy", "knows no field suite:"),
        ("verdict:fail", "verdict:V"),
        ("verdict:@run.jsonl", "verdict:V"),
        ("verdict:fail@", "verdict:V"),
    ],
)
def test_an_expression_that_cannot_be_read_is_a_usage_error(
    expression: str, says: str, cases: tuple[Case, ...]
) -> None:
    """The message names the right form."""
    with pytest.raises(UsageError, match=says):
        select(cases, [expression], _verdicts)
