"""The site and the single page in a browser, from disk: search, filter, keyboard, widths, colours, accessibility."""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import browser
import pytest
from made_records import everything, failing, great, record
from made_site import full, site, written
from renderers import html

from harness.model import ABSENT, Difference

pytestmark = pytest.mark.slow

PAGES = (
    "index.html",
    "agreement.html",
    "agreement/only-alto.html",
    "cases.html",
    "operations.html",
    "requirements.html",
    "rulings.html",
    "outline.html",
    "requirements-that-no-sdk-meets.html",
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
    "report.html",
    "report.html#choir/verse/first",
)

AXE = (files("axe_core_python") / "axe.min.js").read_text("utf-8") + "; 0"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with everything, in a folder, and the single page beside it."""
    return written(tmp_path_factory.mktemp("site"), {**full(), "report.html": html.render(everything())}).parent


def opened(chromium: browser.Browser, folder: Path, path: str = "index.html") -> float:
    """Opens a page of the site; the seconds that it took."""
    chromium.send("Page.navigate", url="about:blank")
    chromium.console.clear()
    name = re.split("[?#]", path)[0]
    return chromium.open((folder / name).as_uri() + path.removeprefix(name))


def shown_cases(chromium: browser.Browser) -> list[str]:
    """The cases of the single page that the filter leaves."""
    found = chromium.run("[...document.querySelectorAll('.case:not([hidden]) > .body')].map((one) => one.id)")
    assert isinstance(found, list)
    return found


def choose(chromium: browser.Browser, words: str, result: str = "") -> list[str]:
    """The cases of the single page with these words and this result."""
    chromium.run(
        "(([words, result]) => { const form = document.getElementById('filter'); form.elements.words.value = words;"
        " form.elements.result.value = result; form.dispatchEvent(new Event('input', { bubbles: true })); })"
        f"({json.dumps([words, result])})"
    )
    return shown_cases(chromium)


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


@pytest.mark.parametrize("path", PAGES)
def test_axe_has_no_findings(chromium: browser.Browser, folder: Path, path: str) -> None:
    """Names, roles, contrast and structure of every kind of page pass axe-core in both colours, and the console stays
    empty."""
    for dark in (False, True):
        chromium.show(width=1280, dark=dark)
        opened(chromium, folder, path)
        assert chromium.console == []
        chromium.run(AXE)
        found = chromium.run(
            "axe.run({preload: false}).then((report) =>"
            " report.violations.map((each) => [each.id, each.nodes[0].html.slice(0, 200)]))"
        )
        assert found == [], "dark" if dark else "light"


@pytest.mark.parametrize("path", PAGES)
def test_it_fits_any_screen(chromium: browser.Browser, folder: Path, path: str) -> None:
    """No page is wider than the window, and none cuts a heading or a first cell."""
    opened(chromium, folder, path)
    for width in (1280, 768, 390):
        chromium.show(width=width)
        assert chromium.run("document.documentElement.scrollWidth") <= width
        cut = "[...document.querySelectorAll('h1, tbody th')].filter((one) => one.getBoundingClientRect().left < 0).length"
        assert chromium.run(cut) == 0, width


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
    opened(chromium, folder, "report.html")
    chromium.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))")
    assert chromium.run("document.activeElement.name") == "words"


def test_a_table_sorts_and_filters(chromium: browser.Browser, tmp_path: Path) -> None:
    """A heading sorts by its column, by keyboard too, and a second time the other way round; words filter a long list."""
    written(tmp_path, site(great(800)))
    chromium.show(width=1280)
    opened(chromium, tmp_path, "operations/song.sing.html")
    shown = "[...document.querySelectorAll('.sortable tbody tr:not([hidden]) th')].map((one) => one.textContent)"
    before = chromium.run(shown)
    orders = []
    for _ in range(2):
        chromium.run("document.querySelector('.sortable th button').focus()")
        chromium.press("Enter", 13)
        way = chromium.run("document.querySelector('.sortable th').getAttribute('aria-sort')")
        orders.append((way, chromium.run(shown)))
    (up, first), (down, last) = orders
    assert (up, down) == ("ascending", "descending")
    assert first == last[::-1] and sorted(first) == sorted(before)
    chromium.run(
        "(() => { const field = document.querySelector('main input'); field.value = " + json.dumps(first[0]) + ";"
        " field.dispatchEvent(new Event('input')); })()"
    )
    left = chromium.run(shown)
    assert first[0] in left and len(left) < len(first)


def test_commands_have_a_button(chromium: browser.Browser, folder: Path) -> None:
    """The button copies the command, or selects it where the clipboard is closed."""
    chromium.show(width=1280)
    opened(chromium, folder, "results/choir/verse/first.html")
    chromium.run("document.querySelector('.command + button').click()")
    chromium.run("new Promise((done) => setTimeout(done, 100))")
    assert chromium.run("document.querySelector('.command + button').textContent") in ("Copied", "Selected")


def test_hostile_text_stays_text(chromium: browser.Browser, folder: Path) -> None:
    """No text of a record runs on any page."""
    for path in PAGES:
        opened(chromium, folder, path)
        assert chromium.run("window.hit === undefined && document.querySelectorAll('main img').length === 0"), path


@pytest.mark.parametrize("path", ["index.html", "report.html"])
def test_the_policy_holds(chromium: browser.Browser, folder: Path, path: str) -> None:
    """A page loads nothing but files of the site, runs no text as a script, and sets no markup from text."""
    opened(chromium, folder, path)
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
    """The front page, the search page and the single page of many results open in two seconds, and the filter of the latter
    takes less than a fifth of one; the best of three tries counts."""
    front = written(tmp_path, {**site(great(1_000)), "report.html": html.render(great(2_000))})
    chromium.show(width=1280)
    for path in ("index.html", "search.html?q=verse-99", "report.html"):
        assert any(opened(chromium, front.parent, path) < 2 for _ in range(3)), path
    times = []
    for text in ("verse-4", "number 49", "so"):
        times.append(
            chromium.run(
                "(() => { const began = performance.now(); const form = document.getElementById('filter');"
                f"form.elements.words.value = {json.dumps(text)}; form.dispatchEvent(new Event('input'));"
                "document.body.offsetHeight; return performance.now() - began; })()"
            )
        )
    assert min(times) < 200


def test_the_filter_of_the_single_page(chromium: browser.Browser, folder: Path) -> None:
    """Words and a result each narrow the list and add up; the address holds them."""
    chromium.show(width=1280)
    opened(chromium, folder, "report.html")
    assert len(shown_cases(chromium)) == 4
    assert choose(chromium, "SONG-01 verse") == ["choir/verse/second", "choir/verse/first"]
    assert choose(chromium, "", "bass fail") == ["choir/verse/first", "organ/pipes/fifth"]
    assert choose(chromium, "organ", "bass fail") == ["organ/pipes/fifth"]
    assert chromium.run("document.getElementById('status').textContent") == "1 of 4 cases"
    address = str(chromium.run("location.hash"))
    opened(chromium, folder, f"report.html{address}")
    assert shown_cases(chromium) == ["organ/pipes/fifth"]
    assert chromium.console == []


def test_a_case_of_the_single_page_has_an_address(chromium: browser.Browser, folder: Path) -> None:
    """`#` and the full name open the case, even one that the filter hides; a link to a folded list opens the list."""
    chromium.show(width=1280)
    opened(chromium, folder, "report.html#choir/verse/first")
    top = "document.querySelector('.case[open] > summary').getBoundingClientRect().top"
    assert 0 <= chromium.run(top) < 200
    assert "First differs at /tune." in str(chromium.run("document.querySelector('.case[open]').innerText"))
    choose(chromium, "organ")
    chromium.run("location.hash = '#choir/refrain/high/third'")
    chromium.run("new Promise((done) => setTimeout(done, 100))")
    found = "[...document.querySelectorAll('.case[open]:not([hidden]) > .body')].map((one) => one.id)"
    assert "choir/refrain/high/third" in chromium.run(found)
    chromium.run("document.querySelector('[aria-label=\"Failure groups\"] a').click()")
    chromium.run("new Promise((done) => setTimeout(done, 100))")
    assert chromium.run("document.querySelector(':target').closest('details').open")


def test_the_single_page_needs_no_script(chromium: browser.Browser, folder: Path) -> None:
    """Without scripts everything can be read, a case unfolds, and no dead control is shown."""
    chromium.show(width=1280)
    chromium.send("Emulation.setScriptExecutionDisabled", value=True)
    opened(chromium, folder, "report.html")
    chromium.send("Emulation.setScriptExecutionDisabled", value=False)
    assert chromium.run("document.getElementById('filter').hidden")
    chromium.run("document.querySelectorAll('.case > summary')[1].focus()")
    chromium.press("Enter", 13)
    assert "First differs at" in str(chromium.run("document.querySelector('.case[open]').innerText"))
    assert "amazing grace" in str(chromium.run("document.querySelector('[id^=fixtures]').textContent"))


def test_differing_lines_are_marked(chromium: browser.Browser, tmp_path: Path) -> None:
    """The differing middle of two texts is marked, and each differing line, also for a reader who sees no colour."""
    wanted, got = {"answer": {"tune": "fa la la", "pipes": [1]}}, {"answer": {"tune": "fa so la"}}
    difference = (Difference("$.tune", "fa la la", "fa so la"), Difference("$.pipes", [1], ABSENT))
    made = record(failing("choir/verse/first", "bass", expected=wanted, answer=got, difference=difference))
    written(tmp_path, {**site(made), "report.html": html.render(made)})
    for path in ("results/choir/verse/first.html", "report.html#choir/verse/first"):
        opened(chromium, tmp_path, path)
        marks = chromium.run("[...document.querySelectorAll('.differences mark')].map((one) => one.textContent)")
        assert marks == ["la", "so", "[1]"]
        lines = chromium.run("[...document.querySelectorAll('.answer pre mark')].map((one) => one.textContent.trim())")
        assert lines == [
            '"tune": "fa la la",',
            '"pipes": [1]',
            "{",
            '"tune": "fa so la"',
        ]
        before = "getComputedStyle(document.querySelector('.answer pre mark'), '::before').content"
        assert chromium.run(before) == '"▸" / "differs:"'
        tops = "[...document.querySelectorAll('.answer')].map((one) => one.getBoundingClientRect().top)"
        assert len({*chromium.run(tops)}) == 1
