"""The pictures of the README: the first screen of the small kept run at a terminal, and the first page of a site.

`python -m tools.pictures RECORD` draws both again, the site from this record, with Chromium. A test compares the first one
with the kept run.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from harness.api import read_record, summarise
from harness.report.terminal.first_screen import render

from .shown import ROOT, run_module

RECORD = "docs/examples/run.jsonl"
"""43 cases that were chosen to show every kind of result."""
SCREEN = ROOT / "docs" / "pictures" / "run.svg"
SITE = ROOT / "docs" / "pictures" / "site.png"
COLUMNS = 100

# Without the fonts that rich would load from another host.
_FORMAT = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""


def screen() -> str:
    """The first screen of the kept run, as SVG."""
    text = render(summarise(read_record(ROOT / RECORD)), color=True, width=COLUMNS, path=RECORD)
    console = Console(
        record=True,
        file=io.StringIO(),
        width=COLUMNS,
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    console.print(Text.from_ansi(text), soft_wrap=True)
    return console.export_svg(title="parity", code_format=_FORMAT, unique_id="parity")


def draw_site(record: str) -> None:
    """Writes the picture of the front page of a record's site."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        raise SystemExit("The picture of the site needs Chromium on PATH.")
    with tempfile.TemporaryDirectory() as folder:
        run_module("harness", "site", folder, record)
        page = (Path(folder) / "index.html").as_uri()
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,720", f"--screenshot={SITE}"]
        subprocess.run([browser, *options, page], check=True, capture_output=True)


if __name__ == "__main__":
    SCREEN.write_text(screen(), "utf-8")
    draw_site(sys.argv[1])
