"""Writes a record while a run goes on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from harness.compare.canonical import compact
from harness.errors import RecordError, one_line
from harness.model import ErrorKind, Implementation, Incident, JsonObject, Result
from harness.records import encode
from harness.records.encode import Run
from harness.records.file import RecordFile
from harness.records.resume import Unfinished
from harness.runner.case_execution import AdapterBroke
from harness.runner.events import Event

_REASON_KEPT = 4000

Expect: TypeAlias = "Callable[[Result], JsonObject | None]"
"""What a gate says to a result: `{status, reason?}`; None if nothing was expected of it."""


class Recorder:
    """Writes one run's record, or goes on with an unfinished one. Each call to `write` leaves what it was given in the file.

    The header names every implementation with what it said of itself, so lines are held back until each of them has
    spoken or failed to start. `expect` adds what a gate says to each result.
    """

    def __init__(
        self, path: Path, run: Run, unfinished: Unfinished | None = None, expect: Expect | None = None
    ) -> None:
        self._run = run
        self._expect = expect
        self._unfinished = unfinished
        self._started_at, self._start = encode.now(), time.monotonic()
        self._known = unfinished.binding() if unfinished else {}
        self._questions: dict[str, str] = {}
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in run.names}
        self._gave_up: set[str] = set()
        self._incidents = 0
        self._held: list[str] | None = [] if self._silent() else None
        self._file = RecordFile(path, create=unfinished is None)
        try:
            self._begin()
        except BaseException:
            self._file.close()
            raise

    def _begin(self) -> None:
        if self._unfinished is None:
            self._file.cut(0)
            return
        self._unfinished.check(self._run)
        if self._file.size() != self._unfinished.size:
            raise RecordError(f"{self._file.path}: another run has just written this record. Read it before going on.")
        self._file.cut(len(self._unfinished.data))
        self._incidents = len(self._unfinished.record.incidents)
        for result in self._unfinished.record.results:
            self._counts[result.implementation][result.verdict.value] += 1
        self._add([compact(encode.incident(one)) for one in self._unfinished.unsettled])

    def write(self, events: Iterable[Event]) -> None:
        """Adds what happened. Raises `RecordError` if the file cannot take it."""
        self._add([line for event in events for line in self._line(event)])
        if self._held is not None and not self._silent():
            self._release()

    def _add(self, added: Sequence[str]) -> None:
        if self._held is None:
            self._append(added)
        else:
            self._held += added

    def close(self, *, complete: bool) -> None:
        """Ends the record; with a footer if the run came to its end."""
        try:
            if self._held is not None:
                self._release()
            if complete:
                resumed = self._started_at if self._unfinished else ""
                seconds = time.monotonic() - self._start
                self._append([compact(encode.footer(self._counts, self._incidents, seconds, resumed))])
        finally:
            self._file.close()

    def _silent(self) -> list[str]:
        """The implementations that have neither spoken nor failed to start."""
        return [name for name in self._run.names if name not in self._known]

    def _line(self, event: Event) -> Iterator[str]:
        match event:
            case Implementation():
                self._spoke(event)
            case Result():
                yield self._result(event)
            case Incident():
                self._incidents += 1
                yield compact(encode.incident(event))
            case AdapterBroke():
                yield compact(encode.suspicion(event.incident))

    def _spoke(self, said: Implementation) -> None:
        entry = encode.spoken(said, self._adapter(said.name), self._run.sdks.get(said.name))
        before = self._known.setdefault(said.name, entry)
        changed = [key for key in entry if key != "adapter" and before.get(key) != entry[key]]
        if changed:
            then, found = before.get(changed[0]), entry[changed[0]]
            raise RecordError(
                f"{self._file.path}: {said.name} is no longer the implementation that this record was begun with. "
                f"Its {changed[0]} was {one_line(compact(then))} and is {one_line(compact(found))}. "
                "Run again without --resume."
            )

    def _result(self, result: Result) -> str:
        """One line; the parts that all implementations share are rendered once a case."""
        name, case = result.implementation, result.case
        if name not in self._known:
            self._known[name] = self._unstarted(result)
        question = self._questions.get(case.name)
        if question is None:
            question = self._questions[case.name] = encode.question(case)
        stderr = result.stderr
        if result.judgement.kind is ErrorKind.START:  # all cases that are left have the same: it stands once
            stderr = "" if name in self._gave_up else stderr
            self._gave_up.add(name)
        self._counts[name][result.judgement.verdict.value] += 1
        return question + encode.answer(result, stderr, self._expect(result) if self._expect else None)

    def _unstarted(self, result: Result) -> JsonObject:
        name = result.implementation
        self._gave_up.add(name)  # the header has what it wrote
        reason = self._run.unavailable.get(name) or f"{result.judgement.reason}\n{result.stderr}".strip()
        return self._silence(name, _ends(reason))

    def _silence(self, name: str, reason: str = "") -> JsonObject:
        return encode.silent(name, self._adapter(name), reason, self._run.sdks.get(name))

    def _adapter(self, name: str) -> str:
        return self._run.adapters.get(name, name)

    def _release(self) -> None:
        """Writes the header and all that was held back for its sake."""
        held, self._held = self._held or [], None
        entries = [self._known.get(name) or self._silence(name) for name in self._run.names]
        if self._unfinished is None:
            self._append([compact(encode.header(self._run, entries, self._started_at)), *held])
        else:
            header: JsonObject = {**self._unfinished.record.header, "implementations": list(entries)}
            _, rest = self._unfinished.data.split(b"\n", 1)
            self._file.replace(_bytes([compact(header)]) + rest + _bytes(held))

    def _append(self, added: Sequence[str]) -> None:
        if added:
            self._file.append(_bytes(added))


def _bytes(added: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in added).encode("ascii")


def _ends(text: str) -> str:
    """The first line and as much of the end as is kept."""
    first, _, rest = text.partition("\n")
    return f"{first}\n{rest[-_REASON_KEPT:]}".strip()
