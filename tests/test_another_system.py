"""Another system is added by its own files alone: nothing of the harness, the adapters or the tests is edited for it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import copy_sources

from harness.model import Verdict
from harness.records import read_record
from tools.shown import run_module

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]


_COPIED = "adapters cases harness pyproject.toml reference_impl schemas tests tools".split()

_FILES = {
    "cases/lamp/requirements.yaml": """\
system: lamp
revision: "1.0"
requirements:
  - {id: LAMP-01, level: MUST, document: lamp, section: Switch, statement: Each press toggles the lamp., observable: true}
""",
    "cases/lamp/switch/toggling.yaml": """\
suite: lamp/switch/toggling
operation: lamp.press
cases:
  - {id: once, requirements: [LAMP-01], origin: spec-text, request: {times: 1}, answer: {lit: true}}
  - {id: twice, requirements: [LAMP-01], origin: spec-text, request: {times: 2}, answer: {lit: false}}
  - id: never
    requirements: [LAMP-01]
    origin: spec-text
    negative: true
    request: {times: 0}
    answer: {lit: false}
""",
    "schemas/lamp/lamp.press.json": json.dumps(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Presses",
            "description": "lamp, section Switch: whether the lamp is lit after so many presses.",
            "$defs": {
                "request": {
                    "type": "object",
                    "properties": {"times": {"type": "integer", "minimum": 0}},
                    "required": ["times"],
                    "additionalProperties": False,
                },
                "answer": {
                    "type": "object",
                    "properties": {"lit": {"type": "boolean"}},
                    "required": ["lit"],
                    "additionalProperties": False,
                },
                "error": {"enum": ["unclassified"]},
            },
        },
        indent=2,
    )
    + "\n",
    "reference_impl/lamp/__init__.py": '"""A lamp."""\n',
    "reference_impl/wire/lamp/__init__.py": '"""Operations of the lamp on JSON."""\n',
    "reference_impl/wire/lamp/operations.py": '''\
"""The operations of the lamp on JSON objects."""

from typing import Any, Final

from reference_impl.wire.operations import Operation


def press(request: dict[str, Any]) -> dict[str, Any]:
    """Section Switch."""
    return {"lit": request["times"] % 2 == 1}


OPERATIONS: Final[dict[str, Operation]] = {"lamp.press": press}
''',
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout with the system `lamp`."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            copy_sources(source, folder / name)
        else:
            shutil.copy(source, folder / name)
    for name, text in _FILES.items():
        path = folder / name
        assert not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def run(checkout: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Runs a module of the copy."""
    return run_module(*words, folder=checkout, environment={"PYTHONPATH": str(checkout)})


def test_the_reference_runs_its_cases(checkout: Path, tmp_path: Path) -> None:
    """The corpus loads, and the reference passes the new cases."""
    record = tmp_path / "run.jsonl"
    done = run(checkout, "harness", "run", "--adapter", "reference", "--system", "lamp", "--record", record)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [result.verdict for result in read_record(record).results] == [Verdict.PASS] * 3


def test_its_coverage_has_no_gap(checkout: Path) -> None:
    """`parity coverage` finds every statement of the system shown."""
    done = run(checkout, "harness", "coverage", "--system", "lamp", "--format", "json")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tests_of_other_systems_stay_green(checkout: Path) -> None:
    """No test counts systems, operations or cases that may be added."""
    tests = [
        "tests/test_corpus_lint.py",
        "tests/test_requirements.py",
        "tests/harness/corpus/test_sharding.py",
        "tests/adapters/test_operations_tables.py",
        "tests/adapters/test_reference_adapter.py",
    ]
    others = [
        f"--deselect={tests[3]}::test_the_table_is_what_the_adapter_says[{name}]" for name in ("go", "python", "ts")
    ]
    others.append(f"--deselect={tests[0]}::test_every_case_file_keeps_to_the_schema_of_case_files")  # file by file
    done = run(checkout, "pytest", "-q", "-p", "no:cacheprovider", *tests, *others)
    assert done.returncode == 0, done.stdout[-4000:]
