"""JavaScript's Date in UTC with integers, over its full range (years -271821 to 275760). ECMA-262, "Date Objects".

An instant is in milliseconds since 1970-01-01T00:00:00Z; None is an invalid Date. As in JavaScript, months count from 0
and weekday 0 is Sunday.
"""

import math
from dataclasses import dataclass
from datetime import date

_DAY = 86_400_000
_LIMIT = 100_000_000 * _DAY

# The Gregorian calendar repeats after 400 years, so one cycle inside Python's range represents all cycles.
_CYCLE_YEARS, _CYCLE_DAYS, _CYCLE_START = 400, 146_097, date(2000, 1, 1)
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Civil:
    """A day of the proleptic Gregorian calendar; ``month`` counts from 0."""

    year: int
    month: int
    day: int


def from_parts(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> int | None:
    """setUTCFullYear and setUTCHours: a part outside its range carries over.

    Date.UTC differs only for the years 0 to 99, which it reads as 1900 to 1999.
    """
    seconds = (hour * 60 + minute) * 60 + second
    return _time_clip(_days(year, month, day) * _DAY + seconds * 1000)


def from_day(year: int, month: int, day: int, milliseconds: int) -> int | None:
    """The instant a number of milliseconds after the start of a day; a day outside its month carries over."""
    return _time_clip(_days(year, month, day) * _DAY + milliseconds)


def civil(instant: int) -> Civil:
    """getUTCFullYear, getUTCMonth and getUTCDate."""
    cycle, days = divmod(instant // _DAY - _days_since_epoch(_CYCLE_START), _CYCLE_DAYS)
    found = date.fromordinal(_CYCLE_START.toordinal() + days)
    return Civil(found.year + cycle * _CYCLE_YEARS, found.month - 1, found.day)


def weekday(instant: int) -> int:
    """getUTCDay: 0 is Sunday."""
    return (instant // _DAY + 4) % 7


def set_month(instant: int, month: float) -> int | None:
    """setUTCMonth(month): keeps the day of the month; a day that the month does not have falls into the next month."""
    if not math.isfinite(month):
        return None
    now = civil(instant)
    return _time_clip(_days(now.year, int(month), now.day) * _DAY + instant % _DAY)


def set_day(instant: int, day: float) -> int | None:
    """setUTCDate(day): a day outside the month falls into another month."""
    if not math.isfinite(day):
        return None
    now = civil(instant)
    return _time_clip(_days(now.year, now.month, int(day)) * _DAY + instant % _DAY)


def to_iso_string(instant: int) -> str:
    """toISOString: with milliseconds and ``Z``; a year outside 0 to 9999 has a sign and six digits."""
    now = civil(instant)
    year = f"{now.year:04}" if 0 <= now.year <= 9999 else f"{now.year:+07}"
    seconds, millisecond = divmod(instant % _DAY, 1000)
    minutes, second = divmod(seconds, 60)
    clock = f"{minutes // 60:02}:{minutes % 60:02}:{second:02}.{millisecond:03}"
    return f"{year}-{now.month + 1:02}-{now.day:02}T{clock}Z"


def _days(year: int, month: int, day: int) -> int:
    """MakeDay: days since 1970-01-01; ``month`` and ``day`` can be any integer."""
    years, month = divmod(month, 12)
    cycle, year_of_cycle = divmod(year + years, _CYCLE_YEARS)
    first = date(_CYCLE_START.year + year_of_cycle, month + 1, 1)
    return _days_since_epoch(first) + (cycle - _CYCLE_START.year // _CYCLE_YEARS) * _CYCLE_DAYS + day - 1


def _days_since_epoch(day: date) -> int:
    return day.toordinal() - _EPOCH.toordinal()


def _time_clip(milliseconds: int) -> int | None:
    return milliseconds if abs(milliseconds) <= _LIMIT else None
