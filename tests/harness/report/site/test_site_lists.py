"""The lists of a site: the outline, requirements, data files and the search."""

from __future__ import annotations

import json
import re

from made_records import (
    RULING,
    disputed,
    explained,
    failing,
    record,
    requirement,
    result,
    ruled,
    with_metadata,
)
from made_site import Links, full, site, target

from harness.model import Choice, Failed, Topic, replace

_LISTS = ("requirements.html", "requirements-by-failures.html")


def test_the_search_index_has_everything() -> None:
    """Cases, requirements, rulings, operations and implementations are entries with a page of the site."""
    text = "".join(text for path, text in full().items() if path.startswith("search-"))
    entries = json.loads(f"[{text.strip().removeprefix('parityIndex.push(').removesuffix(');')}]")
    assert {kind for kind, *_ in entries} == {"case", "requirement", "ruling", "operation", "implementation"}
    assert {path for _, _, path, *_ in entries} <= full().keys()


def test_the_search_finds_readings_wordings_and_causes() -> None:
    """A ruling is found by its readings with their states and by its wording, a cause by its name; it leads to its cases."""
    made = ruled(explained(failing("choir/verse/first", "bass"), Choice(deviations=("flat",))))
    decided = replace(RULING, text="decides", wording="Notes rise.")
    text = site(with_metadata(made, rulings={"RUL-1": decided}))["search-1.js"]
    entries = json.loads(f"[{text.strip().removeprefix('parityIndex.push(').removesuffix(');')}]")
    (ruling,) = (entry for entry in entries if entry[0] == "ruling")
    assert "refuted by the text: The highest." in ruling[4] and "Notes rise." in ruling[4]
    (cause,) = (entry for entry in entries if entry[0] == "cause")
    assert cause[1:3] == ["flat", "implementations/bass/1.0/cause-flat.html"]


def test_the_outline_has_rulings_and_failures_at_their_requirement() -> None:
    """A ruling stands in full at the first of its requirements, and the others name it; failures count where they are
    charged."""
    texts = {id_: requirement(id_, "Sing.") for id_ in ("SONG-01", "SONG-02")}
    ruling = replace(RULING, requirements=("SONG-01", "SONG-02"), wording="Notes rise.")
    made = ruled(disputed("bass", "b"), failing("choir/verse/second", "bass", requirements=("SONG-02",)))
    files = site(with_metadata(made, rulings={"RUL-1": ruling}, requirements=texts))
    (path,) = (path for path in files if path.startswith("outline/"))
    first, second = files[path].split('<div class="entry">')[1:]
    assert "Notes rise." in first and "bass fails" not in first
    assert "bass fails 1" in second and "RUL-1.html" in second and "Notes rise." not in second
    assert re.findall(r'data-name="bass">(\d+)', files["outline.html"]) == ["1"]


def test_rulings_of_a_topic_stand_together() -> None:
    """They stand below its title and its definitions at the first requirement of any of them, and the page of each one names
    the others."""
    texts = {id_: requirement(id_, "Sing.") for id_ in ("SONG-01", "SONG-02", "SONG-03")}
    topic = Topic("pitch", "The pitch of a note", "A note is high.")
    first = replace(RULING, id="RUL-2", requirements=("SONG-03",), topic=topic)
    second = replace(RULING, requirements=("SONG-02",), topic=topic)
    made = ruled(disputed("bass", "b"))
    files = site(with_metadata(made, rulings={"RUL-2": first, "RUL-1": second}, requirements=texts))
    (path,) = (path for path in files if path.startswith("outline/"))
    entries = files[path].split('<div class="entry">')[1:]
    assert [len(re.findall('<div class="reading">', text)) for text in entries] == [0, 2, 0]
    assert entries[1].count("A note is high.") == 1
    for id_, other in (("RUL-1", "RUL-2"), ("RUL-2", "RUL-1")):
        page = files[f"rulings/{id_}.html"]
        assert "The pitch of a note" in page and "A note is high." in page and f"{other}.html" in page


def test_requirements_that_no_sdk_meets() -> None:
    """The list has a requirement if every SDK that was tested on it has a failure that is charged to it."""
    texts = {id_: requirement(id_, "Sing.") for id_ in ("SONG-01", "SONG-02")}
    results = [
        *(failing("choir/verse/a", name, requirements=("SONG-01",)) for name in ("alto", "bass")),
        failing("choir/verse/b", "alto", requirements=("SONG-02",)),
        result("choir/verse/b", "bass", requirements=("SONG-02",)),
    ]
    page = site(with_metadata(record(*results), requirements=texts))["requirements-that-no-sdk-meets.html"]
    assert re.findall(r'"requirements/(SONG-\d\d)\.html"', page) == ["SONG-01"]


def test_a_spreadsheet_runs_no_cell() -> None:
    """A text that begins like a formula has a quote before it in CSV; JSON has the text itself."""
    texts = {"SONG-01": requirement("SONG-01", "=1+1")}
    files = site(with_metadata(record(result("choir/verse/a", "bass")), requirements=texts))
    assert ",'=1+1," in files["requirements.csv"]
    assert json.loads(files["requirements.json"])[0]["statement"] == "=1+1"


def test_requirements_by_failing_cases() -> None:
    """One list has the order of the specification, the other one the most failing requirement first, with its causes."""
    flat = explained(failing("choir/verse/first", "bass", requirements=("SONG-02",)), Choice(deviations=("flat",)))
    texts = {id_: requirement(id_, "Sing.") for id_ in ("SONG-01", "SONG-02", "SONG-03")}
    results = (
        failing("choir/verse/a", "bass", requirements=("SONG-01",)),
        flat,
        failing("choir/verse/second", "bass", requirements=("SONG-02",)),
        result("choir/verse/third", "bass", requirements=("SONG-03",)),
    )
    files = site(with_metadata(record(*results), requirements=texts))
    found = [re.findall(r'"requirements/(SONG-\d\d)\.html"', files[path]) for path in _LISTS]
    assert found == [["SONG-01", "SONG-02", "SONG-03"], ["SONG-02", "SONG-01"]]
    links = re.findall(r'(\w+) \(<a href="([^"]+)">bass</a>\)', files[_LISTS[1]])
    folder = "implementations/bass/1.0"
    assert links[:2] == [("flat", f"{folder}/cause-flat.html"), ("unexplained", f"{folder}/rest-unexplained.html")]
    assert all(f'href="{path}"' in files[other] for path in _LISTS for other in _LISTS)
    page = "requirements/SONG-02.html"
    assert "implementations/bass/1.0/cause-flat.html" in {target(page, link) for link in Links(files[page]).targets}


def test_a_requirement_names_where_its_other_failures_count() -> None:
    """Failing cases that cite it count for the requirement that differs; without any, those of its section are named."""
    texts = {id_: requirement(id_, "Sing.", positive_only="It refuses nothing.") for id_ in ("SONG-01", "SONG-02")}
    other = failing("choir/verse/a", "bass", requirements=("SONG-01", "SONG-02"))
    assert isinstance(other.outcome, Failed)
    other = replace(other, outcome=replace(other.outcome, charged=("SONG-02",)))
    page = site(with_metadata(record(other), requirements=texts))["requirements/SONG-01.html"]
    assert "1 failing case cites this requirement but differs only at places of other requirements" in page
    assert '<a href="../requirements/SONG-02.html">SONG-02</a> (1)' in page
    results = (
        result("choir/verse/a", "bass", requirements=("SONG-01",)),
        failing("choir/verse/b", "bass", requirements=("SONG-02",)),
    )
    page = site(with_metadata(record(*results), requirements=texts))["requirements/SONG-01.html"]
    assert "1 other case of choir/verse fails and counts for other requirements" in page
