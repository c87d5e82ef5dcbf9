"""Known-divergence file → its content, or every problem in it."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from ..corpus import located
from ..corpus.corpus_files import is_date, read_text
from ..corpus.entries import Entry, described, documented_of, not_a_mapping
from ..errors import CorpusError, ParityError, Problem, one_line, plural
from ..model import Json, Readings, replace
from .known_corpus import CASE_BYTES, FAILURE_BYTES, KnownCorpus
from .known_divergences import (
    Divergence,
    KnownDivergences,
    ListedNames,
    ListedReading,
    as_reason,
    cause_name,
    is_unwritten,
    keys_of,
)
from .places import source_place

FILE_NAME = "known-divergences.yaml"

_SIGNATURE = re.compile(r"[0-9a-f]{12}")
_FILE_KEYS = frozenset({"versions", "follows", "divergences", "unsupported", "unobservable", "readings", "corpus"})
RENAMED = {"profile": ("follows", "2026-11-23")}
"""Keys of the file with an older name: the present name, and the day of the change. The older one is read for a year."""
_UNOBSERVABLE_NAME = re.compile(r"[^/]+(?:/(?:[^~/]|~[01])*)+")
_UNWRITTEN = "unwritten-reason"
_ADAPTER = "adapter"
"""A key that stood beside an unwritten reason of unsupported cases until 2026-11-24: what the reason is now."""

_WRITE_CORPUS = "Delete `corpus:`; --write-known writes it anew."
_WRITE_REASON = "Write one sentence that gives the reason."


def file_exists(path: Path) -> bool:
    """Whether the path exists. A path that cannot be inspected counts as existing."""
    try:
        return path.exists()
    except OSError:
        return True


def load_known(path: Path, *, allow_todo: bool = False) -> KnownDivergences:
    """Reads the file at `path`. Raises `CorpusError` with every problem in it.

    With `allow_todo`, unwritten reasons are no problem: the caller writes the file again.
    """
    if not file_exists(path):
        raise ParityError(f"{path}: the file does not exist. Name a known-divergence file.")
    shown = str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
    problems: list[Problem] = []
    text = read_text(path, shown, problems) or ""
    from ..corpus.strict_yaml import parse_yaml

    value, syntax_problems = parse_yaml(text, shown)
    problems += syntax_problems
    reader = _Reader(shown, problems, text.splitlines())
    known = reader.known(value)
    if not allow_todo:
        problems += reader.unwritten()
    if problems:
        raise CorpusError(problems, path.name)
    return known


def unwritten_in(path: Path) -> Sequence[Problem]:
    """The place and the remedy of the reasons in the file at `path` that a person has not written yet."""
    try:
        load_known(path)
    except CorpusError as found:
        return [problem for problem in found.problems if problem.code == _UNWRITTEN]
    return ()


def files_in(folder: Path) -> list[Path]:
    """The known-divergence files of a folder: `known-divergences.yaml`, then `known-divergences-*.yaml` by name."""
    stem, _, suffix = FILE_NAME.rpartition(".")
    return [path for path in (folder / FILE_NAME, *sorted(folder.glob(f"{stem}-*.{suffix}"))) if path.is_file()]


def load_beside(folder: Path) -> KnownDivergences:
    """The file of a shipped adapter, in the adapter's folder; empty without one."""
    path = folder / FILE_NAME
    return load_known(path, allow_todo=True) if path.exists() else KnownDivergences()


class _Reader:
    """Reader of one file; collects every problem."""

    def __init__(self, shown: str, problems: list[Problem], rows: Sequence[str]) -> None:
        self._shown = shown
        self._rows = rows
        self._problems = problems
        self._lines: dict[str, int] = {}
        self._unwritten: list[str] = []
        self._old_keys: list[Problem] = []

    def known(self, value: Json) -> KnownDivergences:
        """The content of the whole file; nothing for an empty file."""
        if value is None:
            return KnownDivergences(shown=self._shown)
        if not isinstance(value, located.Mapping):
            remedy = "Write `divergences:` and `unsupported:`."
            self._problems.append(not_a_mapping(value, f"{self._shown}:1", "a mapping", remedy))
            return KnownDivergences()
        head = self._with_present_keys(Entry(value, self._shown, self._problems))
        head.refuse_unknown(_FILE_KEYS, "a known-divergence file")
        return KnownDivergences(
            divergences=tuple(map(self._divergence, self._entries(head, "divergences"))),
            unsupported=tuple(map(self._unsupported, self._entries(head, "unsupported"))),
            unobservable=tuple(map(self._unobservable, self._entries(head, "unobservable"))),
            readings=tuple(map(self._reading, self._entries(head, "readings", "- ruling: …")))
            if "readings" in head.mapping
            else None,
            follows=self._follows(head),
            versions=_versions(head),
            lines=self._lines,
            shown=self._shown,
            corpus=self._corpus(head),
            old_keys=tuple(self._old_keys),
        )

    def _with_present_keys(self, head: Entry) -> Entry:
        """The file with the present name of each renamed key that stands alone."""
        mapping = head.mapping
        for old, (name, _) in RENAMED.items():
            if old in mapping and name not in mapping:
                self._old_keys.append(Problem(head.place(old), "renamed-key", *_renamed(old)))
                mapping[name], mapping.key_lines[name] = mapping.pop(old), mapping.key_lines[old]
        return head

    def _corpus(self, head: Entry) -> KnownCorpus | None:
        """The corpus that the file was written for."""
        found = head.object("corpus", required=False)
        if found is None:
            return None
        inner = head.inner(found, "corpus")
        inner.refuse_unknown(frozenset(KnownCorpus.__struct_fields__), "corpus")
        digest = inner.text("digest")
        if digest and not _SIGNATURE.fullmatch(digest):
            inner.problem(
                "digest", "bad-digest", f"{one_line(digest, 40)} is no digest of 12 hex digits.", _WRITE_CORPUS
            )
        cases, failures = (
            _prints(inner, key, size) for key, size in (("cases", CASE_BYTES), ("failures", FAILURE_BYTES))
        )
        return KnownCorpus(digest, _date(inner, "date"), cases, failures)

    def _follows(self, head: Entry) -> Readings:
        """The readings of `follows`, by ruling."""
        if head.mapping.get("follows") is None:
            return ()
        inner = head.inner(head.object("follows") or located.Mapping(1), "follows")
        follows = tuple(sorted((ruling, inner.text(ruling)) for ruling in inner.mapping))
        for ruling, reading in follows:
            self._lines.setdefault(f"{ruling}={reading}", inner.mapping.key_lines[ruling])
        return follows

    def _entries(self, head: Entry, key: str, form: str = "- reason: …") -> Iterator[Entry]:
        """Readers of the items of a list; none for the value null, which is left when the last entry was deleted."""
        listed = head.mapping.get(key)
        if listed is None:
            return
        if not isinstance(listed, located.Sequence):
            message = f"{key} is {described(listed)}, not a list."
            head.problem(key, "not-a-list", message, f"Write `{form}` below it.")
            return
        for item, line in zip(listed, listed.item_lines, strict=True):
            if isinstance(item, located.Mapping):
                yield Entry(item, self._shown, self._problems, line=line)
            else:
                message = f"An entry is {described(item)}, not a mapping."
                self._problem(line, "not-a-mapping", message, f"Write `{form}`.")

    def _divergence(self, entry: Entry) -> Divergence:
        entry.refuse_unknown(keys_of(Divergence), "an entry")
        inner = self._case_names(entry)
        model = entry.text("model", required=False)
        if model:
            self._take(model, entry.line)
        elif entry.mapping.get("cases") in (None, {}) and not (entry.mapping.incomplete or inner.mapping.incomplete):
            remedy = "List its cases below `cases:`, name a `model:`, or delete the whole entry."
            entry.problem("cases", "no-cases", "The entry explains no case.", remedy)
        name = self._cause_name(entry, model)
        if entry.mapping.get("requirements") is not None and not (name or model or entry.mapping.incomplete):
            message = "No cause has these requirements: the entry has neither a model nor a name."
            entry.problem("requirements", "requirements-without-cause", message, "Add a `name:`, or delete the key.")
        return Divergence(
            reason=self._reason(entry),
            cases={name: _signatures(inner, name) for name in inner.mapping},
            link=entry.text("link", required=False),
            owner=entry.text("owner", required=False),
            since=_date(entry, "since"),
            expires=_date(entry, "expires"),
            flaky=entry.flag("flaky"),
            documented=documented_of(entry),
            name=name,
            model=model,
            requirements=entry.texts("requirements"),
            place=self._place(entry),
            category=entry.text("kind", required=False),
            before=entry.text("before", required=False),
            span=self._span(entry.line),
        )

    def _place(self, entry: Entry) -> str:
        place = entry.text("place", required=False)
        if place and source_place(place) is None:
            message = f"{one_line(place, 120)} is no place in a source."
            remedy = "Write FILE#SYMBOL@ANCHOR, such as src/parse.go#Parse@0123456789ab/31, or FILE:LINE."
            entry.problem("place", "bad-place", message, remedy)
        return place

    def _cause_name(self, entry: Entry, model: str) -> str:
        """The name of the cause of listed cases. Its form is that of a deviation, which no reading has."""
        name = entry.text("name", required=False)
        if not name:
            return ""
        if model:
            message = f"The entry has the name {one_line(name, 40)} and a model, which is the name of its cause."
            entry.problem("name", "name-beside-model", message, "Delete one of the two.")
        elif not cause_name(name):
            message = f"{one_line(name, 40)} is no name of a cause."
            entry.problem(
                "name", "bad-name", message, "Write words in lower case with hyphens, such as order-of-arrival."
            )
        else:
            self._take(name, entry.line)
        return name

    def _span(self, first: int) -> tuple[int, int] | None:
        """The first and the last line of an entry in block style; None for an entry in flow style."""
        dash = self._rows[first - 1].find("-") if first <= len(self._rows) else -1
        if dash < 0 or self._rows[first - 1][:dash].strip():
            return None
        last = first
        for number, row in enumerate(self._rows[first:], first + 1):
            text = row.lstrip()
            if text and not text.startswith("#"):
                if len(row) - len(text) <= dash:
                    break
                last = number
        return first, last

    def _unsupported(self, entry: Entry) -> ListedNames:
        entry.refuse_unknown(keys_of(ListedNames) | {_ADAPTER}, "an entry of unsupported")
        listed, adapter = self._listed_names(entry), entry.text(_ADAPTER, required=False)
        return replace(listed, reason=as_reason(adapter)) if adapter and is_unwritten(listed.reason) else listed

    def _unobservable(self, entry: Entry) -> ListedNames:
        entry.refuse_unknown(keys_of(ListedNames), "an entry of unobservable")
        listed = self._listed_names(entry)
        for index, name in enumerate(listed.names):
            if not _UNOBSERVABLE_NAME.fullmatch(name):
                message = f"{one_line(name, 120)} is no operation with a JSON Pointer."
                remedy = "Write both together, such as retrieval.search/results/*/score."
                self._problem(located.line_at(entry.mapping, ("names", index)), "bad-pointer", message, remedy)
        return listed

    def _listed_names(self, entry: Entry) -> ListedNames:
        names = _names(entry, "names")
        for index, name in enumerate(names):
            self._take(name, located.line_at(entry.mapping, ("names", index)))
        return ListedNames(reason=self._reason(entry), names=names, span=self._span(entry.line))

    def _reading(self, entry: Entry) -> ListedReading:
        entry.refuse_unknown(keys_of(ListedReading), "an entry of readings")
        cases = _names(entry, "cases")
        ruling, reading = entry.text("ruling"), entry.text("reading")
        return ListedReading(ruling=ruling, reading=reading, cases=cases, flaky=entry.flag("flaky"), line=entry.line)

    def _case_names(self, entry: Entry) -> Entry:
        """Reader of the mapping `cases`, empty if it is missing."""
        mapping = None if entry.mapping.get("cases") is None else entry.object("cases")
        inner = entry.inner(located.Mapping(entry.line) if mapping is None else mapping, "cases")
        for name, line in inner.mapping.key_lines.items():
            self._take(name, line)
        return inner

    def _take(self, name: str, line: int) -> None:
        """Notes the line of a name, which can occur once in the file."""
        if name in self._lines:
            message = f"{one_line(name)} is already explained at {self._shown}:{self._lines[name]}."
            self._problem(line, "duplicate-name", message, "Keep one of the two lines.")
        self._lines.setdefault(name, line)

    def _reason(self, entry: Entry) -> str:
        reason = entry.text("reason")
        if reason and not reason.strip():
            entry.problem("reason", "blank-reason", "reason is blank.", _WRITE_REASON)
        if is_unwritten(reason):
            self._unwritten.append(entry.place("reason"))
        return reason

    def unwritten(self) -> list[Problem]:
        """One problem for all reasons that a person has not written yet."""
        if not self._unwritten:
            return []
        first, *others = self._unwritten
        more = f" The same holds for {plural(len(others), 'more reason')}." if others else ""
        return [Problem(first, _UNWRITTEN, f"The reason still begins with TODO.{more}", _WRITE_REASON)]

    def _problem(self, line: int, code: str, message: str, remedy: str) -> None:
        self._problems.append(Problem(f"{self._shown}:{line}", code, message, remedy))


def _renamed(old: str) -> tuple[str, str]:
    """The message and the remedy of a key with an older name."""
    name, day = RENAMED[old]
    last = date.fromisoformat(day).replace(year=int(day[:4]) + 1)
    return (
        f"{old} is named {name} since {day}.",
        f"Write {name}, or let --write-known do it; {old} is read until {last}.",
    )


def _prints(entry: Entry, key: str, size: int) -> dict[str, bytes]:
    """Fingerprints of so many bytes by name, which the file has in base64."""
    listed = entry.object(key, required=False)
    inner = entry.inner(listed or located.Mapping(entry.line), key)
    prints = {}
    for name in inner.mapping:
        try:
            prints[name] = b64decode(inner.text(name), validate=True)
        except ValueError:
            prints[name] = b"?"
        if len(prints[name]) % size:
            inner.problem(
                name, "bad-fingerprints", f"{one_line(name, 120)} has no fingerprints in base64.", _WRITE_CORPUS
            )
    return prints


def _versions(head: Entry) -> str:
    """The version specifiers of the file."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    text = head.text("versions", required=False)
    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        message = f"versions is {one_line(text, 40)}, which is no list of version specifiers."
        head.problem("versions", "bad-versions", message, 'Write a text such as ">=0.2,<0.3".')
        return ""
    return text


def _names(entry: Entry, key: str) -> tuple[str, ...]:
    """The names of a list that cannot be empty."""
    names = entry.texts(key)
    if entry.mapping.get(key) in (None, []) and not entry.mapping.incomplete:
        remedy = f"Write `{key}: [one, two]`, or delete the whole entry."
        entry.problem(key, "no-names", f"The entry has no {key}.", remedy)
    return names


def _date(entry: Entry, key: str) -> str:
    text = entry.text(key, required=False)
    if not text or is_date(text):
        return text
    entry.problem(key, "not-a-date", f"{key} is {one_line(text, 40)}, not a date.", "Write YYYY-MM-DD.")
    return ""


def _signatures(entry: Entry, name: str) -> tuple[str, ...]:
    value = entry.mapping[name]
    listed = value if isinstance(value, list) else [value]
    signatures = tuple(item for item in listed if isinstance(item, str) and _SIGNATURE.fullmatch(item))
    if not listed or len(signatures) != len(listed):
        message = f"{one_line(name, 120)} has no signature of 12 hex digits."
        entry.problem(name, "bad-signature", message, "Copy the signature that the gate printed, in quotes.")
    return signatures
