"""The site in a browser, from disk: search, keyboard, widths, colours, accessibility."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import browser
import pytest
from made_records import great
from made_site import full, site, written

pytestmark = pytest.mark.slow

PAGES = (
    "index.html",
    "agreement.html",
    "agreement/only-alto.html",
    "cases.html",
    "operations.html",
    "requirements.html",
    "rulings.html",
    "search.html?q=verse",
    "results/choir/verse/first.html",
    "results/organ/pipes/fifth.html",
    "rulings/RUL-1.html",
    "requirements/SONG-01.html",
    "requirements-by-failures.html",
    "operations/song.sing.html",
    "cases/choir/verse.html",
    "implementations/bass/1.0.html",
    "implementations/bass.html",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with everything, in a folder."""
    return written(tmp_path_factory.mktemp("site"), full()).parent


def opened(chromium: browser.Browser, folder: Path, path: str = "index.html") -> float:
    """Opens a page of the site; the seconds that it took."""
    name, _, query = path.partition("?")
    chromium.console.clear()
    return chromium.open((folder / name).as_uri() + (f"?{query}" if query else ""))


def arrived(chromium: browser.Browser, part: str, seconds: float = 10) -> None:
    """Waits until the browser shows a page with this part in its address."""
    deadline = time.monotonic() + seconds
    shown = ""
    while time.monotonic() < deadline:
        with suppress(AssertionError):  # the page is on its way
            shown = str(chromium.run("document.readyState === 'complete' ? location.pathname : ''"))
        if part in shown:
            return
        time.sleep(0.02)
    raise AssertionError(f"the browser shows {shown}")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_has_no_findings(chromium: browser.Browser, folder: Path, path: str, dark: bool) -> None:
    """Names, roles, contrast and structure of every kind of page pass axe-core, and the console stays empty."""
    chromium.show(width=1280, dark=dark)
    opened(chromium, folder, path)
    assert chromium.console == []
    chromium.run((files("axe_core_python") / "axe.min.js").read_text("utf-8") + "; 0")
    found = chromium.run(
        "axe.run({preload: false}).then((one) => one.violations.map((each) => [each.id, each.nodes[0].html.slice(0, 200)]))"
    )
    assert found == []


@pytest.mark.parametrize("width", [1280, 768, 390])
@pytest.mark.parametrize("path", PAGES)
def test_it_fits_any_screen(chromium: browser.Browser, folder: Path, path: str, width: int) -> None:
    """No page is wider than the window, and none cuts a heading or a first cell."""
    chromium.show(width=width)
    opened(chromium, folder, path)
    assert chromium.run("document.documentElement.scrollWidth") <= width
    cut = "[...document.querySelectorAll('h1, tbody th')].filter((one) => one.getBoundingClientRect().left < 0).length"
    assert chromium.run(cut) == 0


def test_dark_and_light(chromium: browser.Browser, folder: Path) -> None:
    """The site follows the colour scheme of its reader."""
    sums = []
    for dark in (False, True):
        chromium.show(width=1280, dark=dark)
        opened(chromium, folder)
        colour = str(chromium.run("getComputedStyle(document.body).backgroundColor"))
        sums.append(sum(map(int, re.findall(r"\d+", colour)[:3])))
    assert sums[1] < 300 < sums[0]


def test_the_search_works_from_disk(chromium: browser.Browser, folder: Path) -> None:
    """The field of any page leads to the results, best first; the kind narrows them; a result leads to its page."""
    chromium.show(width=1280)
    opened(chromium, folder, "results/organ/pipes/fifth.html")
    chromium.run("document.querySelector('header input').focus()")
    chromium.send("Input.insertText", text="verse first")
    chromium.press("Enter", 13)
    arrived(chromium, "/search.html")
    assert chromium.run("document.querySelector('#found a').textContent") == "choir/verse/first"
    opened(chromium, folder, "search.html?q=song&kind=requirement")
    kinds = chromium.run("[...document.querySelectorAll('#found .kind')].map((one) => one.textContent)")
    assert kinds and set(kinds) == {"requirement"}
    chromium.run("document.querySelector('#found a').click()")
    arrived(chromium, "/requirements/SONG-")
    assert chromium.console == []


def test_keyboard(chromium: browser.Browser, folder: Path) -> None:
    """The first Tab reaches the link to the content, and `/` the search field."""
    chromium.show(width=1280)
    opened(chromium, folder, "results/choir/verse/first.html")
    chromium.press("Tab", 9)
    assert chromium.run("document.activeElement.className") == "skip"
    opened(chromium, folder, "results/choir/verse/first.html")
    chromium.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))")
    assert chromium.run("document.activeElement.name") == "q"


def test_commands_have_a_button(chromium: browser.Browser, folder: Path) -> None:
    """The button copies the command, or selects it where the clipboard is closed."""
    chromium.show(width=1280)
    opened(chromium, folder, "results/choir/verse/first.html")
    chromium.run("document.querySelector('.command button').click()")
    chromium.run("new Promise((done) => setTimeout(done, 100))")
    assert chromium.run("document.querySelector('.command button').textContent") in ("Copied", "Selected")


def test_hostile_text_stays_text(chromium: browser.Browser, folder: Path) -> None:
    """No text of a record runs on any page."""
    for path in PAGES:
        opened(chromium, folder, path)
        assert chromium.run("window.hit === undefined && document.querySelectorAll('main img').length === 0"), path


def test_the_policy_holds(chromium: browser.Browser, folder: Path) -> None:
    """A page loads nothing but files of the site, runs no text as a script, and sets no markup from text."""
    opened(chromium, folder)
    attempts = (
        "document.createElement('div').innerHTML = '<b>x</b>'",
        "document.body.setAttribute('onclick', 'window.hit = 1')",
    )
    for attempt in attempts:
        assert chromium.run(f"(() => {{ try {{ {attempt}; return false }} catch {{ return true }} }})()"), attempt
    chromium.run(
        "document.body.append(Object.assign(document.createElement('img'), { src: 'data:image/gif;base64,R0' }))"
    )
    chromium.run("new Promise((done) => setTimeout(done, 50))")
    assert "Content Security Policy" in "".join(chromium.console)
    assert chromium.run("window.hit === undefined")


def test_many_results_open_at_once(chromium: browser.Browser, tmp_path: Path) -> None:
    """The front page and the search page of many results open in less than a second."""
    front = written(tmp_path, site(great(1_000)))
    chromium.show(width=1280)
    assert opened(chromium, front.parent) < 1
    assert opened(chromium, front.parent, "search.html?q=verse-99") < 1
