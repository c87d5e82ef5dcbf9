"""The distribution's one import name, in a checkout and in the folder that a wheel installs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from commands import copy_sources

import parity
from tools.shown import run

ROOT = Path(__file__).resolve().parents[1]
WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
SYSTEM = "nexus"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what the wheel holds; of the corpus, one small system."""
    folder = tmp_path_factory.mktemp("site")
    contents = {**{name: name for name in WHEEL["packages"]}, **WHEEL["force-include"]}
    for source, target in contents.items():
        if (ROOT / source).is_dir():
            copy_sources(ROOT / source, folder / target)
        else:
            (folder / target).parent.mkdir()
            (folder / target).write_bytes((ROOT / source).read_bytes())
    for system in (path for name in ("cases", "schemas") for path in (folder / "parity" / name).iterdir()):
        if system.is_dir() and system.name != SYSTEM:
            shutil.rmtree(system)
    return folder


def python(site: Path, here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return run(sys.executable, "-P", *words, folder=here, environment=environment)


@pytest.mark.slow
def test_the_wheel_claims_one_import_name(site: Path) -> None:
    """Nothing lies beside `parity` at the top of the installed files."""
    assert [path.name for path in site.iterdir()] == ["parity"]


@pytest.mark.slow
def test_an_installed_harness_judges_the_installed_reference(site: Path, tmp_path: Path) -> None:
    """`python -m parity run --adapter reference` works outside the checkout, with the installed corpus."""
    select = ("--select", "nexus/scope/*")
    done = python(site, tmp_path, "-m", "parity", "run", "--adapter", "reference", *select)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "parity-run.jsonl").exists()
    path = python(site, tmp_path, "-m", "parity", "cases", "--path")
    assert Path(path.stdout.strip()) == site / "parity" / "cases"


@pytest.mark.slow
def test_the_installed_coverage_is_that_of_the_checkout(site: Path, tmp_path: Path) -> None:
    """The share of answers that something independent confirms is the same from an installation and from a checkout."""
    command = ("-m", "parity", "coverage", "--system", SYSTEM, "--format", "json")
    installed, here = (json.loads(python(folder, tmp_path, *command).stdout) for folder in (site, ROOT))
    assert installed["provenance"] == here["provenance"]
    assert installed["provenance"][SYSTEM]["derived"]


@pytest.mark.slow
def test_the_plugin_is_the_harness_s_own(site: Path, tmp_path: Path) -> None:
    """Both layouts give pytest the same module under the same name."""
    script = "import parity.pytest_plugin as plugin; print(plugin.__name__)"
    assert python(site, tmp_path, "-c", script).stdout == "parity.harness.pytest_plugin\n"
    assert python(ROOT, tmp_path, "-c", script).stdout == "harness.pytest_plugin\n"


def test_a_checkout_uses_the_packages_beside_it() -> None:
    """In a checkout there is one harness, and its name is `harness`."""
    assert not parity.IS_INSTALLED
    assert parity.main.__module__ == "harness.cli.main"


@pytest.mark.slow
def test_the_public_api_is_that_of_the_package(site: Path, tmp_path: Path) -> None:
    """Every name of `harness.api` is a name of `parity`, in both layouts, and is loaded at its first use."""
    script = (
        "import sys, parity; api = parity.main.__module__.replace('cli.main', 'api'); before = api in sys.modules; "
        "parity.load_corpus; print(before, set(sys.modules[api].__all__) <= set(dir(parity)))"
    )
    for folder in (site, ROOT):
        assert python(folder, tmp_path, "-c", script).stdout == "False True\n"
    with pytest.raises(AttributeError):
        _ = parity.nothing
