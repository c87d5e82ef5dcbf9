"""ARCHITECTURE.md agrees with the folders: every path exists, every package is named, the layers are the tested ones."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
FOLDERS = "harness|benchmarks|reference_impl|strategies|oracles|adapters|cases|schemas|docs|tests|tools"

_PATH = re.compile(rf"(?<![\w/.])(?:{FOLDERS})/[\w./-]*")
_PLACEHOLDER = re.compile(rf"(?:{FOLDERS})/[\w./-]*<")


def paths(page: str) -> set[str]:
    """The paths that a page names; one with a placeholder such as `<name>` is cut before it."""
    named = {path.rstrip(".") for path in _PATH.findall(page)}
    cut = {path.removesuffix("<") for path in _PLACEHOLDER.findall(page)}
    return {path if path not in cut else path.rpartition("/")[0] for path in named}


@pytest.mark.parametrize("page", [PAGE, CONTRIBUTING], ids=["ARCHITECTURE", "CONTRIBUTING"])
def test_every_path_exists(page: str) -> None:
    """A path on the page is a file or a folder of the checkout."""
    assert "harness/report" in "".join(paths(page))
    assert {path for path in paths(page) if not (ROOT / path).exists()} == set()


def test_every_package_and_top_module_is_named() -> None:
    """The table of packages has each folder of harness/, and each module at its top."""
    table = PAGE.split("## Packages of `harness/`")[1].split("##")[0]
    named = set(re.findall(r"^\| `harness/([\w.]+)/?`", table, re.MULTILINE))
    folders = {path.parent.name for path in (ROOT / "harness").glob("*/__init__.py")}
    modules = {path.name for path in (ROOT / "harness").glob("*.py") if not path.name.startswith("__")}
    assert named == folders | modules


def test_the_layers_are_those_of_the_import_test() -> None:
    """The list of layers, top to bottom, is that of tests/harness/test_layers.py."""
    block = PAGE.split("## Layers")[1].split("\n\n")[2]
    layers = [set(line.split()) for line in block.replace(",", " ").splitlines()]
    source = ast.parse((ROOT / "tests/harness/test_layers.py").read_text("utf-8"))
    floors = next(
        ast.literal_eval(node.value)
        for node in source.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "FLOORS"
    )
    assert [names for floor in floors if (names := floor - {"__main__"})] == layers[::-1]


def test_every_page_is_linked() -> None:
    """Each page of docs/ and each page at the top has a link on another page."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    linked = {
        (page.parent / target).resolve()
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    }
    assert {path for path in linked if not path.exists()} == set()
    assert {page for page in pages if page not in linked} - {ROOT / "README.md"} == set()


def test_every_anchor_exists() -> None:
    """A link to a heading leads to a heading of that page."""
    missing = set()
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text("utf-8")):
            text = ((page.parent / target) if target else page).read_text("utf-8")
            headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
            if anchor not in slugs:
                missing.add((page.name, target, anchor))
    assert missing == set()
