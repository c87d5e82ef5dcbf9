"""The style check counts words, not parts of words, and reads code and prose each in its own way."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_style.py"


@pytest.fixture(scope="module")
def check_style() -> Any:
    """The tool as a module."""
    spec = importlib.util.spec_from_file_location("check_style", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_style"] = module
    spec.loader.exec_module(module)
    return module


def checkout(folder: Path, code: str = "", page: str = "") -> Path:
    """A checkout with one module and one page."""
    (folder / "harness").mkdir()
    (folder / "docs").mkdir()
    (folder / "harness" / "module.py").write_text(code, "utf-8")
    (folder / "docs" / "page.md").write_text(page, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("asked = _told_of(hearSay)", ["asked", "told", "hear", "Say"]),
        ("class Asking: ...", ["Asking"]),
        ("task = basket + essay + shear + TASKS", []),
        ('"It says so."', ["says"]),
    ],
)
def test_words_of_conversation(check_style: Any, tmp_path: Path, line: str, words: list[str]) -> None:
    """Names are read word by word."""
    style = check_style.measure(checkout(tmp_path, code=f"{line}\n"))
    assert [hit.word for hit in style.conversation] == words


def test_relatives_of_pages_and_messages(check_style: Any, tmp_path: Path) -> None:
    """Prose and messages count with their lines; docstrings, fenced blocks and single words do not."""
    code = '"""One of which."""\n\nx = "none"\ny = f"{x} holds what is there"\n'
    page = "The cases, of\nwhich one fails.\n```\nthose that\n```\nThose that pass.\n"
    style = check_style.measure(checkout(tmp_path, code, page))
    assert [(hit.path.name, hit.line, hit.word) for hit in style.relatives] == [
        ("page.md", 1, "of which"),
        ("page.md", 6, "Those that"),
        ("module.py", 4, "what is"),
    ]
    assert style.words == 9 + 4


def test_a_rate_above_its_limit_fails(check_style: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit status is 1 above a limit, and the list names the place."""
    root = checkout(tmp_path, code="x = 1\nasked = 2\n")
    assert check_style.main([str(root), "--list"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "harness/module.py:2: asked"


def test_a_plain_checkout_passes(check_style: Any, tmp_path: Path) -> None:
    """The exit status is 0 within both limits."""
    assert check_style.main([str(checkout(tmp_path, code="x = 1\n", page="The harness reads cases.\n"))]) == 0
