"""Which cases an expression selects."""

from __future__ import annotations

import pytest
from toy_corpus import write_corpus

from harness.corpus.loader import load_corpus
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
    return [
        ("toy/said/word", "ts", "fail"),
        ("toy/said/silence", "go", "fail"),
        ("toy/said/counted", "ts", "pass"),
        ("toy/gone", "ts", "variant"),
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


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ("toy/siad", "toy has no siad. Did you mean toy/said?"),
        ("toy/siad/*", "toy has no siad. Did you mean toy/said/*?"),
        ("TOY/said", "the corpus has no TOY. Did you mean toy/said?"),
        ("toy/siad/word", "toy has no siad. Did you mean toy/said/word?"),
        ("toy/said/count", "toy/said has no count. Did you mean toy/said/counted?"),
        ("toy/said/many.frist", "toy/said has no many.frist. Did you mean toy/said/many.first?"),
        ("cases/toy/siad.yaml", "toy has no siad. Did you mean toy/said?"),
        ("said/word", "names begin with their system. Did you mean toy/said/word?"),
        ("word", "names begin with their system. Did you mean toy/said/word?"),
        ("*cuonted", "Did you mean toy/said/counted?"),
        ("toy/*/wrod", "no name is like that. Did you mean toy/s"),
        ("toy/xyzzy", "toy has no xyzzy. `parity cases` lists the names."),
        ("operation:toy.sya", "there is no operation toy.sya. Did you mean operation:toy.say?"),
        ("operation:toy.whistle", "there is the operation toy.whistle, but no case asks it."),
        ("requirement:TOY-2", "there is no requirement TOY-2. Did you mean requirement:TOY-02?"),
        ("requirement:TOY-09", "there is the requirement TOY-09, but no case cites it."),
        ("ruling:RUL-T0", "there is no ruling RUL-T0. Did you mean ruling:RUL-T01?"),
        ("tag:x", "there is no tag x. No case has one."),
        ("revision:7", "there is no revision 7. There is 1.0."),
        ("toy/said operation:toy.shout", "each of its terms holds for some case, but no case has them all."),
        ("!toy", "!toy leaves none."),
        ("toy/siad revision:7", "toy has no siad. Did you mean toy/said? And there is no revision 7."),
        ("verdict:fail:js@run.jsonl", "run.jsonl has no verdicts of js; it has those of go, ts."),
        ("verdict:error@run.jsonl", "nothing in run.jsonl has it."),
        ("verdict:variant@run.jsonl", "the cases that have it in run.jsonl are not in the corpus."),
    ],
)
def test_what_is_wrong_with_a_selection_of_nothing(expression: str, says: str, cases: tuple[Case, ...]) -> None:
    """The sentence names what is not known, and the nearest name that is."""
    known = {
        "requirement": ["TOY-01", "TOY-02", "TOY-09"],
        "operation": ["toy.say", "toy.shout", "toy.whistle"],
        "ruling": ["RUL-T01"],
    }
    with pytest.raises(EmptySelection) as raised:
        select(cases, [expression], _verdicts, known)
    assert f"matches no case, so nothing was asked: {says}" in str(raised.value) or (
        expression.startswith("*") and says in str(raised.value)
    )


def test_a_slip_beside_an_expression_that_selects(cases: tuple[Case, ...]) -> None:
    """Each expression has to select something, so that a name written wrong is not just left out; only that is told."""
    with pytest.raises(EmptySelection) as raised:
        select(cases, ["toy/said/word", "toy/siad", "verdict:error@run.jsonl"], _verdicts)
    assert "toy has no siad" in str(raised.value)
    assert "toy/said/word" not in str(raised.value)


def test_an_empty_corpus_is_an_empty_selection() -> None:
    """A corpus without a case is refused as well."""
    with pytest.raises(EmptySelection, match="The corpus has no case"):
        select([], [], _verdicts)


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ("", "empty expression"),
        ("!", "no term behind"),
        ("suite:toy", "knows no field suite:"),
        ("requirment:TOY-02", "knows no field requirment:. Did you mean requirement:TOY-02?"),
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
