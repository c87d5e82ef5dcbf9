"""Printed tests of an SDK alone: from the shipped templates, and from the folder of an adapter of one's own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from commands import Parity

from harness.scaffolding.literals import JAVASCRIPT, NOTATIONS, Call

CASE = "jeffs_brain/query_dsl/worked_examples/parse.leading-not"
HOSTILE = "\"'`\\ ${x} */ // \n\r\t\0\x1b\u2028\u202e\ud83d \U0001f600 \U000e0001 {{ x }} </script>"


def test_the_test_of_a_case_calls_the_sdk(run_parity: Parity) -> None:
    """The call has the request, the assertion the expected answer, the comment the case and its requirements."""
    done = run_parity("repro", CASE, "--adapter", "python")
    assert done.returncode == 0, done.stderr
    assert 'parsed = search.parse("NOT alpha bravo")' in done.stdout
    assert '{"kind": "term", "text": "alpha", "operator": "NOT"}' in done.stdout
    assert f"# {CASE}  (cases/jeffs_brain/query_dsl/worked_examples.yaml:" in done.stdout
    assert "# QDSL-PARSE-06  The AST has the members" in done.stdout
    assert "parity" not in done.stdout
    assert "def test_worked_examples_parse_leading_not():" in done.stdout


def test_a_disputed_case_names_the_ruling(run_parity: Parity) -> None:
    """The asserted answer is that of the adopted reading; several cases are tests of one file with names of their own."""
    case = "jeffs_brain/rerank/tail/order-of-the-answer-wins-over-its-scores"
    done = run_parity("repro", case, case, "--adapter", "ts@0.2.0")
    assert (
        "// RUL-B107  A reranker response whose scores contradict its order. The expected answer is that of"
        in done.stdout
    )
    assert 'test("tail order of the answer wins over its scores", async' in done.stdout
    assert 'test("tail order of the answer wins over its scores 2", async' in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["jeffs_brain/query_dsl/parse.leading-no", "--adapter", "go"], "Did you mean"),
        ([CASE], "Name its adapter: --adapter NAME."),
        ([CASE, "--adapter", "./adapter"], "expected a shipped adapter or a folder with adapter.toml"),
        ([CASE, "--adapter", "reference"], "prints no test of query.parse: "),
        (["jeffs_brain/temporal/date_tokens/year-has-four-digits.year-50", "--adapter", "go"], "does not offer"),
        (["jeffs_brain/fusion/list_order/three-lists-qrp", "--adapter", "go"], "is out of reach of go, which does not"),
    ],
)
def test_a_case_without_a_test(run_parity: Parity, arguments: list[str], message: str) -> None:
    """The message says why, and what to do."""
    done = run_parity("repro", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The folder of an adapter with a template of `echo.say`."""
    folder = tmp_path / "mine"
    (folder / "repro").mkdir(parents=True)
    (folder / "adapter.toml").write_text(
        'name = "mine"\nlanguage = "Python"\nimplementation = "mine 1"\nrun.command = ["mine"]\n', "utf-8"
    )
    (folder / "operations.toml").write_text('"echo.*" = { direct = "`say`" }\n', "utf-8")
    (folder / "repro" / "echo.say.jinja").write_text(
        "{% set calls %}said = say({{ request.text }}){% endset %}\n{{ calls }}\nassert said == {{ expected }}\n",
        "utf-8",
    )
    (folder / "repro" / "file.jinja").write_text(
        "{% for test in tests %}def test_{{ test.snake }}():\n    {{ test.body|indent }}\n{% endfor %}", "utf-8"
    )
    return folder


def test_an_adapter_of_ones_own(run_parity: Parity, echo_corpus: Path, mine: Path) -> None:
    """A folder with the same files prints tests too; what is missing or wrong in it is told with the file."""
    repro = ["repro", "echo/said/word", "--corpus", echo_corpus, "--adapter", mine]
    done = run_parity(*repro)
    assert done.stdout == 'def test_said_word():\n    said = say("hello")\n    assert said == {"text": "hello"}\n', (
        done.stderr
    )
    template = mine / "repro" / "echo.say.jinja"
    template.write_text("{{ request.txet }}", "utf-8")
    assert f"{template}: a value that the request lacks is printed" in run_parity(*repro).stderr
    template.write_text("{% if %}", "utf-8")
    assert f"{template}: Expected an expression" in run_parity(*repro).stderr
    template.unlink()
    assert f"{template} does not exist. Add it; docs/protocol.md" in run_parity(*repro).stderr


def test_a_text_stays_a_text() -> None:
    """Whatever a text holds, its literal is one line of printable characters, and is that text again."""
    written = {language: notation.literal(HOSTILE) for language, notation in NOTATIONS.items()}
    assert all(text.isprintable() for text in written.values())
    assert ast.literal_eval(written["Python"]) == HOSTILE
    assert r"\u2028\u202e\ufffd 😀 \U000e0001" in written["Go"]
    assert r"\u2028\u202e\ud83d 😀 \udb40\udc01" in written["TypeScript"]
    assert r"\n\r\t\u0000\u001b" in written["Go"]


def test_a_wide_value_has_a_line_for_each_item() -> None:
    """Lists and objects break where they are wide; a call stands where a value could."""
    value = {"scores": [Call("near", (0.5, 1e-9)), 1, True, None], "text": "x" * 80}
    assert JAVASCRIPT.literal(value).splitlines() == [
        "{",
        '  "scores": [near(0.5, 1e-09), 1, true, null],',
        f'  "text": "{"x" * 80}",',
        "}",
    ]
    assert NOTATIONS["Go"].literal([{"a": [None]}]) == 'list{object{"a": list{nil}}}'
