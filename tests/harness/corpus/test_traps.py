"""`traps.yaml` of a system gives cases the tags of the languages that have a trap there."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.corpus import compiled
from harness.corpus.loader import Corpus, load_corpus, open_corpus
from harness.corpus.selection import select
from harness.corpus.strict_yaml import parse_yaml
from harness.corpus.traps import read_traps, traps_of
from harness.errors import CorpusError


def _case(id_: str, text: str, more: str = "") -> str:
    return f'''
  - id: {id_}
    requirements: [ECHO-01]
    origin: spec-text
    request: {{text: "{text}"}}
    answer: {{text: "{text}"}}
    {more}'''


CASES = (
    "suite: echo/traps/all\noperation: echo.say\ncases:"
    + _case("plain", "abc")
    + _case("accent", r"\u00E9", "tags: [slow]")
    + _case("capital", r"\u00C9a")
    + _case("marks", r"e\u0301")
    + _case("loud", r"\u00E9", "operation: echo.shout").replace(r'answer: {text: "\u00E9', r'answer: {text: "\u00C9')
    + _case("zone", "zone", "environment: {TZ: Asia/Tokyo}")
)
FACT = "{fact: A fact., source: a page}"


def traps(when: str, operations: str = "echo.say", languages: str = f"rust: {FACT}") -> str:
    head = "system: echo\ntraps:\n  - id: one\n    input: A text.\n"
    return f"{head}    operations: [{operations}]\n    when: [{when}]\n    languages: {{{languages}}}\n"


@pytest.fixture
def folder(echo_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus with cases for traps; its compiled form belongs to this test alone."""
    monkeypatch.setattr(compiled, "cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(compiled, "_MIN_BYTES", 0)
    (echo_corpus / "cases/echo/traps").mkdir()
    (echo_corpus / "cases/echo/traps/all.yaml").write_text(CASES, "utf-8")
    return echo_corpus


def with_traps(folder: Path, text: str) -> Corpus:
    (folder / "cases/echo/traps.yaml").write_text(text, "utf-8")
    return load_corpus(folder)


def tagged(corpus: Corpus, tag: str = "trap:rust") -> list[str]:
    """The ids of the cases in the suite for traps that have this tag."""
    return [case.name.split("/")[-1] for case in corpus.cases if tag in corpus.tags(case) and "/traps/" in case.name]


@pytest.mark.parametrize(
    ("when", "operations", "found"),
    [
        ("{text: '[^a-z]'}", "echo.say", ["accent", "capital", "marks"]),
        ("{text: '[^a-z]'}", "echo.*", ["accent", "capital", "marks", "loud"]),
        ("{category: Lu}", "echo.say", ["capital"]),
        ("{not-in-form: NFC}", "echo.say", ["marks"]),
        ("{at: answer, category: Lu}", "echo.*", ["capital", "loud"]),
        ("{at: environment.TZ, text: Tokyo}", "echo.say", ["zone"]),
        ("{at: request.text, text: a}, {category: Lu}", "echo.say", ["capital"]),
        ("{at: request.other, text: a}", "echo.say", []),
        ("{items: 1}", "echo.say", []),
    ],
)
def test_conditions(folder: Path, when: str, operations: str, found: list[str]) -> None:
    """A case gets the tag if its operation matches and all conditions hold."""
    assert tagged(with_traps(folder, traps(when, operations))) == found


def test_tags_of_several_languages(folder: Path) -> None:
    """The tags come behind the case's own, each language once, in alphabetical order."""
    corpus = with_traps(folder, traps("{category: Ll}", languages=f"rust: {FACT}, go: {FACT}"))
    assert {case.name.split("/")[-1]: case.tags for case in corpus.tagged(corpus.cases) if case.tags} == {
        "accent": ("slow", "trap:go", "trap:rust")
    }


def test_selection_and_single_files(folder: Path) -> None:
    """`tag:` selects by a derived tag, and a file that is read alone has the same tags."""
    corpus = with_traps(folder, traps("{category: Lu}"))
    for expression in ("tag:trap:rust", "tag:tr*", "tag:[t]rap:*"):
        assert [case.name for case in select(corpus.cases, [expression], lambda _: (), tags_of=corpus.tags)] == [
            "echo/traps/all/capital"
        ]
    alone = open_corpus(folder)
    cases = alone.read(folder / "cases/echo/traps/all.yaml")
    assert [case.name for case in cases if alone.tags(case) == ("trap:rust",)] == ["echo/traps/all/capital"]


def test_tags_are_derived_where_they_are_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a loading nor a selection by other terms examines a case for traps; a changed table changes the tags."""
    assert tagged(with_traps(folder, traps("{category: Lu}"))) == ["capital"]
    with monkeypatch.context() as patch:
        patch.setattr("harness.corpus.traps._holds", None)
        corpus = load_corpus(folder)
        assert len(select(corpus.cases, ["tag:slow"], lambda _: (), tags_of=corpus.tags)) == 1
    assert tagged(corpus) == ["capital"]
    assert tagged(with_traps(folder, traps("{not-in-form: NFC}"))) == ["marks"]
    (folder / "cases/echo/traps.yaml").unlink()
    assert tagged(load_corpus(folder)) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (traps("{text: '('}"), "is no regular expression"),
        (traps("{text: a}", operations="echo.sing"), "matches no operation"),
        (traps("{text: a, items: 1}"), "is valid under each of"),
        (traps("{text: a}", languages="rust: {fact: A fact.}"), "is not valid under any"),
        (traps("{text: a}") + traps("{text: b}").partition("traps:\n")[2], "the same id"),
        ("system: echo\n", "'traps' is a required property"),
    ],
    ids=["pattern", "operation", "two kinds", "no source", "same id", "no list"],
)
def test_mistakes(folder: Path, text: str, message: str) -> None:
    """A mistake in the file is a problem of the corpus with its place."""
    with pytest.raises(CorpusError, match=message) as raised:
        with_traps(folder, text)
    assert {(one.place, one.code) for one in raised.value.problems} == {("cases/echo/traps.yaml", "bad-traps")}


@pytest.mark.slow
def test_shipped_cases(shipped_corpus: Corpus) -> None:
    """No shipped file has a tag of a trap by hand, and every trap of the shipped table has a case."""
    for path in sorted((shipped_corpus.root / "cases").glob("*/**/*.yaml")):
        assert path.name == "traps.yaml" or "trap:" not in path.read_text("utf-8"), path
    path = shipped_corpus.root / "cases/jeffs_brain/traps.yaml"
    table = read_traps(parse_yaml(path.read_text("utf-8"), path.name)[0], path.name, shipped_corpus.operations, [])
    cases = [case for case in shipped_corpus.cases if case.system == "jeffs_brain"]
    assert {trap.id for case in cases for trap in traps_of(case, table)} == {trap.id for trap in table}
