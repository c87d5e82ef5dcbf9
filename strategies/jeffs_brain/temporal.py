"""Requests of the temporal expansion: question dates in every form, and questions with every recognised phrase.

Query DSL document, section "Temporal expansion".
"""

from __future__ import annotations

from typing import Final

from ..common.characters import NEAR_SPACE, WHITE_SPACE
from ..common.choices import Choices, Json, Recipe
from ..common.texts import altered, character, space, word

_YEARS: Final = (2026, 2024, 2023, 2000, 1999, 1970, 1969, 1900, 2100, 1600, 1582, 99, 50, 49, 1, 0, 9999, 2025, 400)
_MONTH_ENDS: Final = (28, 29, 30, 31, 1, 15, 2)
_DAY_NAMES: Final = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH_NAMES: Final = (
    "Jan",
    "February",
    "Mar",
    "april",
    "MAY",
    "Jun",
    "July",
    "Aug",
    "Sept",
    "October",
    "Nov",
    "december",
)
_SUFFIXES: Final = (
    " (Sat)", " (sat)", " (SAT)", "  (Mon)", "\t(Tue)", " (Xyz)", " (Sa)", " (Saturday)", "(Sat)", " Sat", " (S4t)",
    " ()", " (Sat) ", " ( Sat)", " (S\u00e4t)",
)  # fmt: skip
_ZONES: Final = (
    "Z", "+00:00", "-00:00", "+02:00", "-11:30", "+14:00", "+23:59", "+24:00", "z", "+0200", "+02", " GMT", " MST",
    " mdt", " CST", " CDT", " PST", " EDT", " UT", " pst", " UTC", " EST", " PDT", " CET", " +0100", "GMT+2",
    " UTC-03:30", "+2:00",
)  # fmt: skip
_OTHER_DATES: Final = (
    "2026", "2026-04", "+002026-04-18", "-000001-01-01", "-000000-01-01", "+275760-09-13",
    "+275760-09-13T00:00:00.001Z", "-271821-04-20", "20260418", "2026-W16-6", "2026-108", "1/2/3", "1/2/2026",
    "13/1/2026", "4-18-2026", "today", "now", "yesterday", "0", "1", "32", "49", "50", "1776470400000", "Date", "April",
    "2026-04-18T", "2026-04-18T10", "12:30", "2026-04-18T10:00Z", "2026-04-18T24:00:00Z", "2026-04-18T24:00:01Z",
    "2026-04-18T10:00:00.1234567Z", "infinity", "2026.04.18", "10::30 18 Apr 2026", "18 Apr 2026 1:2:3.4:5",
    "2026-04-18T24:30", "2026-04-18T10:00+0260", "2026-04-18T10:00+02x", "2026-04-18)", "18 Apr 2026 (a (b)",
    "2026-04-18T10:00:00.", "+2026-04-18", "2026-04-18T1", "2026-04-18T10:6", "10::30::5 18 Apr 2026",
    "18 Apr 2026 10:30.x", "2026年4月18日", "null", "NaN", "", " ", "2026-4-18", "26-04-18", "2026/4/8", "12026-04-18",
)  # fmt: skip

_COUNTS: Final = (
    "1", "2", "3", "7", "12", "0", "13", "24", "30", "31", "59", "60", "100", "365", "366", "400", "1000", "4800",
    "24312", "3287182", "100000001", "99999999999", "00002", "0" * 13 + "2", "9" * 20, "1" + "0" * 309, "-2", "1.5",
    "two", "a", "1,000", "٣", "２",
)  # fmt: skip
# Digits of a count of months. An SDK that counts month by month needs seconds for more; the corpus has such counts.
_LONGEST_MONTHS: Final = 9
_ORDERING: Final = (
    "first", "earlier", "before", "most recent", "latest", "last time", "First", "BEFORE", "most  recent", "lasttime",
    "most\u00a0recent", "firstly", "thirsty first", "\ufb01rst", "earl\u0131er", "mostrecent", "lates", "beforehand",
)  # fmt: skip
_OTHER_PHRASES: Final = (
    "today", "yesterday", "last week", "this week", "last month", "2 years ago", "an hour ago", "2 weeks from now",
    "the week of 12 March", "on 2026-04-18", "next monday", "last weekend", "vorige maandag", "2 weken geleden",
    "last mon", "2 day", "days ago", "ago", "last last friday", "2 days  before", "since last monday's",
)  # fmt: skip


def _two(number: int) -> str:
    return f"{number:02}"


def day(choices: Choices) -> str:
    """A day in one of the two surface forms; rarely with components outside their ranges or mixed separators."""
    year = choices.pick(_YEARS) if choices.one_in(2) else 1990 + choices.below(64)
    month = 1 + choices.below(12)
    number = choices.pick(_MONTH_ENDS) if choices.one_in(2) else 1 + choices.below(28)
    if choices.one_in(12):
        month = choices.pick((0, 13, 99, 12))
    if choices.one_in(12):
        number = choices.pick((0, 32, 99, 31))
    first = choices.pick(("-", "/"))
    second = choices.pick(("/", "-", ".", "")) if choices.one_in(20) else first
    return f"{year:04}{first}{_two(month)}{second}{_two(number)}"


def _clock(choices: Choices) -> str:
    hour = choices.pick((0, 23, 24, 25, 99, 12)) if choices.one_in(6) else choices.below(24)
    minute = choices.pick((0, 59, 60, 99)) if choices.one_in(6) else choices.below(60)
    text = f"{_two(hour)}:{_two(minute)}"
    if choices.one_in(2):
        text += f":{_two(choices.pick((0, 59, 30, 15, 60, 99, 7, 45)))}"
    return text + choices.pick((".5", ".123", ".1239", ".", ":00")) if choices.one_in(10) else text


def _iso(choices: Choices) -> str:
    text = f"{day(choices)}{choices.pick(('T', 'T', 't', ' '))}{_clock(choices)}"
    return text + choices.pick(_ZONES) if choices.one_in(2) else text


def _worded(choices: Choices) -> str:
    month, number, year = choices.pick(_MONTH_NAMES), 1 + choices.below(31), choices.pick(_YEARS)
    forms = (
        f"{month} {number}, {year}",
        f"{number} {month} {year}",
        f"{choices.pick(_DAY_NAMES)}, {_two(number)} {month} {year}",
        f"{choices.pick(_DAY_NAMES)} {month} {_two(number)} {year}",
        f"{month} {year}",
        f"{number}-{month}-{year}",
        f"{month}.{number} {year}",
        f"{year} {month} {number}",
    )
    text = choices.pick(forms)
    if choices.one_in(2):
        text += f" {_clock(choices)}{choices.pick(('', ' AM', ' pm', ' PM', 'am'))}"
        text += choices.pick(_ZONES) if choices.one_in(2) else ""
    return text


def date(choices: Choices) -> str:
    """A question date: a surface form, a text for the fallback, or a near miss."""
    kind = choices.below(32)
    if kind < 10:
        text = day(choices)
    elif kind < 14:
        text = day(choices) + choices.pick(_SUFFIXES)
    elif kind < 18:
        text = f"{day(choices)} {_clock(choices)}"
    elif kind < 20:
        text = f"{day(choices)}{choices.pick(_SUFFIXES)} {_clock(choices)}"
    elif kind < 25:
        text = _iso(choices)
    elif kind < 27:
        text = _worded(choices)
    elif kind == 27:
        text = choices.pick(_OTHER_DATES)
    else:
        text = f"{1990 + choices.below(64)}-{_two(1 + choices.below(12))}-{_two(1 + choices.below(28))}"
        if kind == 31:
            text = text.replace("-", "/")
    if choices.one_in(12):
        text = choices.pick((" ", "\n", *WHITE_SPACE, *NEAR_SPACE)) + text
    if choices.one_in(12):
        text += choices.pick((" ", "\n", *WHITE_SPACE, *NEAR_SPACE))
    if choices.one_in(48):
        at = choices.below(min(len(text), 100) + 1)
        text = text[:at] + character(choices) + text[at:]
    return text


def anchor(choices: Choices) -> str:
    """A question date that mostly has a written form, so that phrases resolve."""
    if choices.one_in(8):
        return date(choices)
    month, number = 1 + choices.below(12), 1 + choices.below(31)
    year = choices.pick((2026, 2024, 2023, 2000, 1900)) if choices.one_in(2) else 1990 + choices.below(64)
    text = f"{year}-{_two(month)}-{_two(number)}"
    return text + choices.pick((" (Sat)", " 23:59", "T10:00:00Z", "T23:30:00-05:00")) if choices.one_in(3) else text


def _gap(choices: Choices) -> str:
    return choices.pick((*WHITE_SPACE, *NEAR_SPACE, "", "  ", " \n ", "-", "\u00a0 ")) if choices.one_in(12) else " "


def _cased(choices: Choices, text: str) -> str:
    return choices.pick((str.upper, str.capitalize, str.title, str.swapcase))(text) if choices.one_in(6) else text


def _relative(choices: Choices) -> str:
    count = choices.pick(_COUNTS) if choices.one_in(2) else str(choices.below(40))
    unit = choices.pick(("day", "days", "week", "weeks", "month", "months"))
    if choices.one_in(16):
        unit = choices.pick(
            ("wee\u212as", "day\u017f", "year", "fortnights", "dayss", "mo", "week's", "dager", "monthS")
        )
    if unit.startswith("month") and len(count) > _LONGEST_MONTHS and not choices.one_in(32):
        count = count[-1] + count[:2]
    return count + _gap(choices) + _cased(choices, unit) + _gap(choices) + _cased(choices, "ago")


def _weekday(choices: Choices) -> str:
    name = choices.pick(_WEEKDAYS)
    if choices.one_in(16):
        name = choices.pick(("mondays", "thur\u017fday", "mon", "maandag", "sundayish", "sun day"))
    return _cased(choices, "last") + _gap(choices) + _cased(choices, name)


def _piece(choices: Choices) -> str:
    kind = choices.below(20)
    if kind < 8:
        return _relative(choices)
    if kind < 13:
        return _weekday(choices)
    if kind < 15:
        return choices.pick(_ORDERING)
    if kind == 15:
        return choices.pick(_OTHER_PHRASES)
    if kind == 16:
        return altered(choices, _relative(choices))
    if kind == 17:
        return altered(choices, _weekday(choices))
    return word(choices, ("what did I do", "watch", "the", "and", "x", "?", "Where", "note"))


def question(choices: Choices) -> str:
    """A question: recognised phrases, near misses and other words, sometimes glued together."""
    parts: list[str] = []
    for part in choices.parts(4, 9, 1):
        gap = part.pick(("", "-", "_", ",", ", ", "é")) if part.one_in(10) else space(part)
        parts += [_piece(part), gap]
    return "".join(parts[:-1])


def _questioned(choices: Choices) -> Json:
    asked: Json = {"question": question(choices)}
    return asked if choices.one_in(16) else {**asked, "questionDate": anchor(choices)}


def _tokens(choices: Choices) -> Json:
    return {} if choices.one_in(64) else {"value": date(choices)}


RECIPES: Final = {
    "temporal.parseDate": Recipe(lambda choices: {"value": date(choices)}, 28),
    "temporal.expand": Recipe(_questioned, 64),
    "temporal.augment": Recipe(_questioned, 64),
    "temporal.dateTokens": Recipe(_tokens, 28),
}
"""Operation -> recipe."""
