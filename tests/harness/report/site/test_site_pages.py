"""The pages of a site: their paths, their links and their content."""

from __future__ import annotations

import re

import pytest
from made_records import (
    HOSTILE,
    RULING,
    crash,
    disputed,
    entry,
    everything,
    explained,
    failing,
    great,
    record,
    result,
    ruled,
    with_metadata,
)
from made_site import Links, case, full, older, site, target

from harness.model import CaseBody, Cause, Choice, ConformanceProfile, Verdict, replace
from harness.report.site.layout import MAX_PAGE
from harness.report.site.site_paths import case_address, case_path, file_name

_SAFE = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.~-]*/)*[A-Za-z0-9_][A-Za-z0-9_.~-]*\.(?:html|js|css|json|csv)")


def test_every_link_leads_to_a_page() -> None:
    """No link is dead, no id stands twice on a page, and every page but the front page has a link to it."""
    reached = set()
    for path, text in full().items():
        if path.endswith(".html"):
            found = Links(text)
            targets = {target(path, link) for link in found.targets}
            assert targets <= full().keys(), path
            assert len(found.ids) == len(set(found.ids)), path
            reached |= targets - {path}
    assert full().keys() - reached - {"index.html"} == set()


@pytest.mark.parametrize("name", ["../x", "a b", "", "a" * 100, HOSTILE, ".hidden", "x.", "a\\b", "ä", "x.html"])
def test_no_unsafe_text_is_part_of_a_path(name: str) -> None:
    """A name with an unsafe character becomes a digest; the same name gives the same one."""
    assert re.fullmatch(r"x~[0-9a-f]{20}", file_name(name))
    assert file_name(name) == file_name(name)


def test_the_paths_of_a_hostile_record() -> None:
    """Names of cases, operations and implementations that lead elsewhere stay inside the site."""
    hostile = [
        result("../../etc/passwd", "../ts", operation="../../op", requirements=("../../SONG",)),
        failing(f"choir/{HOSTILE}/first", "../ts", operation=HOSTILE),
    ]
    files = site(record(*hostile))
    assert [path for path in files if not _SAFE.fullmatch(path)] == []
    assert not any("//" in path or ".." in path.split("/") for path in files)


def test_the_address_of_a_case_is_its_name() -> None:
    """A link to a case stays, whatever its verdicts are; its place in the suite leads to its full page, if it has one."""
    assert case_address("choir/verse/first") == "cases/choir/verse.html#first"
    suite = full()["cases/choir/verse.html"]
    for name in ("first", "second", "unheard"):
        assert name in Links(suite).ids
    assert 'href="../../results/choir/verse/first.html"' in suite
    assert 'href="../../../cases/choir/verse.html#first"' in full()["results/choir/verse/first.html"]


def test_only_a_case_with_another_answer_has_a_page() -> None:
    """A case that passes or is unsupported stands on the page of its suite, with its request and answer."""
    made = record(
        result("choir/verse/a", "bass"),
        result("choir/verse/b", "bass", Verdict.UNSUPPORTED, reason="no voice"),
        result("choir/verse/c", "bass", Verdict.VARIANT, reading="b"),
        failing("choir/verse/d", "bass"),
    )
    files = site(made, cases=[case("choir/verse/e")])
    assert {path for path in files if path.startswith("results/")} == {case_path(f"choir/verse/{id_}") for id_ in "cd"}
    entries = files["cases/choir/verse.html"].split("<article")[1:]
    assert [re.findall(r'id="(.)"', text)[0] for text in entries] == ["a", "b", "c", "d"]
    assert ["do re mi" in text for text in entries] == [True, True, False, False]


def test_a_long_suite_keeps_the_addresses_of_its_cases() -> None:
    """Its first page has a place for each case; a case on a further page has a link there."""
    files = site(
        record(*(result(f"choir/verse/{number}", "bass", request={"song": "x" * 900}) for number in range(400)))
    )
    first, second = (files[f"cases/choir/verse{part}.html"] for part in ("", "~2"))
    assert {str(number) for number in range(400)} <= {*Links(first).ids}
    assert "399" in Links(second).ids
    assert "../../cases/choir/verse~2.html#399" in Links(first).targets


def test_hostile_text_is_escaped() -> None:
    """No page has a tag of a record, and every script of a page is a file of the site."""
    for path, text in full().items():
        if path.endswith(".html"):
            assert "<img" not in text, path
            assert re.findall(r"<script(?! (?:defer )?src=\"[./]*[a-z0-9-]+\.js\">)", text) == [], path
            assert "javascript:hit)" not in "".join(Links(text).targets), path
    assert all(text.isascii() for path, text in full().items() if path.startswith("search-"))


def test_the_front_page() -> None:
    """It has each version, the adapter that did not start, and the numbers of everything."""
    text = full()["index.html"]
    assert "6 cases" in text
    assert 'href="implementations/bass/1.0.html"' in text
    assert 'href="implementations/bass/0.9.html"' in text
    assert "could not be built or started" in text


def test_a_case_page_has_everything_about_the_case() -> None:
    """Note, origin, evidence, request, both sides of a difference, requirements and commands."""
    text = full()["results/choir/verse/first.html"]
    for part in (
        "The first of all.",
        "oracle:organ",
        "organ --play",
        "do re mi",
        "SONG-01",
        "parity run --adapter bass",
    ):
        assert part in text
    assert "<mark>fa</mark>" in text
    assert 'class="chip pass"' in text
    assert 'class="chip fail"' in text


def test_a_case_without_results_has_a_place() -> None:
    """A case that no record has stands on the page of its suite with its name alone, below the command that shows it."""
    entries, _, rest = full()["cases/choir/verse.html"].partition("Cases that no record has")
    assert "parity explain choir/verse/ID" in entries
    assert '<li id="unheard">unheard</li>' in rest


def test_equal_answers_stand_together() -> None:
    """Two implementations with one wrong answer share a card; another answer has its own."""
    name = "choir/verse/first"
    results = [result(name, "alto"), failing(name, "bass"), failing(name, "viola"), failing(name, "cello", "la")]
    text = site(record(*results))[case_path(name)]
    assert re.findall(r'<h3 class="got-by">(?:<a[^>]*>)?([a-z, ]+)', text) == ["bass, viola", "cello"]


def test_an_answer_to_an_older_request_is_marked() -> None:
    """A record of another form of the case does not count as the same answer."""
    name = "choir/verse/first"
    now = record(result(name, "alto"))
    then = older(record(result(name, "bass", request={"song": "other"}), digest="older"), "bass", "0.9")
    text = site(now, then)[case_path(name)]
    assert text.count("This run used another request") == 1


def test_a_ruling_shows_who_follows_which_reading() -> None:
    """The page has each reading with its followers; the front page and the list have the readings of each SDK."""
    made = ruled(disputed("alto", "a"), disputed("bass", "b"))
    files = site(made)
    page = files["rulings/RUL-1.html"]
    assert "a (adopted)" in page
    assert re.search(r"<b>bass</b>: 1 case", page)
    assert RULING.title in files["index.html"]
    for path in ("index.html", "rulings.html"):
        cells = re.findall(
            r'<td data-name="(alto|bass)"><span class="part (\w+)" title="1 \w+"><b>(.)</b> 1', files[path]
        )
        assert cells == [("alto", "adopted", "a"), ("bass", "open", "b")]
    assert "b (open)" in page


def test_failures_stand_under_their_cause() -> None:
    """A cause has a list of its cases; the page of the implementation and of the case lead to it."""
    flat = explained(failing("choir/verse/first", "bass"), Choice(deviations=("flat",)))
    bass = replace(entry("bass"), causes=(Cause("flat", "It sings flat.", "sing.c:7"),))
    files = site(record(flat, failing("choir/verse/second", "bass"), entries=[bass]))
    path = "implementations/bass/1.0/cause-flat.html"
    assert "<code>sing.c:7</code>" in files["implementations/bass/1.0.html"]
    assert "choir/verse/<wbr>" in files[path]
    assert "first" in files[path] and "second" not in files[path]
    assert {path, "implementations/bass/1.0/rest-unexplained.html"} <= {
        target("implementations/bass/1.0.html", link) for link in Links(files["implementations/bass/1.0.html"]).targets
    }
    assert path in {target(case_path("x/y/z"), link) for link in Links(files[case_path("choir/verse/first")]).targets}


def test_versions_of_an_implementation_show_a_trend() -> None:
    """The newer version has a row for each version and the cases that changed."""
    then = older(record(result("choir/verse/first", "bass"), failing("choir/verse/second", "bass")), "bass", "0.9")
    now = record(failing("choir/verse/first", "bass"), result("choir/verse/second", "bass"))
    page = site(then, now)["implementations/bass/1.0.html"]
    assert "Since 0.9" in page
    assert "1 newly failing, 1 fixed" in page


@pytest.mark.parametrize(("one", "other"), [("v0.10.0", "v0.9.0"), ("5f4b65bb09", "22a586ee91")])
def test_the_order_of_versions(one: str, other: str) -> None:
    """Version numbers decide, whatever was run last; other versions stand in the order of their runs."""
    made = record(result("choir/verse/first", "bass"))
    first, second = ("2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z")
    is_number = one.startswith("v")
    times = (first, second) if is_number else (second, first)
    page = site(older(made, "bass", one, times[0]), older(made, "bass", other, times[1]))[
        f"implementations/bass/{one}.html"
    ]
    assert f"Since {other}" in page


def test_a_version_of_more_digits_than_python_converts() -> None:
    """A number of 5,000 digits is no version number: the times of the runs order the versions, and the page has a short
    address."""
    made = record(result("choir/verse/first", "bass"))
    endless = "9" * 5000
    first, second = ("2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z")
    files = site(older(made, "bass", endless, first), older(made, "bass", "1.0", second))
    assert "Since 9999" in files["implementations/bass/1.0.html"]
    assert max(map(len, files)) < 300


def test_the_newer_of_two_records_of_one_version_counts() -> None:
    """One version has one column."""
    then = older(record(failing("choir/verse/first", "bass")), "bass", "1.0")
    files = site(record(result("choir/verse/first", "bass")), then)
    assert 'class="chip fail"' not in files["cases/choir/verse.html"]


def test_a_requirement_shows_who_fails_it() -> None:
    """The page has the statement, its place in the specification, and the failures that break it."""
    page = full()["requirements/SONG-01.html"]
    assert "A song is sung to its end." in page
    assert "section “Singing”" in page
    assert re.search(r'bass 1.0</a></th><td class="number" data-name="fails it">\d', page)


def test_another_order_of_members_is_no_other_form() -> None:
    """A record has the members of a case in another order than the corpus; the case is the same."""
    made = record(result("choir/verse/first", "bass", request={"b": 1, "a": 2}), digest="older")
    listed = case("choir/verse/first")
    expected = made.results[0].line.expected
    body = CaseBody(recorded_request={"a": 2, "b": 1}, expected=expected, note="")
    files = site(made, cases=[replace(listed, body=body)], corpus_digest="d")
    assert case_path("choir/verse/first") not in files


@pytest.mark.slow
def test_no_page_is_larger_than_the_limit() -> None:
    """Long lists have several pages, and long values are cut."""
    long = {"song": ["<&\"'" * 3_000] * 200, "notes": [{"id": f"n{number}", "of": "x" * 90} for number in range(3_000)]}
    got = {"answer": {"tune": [f'"{number}' * 50 for number in range(2_000)]}}
    name = "choir/verse/first"
    large = [failing(name, f"bass-{number}", stderr="x" * 9_000, request=long, answer=got) for number in range(12)]
    files = site(record(*large)) | site(great(800))
    assert max(len(text.encode("utf-8")) for text in files.values()) <= MAX_PAGE
    assert "cases/choir/part_0/suite_0.html" in files
    assert "operations/song.sing~2.html" in files


def test_an_incomplete_record_is_marked() -> None:
    """The front page and the page of the implementation show that a run did not end."""
    files = site(record(result("choir/verse/first", "bass"), complete=False))
    assert "incomplete" in files["index.html"]
    assert "incomplete" in files["implementations/bass/1.0.html"]


def test_unsupported_cases_stand_under_their_reason() -> None:
    """The page of an implementation counts the reasons."""
    files = site(record(result("a/b/c", "bass", Verdict.UNSUPPORTED, reason="no organ"), result("a/b/d", "bass")))
    assert "no organ" in files["implementations/bass/1.0.html"]


def test_a_case_outside_the_corpus_is_marked() -> None:
    """A reader sees that only a record has the case."""
    files = site(everything(), cases=[case("choir/verse/first")], corpus_digest="d")
    assert "A record has it." in files[case_path("organ/pipes/fifth")]
    assert "A record has it." in files["cases/organ/pipes.html"]
    assert "A record has it." not in files[case_path("choir/verse/first")]


def test_a_ruling_shows_the_failures_that_a_deviation_explains() -> None:
    """A reading that no answer follows exactly links to them; each deviation has its cases and their list."""
    flat = explained(failing("choir/verse/first", "bass", cited_by_rulings=("RUL-1",)), Choice(deviations=("flat",)))
    plain = failing("choir/verse/second", "bass", cited_by_rulings=("RUL-1",))
    files = site(ruled(flat, plain))
    page = files["rulings/RUL-1.html"]
    _, second = page.split("The highest.")
    assert "No answer is exactly this reading" in second.split("</div>")[0]
    assert "<b>bass</b>: 1 case fails" in page
    assert ">flat</a>: 1" in page
    assert "<b>bass</b> fails 1 case by none of these readings" in page
    assert "2 failing" in files["rulings.html"]


def test_open_rulings_stand_before_decided_ones() -> None:
    """The list has a part for each, and the open rulings come first, whatever the severity is."""
    made = ruled(disputed("alto", "a"), disputed("bass", "b"))
    decided = replace(made.metadata.rulings["RUL-1"], id="RUL-0", text="decides")
    page = site(with_metadata(made, rulings={"RUL-0": decided, **made.metadata.rulings}))["rulings.html"]
    parts = [page.index(text) for text in ("Open: ", "RUL-1.html", "Decided: ", "RUL-0.html")]
    assert parts == sorted(parts)


def test_the_front_page_counts_only_cases_with_a_verdict() -> None:
    """A case of the corpus is no check of an implementation if no run has it, or if nobody implements its system."""
    page = site(
        record(result("choir/verse/first", "bass")), cases=[case("choir/verse/first"), case("choir/verse/other")]
    )
    assert "1 case checks 1 implementation against 1 specification: 1 verdicts" in " ".join(page["index.html"].split())
    assert "1 further case checks none of them." in page["index.html"]
    foreign = [result(f"organ/pipe/{name}", "bass", Verdict.UNSUPPORTED, reason="no organ") for name in ("low", "high")]
    page = site(record(result("choir/verse/first", "bass"), *foreign))
    assert "1 case checks 1 implementation against 1 specification: 1 verdicts" in " ".join(page["index.html"].split())
    assert "2 further cases check none of them." in page["index.html"]


def test_all_numbers_of_a_version_count_the_same_cases() -> None:
    """Bar, shares and reasons leave out the cases of a system that the implementation does not implement."""
    made = record(
        result("choir/verse/first", "bass"),
        result("choir/verse/second", "bass", Verdict.UNSUPPORTED, reason="no voice"),
        *(result(f"organ/pipe/{name}", "bass", Verdict.UNSUPPORTED, reason="no organ") for name in ("low", "high")),
    )
    page = site(made)
    for path in ("index.html", "implementations/bass/1.0.html"):
        assert 'aria-label="1 pass, 1 unsupported"' in page[path]
        assert page[path].count('width="150.0"') == 2
    assert "50%" in page["index.html"].split('data-name="answered"')[1].split("</td>")[0]
    assert "<dt>answered</dt><dd>1 of 2 cases</dd>" in page["implementations/bass/1.0.html"]
    assert "no voice" in page["implementations/bass/1.0.html"]
    assert "no organ" not in page["implementations/bass/1.0.html"]


def test_a_bar_is_as_long_as_the_answered_share() -> None:
    """The cases of a profile that did not run are a part of the bar, as they are of the answered share."""
    profile = ConformanceProfile("choir", "all", "", {"song.sing": 4})
    made = with_metadata(record(result("choir/verse/first", "bass")), profiles=(profile,))
    index = site(made)["index.html"]
    assert 'width="75.0"' in index
    assert "25%" in index.split('data-name="answered"')[1].split("</td>")[0]


def test_profiles_count_supported_cases() -> None:
    """A profile and its implementation have one share of passes and variants: a crash is a supported case."""
    profile = ConformanceProfile("choir", "all", "", {"song.sing": 3})
    made = record(
        result("choir/verse/first", "bass"), result("choir/verse/third", "bass"), crash("choir/verse/second", "bass")
    )
    index = site(with_metadata(made, profiles=(profile,)))["index.html"]
    assert index.count("66.6% pass or variant, 66.6% answered, 1 failing") == 1
    assert '<td class="number" data-name="pass or variant">66.6%</td>' in index
