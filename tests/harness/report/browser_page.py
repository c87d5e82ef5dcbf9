"""A report of the HTML page, opened in a browser."""

from __future__ import annotations

import json
from pathlib import Path

import browser
from renderers import html

from harness.compare.run_diff import compare
from harness.model import (
    RunRecord,
)

render = html.render


class Page:
    """A report in a browser."""

    def __init__(self, chromium: browser.Browser, file: Path) -> None:
        self.browser = chromium
        self.file = file
        self.run = chromium.run

    def open(self, hash_: str = "") -> float:
        self.browser.console.clear()
        self.browser.send("Page.navigate", url="about:blank")
        return self.browser.open(f"{self.file.as_uri()}{hash_}")

    def status(self) -> str:
        return str(self.run("document.getElementById('status').textContent"))

    def rows(self) -> list[str]:
        found = self.run("[...document.querySelectorAll('#cases tbody tr[id]')].map((row) => row.id)")
        assert isinstance(found, list)
        return found

    def fill(self, name: str, value: str) -> None:
        """Sets one filter, as a user who types or chooses."""
        self.run(
            f"(() => {{ const field = document.getElementById('filters').elements[{json.dumps(name)}];"
            f"field.value = {json.dumps(value)}; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        )

    def click(self, selector: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).click()")
        self.run("new Promise((done) => setTimeout(done, 20))")

    def detail(self) -> str:
        return str(self.run("document.querySelector('tr.detail')?.innerText ?? ''"))


def opened(chromium: browser.Browser, folder: Path, made: RunRecord, before: RunRecord | None = None) -> Page:
    file = folder / "report.html"
    file.write_text(render(made, compare(before, made) if before else None), "utf-8")
    chromium.show(width=1280)
    page = Page(chromium, file)
    page.open()
    return page
