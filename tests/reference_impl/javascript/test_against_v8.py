"""The JavaScript room against the real engine: one node process answers everything that is asked here."""

import json
import os
import random
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from reference_impl.decisions import decided
from reference_impl.javascript import date_parser, dates, regexps, strings
from reference_impl.jeffs_brain import intent, temporal
from reference_impl.jeffs_brain.anchors import AnchorsDecisions

pytestmark = pytest.mark.slow

PATTERNS = {
    **intent.PATTERN_SOURCES,
    "RELATIVE_TIME": temporal.relative_time_pattern(),
    "LAST_WEEKDAY": temporal.last_weekday_pattern(),
    "ANCHOR": decided(AnchorsDecisions).surface_pattern(),
}
PROPERTIES = ["P", "S", "L", "N", "Nd"]

# What stands before and after a code point: nothing, letters, the final sigma's surroundings, the dotted I's.
CONTEXTS = [("", ""), ("A", ""), ("", "B"), ("A", "B")]
CONTEXTS += [("A\u03a3", ""), ("A\u03a3", "B"), ("", "\u03a3"), ("A", "\u03a3"), ("A", "\u03a3B"), ("A\u03a3.", "")]
CONTEXTS += [("I", ""), ("I", "\u0307"), ("\u0130", ""), ("", "\u0307")]
COMPOSITIONS = [("", ""), ("e", ""), ("", "\u0301"), ("\u1100", ""), ("", "\u1161\u11a8")]

# Between Unicode 14 and 17 the first ceased to be cased and the second to be case-ignorable; no other code point that 14
# assigns changed so. It shows beside a capital sigma only.
RECLASSIFIED = "\u0295\U0001171e"

EPOCH = date(1970, 1, 1).toordinal()
FIRST_DAY, LAST_DAY, MONTHS = date(1999, 1, 1).toordinal() - EPOCH, date(2011, 1, 1).toordinal() - EPOCH, 36

# ECMA-262 defines no result for these; V8 reads them with a grammar of its own.
LEGACY = [
    *(f"-000000-{rest}" for rest in ("01", "12", "02-28", "02-30", "12-31")),
    *("2026-04-18Z", "2026-04-18T10:00:00.12Z", "2026-04-18T10:00:00.1234Z", "2026-04-18T10:00+0900"),
    *("April 18 2026", "18 April 2026", "04/18/2026", "2026-4-8", "2026-04-18 10:30 (Sat)", "2026-04-18 (Saturday)"),
    *("1", "0", "2026-", "+2026", "foo 1", "tomorrow 2026", "2026-04-18t10:00z", "Sat Apr 18 2026 10:00:00 GMT+0200"),
]

LEGACY_PIECES = (
    "2026 26 4 04 18 31 32 0 1 99 10:30 9:05 10:30:15 10:30:15.5 24:00 25:00 - / . , T t Z z + +09:00 -0500 +5"
)
LEGACY_PIECES += (
    " GMT UTC PST am PM Apr april Mayor foo Sat (x) ( ) 2026-04-18 2026-04 -000000 1234567890123 : :: é _ [ 18: 60"
)

# One of each in turn makes a question date or something near to one.
ANCHOR_PARTS: list[list[str]] = [
    *(["2026", "0050", "20261"], ["-", "/", "."], ["04", "13", "4"], ["-", "/"], ["18", "00", "1８"]),
    *([" ", "", "\u00a0", "\u0085", "\ufeff\t"], ["(Sat)", "", "(xYZ)", "(Saturday)", "(\u017fat)"]),
    *([" ", "", "\u2003\n"], ["10:30", "", "25:99:99", "10:30:59", "1:30"], ["", "", "\n", " "]),
]

LONE_SURROGATES = ["\ud800", "\udc00", "a\udfffb", "\ud83d\ud83d"]
FRAGMENTS = " \t\n\v\f\r\u0085\u00a0\u001c\u180e\u2003\u2028\u202f\u3000\ufeff"
FRAGMENTS += "aZ09_.,-/()[]:'\"*é\u0301ßıİſ\u212aσΣςΟñǅ\u0660Ⅷ²½猫😀𝒜𐐀＄\u200b\u00ad"


def random_texts(seed: str, pieces: list[str], count: int) -> list[str]:
    """Texts of up to twelve pieces, the same for the same seed."""
    choose = random.Random(seed)
    return ["".join(choose.choices(pieces, k=choose.randint(0, 12))) for _ in range(count)]


def texts_for(name: str, source: str) -> list[str]:
    """Two thousand texts in which the words of a pattern stand among white space and look-alikes."""
    if name == "ANCHOR":
        choose = random.Random(name)
        return ["".join(map(choose.choice, ANCHOR_PARTS)) for _ in range(2_000)]
    phrases = ["[date:", "[observed on:", "3 weeks ago", "last friday", *re.findall("[a-z]{2,}", source)]
    alike = [phrase.replace("s", "ſ").replace("k", "\u212a").replace(" ", "\u00a0") for phrase in phrases]
    pieces = [*phrases, *map(str.upper, phrases), *alike]
    return random_texts(name, [*pieces, " ", " ", "i", "s", *FRAGMENTS], 2_000)


def iso_texts() -> list[str]:
    """Every date, time and offset of the ECMA-262 format with each part in and out of its range."""
    years = ("2026", "0000", "0050", "9999", "+002026", "-000001", "+275760", "-271821", "+275761")
    days = ("", "-01", "-13", "-00", "-02-28", "-02-30", "-04-32", "-01-00", "-09-13")
    clocks = ("T00:00", "T23:59:59.999", "T24:00", "T24:00:00.001", "T25:00", "T10:60", "T10:30:60")
    offsets = ("", "Z", "+05:30", "-23:59", "+24:00", "-10:60")
    odd = ("", " ", "2026-04-18T", "2026-04-18T10", "2026-04-18T10:00:00.", "20260418")
    moments = ("".join(parts) for parts in product(years, days, clocks, offsets))
    return [*odd, *("".join(parts) for parts in product(years, days)), *moments]


def question() -> dict[str, Any]:
    """All that the engine is asked, from fixed seeds."""
    choose = random.Random("dates")
    limit = 8_640_000_000_000_000
    edges = [(year, 1, 30) for year in (-1, 0, 99, 100, 1899, 275760, 300000)] + [(2026, -27, 400, -5, 9999, -1)]
    return {
        "properties": PROPERTIES,
        "contexts": CONTEXTS,
        "compositions": COMPOSITIONS,
        "strings": random_texts("strings", list(FRAGMENTS), 5_000) + LONE_SURROGATES,
        "patterns": [{"source": source, "texts": texts_for(name, source)} for name, source in PATTERNS.items()],
        "firstDay": FIRST_DAY,
        "lastDay": LAST_DAY,
        "months": MONTHS,
        "dates": iso_texts() + LEGACY + random_texts("legacy", [*LEGACY_PIECES.split(), " ", " "], 5_000),
        "parts": edges + [[choose.randint(-200, 3000), *choose.choices(range(-40, 90), k=5)] for _ in range(5_000)],
        "instants": [-limit, limit, -1, 0] + [choose.randint(-limit, limit) for _ in range(5_000)],
    }


@pytest.fixture(scope="module")
def asked() -> dict[str, Any]:
    return question()


@pytest.fixture(scope="module")
def v8(asked: dict[str, Any]) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on PATH: the JavaScript semantics were NOT compared with a real engine")
    script = Path(__file__).with_name("v8.mjs")
    environment = {**os.environ, "TZ": "UTC"}
    done = subprocess.run(
        [node, str(script)], input=json.dumps(asked), capture_output=True, text=True, env=environment, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def shared(v8: dict[str, Any]) -> list[str]:
    """The code points that both engines assign."""
    assigned = map(chr, points(v8["assigned"]))
    return [character for character in assigned if unicodedata.category(character) != "Cn"]


def points(ranges: list[list[int]]) -> Iterator[int]:
    return (point for first, last in ranges for point in range(first, last + 1))


def written(instant: int | None) -> str | None:
    return None if instant is None else dates.to_iso_string(instant)


def differences(
    shared: list[str], contexts: list[tuple[str, str]], tables: list[dict[str, Any]], apply: Callable[[str], str]
) -> list[tuple[str, str, str]]:
    """(whole, wanted, got) for each code point and context in which Python and the engine part."""
    found = []
    for (prefix, suffix), table in zip(contexts, tables, strict=True):
        for character in shared:
            whole = prefix + character + suffix
            plain = table["before"] + character + table["after"]
            wanted, got = table["changed"].get(str(ord(character)), plain), apply(whole)
            if wanted != got and merged(wanted) != merged(got):
                found.append((whole, wanted, got))
    return found


def merged(text: str) -> str:
    """The same text with each surrogate pair as one code point, as a JSON reader gives it."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def test_both_engines_say_their_unicode_version(v8: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Both versions are known, and a run shows them."""
    with capsys.disabled():
        print(f"\n{v8['engine']}: Unicode {v8['unicode']}; Python: Unicode {unicodedata.unidata_version}")
    assert float(v8["unicode"]) >= 13


@pytest.mark.parametrize("name", PROPERTIES)
def test_property_class(v8: dict[str, Any], shared: list[str], name: str) -> None:
    """Every code point that both engines assign has the property in both or in neither."""
    wanted = {chr(point) for point in points(v8["properties"][name])}.intersection(shared)
    assert wanted == {character for character in shared if regexps.has_property(character, name)}


def test_white_space(v8: dict[str, Any], shared: list[str]) -> None:
    r"""``\s``, trim, collapse and split agree on every code point."""
    wanted = {chr(point) for point in points(v8["whiteSpace"])}
    space = regexps.compile_ignoring_case(r"^\s$")
    assert wanted == {character for character in shared if space.match(character)}
    assert wanted == {character for character in shared if strings.trim(character) == ""}
    assert wanted == {character for character in shared if strings.collapse(f"{character}\t") == " "}
    assert wanted == {character for character in shared if strings.split_words(f"a{character}b") == ["a", "b"]}
    assert wanted == {chr(point) for point in points(v8["trimmed"])}


def test_lower_case(v8: dict[str, Any], shared: list[str]) -> None:
    """Lower-casing agrees on every code point alone, beside letters, and around final sigmas and dotted letters."""
    characters = [character for character in shared if character not in RECLASSIFIED]
    assert differences(characters, CONTEXTS, v8["lowered"], strings.to_lower_case) == []


def test_composition(v8: dict[str, Any], shared: list[str]) -> None:
    """NFC agrees on every code point alone, behind a letter, before an accent, and within a Hangul syllable."""
    assert differences(shared, COMPOSITIONS, v8["composed"], strings.normalise_nfc) == []


def test_strings(asked: dict[str, Any], v8: dict[str, Any]) -> None:
    """Five thousand random texts, and lone surrogates, go through every string function alike."""
    for text, wanted in zip(asked["strings"], v8["strings"], strict=True):
        assert wanted == {
            "length": strings.length(text),
            "lower": strings.to_lower_case(text),
            "nfc": strings.normalise_nfc(text),
            "trimmed": strings.trim(text),
            "collapsed": strings.collapse(text),
            "words": strings.split_words(text),
            "middle": strings.slice_units(text, 1, 4),
            "sanitised": regexps.replace_runs(text, "_", "P", "S"),
            "runs": regexps.runs_of(text, "L", "Nd"),
        }, ascii(text)


def test_order(asked: dict[str, Any], v8: dict[str, Any]) -> None:
    """Strings sort by UTF-16 code units."""
    assert sorted(asked["strings"], key=strings.sort_key) == v8["sorted"]


@pytest.mark.parametrize("name", PATTERNS)
def test_pattern(asked: dict[str, Any], v8: dict[str, Any], name: str) -> None:
    """Ten thousand random texts match a pattern of the specification at the same places."""
    place = list(PATTERNS).index(name)
    pattern = regexps.compile_ignoring_case(PATTERNS[name])
    texts, wanted = asked["patterns"][place]["texts"], v8["matches"][place]
    assert any(wanted), "no text matches: the comparison shows nothing"
    for text, matches in zip(texts, wanted, strict=True):
        got = [[strings.length(text[: match.start()]), match[0]] for match in pattern.finditer(text)]
        assert got == matches, ascii(text)


def test_months_back(v8: dict[str, Any]) -> None:
    """Every day from 1999 to 2032 less 0 to 36 months is the same day."""
    got = []
    for day in range(FIRST_DAY, LAST_DAY):
        instant = day * 86_400_000
        month = dates.civil(instant).month
        got += [dates.set_month(instant, month - back) for back in range(MONTHS + 1)]
    assert [None if instant is None else instant // 86_400_000 for instant in got] == v8["monthsBack"]


def test_weekdays_back(v8: dict[str, Any]) -> None:
    """From every day from 1999 to 2032, "last <weekday>" is the day that a walk back finds."""
    wanted = iter(v8["weekdaysBack"])
    names = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
    question = " ".join(f"last {name}" for name in names)
    for day in range(FIRST_DAY, LAST_DAY):
        hints = temporal.expand_temporal(question, date.fromordinal(day + EPOCH).isoformat()).date_hints
        assert [date(*map(int, hint.split("/"))).toordinal() - EPOCH for hint in hints] == [next(wanted) for _ in names]


def test_from_parts(asked: dict[str, Any], v8: dict[str, Any]) -> None:
    """Parts outside their range carry over, and the years 0 to 99 stay what they are."""
    assert [written(dates.from_parts(*parts)) for parts in asked["parts"]] == v8["built"]


def test_instants(asked: dict[str, Any], v8: dict[str, Any]) -> None:
    """Instants of the whole range are written alike and fall on the same weekday."""
    assert [written(instant) for instant in asked["instants"]] == v8["written"]
    assert [dates.weekday(instant) for instant in asked["instants"]] == v8["weekdays"]


def test_date_strings(asked: dict[str, Any], v8: dict[str, Any]) -> None:
    """Date strings of the ECMA-262 format, and of V8's own grammar, are parsed alike or are no date in either."""
    got = map(written, map(date_parser.parse, asked["dates"]))
    assert [row for row in zip(asked["dates"], v8["parsed"], got, strict=True) if row[1] != row[2]] == []


@pytest.mark.parametrize("text", LEGACY)
def test_legacy_date_string(text: str) -> None:
    """A text outside the format is a date."""
    assert date_parser.parse(text) is not None
