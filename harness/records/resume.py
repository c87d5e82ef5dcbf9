"""A record that a kill cut short → what is left to ask, or why it cannot be gone on with."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import VERSION
from harness.corpus.sharding import Part, part_of
from harness.errors import RecordError, one_line
from harness.model import Incident, JsonObject, RunRecord
from harness.records.encode import Run
from harness.records.reader import HEADER_BEGINS, parse_with_suspicions, read_bytes

_DECISIVE = {"timeout": "--timeout", "repeat": "--repeat", "passEnv": "--pass-env"}
"""Options, by their names in a header, that decide verdicts and that nothing else shows."""


@dataclass(frozen=True, slots=True)
class BegunWith:
    """The options of the command that began a record, as far as they decide what is asked; None and empty: not given."""

    adapters: list[str]
    selection: list[str]
    systems: list[str]
    part: Part | None
    corpus: Path | None
    timeout: float | None
    pass_env: list[str]
    sdk: Path | None
    times: int | None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A record without its footer. `data` are its whole lines, `size` the bytes of the file with what stands behind them.

    `unsettled` are those of the record's incidents that have no line of their own yet.
    """

    path: Path
    record: RunRecord
    unsettled: Sequence[Incident]
    data: bytes
    size: int

    def entries(self) -> dict[str, JsonObject]:
        """What the header says of each implementation, by name."""
        found = self.record.header["implementations"]
        assert isinstance(found, list)
        return {str(entry["name"]): entry for entry in found if isinstance(entry, dict)}

    def binding(self) -> dict[str, JsonObject]:
        """The entries that still hold: not those of implementations that had neither spoken nor any verdict."""
        judged = {result.implementation for result in self.record.results}
        return {name: entry for name, entry in self.entries().items() if entry["started"] or name in judged}

    def begun_with(self) -> BegunWith:
        """What the header says of the command line."""
        header: dict[str, Any] = self.record.header
        options = header["options"]
        return BegunWith(
            adapters=[entry["adapter"] for entry in header["implementations"]],
            selection=header["selection"],
            systems=options.get("systems", []),
            part=part_of(header.get("shard")),
            corpus=Path(options["corpus"]) if "corpus" in options else None,
            timeout=options.get("timeout"),
            pass_env=options.get("passEnv", []),
            sdk=Path(options["sdk"]) if "sdk" in options else None,
            times=options.get("repeat"),
        )

    def judged(self) -> frozenset[tuple[str, str]]:
        """The cases, each with an implementation, that need not be asked again."""
        return frozenset((result.case, result.implementation) for result in self.record.results)

    def check(self, run: Run) -> None:
        """Raises `RecordError` if `run` is another run than the one that was cut short."""
        header: dict[str, Any] = self.record.header
        corpus = header["corpus"]
        harness = header.get("harness")
        assert isinstance(corpus, dict)
        wrote = harness.get("version") if isinstance(harness, dict) else None
        if wrote != VERSION:
            self._refuse(f"parity {one_line(str(wrote))} began it, and this is parity {VERSION}")
        if corpus["digest"] != run.corpus.digest:
            self._refuse("the corpus is not the one that it was begun with")
        if corpus.get("casesDigest") != run.cases_digest():
            self._refuse(f"it was begun with {corpus['cases']} cases, and this selection gives other ones")
        part = part_of(header.get("shard"))
        if part != run.part:
            self._refuse(f"it was begun as {_shown(part)}, and this is {_shown(run.part)}")
        if set(self.record.implementations) != set(run.names):
            then, now = ", ".join(self.record.implementations), ", ".join(run.names)
            self._refuse(f"it was begun with {then}, and now {now} would be asked")

        for key, option in _DECISIVE.items():
            then, now = (_given(options, key, option) for options in (header["options"], run.options))
            if then != now:
                self._refuse(f"it was begun {then}, and this is {now}")

    def _refuse(self, why: str) -> None:
        raise RecordError(
            f"{self.path}: this record cannot be resumed: {one_line(why, 400)}. Run again without --resume."
        )


def _given(options: Any, key: str, option: str) -> str:
    """An option as it was given, in words."""
    value = options.get(key)
    if isinstance(value, list):
        return f"with {option} {', '.join(sorted(map(str, value)))}"
    return f"without {option}" if value is None else f"with {option} {value:g}"


def _shown(part: Part | None) -> str:
    return f"shard {part}" if part else "a whole run"


def is_of_gate(record: RunRecord) -> bool:
    """Whether a gate began it."""
    return "gate" in record.header


def going_on(path: Path, record: RunRecord) -> str:
    """What to do with a record that was cut short."""
    if is_of_gate(record):
        return "Run the gate again: parity gate, with the same options."
    return f"Go on with: parity run --resume {shlex.quote(str(path))}"


def read_unfinished(path: Path) -> Unfinished | None:
    """The record to go on with; None if the run was cut short before anything was written.

    Raises `RecordError` for one that is complete or a gate's, and for what is no record.
    """
    data = read_bytes(path)
    whole = data[: data.rfind(b"\n") + 1]
    if not whole and HEADER_BEGINS.startswith(data[: len(HEADER_BEGINS)]):
        return None
    record, unsettled = parse_with_suspicions(path, data)
    if record.complete:
        raise RecordError(f"{path}: this record is complete; there is nothing to resume.")
    if is_of_gate(record):
        raise RecordError(
            f"{path}: this is the record of a gate, and a run does not compare with what is known. {going_on(path, record)}"
        )
    return Unfinished(path, record, unsettled, whole, len(data))
