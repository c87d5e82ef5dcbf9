"""V8's Date.parse (V8 11, src/date/dateparser.cc).

ECMA-262 defines one format, the Date Time String Format, and lets each engine choose what else it reads. V8 first reads
as much of the text as has the defined format, with any number of digits for the fraction, offsets without a colon, and
letters of either case. It then reads the rest as a sequence of numbers, words and signs: numbers before ``:`` are a time,
other numbers are parts of a date, and parentheses count for nothing. Where V8 takes a date and time for local time, the
caller gives the time zone; it is UTC unless given.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from . import dates
from .date_tokens import END, Token, tokens

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HALVES = {"am": 0, "pm": 12}
_ZONES = {"ut": 0, "utc": 0, "z": 0, "gmt": 0}
_ZONES |= {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}


class _Unreadable(Exception):
    """V8 rejects the text."""


@dataclass(slots=True)
class _Clock:
    """Hour, minute, second and millisecond as far as they are read; ``half`` is 0 for am and 12 for pm."""

    parts: list[int] = field(default_factory=list)
    half: int | None = None

    def add(self, part: int) -> None:
        if len(self.parts) == 4:
            raise _Unreadable
        self.parts.append(part)

    def add_last(self, part: int) -> None:
        """Adds a part and completes the clock. A fifth part counts for nothing."""
        self.parts = [*self.parts, part, 0, 0, 0][:4]

    def expects(self, part: int) -> bool:
        return part < {1: 60, 2: 60, 3: 1000}.get(len(self.parts), 0)

    def milliseconds(self) -> int:
        hour, minute, second, millisecond = self.parts + [0] * (4 - len(self.parts))
        if self.half is not None:
            if hour > 12:
                raise _Unreadable
            hour = hour % 12 + self.half
        inside = hour <= 23 and minute <= 59 and second <= 59 and millisecond <= 999
        if not inside and (hour, minute, second, millisecond) != (24, 0, 0, 0):
            raise _Unreadable
        return ((hour * 60 + minute) * 60 + second) * 1000 + millisecond


@dataclass(slots=True)
class _Zone:
    """An offset from UTC; ``None`` for a part that is not read."""

    sign: int = 0
    hour: int | None = None
    minute: int | None = None

    def set(self, hours: int) -> None:
        self.sign, self.hour, self.minute = -1 if hours < 0 else 1, abs(hours), 0

    def expects(self, minute: int) -> bool:
        return self.hour is not None and self.minute is None and minute <= 59

    def milliseconds(self) -> int:
        """V8 counts the seconds in 32 bits without a sign, and rejects a sum that needs the highest bit."""
        seconds = ((self.hour or 0) * 60 + (self.minute or 0)) * 60 % 2**32
        if seconds >= 2**31:
            raise _Unreadable
        return self.sign * seconds * 1000


@dataclass(slots=True)
class _Reader:
    """The parts that are read so far. ``day`` has up to three numbers; ``month`` is a month that is given by its name."""

    tokens: list[Token]
    at: int = 0
    day: list[int] = field(default_factory=list)
    month: int | None = None
    is_iso: bool = False
    clock: _Clock = field(default_factory=_Clock)
    zone: _Zone = field(default_factory=_Zone)
    has_number: bool = False

    def peek(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else END

    def next(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def skip(self, symbol: str) -> bool:
        found = self.peek().kind == "symbol" and self.peek().text == symbol
        self.at += found
        return found

    def instant(self, from_local_time: Callable[[int], int]) -> int | None:
        if not self.day:
            raise _Unreadable
        year, month, day = self._date()
        if not (1 <= month <= 12 and 1 <= day <= 31):
            raise _Unreadable
        instant = dates.from_day(year, month - 1, day, self.clock.milliseconds() - self.zone.milliseconds())
        return from_local_time(instant) if instant is not None and self._is_local() else instant

    def _is_local(self) -> bool:
        """Whether no offset is read; a date alone in the format of ECMA-262 is in UTC."""
        return self.zone.hour is None and not (self.is_iso and not self.clock.parts)

    def _date(self) -> tuple[int, int, int]:
        """Year, month and day (V8's DayComposer::Write). A number that can be no day is the year, wherever it stands."""
        first, second, third = self.day + [1] * (3 - len(self.day))
        if self.is_iso:
            return first, second, third
        if self.month is not None:
            year, day = (second, first) if 1 <= first <= 31 else (first, second)
            return _full_year(year), self.month, day
        year, month, day = (third, first, second) if 1 <= first <= 31 else (first, second, third)
        return _full_year(year), month, day

    # The format of ECMA-262.

    def read_iso(self) -> None:
        """Reads as much as has the defined format (V8's ParseES5DateTime); the token after it is the next one."""
        if not self._read_iso_date():
            return
        if self.peek().kind == "word" and self.peek().text in ("t", "T"):
            self.next()
            self._read_iso_clock()
            self._read_iso_zone()
            if self.peek() != END:
                raise _Unreadable
        self.is_iso = self.peek() == END

    def _read_iso_date(self) -> bool:
        """Whether the date is complete; if not, the parts that are read stay."""
        sign = self.peek().sign
        if sign:
            self.next()
            if not self.peek().has_digits(6):
                return False
            year = sign * self.next().number
            if sign < 0 and year == 0:
                return False
            self.day.append(year)
        elif self.peek().has_digits(4):
            self.day.append(self.next().number)
        else:
            return False
        for limit in (12, 31):
            if not self.skip("-"):
                break
            if not (self.peek().has_digits(2) and 1 <= self.peek().number <= limit):
                return False
            self.day.append(self.next().number)
        return True

    def _read_iso_clock(self) -> None:
        hour = self._two_digits(24)
        self.clock.add(hour)
        if not self.skip(":"):
            raise _Unreadable
        self.clock.add(self._two_digits(0 if hour == 24 else 59))
        if self.skip(":"):
            self.clock.add(self._two_digits(0 if hour == 24 else 59))
            if self.skip("."):
                if self.peek().kind != "number" or (hour == 24 and self.peek().number):
                    raise _Unreadable
                self.clock.add(_milliseconds(self.next()))

    def _read_iso_zone(self) -> None:
        sign = self.peek().sign
        if sign:
            self.next()
            self.zone.sign = sign
            if self.peek().has_digits(4):
                hour, minute = divmod(self.next().number, 100)
                if hour > 23 or minute > 59:
                    raise _Unreadable
                self.zone.hour, self.zone.minute = hour, minute
                return
            self.zone.hour = self._two_digits(23)
            if not self.skip(":"):
                raise _Unreadable
            self.zone.minute = self._two_digits(59)
        elif self.peek().kind == "word" and self.peek().text in ("z", "Z"):
            self.next()
            self.zone.set(0)

    def _two_digits(self, limit: int) -> int:
        if not self.peek().has_digits(2) or self.peek().number > limit:
            raise _Unreadable
        return self.next().number

    # Everything else.

    def read_rest(self) -> None:
        """Reads the remaining tokens by V8's legacy grammar (DateParser::Parse)."""
        self.has_number = bool(self.day)
        while (token := self.next()) != END:
            if token.kind == "number":
                self._read_number(token.number)
            elif token.kind == "word":
                self._read_word(token.text.lower())
            elif token.sign and (self.clock.parts or (self.zone.hour == 0 and self.zone.minute == 0)):
                self._read_offset(token.sign)
            elif (token.sign or token.text == ")") and self.has_number:
                raise _Unreadable

    def _read_number(self, number: int) -> None:
        self.has_number = True
        if self.skip(":"):
            if self.skip(":"):
                if self.clock.parts:
                    raise _Unreadable
                self.clock.add(number)
                self.clock.add(0)
            else:
                self.clock.add(number)
                self.skip(".")
        elif self.skip(".") and self.clock.expects(number):
            self.clock.add(number)
            if self.peek().kind != "number":
                raise _Unreadable
            self.clock.add_last(_milliseconds(self.next()))
        elif self.zone.expects(number):
            self.zone.minute = number
        elif self.clock.expects(number):
            self.clock.add_last(number)
            after = self.peek()
            if not (after.kind in ("end", "space") or after.sign or after.text in ("z", "Z")):
                raise _Unreadable
        else:
            if len(self.day) == 3:
                raise _Unreadable
            self.day.append(number)
            self.skip("-")

    def _read_word(self, word: str) -> None:
        if word in _HALVES and self.clock.parts:
            self.clock.half = _HALVES[word]
        elif word[:3] in _MONTHS:
            self.month = _MONTHS.index(word[:3]) + 1
            self.skip("-")
        elif word in _ZONES and self.has_number:
            self.zone.set(_ZONES[word])
        elif self.has_number or self.peek().kind == "number":
            raise _Unreadable

    def _read_offset(self, sign: int) -> None:
        self.zone.sign = sign
        self.has_number = True
        token = self.next() if self.peek().kind == "number" else Token("number")
        if self.peek().kind == "symbol" and self.peek().text == ":":
            self.zone.hour, self.zone.minute = token.number, None
        elif len(token.text) in (1, 2):
            self.zone.hour, self.zone.minute = token.number, 0
        elif len(token.text) in (3, 4):
            self.zone.hour, self.zone.minute = divmod(token.number, 100)
        else:
            raise _Unreadable


def _full_year(year: int) -> int:
    if 0 <= year <= 49:
        return year + 2000
    return year + 1900 if 50 <= year <= 99 else year


def _milliseconds(token: Token) -> int:
    return int((token.text[:3]).ljust(3, "0"))


def _utc(milliseconds: int) -> int:
    return milliseconds


def parse(text: str, from_local_time: Callable[[int], int] = _utc) -> int | None:
    """Milliseconds since 1970, or None for a text that V8 rejects.

    ``from_local_time`` maps a local time, as if it were UTC, to its instant.
    """
    reader = _Reader(tokens(text))
    try:
        reader.read_iso()
        reader.read_rest()
        return reader.instant(from_local_time)
    except _Unreadable:
        return None
