"""Reading of case files: tables, fixtures, disputes, defaults, scalars and characters."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from test_broken_corpora import problems_in
from toy_corpus import LOUD, RULINGS, SAID, SHOUT, TEXTS, write_corpus

from harness.corpus.loader import load_corpus
from harness.corpus.strict_yaml import parse_yaml
from harness.model import Answered, Case, Raised

_FREE = TEXTS[SHOUT].replace('"required": ["text"], "properties": {"text": {"type": "string"}}', '"minProperties": 0')


def cases_of(folder: Path, entry: str, head: str = "") -> dict[str, Case]:
    """The cases of `cases/toy/free.yaml`, by what follows the suite's name; its operation takes and answers anything."""
    texts = {**TEXTS, "schemas/toy/toy.free.json": _FREE}
    texts["cases/toy/free.yaml"] = f"suite: toy/free\noperation: toy.free\n{head}cases:\n{entry}"
    corpus = load_corpus(write_corpus(folder, texts))
    return {case.name.removeprefix("toy/free/"): case for case in corpus.cases if case.suite == "toy/free"}


def one_case(folder: Path, members: str, head: str = "") -> Case:
    entry = f"  - id: x\n    requirements: [TOY-01]\n    origin: fuzz\n{members}"
    return cases_of(folder, entry, head)["x"]


def table(folder: Path, columns: str, *rows: str, shared: str = "") -> dict[str, Case]:
    listed = "".join(f"        - {row}\n" for row in rows)
    entry = f"  - id: t\n    requirements: [TOY-01]\n    origin: fuzz\n{shared}    table:\n      columns: {columns}\n"
    return cases_of(folder, f"{entry}      rows:\n{listed}")


def test_a_whole_case(tmp_path: Path) -> None:
    """Every key of a case arrives in the case."""
    members = (
        "    operation: toy.shout\n    revision: '1.1'\n    negative: true\n    tags: [a, b]\n    note: because\n"
        "    evidence: {command: run it}\n    environment: {TZ: Asia/Tokyo}\n"
        "    request: {text: ''}\n    error: {type: empty}\n"
    )
    case = one_case(tmp_path, members, "revision: '1.0.1'\n")
    assert (case.name, case.suite, case.system, case.at) == ("toy/free/x", "toy/free", "toy", "cases/toy/free.yaml:5")
    assert (case.operation, case.revision, case.negative) == ("toy.shout", "1.1", True)
    assert (case.tags, case.note, case.evidence) == (("a", "b"), "because", "run it")
    assert case.environment == (("TZ", "Asia/Tokyo"),)
    assert (case.request, case.expected) == ({"text": ""}, Raised("empty"))


def test_defaults_of_a_case(tmp_path: Path) -> None:
    """A case has its file's operation and revision, and the revision 1.0 where neither names one."""
    members = "    request: {}\n    answer: {}\n"
    assert one_case(tmp_path / "a", members).revision == "1.0"
    assert one_case(tmp_path / "b", members, "revision: '2'\n").revision == "2"
    assert one_case(tmp_path / "c", members).operation == "toy.free"


def test_scalars_are_those_of_yaml_1_2(tmp_path: Path) -> None:
    """Truth values, dates, times and octals of YAML 1.1 are texts; only true, false and null are not."""
    case = one_case(
        tmp_path,
        "    request: {a: NO, b: on, c: 2026-04-18, d: 12:30, e: 1_000, f: =, g: ~, h: null, i: true, j: 1, k: 1.0,\n"
        "      l: 1e2, m: -0.0, n: 0o17, o: 0xff, p: '1', q: '', r: .5, s: +1, t: nan, u: , v: 1.2.3, w: y}\n"
        "    answer: {}\n",
    )
    texts = {"a": "NO", "b": "on", "c": "2026-04-18", "d": "12:30", "e": "1_000", "f": "=", "p": "1", "q": ""}
    texts |= {"t": "nan", "v": "1.2.3", "w": "y"}
    numbers = {"j": 1, "k": 1.0, "l": 100.0, "m": -0.0, "n": 15, "o": 255, "r": 0.5, "s": 1}
    assert case.request == {**texts, **numbers, "g": None, "h": None, "i": True, "u": None}
    assert isinstance(case.request["j"], int) and isinstance(case.request["k"], float)
    assert isinstance(case.request["s"], int) and case.request["i"] is True


def test_characters_arrive_as_they_are(tmp_path: Path) -> None:
    """Non-ASCII text, characters beyond U+FFFF, escapes and odd member names reach the request unchanged."""
    case = one_case(
        tmp_path,
        '    request: {"a.b": "é 漢字 😀 \\U0001F600 \\u2028 \\ufeff \\0", "": x, "$ref": y, " é ": {c.d: [ß]}}\n'
        "    answer: {}\n",
    )
    assert case.request == {"a.b": "é 漢字 😀 😀 \u2028 \ufeff \0", "": "x", "$ref": "y", " é ": {"c.d": ["ß"]}}
    assert case.recorded_request == case.request


def test_aliases_stand_for_their_value(tmp_path: Path) -> None:
    """An anchor that was defined can be used again."""
    case = one_case(tmp_path, "    request: {a: &list [1, 2], b: *list}\n    answer: {c: *list}\n")
    assert case.request == {"a": [1, 2], "b": [1, 2]}
    assert case.expected == Answered({"c": [1, 2]})


def test_rows_share_nothing_that_they_change(tmp_path: Path) -> None:
    """Cells are set into a deep copy of the shared keys, so that a row never changes another row."""
    cases = table(
        tmp_path,
        "[id, request.a.b, answer.n]",
        "[one, 1, 1]",
        "[two, 2, 2]",
        shared="    request: {a: {c: 0}, d: 0}\n",
    )
    assert list(cases) == ["t.one", "t.two"]
    assert cases["t.one"].request == {"a": {"c": 0, "b": 1}, "d": 0}
    assert cases["t.two"].request == {"a": {"c": 0, "b": 2}, "d": 0}
    assert cases["t.two"].expected == Answered({"n": 2})
    assert cases["t.two"].at == "cases/toy/free.yaml:12"


def test_a_cell_is_set_as_it_is(tmp_path: Path) -> None:
    """A null cell sets null, an empty mapping an empty mapping, a list a list; no cell means absent."""
    cases = table(
        tmp_path, "[id, request.a, answer]", "[one, null, {}]", "[two, [], {a: null}]", "[three, ~, {x: [1]}]"
    )
    assert [case.request for case in cases.values()] == [{"a": None}, {"a": []}, {"a": None}]
    assert cases["t.one"].expected == Answered({})
    assert cases["t.two"].expected == Answered({"a": None})


def test_a_column_can_set_any_key_of_a_case(tmp_path: Path) -> None:
    """Requirements, tags and the readings of a dispute can differ from row to row."""
    cases = table(
        tmp_path,
        "[id, requirements, tags, request.text, disputed.readings.a.answer.n, disputed.readings.b.answer.n]",
        "[one, [TOY-01], [x], p, 1, 2]",
        "[two, [TOY-01, TOY-02], [], q, 3, 4]",
        shared="    disputed: {ruling: RUL-01, adopted: a}\n",
    )
    two = cases["t.two"]
    assert (two.requirements, cases["t.one"].tags, two.tags) == (("TOY-01", "TOY-02"), ("x",), ())
    assert (two.ruling, two.adopted, two.expected) == ("RUL-01", "a", Answered({"n": 3}))
    assert two.readings == {"b": Answered({"n": 4})}


def test_a_member_name_with_a_dot_needs_a_whole_cell(tmp_path: Path) -> None:
    """A dot in a column is always a step; a member whose name has a dot is given inside a cell."""
    cases = table(tmp_path, "[id, request.a.b, answer]", "[steps, 1, {}]")
    assert cases["t.steps"].request == {"a": {"b": 1}}
    cases = table(tmp_path, "[id, request, answer]", "[whole, {a.b: 1}, {}]")
    assert cases["t.whole"].request == {"a.b": 1}


def test_a_fixture_is_sent_whole_and_recorded_by_digest(tmp_path: Path) -> None:
    """The request that is sent holds the fixture, the recorded one its name and digest."""
    corpus = load_corpus(write_corpus(tmp_path))
    case = next(case for case in corpus.cases if case.name == "toy/said/counted")
    assert case.request == {"text": "a", "words": ["one", "two"]}
    [fixture] = case.fixtures
    assert case.recorded_request == {"text": "a", "words": {"$fixture": "words", "digest": fixture.digest}}
    assert (fixture.name, fixture.value) == ("words", ["one", "two"])


def test_a_request_that_is_a_fixture_is_refused_at_its_case(tmp_path: Path) -> None:
    """A schema problem of a fixture value has the line of the case, not a line of the fixture file."""
    text = TEXTS[SAID].replace("{text: a, words: {$fixture: words}}", "{$fixture: whole}")
    fixture = "# a line\n" * 100 + "text: 5\n"
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, SAID: text, "cases/toy/fixtures/whole.yaml": fixture}))
    assert [(one.place, one.case) for one in problems] == [(f"{SAID}:22", "toy/said/counted")]


def test_each_wrong_row_is_one_problem(tmp_path: Path) -> None:
    """Two rows that break the schema are two problems with their own lines and names."""
    text = TEXTS[SAID].replace("[second, b, b]", "[second, 5, b]").replace("[third, c, c]", "[third, 6, c]")
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, SAID: text}))
    assert [(one.place, one.case) for one in problems] == [
        (f"{SAID}:37", "toy/said/many.second"),
        (f"{SAID}:38", "toy/said/many.third"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("    requirements: [TOY-01]\n    origin: spec-text\n    table", "    requirements: [TOY-01]\n    table", 30),
        ("    origin: spec-text\n    table", "    origin: spec-text\n    negative: 1\n    table", 33),
        ("    origin: spec-text\n    table", "    origin: spec-text\n    request: {words: 5}\n    table", 33),
    ],
    ids=["missing", "wrong", "against-the-schema"],
)
def test_a_mistake_that_all_rows_share_is_one_problem(old: str, new: str, line: int, tmp_path: Path) -> None:
    """A mistake above the rows is one problem at its own line, with the name of the table."""
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, SAID: TEXTS[SAID].replace(old, new)}))
    assert [(one.place, one.case) for one in problems] == [(f"{SAID}:{line}", "toy/said/many")]


def test_the_reading_that_is_adopted_is_expected(tmp_path: Path) -> None:
    """The adopted reading is the expectation; the other readings are kept by name."""
    corpus = load_corpus(write_corpus(tmp_path))
    case = next(case for case in corpus.cases if case.ruling)
    assert (case.expected, dict(case.readings)) == (Answered({"text": ""}), {"b": Answered({"text": "."})})
    assert corpus.rulings["RUL-01"].at == f"{RULINGS}:8"


def test_a_reading_can_be_an_error(tmp_path: Path) -> None:
    """A reading can be an error; its type must be in the schema."""
    readings = "{a: {error: {type: empty}}, b: {answer: {text: x}}}"
    old = "error: {type: empty}\n"
    new = f"disputed: {{ruling: RUL-01, adopted: a, readings: {readings}}}\n"
    corpus = load_corpus(write_corpus(tmp_path, {**TEXTS, LOUD: TEXTS[LOUD].replace(old, new)}))
    case = next(case for case in corpus.cases if case.name == "toy/shouted/loud/nothing")
    assert (case.expected, dict(case.readings)) == (Raised("empty"), {"b": Answered({"text": "x"})})


def test_the_page_for_case_authors_shows_yaml_that_can_be_read() -> None:
    """Every example in docs/writing-cases.md is valid for the strict YAML reader."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "writing-cases.md").read_text("utf-8")
    page = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)  # code of a reading
    examples = [
        dedent(block) for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", page, re.MULTILINE) if block.strip()
    ]
    assert len(examples) >= 5
    for example in examples:
        assert parse_yaml(example, "docs/writing-cases.md")[1] == [], example
