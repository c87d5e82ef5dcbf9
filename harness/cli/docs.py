"""Prints a page of the documentation of this version, or lists the pages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..base.near_names import name_remedy, near_names
from ..corpus.paths import shipped
from ..errors import UsageError, one_line
from .streams import is_colored, medium


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help="the page, or the beginning of its name (default: list the pages)"
    )


def run(arguments: argparse.Namespace) -> int:
    pages = {path.stem: path for path in sorted((shipped() / "docs").glob("*.md"))}
    if arguments.page is None:
        widest = max(map(len, pages))
        for name, path in pages.items():
            print(f"{name:<{widest}}  {_title(path)}")
        return 0
    name = arguments.page.removesuffix(".md")
    found = near_names(name, pages, 2)
    if len(found) != 1:
        remedy = f"Choose one of: {', '.join(found)}." if found else name_remedy(name, pages)
        raise UsageError(f"There is no page {one_line(arguments.page)}. {remedy}")
    text = pages[found[0]].read_text("utf-8")
    sys.stdout.write(_styled(text) if is_colored() else text)
    return 0


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as lines:
        return next(lines).removeprefix("# ").strip()


def _styled(text: str) -> str:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(width=medium().width, force_terminal=True, highlight=False)
    with console.capture() as captured:
        console.print(Markdown(text, hyperlinks=False))
    return captured.get()
