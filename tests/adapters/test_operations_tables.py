"""The declared tables of operations, held against what the adapters say of themselves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from driving import GO_MODULE, PYTHON_PACKAGE, introduced, operations

from harness.corpus.loader import load_corpus
from harness.corpus.paths import shipped
from harness.errors import UsageError
from harness.gate.known_reader import load_beside
from harness.gate.places import source_place
from harness.model import Implementation
from harness.transport.manifest import missing_tools, shipped_manifests
from harness.transport.operation_support import OperationSupport, State, disagreements, read_declarations

pytestmark = pytest.mark.slow

NAMES = sorted(shipped_manifests(shipped()))
STAND_INS = {"go": GO_MODULE, "python": PYTHON_PACKAGE}


@pytest.mark.parametrize("name", NAMES)
def test_every_operation_has_a_state(name: str) -> None:
    """Offered, observed, unsupported: the table is complete for each system that it declares anything of."""
    declared = read_declarations(shipped() / "adapters" / name, operations())
    systems = {operations()[operation] for operation in declared}
    assert systems
    assert [one for one, system in operations().items() if system in systems and one not in declared] == []
    assert [operation for operation, one in declared.items() if not one.how or not all(one.unobservable.values())] == []
    assert {name for one in declared.values() for name in one.through} <= {*operations()}


@pytest.mark.parametrize("name", NAMES)
def test_the_table_is_what_the_adapter_says(name: str, tmp_path: Path) -> None:
    """What `initialize` offers, declines and leaves unobservable is what is declared, reasons and all.

    Of an SDK that cannot be had here a stand-in with the same public names is asked, in a folder of its own: inside this
    checkout the whole of it would be the working copy.
    """
    missing = missing_tools(shipped_manifests(shipped())[name])
    if missing:
        pytest.skip(" ".join(map(str, missing)))
    sdk = tmp_path / "sdk" if name in STAND_INS else None
    if sdk:
        shutil.copytree(STAND_INS[name], sdk, ignore=shutil.ignore_patterns("__pycache__"))
    said = introduced(name, sdk)
    if isinstance(said, str):
        pytest.skip(f"{name} cannot be built here: {said}")
    declared = read_declarations(shipped() / "adapters" / name, operations())
    assert list(disagreements(declared, said, operations())) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_gate_knows_what_the_table_leaves_unobservable(name: str) -> None:
    """The known-divergence file of a shipped adapter lists exactly the unobservable paths of its table."""
    folder = shipped() / "adapters" / name
    declared = read_declarations(folder, operations())
    paths = {f"{operation}{path}" for operation, one in declared.items() for path in one.unobservable}
    assert {*load_beside(folder).unobservable_names} == paths


@pytest.mark.parametrize(
    "name", sorted(name for name, manifest in shipped_manifests(shipped()).items() if manifest.sdk)
)
def test_every_operation_names_the_files_that_it_reaches(name: str) -> None:
    """An operation that is offered has files, and each listed failure has its cause in a file of its operation."""
    folder = shipped() / "adapters" / name
    declared = read_declarations(folder, operations())
    offered = {operation for operation, one in declared.items() if one.state is not State.UNSUPPORTED}
    assert [operation for operation in sorted(offered) if not declared[operation].files] == []
    operation_of = {case.name: case.operation for case in load_corpus(shipped()).cases}
    elsewhere = [
        (place.file, case)
        for divergence in load_beside(folder).divergences
        for case in divergence.cases
        if (place := source_place(divergence.place)) and not declared[operation_of[case]].reached([place.file])
    ]
    assert elsewhere == []


def test_every_disagreement_is_told() -> None:
    """An operation that is offered against the table, one that is not, another reason, another unobservable path,
    and none."""
    said = Implementation(
        name="mine",
        implementation="mine",
        version="1",
        language="Python",
        operations=frozenset({"a", "b", "c", "g"}),
        unsupported={"d": "later", "e": "never", "f": "no"},
        unobservable={"b": ("/x",)},
    )
    declared = {
        "a": OperationSupport(State.UNSUPPORTED, "no call"),
        "b": OperationSupport(State.DIRECT, "`b`", unobservable={"/y": "because"}),
        "c": OperationSupport(State.OBSERVED, "a search"),
        "d": OperationSupport(State.DIRECT, "`d`"),
        "e": OperationSupport(State.UNSUPPORTED, "not yet"),
        "f": OperationSupport(State.UNSUPPORTED, "no"),
    }
    assert list(disagreements(declared, said, "abcdefgh")) == [
        "a: declared unsupported, reported as offered.",
        "b: declared unobservable ['/y'], reported unobservable ['/x'].",
        "d: declared direct, reported as not offered: later.",
        "e: declared unsupported (not yet), reported with another reason (never).",
        "g: offered, not declared.",
    ]


def test_a_name_goes_before_a_glob(tmp_path: Path) -> None:
    """A glob says something of all operations that have no entry of their own; a missing table says nothing."""
    assert read_declarations(tmp_path, ["a.b"]) == {}
    (tmp_path / "operations.toml").write_text('"a.*" = { unsupported = "no" }\n"a.b" = { direct = "`b`" }\n', "utf-8")
    assert read_declarations(tmp_path, ["a.b", "a.c", "b.a"]) == {
        "a.b": OperationSupport(State.DIRECT, "`b`"),
        "a.c": OperationSupport(State.UNSUPPORTED, "no"),
    }


def test_the_files_of_another_operation(tmp_path: Path) -> None:
    """Its name stands for them; a file is there once, the nearest first."""
    (tmp_path / "operations.toml").write_text(
        '"a.b" = { direct = "`b`", files = ["src/b.go", "a.c", "src/[d-f].go"] }\n'
        '"a.c" = { direct = "`c`", files = ["src/c.go", "src/b.go"] }\n',
        "utf-8",
    )
    support = read_declarations(tmp_path, ["a.b"])["a.b"]
    assert support.files == ("src/b.go", "src/c.go", "src/[d-f].go")
    assert support.reached(["other.go", "src/c.go", "src/e.go", "src/b.go"]) == ("src/b.go", "src/c.go", "src/e.go")


@pytest.mark.parametrize(
    "text",
    [
        '"a" = { direct = "x", unobservable = "y" }',
        '"a" = { }',
        '"a" = { direct = "x", observed = "y" }',
        '"a" = { drct = "x" }',
        "a =",
    ],
)
def test_a_mistake_in_a_table(tmp_path: Path, text: str) -> None:
    """An entry with no state, two, or a word that there is not is told with the file."""
    (tmp_path / "operations.toml").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"operations\.toml: the table of operations cannot be read"):
        read_declarations(tmp_path, ["a"])


def test_tables_travel_with_the_manifests() -> None:
    """Each shipped adapter has one, beside its manifest."""
    assert [path.parent.name for path in sorted((shipped() / "adapters").glob("*/operations.toml"))] == NAMES
