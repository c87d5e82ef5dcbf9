"""Mutation testing of the corpus: mutants, their fate, and the written reasons."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tools.mutation import score
from tools.mutation.__main__ import EQUIVALENT
from tools.mutation.campaign import Fate, Judged, campaign
from tools.mutation.mutants import Kind, Mutant, by_deviations, by_operators, modules

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_modules() -> Iterator[None]:
    """The modules of the reference stay those that other tests have imported."""
    before = dict(sys.modules)
    yield
    sys.modules.update(before)


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
    found = list(campaign(ROOT, [partial(by_operators, ROOT, path)], 2, "jeffs_brain/query_dsl"))
    equivalent = score.reasons(EQUIVALENT)
    assert score.unexplained(found, equivalent) == []
    assert score.stale(found, equivalent, ["jeffs_brain/fts5.py"]) == {}
    assert score.scores(found, equivalent)["jeffs_brain"].killed >= 20
    assert {"QDSL-COMP-01", "QDSL-COMP-03"} <= score.proven(found)


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
    assert [judged.mutant.name for judged in score.unexplained(found, {"d": ""})] == ["e"]
    assert [judged.mutant.name for judged in score.thin(found)] == ["b"]


def test_stale_reasons() -> None:
    """A reason is stale if its mutant is killed or gone; reasons of other modules are not looked at."""
    found = [_judged("nexus/scope.py f a", Fate.KILLED, (1,)), _judged("nexus/scope.py f b", Fate.SURVIVED)]
    equivalent = dict.fromkeys(["nexus/scope.py f a", "nexus/scope.py f b", "nexus/scope.py f c", "augur/x.py f d"], "")
    stale = score.stale(found, equivalent, ["nexus/scope.py"])
    assert stale == {"nexus/scope.py f a": Fate.KILLED, "nexus/scope.py f c": None}


def test_a_reason_for_several_mutants(tmp_path: Path) -> None:
    """An entry names a mutant by module, function and operator, or several mutants by their ordinals; each stands once."""
    table = tmp_path / "equivalent.yaml"
    table.write_text("- {reason: No effect., mutants: [nexus/scope.py f string, nexus/scope.py A.g number 1 3]}\n")
    assert score.reasons(table) == dict.fromkeys(
        ["nexus/scope.py f string", "nexus/scope.py A.g number 1", "nexus/scope.py A.g number 3"], "No effect."
    )
    table.write_text("- {reason: No effect., mutants: [nexus/scope.py f string 1 2, nexus/scope.py f string 2]}\n")
    with pytest.raises(ValueError, match=r"nexus/scope\.py f string 2: the mutant stands twice"):
        score.reasons(table)


def test_names_of_mutants(tmp_path: Path) -> None:
    """A name has the function, or the constant outside functions; an ordinal only if an operator changes it twice."""
    module = tmp_path / "reference_impl" / "nexus" / "part.py"
    module.parent.mkdir(parents=True)
    module.write_text("LIMITS = (1, 2)\n\n\nclass A:\n    def g(self):\n        x = 'a'\n        return x * 3\n")
    changes = {one.name.removeprefix("nexus/part.py "): one.change for one in by_operators(tmp_path, module)}
    assert sorted(changes) == [
        "A.g assignment",
        "A.g number",
        "A.g string 1",
        "A.g string 2",
        "A.g swap_op",
        "LIMITS assignment",
        "LIMITS number 1",
        "LIMITS number 2",
    ]
    assert changes["A.g number"] == "return x * 3 → return x * 4"


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
