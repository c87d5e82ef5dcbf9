"""The pages name only verbs, options, selections and cases that exist.

tests/test_docs.py runs the commands that need no SDK. This file checks all commands without running them.
"""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from harness.cli.find_case import find
from harness.cli.main import VERBS
from harness.corpus.loader import Corpus
from harness.corpus.selection import select

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "adapters").glob("*/README.md")),
]

_COMMAND = re.compile(r"`parity ([^`]+)`|^(?: {4,}.*?)?\bparity ((?:%s)\b[^\n→{]*)$" % "|".join(VERBS), re.MULTILINE)  # noqa: UP031
_PLACEHOLDER = re.compile(r"[A-Z]+(?: [A-Z]+)*|.*[…$].*|verdict:.*|[^*]*<.*")


@pytest.fixture(scope="module")
def corpus(shipped_corpus: Corpus) -> Corpus:
    """The shipped corpus."""
    return shipped_corpus


def options(verb: str) -> set[str]:
    """The long options of a verb."""
    parser = argparse.ArgumentParser()
    importlib.import_module(f"harness.cli.{verb.replace('-', '_')}").add_arguments(parser)
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS and action.dest != "help"]
    return {word for action in shown for word in action.option_strings if word.startswith("--")}


def commands(page: Path) -> list[list[str]]:
    """The words after `parity` of each command on the page, in the text and in its blocks."""
    found = ["".join(groups) for groups in _COMMAND.findall(page.read_text("utf-8"))]
    return [shlex.split(" ".join(one.split("&&")[0].split()), comments=True) for one in found]


def test_commands_are_found() -> None:
    """Every verb is on a page, so the tests below check something."""
    verbs = {words[0] for page in PAGES for words in commands(page)}
    assert verbs >= {*VERBS}
    assert ["explain", "jeffs_brain/query_dsl/worked_examples/parse.leading-not"] in commands(
        ROOT / "docs" / "start.md"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_option_of_a_command_is_one(page: Path) -> None:
    """The command line has every verb and option on the pages."""
    for verb, *words in commands(page):
        assert verb in [*VERBS, "VERB"], verb
        given = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert verb == "VERB" or given <= options(verb), [verb, *words]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_selection_and_case_of_a_command_is_there(page: Path, corpus: Corpus) -> None:
    """Every selection on a page matches a case, and every case on a page exists."""
    for verb, *words in commands(page):
        for option, value in pairwise(words):
            if option == "--select" and not _PLACEHOLDER.fullmatch(value):
                assert select(corpus.cases, [value], lambda _: (), tags_of=corpus.tags)
        if verb == "explain" and words and not _PLACEHOLDER.fullmatch(words[0]):
            assert words[0] in {*corpus.rulings, *corpus.requirements} or find(words[0], corpus)


def test_every_option_is_on_a_page() -> None:
    """Every option of the command line is on a page."""
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    documented = set(re.findall(r"--[a-z-]+", text))
    assert {verb: options(verb) - documented for verb in VERBS} == {verb: set() for verb in VERBS}
