"""Makes what a release publishes, without publishing it, and tries every verb of the installed wheel.

`make release-check` builds the wheel and the sdist of the committed files, compares their content with the checkout,
installs the wheel in an empty environment, and runs every verb there, outside the checkout. The status is 1 if anything is
not as a user expects it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tarfile
import tempfile
import tomllib
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from harness import VERSION
from harness.corpus.corpus_files import REVISION, read_date

from .shown import ROOT, run

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
_TOY = "nexus/scope"


class Trial(NamedTuple):
    """A command of the installed parity, its expected exit status, and a file that it writes."""

    words: Sequence[str]
    status: int = 0
    writes: str = ""


TRIALS = (
    Trial(["--version"]),
    Trial(["doctor"]),
    Trial(["docs", "port"]),
    Trial(["completion", "bash"]),
    Trial(["cases", "--select", _TOY]),
    Trial(["schema", "nexus.fuse"]),
    Trial(["coverage", "--system", "nexus"]),
    Trial(["run", "--adapter", "reference", "--system", "nexus", "--record", "run.jsonl"], writes="run.jsonl"),
    Trial(["run", "--adapter", "reference", "--select", _TOY, "--record", "part.jsonl"], writes="part.jsonl"),
    Trial(["report", "run.jsonl", "--html", "run.html", "--junit", "run.xml"], writes="run.html"),
    Trial(["compare", "part.jsonl", "run.jsonl"]),
    Trial(["merge", "--record", "merged.jsonl", "run.jsonl"], writes="merged.jsonl"),
    Trial(["site", "site", "run.jsonl"], writes="site/index.html"),
    Trial(["explain", "RUL-NEXUS-01", "--record", "run.jsonl"]),
    Trial(
        ["run", "--adapter", "port=parity serve", "--system", "nexus", "--record", "port.jsonl"], writes="port.jsonl"
    ),
    Trial(["impact", "RUL-NEXUS-01=b", "port.jsonl"]),
    Trial(["ask", "nexus.constants", "{}", "--adapter", "reference"]),
    Trial(["export", "exported", "--system", "nexus", "--runner", "go"], writes="exported/corpus.json"),
    Trial(
        ["gate", "--adapter", "parity serve", "--system", "nexus", "--write-known", "known.yaml"], writes="known.yaml"
    ),
    Trial(["impact", "RUL-NEXUS-01=b"]),  # on the record of the gate
    Trial(["adopt", "RUL-NEXUS-01=b"], status=2),  # an installed corpus is never edited
    Trial(["probe", "parity serve"]),
    Trial(["new-adapter", "python", "port", "--system", "nexus"], writes="port/adapter.py"),
    Trial(["fuzz", "--operation", "nexus.rrfScore", "--examples", "20", "--adapter", "parity serve"]),
    Trial(["repro", "jeffs_brain/query_dsl/worked_examples/parse.leading-not", "--adapter", "go"]),
    Trial(["promote"]),
    Trial(["serve"]),
    Trial(["watch", "--help"]),
    Trial(["history", "--help"]),
    Trial(["bisect", "--help"]),
)
"""Every verb of the command line. `watch` never ends, and `history` and `bisect` need the repository of an SDK."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the check; the exit status."""
    parser = argparse.ArgumentParser(prog="make release-check", description=__doc__.split("\n\n")[0])
    parser.add_argument("--dist", type=Path, help="keep the wheel and the sdist in this folder")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="parity-release-") as folder:
        work = Path(folder)
        dist = given.dist.resolve() if given.dist else work / "dist"
        problems = [*named(), *dated(), *_built(work, dist), *_tried(work, dist)]
    for problem in problems:
        print(f"release-check: {problem}", file=sys.stderr)
    print(f"release-check: {'not ready' if problems else f'{VERSION} is ready'}")
    return 1 if problems else 0


def named() -> Iterator[str]:
    """What CHANGELOG and the tag say of the version."""
    if f"\n## {VERSION}" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        yield f"CHANGELOG.md has no heading for {VERSION}. Name the version there."
    tag = os.environ.get("GITHUB_REF_NAME", "") if os.environ.get("GITHUB_REF_TYPE") == "tag" else ""
    if tag and tag != f"v{VERSION}":
        yield f"The tag {tag} is not v{VERSION}, the version of harness/__init__.py. Change one of them."


def dated() -> Iterator[str]:
    """What the date of the corpus says of its last change."""
    changed = run("git", "-C", ROOT, "log", "-1", "--format=%cs", "--", "cases", "schemas", quiet=True).stdout.strip()
    date = read_date(ROOT, [])
    if date < changed:
        yield f"{REVISION} is {date}, and a commit of {changed} changed cases/ or schemas/. Write a date not before it."


def _built(work: Path, dist: Path) -> Iterator[str]:
    """Builds wheel and sdist from the committed files; what they lack, or have too much."""
    source = work / "source"
    run("git", "clone", "--quiet", "--no-local", ROOT, source)
    run(sys.executable, "-m", "build", "--outdir", dist, source, quiet=True)
    wheels, sdists = sorted(dist.glob("*.whl")), sorted(dist.glob("*.tar.gz"))
    if [path.name.split("-")[1] for path in wheels] != [VERSION] or len(sdists) != 1:
        yield f"Expected one wheel and one sdist of {VERSION}, found {[path.name for path in (*wheels, *sdists)]}."
        return
    targets = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    tracked = run("git", "-C", ROOT, "ls-files", quiet=True).stdout.splitlines()
    wanted = {
        name.replace(origin, target, 1)
        for origin, target in {**{name: name for name in targets["packages"]}, **targets["force-include"]}.items()
        for name in tracked
        if name == origin or name.startswith(f"{origin}/")
    }
    with ZipFile(wheels[0]) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    yield from (f"The wheel lacks {name}." for name in sorted(wanted - packed))
    yield from (f"The wheel has {name}, which the repository does not have." for name in sorted(packed - wanted))
    with tarfile.open(sdists[0]) as source_archive:
        names = {name.partition("/")[2] for name in source_archive.getnames()}
    yield from (f"The sdist lacks {name}." for name in ("pyproject.toml", "LICENSE", "README.md") if name not in names)


def _tried(work: Path, dist: Path) -> Iterator[str]:
    """Installs the wheel in an empty environment; the verbs that do not do what they should."""
    [wheel] = dist.glob("*.whl")
    venv.create(work / "installed", with_pip=True)
    programs = work / "installed" / "bin"
    installed = run(
        programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[fuzz]"
    )
    if installed.returncode:
        yield "The wheel cannot be installed in an empty environment."
        return
    here = work / "elsewhere"
    here.mkdir()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PARITY_", "PYTHON"))},
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(work / "cache"),
    }
    for trial in TRIALS:
        done = run(programs / "parity", *trial.words, folder=here, environment=environment, quiet=True)
        line = f"parity {' '.join(trial.words)}"
        print(f"  {done.returncode}  {line}")
        if done.returncode != trial.status:
            yield f"`{line}` ends with {done.returncode}, not {trial.status}:\n{done.stdout}{done.stderr}"
        if trial.writes and not (here / trial.writes).exists():
            yield f"`{line}` does not write {trial.writes}."


if __name__ == "__main__":
    sys.exit(main())
