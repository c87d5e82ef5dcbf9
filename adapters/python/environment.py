"""Environments in two layers: a base with the dependencies of the SDK, and an upper one with a working copy of it.

`environment.py prepare SDK` installs into the base what the build of the SDK requires; `environment.py extend BASE` lets the
upper environment find the packages of the base. Paths in `.pth` files of the base have no effect in the upper one, so the
working copy of the base is not found there.
"""

import json
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

ASK_BACKEND = """
import importlib, json, sys
sys.path[:0] = json.loads(sys.argv[2])
module, _, attribute = sys.argv[1].partition(":")
backend = importlib.import_module(module)
for name in filter(None, attribute.split(".")):
    backend = getattr(backend, name)
required = getattr(backend, "get_requires_for_build_editable", list)()
open(sys.argv[3], "w").write(json.dumps(required))
"""


def prepare(project: Path) -> None:
    """Installs the build requirements of pyproject.toml, then those that the build backend names for an editable build."""
    system = tomllib.loads((project / "pyproject.toml").read_text("utf-8")).get("build-system", {})
    install(system.get("requires", ["setuptools"]))
    backend = system.get("build-backend", "setuptools.build_meta:__legacy__")
    path, answer = json.dumps(system.get("backend-path", [])), Path("required.json").resolve()
    subprocess.run([sys.executable, "-c", ASK_BACKEND, backend, path, str(answer)], cwd=project, check=True)
    install(json.loads(answer.read_text("utf-8")))


def install(requirements: list[str]) -> None:
    """Installs with the pip of this environment."""
    if requirements:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--", *requirements], check=True)


def extend(base: Path) -> None:
    """Adds the packages of the base to the module path of this environment."""
    here = Path(sysconfig.get_path("purelib"))
    folder = base / "environment" / here.relative_to(sys.prefix)
    (here / "base.pth").write_text(f"{folder}\n", "utf-8")


if __name__ == "__main__":
    {"prepare": prepare, "extend": extend}[sys.argv[1]](Path(sys.argv[2]))
