"""Mutation testing of the corpus: mutants, their fate, and the written reasons."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import yaml

from harness.api import load_corpus
from tools.mutation import score
from tools.mutation.__main__ import EQUIVALENT
from tools.mutation.campaign import Fate, Judged, campaign
from tools.mutation.mutants import MISTAKES, Kind, Mutant, by_deviations, by_mistakes, by_operators, modules

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_modules() -> Iterator[None]:
    """The modules of the reference stay those that other tests have imported."""
    before = dict(sys.modules)
    yield
    sys.modules.update(before)


def test_every_mistake_has_its_text_and_its_requirement() -> None:
    """Each mistake of the table stands once in its module and names a requirement of the corpus."""
    entries = yaml.safe_load(MISTAKES.read_text(encoding="utf-8"))
    assert len(list(by_mistakes(ROOT))) == len(entries) >= 60
    requirements = load_corpus().corpus.requirements
    assert [one["name"] for one in entries if one["requirement"] not in requirements] == []
    folders = {one["module"].split("/")[0] for one in entries}
    assert folders == {"jeffs_brain", "javascript", "tideline", "augur", "nexus"}


def test_a_mistake_whose_text_is_gone(tmp_path: Path) -> None:
    """A text that its module no longer has is an error with the name of the mistake."""
    table = tmp_path / "mistakes.yaml"
    table.write_text(
        "- {name: wrong k, requirement: RRF-01, module: jeffs_brain/fusion.py, before: no text, after: x}\n"
    )
    with pytest.raises(ValueError, match=r"wrong k: its text stands 0 times in jeffs_brain/fusion\.py"):
        list(by_mistakes(ROOT, table))


def test_explanations_and_types_are_not_mutated(tmp_path: Path) -> None:
    """No mutant changes only steps for an observer, names of types, annotations or docstrings."""
    module = tmp_path / "reference_impl" / "part.py"
    module.parent.mkdir()
    module.write_text(
        '"""Part."""\n\nSECTION = "Steps"\nNames = dict[str, int]\n\n\ndef f(a: int = 1, *, observe=None) -> int:\n'
        '    """Text."""\n    observe(SECTION, "step", a + 1)\n    return a\n'
    )
    assert {mutant.first for mutant in by_operators(tmp_path, module)} == {7}


@pytest.mark.slow
def test_cases_notice_the_mutants_of_a_module() -> None:
    """Cases fail most mutants of a small module, and every survivor of it has a reason that is not stale."""
    path = ROOT / "reference_impl" / "jeffs_brain" / "fts5.py"
    found = list(campaign(ROOT, [partial(_mutants, path)], 2, "jeffs_brain/query_dsl"))
    equivalent = score.reasons(EQUIVALENT)
    assert score.unexplained(found, equivalent, {}) == []
    assert score.stale(found, equivalent, {}, ["jeffs_brain/fts5.py"]) == {}
    assert score.scores(found, equivalent)["jeffs_brain"].killed >= 20
    assert {"QDSL-COMP-01", "QDSL-COMP-03"} <= score.proven(found)


def _mutants(path: Path) -> list[Mutant]:
    return list(by_operators(ROOT, path))


def test_the_modules_are_those_of_the_systems() -> None:
    """Switches are no modules to mutate."""
    folders = {path.relative_to(ROOT / "reference_impl").parts[0] for path in modules(ROOT)}
    assert folders == {"augur", "javascript", "jeffs_brain", "nexus", "tideline", "wire"}


def _judged(name: str, fate: Fate, failing: tuple[int, ...] = (), charged: tuple[str, ...] = ()) -> Judged:
    mutant = Mutant(name, Kind.OPERATOR, "reference_impl/nexus/scope.py", first=1)
    return Judged(mutant, fate, 9, failing, charged=frozenset(charged), is_specific=True)


def test_the_score() -> None:
    """Equivalent and broken mutants do not count; a variant counts as not killed; one failing case is a thin kill."""
    found = [
        _judged("a", Fate.KILLED, (1, 2), ("R-1",)),
        _judged("b", Fate.KILLED, (1,), ("R-2",)),
        _judged("c", Fate.VARIANT),
        _judged("d", Fate.SURVIVED),
        _judged("e", Fate.SURVIVED),
        _judged("f", Fate.BROKEN),
    ]
    one = score.scores(found, {"d": "It changes no answer."})["nexus"]
    assert one == score.Score(killed=2, thin=1, variant=1, survived=1, equivalent=1, broken=1)
    assert one.share == 0.5
    assert score.proven(found) == {"R-1", "R-2"}
    assert [judged.mutant.name for judged in score.unexplained(found, {"d": ""}, {})] == ["e"]
    assert [judged.mutant.name for judged in score.thin(found)] == ["b"]


def test_stale_reasons() -> None:
    """A reason is stale if its mutant is killed or gone; reasons of other modules are not looked at."""
    found = [_judged("nexus/scope.py: a", Fate.KILLED, (1,)), _judged("nexus/scope.py: b", Fate.SURVIVED)]
    equivalent = dict.fromkeys(["nexus/scope.py: a", "nexus/scope.py: b", "nexus/scope.py: c", "augur/x.py: d"], "")
    stale = score.stale(found, equivalent, {}, ["nexus/scope.py"])
    assert stale == {"nexus/scope.py: a": Fate.KILLED, "nexus/scope.py: c": None}


def test_a_reason_for_every_change_of_a_line() -> None:
    """A reason for a line excuses its survivors alone, and is stale without one."""
    reasons = {"nexus/scope.py: a → *": "The value has no effect."}
    found = [_judged("nexus/scope.py: a → b", Fate.SURVIVED), _judged("nexus/scope.py: a → c", Fate.KILLED, (1,))]
    assert score.scores(found, reasons)["nexus"] == score.Score(killed=1, thin=1, equivalent=1)
    assert score.unexplained(found, reasons, {}) == []
    assert score.stale(found, reasons, {}, ["nexus/scope.py"]) == {}
    assert list(score.stale(found[1:], reasons, {}, ["nexus/scope.py"])) == ["nexus/scope.py: a → *"]


def test_a_mistake_that_is_another_reading_needs_a_sentence() -> None:
    """A mistake of the table that becomes a variant is listed without a sentence; a sentence for another fate is stale."""
    mutant = Mutant("nexus/scope.py: a", Kind.MISTAKE, "reference_impl/nexus/scope.py", first=1)
    found = [Judged(mutant, Fate.VARIANT)]
    sentences = {"nexus/scope.py: a": "The text leaves room."}
    assert score.unexplained(found, {}, {}) == found
    assert score.unexplained(found, {}, sentences) == []
    assert score.stale(found, {}, sentences, ["nexus/scope.py"]) == {}
    assert score.stale([Judged(mutant, Fate.KILLED)], {}, sentences, ["nexus/scope.py"]) == {
        "nexus/scope.py: a": Fate.KILLED
    }
    assert "jeffs_brain/temporal.py: both notes are appended" in score.variants(MISTAKES)


def test_messages_of_errors_are_not_mutated(tmp_path: Path) -> None:
    """No mutant changes only the message of an error."""
    module = tmp_path / "reference_impl" / "part.py"
    module.parent.mkdir()
    module.write_text('def f() -> None:\n    raise ValueError("text")\n')
    assert list(by_operators(tmp_path, module)) == []


@pytest.mark.slow
def test_a_deviation_is_a_mutant() -> None:
    """Cases of its section fail it; it survives those of another section."""
    mutants = partial(by_deviations, ["one-alternative-alias-ignored"])
    fates = [
        judged.fate
        for section in ("aliases", "phrases")
        for judged in campaign(ROOT, [mutants], 1, f"jeffs_brain/query_dsl/{section}/")
    ]
    assert fates == [Fate.KILLED, Fate.SURVIVED]
