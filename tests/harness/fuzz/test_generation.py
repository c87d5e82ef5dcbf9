"""Generated requests: deterministic, mostly valid, from a system's own strategies, its schemas and its corpus."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.corpus.checker import Checker
from harness.corpus.loader import load_corpus
from harness.errors import ParityError
from harness.fuzz.generation import BATCH, MAX_EXAMPLES, generate, sources
from harness.fuzz.mutation import mutated

ROOT = Path(__file__).resolve().parents[3]

STRATEGY = """\
from hypothesis import strategies as st
from .words import WORD
requests = {"echo.say": st.builds(dict, text=st.just(WORD))}
"""


def generated(corpus_folder: Path, operation: str, seeded: str) -> list[dict[str, Any]]:
    [source] = sources(load_corpus(corpus_folder), [operation])
    found: list[dict[str, Any]] = []
    generate(source, seeded, MAX_EXAMPLES, BATCH, found.append)
    return found


def test_a_seed_gives_the_same_requests(echo_corpus: Path) -> None:
    """The requests depend on the seed and on nothing else."""
    first = generated(echo_corpus, "echo.say", "7")
    assert first == generated(echo_corpus, "echo.say", "7")
    assert first != generated(echo_corpus, "echo.say", "8")
    assert len(first) > BATCH * (MAX_EXAMPLES - 2)


def test_a_system_brings_its_strategies_as_files(echo_corpus: Path) -> None:
    """A folder beside the schemas is enough; its modules import each other."""
    folder = echo_corpus / "strategies" / "echo"
    folder.mkdir(parents=True)
    (folder / "words.py").write_text("WORD = 'out of the strategy'\n", "utf-8")
    (folder / "__init__.py").write_text(STRATEGY, "utf-8")
    found = [one.get("text") for one in generated(echo_corpus, "echo.say", "7")]
    assert found.count("out of the strategy") > len(found) / 2


@pytest.mark.parametrize("text", ["import no_such_module_at_all", "requests = 5"])
def test_a_broken_strategy_is_named(echo_corpus: Path, text: str) -> None:
    """The folder that has to be corrected is in the message."""
    folder = echo_corpus / "strategies" / "echo"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(text, "utf-8")
    with pytest.raises(ParityError, match="strategies/echo"):
        sources(load_corpus(echo_corpus), ["echo.say"])


@pytest.mark.slow
def test_requests_from_schemas_are_often_valid(tmp_path: Path) -> None:
    """Without strategies, every shipped operation gets requests that its schema allows."""
    for name in ("cases", "schemas"):
        (tmp_path / name).symlink_to(ROOT / name)
    corpus = load_corpus(tmp_path)
    checker = Checker(corpus.schemas)
    for source in sources(corpus, list(corpus.operations)):
        found: list[dict[str, Any]] = []
        generate(source, "1", 2, 16, found.append)
        valid = [one for one in found if checker.is_surely_request(corpus.operations[source.operation], one)]
        assert len(valid) > len(found) * 0.15, source.operation


def test_mutated_requests_differ_and_stay_json() -> None:
    """A mutated request is JSON of its own; the corpus stays as it is."""
    requests = [json.dumps({"text": "hello", "list": [1, {"a": "b"}]}), json.dumps({"text": "other"})]
    found = [mutated(Random(number), requests) for number in range(300)]
    texts = {json.dumps(one) for one in found}
    assert len(texts) > 100
    assert all(json.loads(text) == one for text, one in zip(map(json.dumps, found), found, strict=True))


def test_requests_do_not_depend_on_the_imported_modules(
    echo_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hypothesis draws constants of local modules, and another process has other modules."""
    first = generated(echo_corpus, "echo.say", "7")
    (tmp_path / "many_constants.py").write_text(f"WORDS = {[f'constant {n}' for n in range(500)]}\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "many_constants", raising=False)
    import_module("many_constants")
    assert generated(echo_corpus, "echo.say", "7") == first
