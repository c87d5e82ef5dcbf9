"""Records → one record: the shards of a run, and runs of different implementations over the same cases.

The results stay in their files.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, to_builtins

from ..errors import RecordError, one_line, plural
from ..model import (
    REFERENCE,
    GateFile,
    Incident,
    Json,
    NotTested,
    RunMetadata,
    RunRecord,
    StoredResult,
    replace,
    shared_options,
)
from .header import Footer, header_members
from .join_checks import ShardRecord, groups_of, outcome_words, problems_of
from .lines import json_object, line_text
from .reader import scan_record

_MAX_SHOWN = 5
_MAX_PROBLEMS = 20


class Joined(Struct, frozen=True):
    """The record that several make together: its header, and the results of each that count."""

    metadata: RunMetadata
    footer: Footer
    results: Sequence[tuple[ShardRecord, Sequence[StoredResult]]]
    incidents: Sequence[tuple[ShardRecord, int]]

    @property
    def verdicts(self) -> int:
        """The number of results."""
        return sum(len(results) for _, results in self.results)

    def record(self) -> RunRecord:
        """The record for a report; the runs took place beside each other, so their times make no sum."""
        return RunRecord(
            metadata=self.metadata,
            results=tuple(_renamed(result, shard) for shard, results in self.results for result in results),
            incidents=tuple(_renamed(shard.scanned.record.incidents[at], shard) for shard, at in self.incidents),
            complete=True,
        )

    def blocks(self) -> Iterator[bytes]:
        """The bytes of the record."""
        yield _line(header_members(self.metadata))
        for shard, results in self.results:
            for result in results:
                yield _renamed_line(shard.scanned.source.read(result.offset, result.length), shard)
        for shard, at in self.incidents:
            yield _renamed_line(shard.scanned.source.read(*shard.scanned.incidents[at]), shard)
        yield _line(to_builtins(self.footer))


def read_shard(path: Path, label: str = "") -> ShardRecord:
    """The record at `path`; with `label` its implementation has that name. Raises `RecordError`."""
    scanned = scan_record(path)
    metadata = scanned.record.metadata
    names = [entry.name for entry in metadata.implementations]
    own = [name for name in names if name != REFERENCE] or names
    if not label or own == [label]:
        return ShardRecord(str(path), scanned, metadata)
    if len(own) != 1:
        listed = one_line(", ".join(own), 400)
        raise RecordError(
            f"{path}: the label {label} names one implementation, and this record has {len(own)}: {listed}. "
            "Run each alone to give it a label."
        )
    if label in names:
        raise RecordError(f"{path}: {label} is already in this record. Choose another label.")
    entries = tuple(replace(entry, name=label) if entry.name == own[0] else entry for entry in metadata.implementations)
    return ShardRecord(str(path), scanned, replace(metadata, implementations=entries), {own[0]: label})


def join(shards: Sequence[ShardRecord]) -> Joined:
    """The joined record. Raises `RecordError` with every reason why these records do not make one."""
    groups = groups_of(shards)
    _refuse(problems_of(groups))
    ordered = [shard for group in groups for shard in group]
    kept = _Kept(ordered)
    _refuse(kept.conflicts or [*_unjudged(ordered[0], kept)])
    incidents = [incident for group in groups for incident in _incidents(group)]
    footers = [shard.scanned.footer for shard in ordered if shard.scanned.footer]
    footer = Footer(
        finished_at=max(footer.finished_at for footer in footers),
        seconds=max(footer.seconds for footer in footers),
        counts=kept.counts,
        incidents=len(incidents),
    )
    return Joined(_metadata(groups), footer, list(zip(ordered, kept.results, strict=True)), incidents)


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        more = [f"… and {len(problems) - _MAX_PROBLEMS} more."] if len(problems) > _MAX_PROBLEMS else []
        told = "\n".join([*problems[:_MAX_PROBLEMS], *more])
        raise RecordError(f"These records do not make one run; nothing was written.\n{told}")


def _incidents(shards: Sequence[ShardRecord]) -> Iterator[tuple[ShardRecord, int]]:
    """The incidents of all shards; of two records of the same shard, the record with more incidents counts."""
    found: dict[object, ShardRecord] = {}
    for shard in shards:
        kept = found.get(shard.place)
        if kept is None or len(shard.scanned.incidents) >= len(kept.scanned.incidents):
            found[shard.place] = shard
    return ((shard, at) for shard in found.values() for at in range(len(shard.scanned.incidents)))


class _Kept:
    """One result for each case and implementation: the first one. `conflicts` has a sentence for each later one that has
    another outcome."""

    def __init__(self, shards: Sequence[ShardRecord]) -> None:
        self.cases: dict[str, None] = {}
        self.counts: dict[str, Counter[str]] = {name: Counter() for shard in shards for name in shard.implementations}
        self.conflicts: list[str] = []
        self.first: dict[str, dict[str, StoredResult]] = {name: {} for name in self.counts}
        self._shards = shards
        self.results = [
            [result for result in shard.scanned.results if self._is_first(shard, result)] for shard in shards
        ]

    def _is_first(self, shard: ShardRecord, result: StoredResult) -> bool:
        name = shard.renamed.get(result.implementation, result.implementation)
        self.cases.setdefault(result.case)
        first = self.first[name].setdefault(result.case, result)
        if first is result:
            self.counts[name][result.verdict.value] += 1
            return True
        if (then := outcome_words(first)) != (now := outcome_words(result)):
            holder = next(holding for holding in self._shards if any(each is first for each in holding.scanned.results))
            self.conflicts.append(
                f"{one_line(result.case)} ({one_line(name)}) is {then} in {holder.name} and {now} in {shard.name}."
            )
        return False

    def lacking(self, name: str) -> list[str]:
        """The cases without a verdict of an implementation."""
        return [case for case in self.cases if case not in self.first[name]]


def _unjudged(first: ShardRecord, kept: _Kept) -> Iterator[str]:
    """The cases of the selection that the records lack together."""
    if len(kept.cases) != first.metadata.cases:
        yield f"{first.metadata.cases:,} cases were selected, and together the records hold {len(kept.cases):,}."
    for name in kept.counts:
        lacking = kept.lacking(name)
        if lacking:
            shown = ", ".join(one_line(case) for case in lacking[:_MAX_SHOWN])
            more = ", …" if len(lacking) > _MAX_SHOWN else ""
            yield f"{one_line(name)} has no verdict on {plural(len(lacking), 'case')}: {shown}{more}."


def _metadata(groups: Sequence[Sequence[ShardRecord]]) -> RunMetadata:
    """The first header without its shard, with the implementations of all runs and the texts that any record cites."""
    every = [shard.metadata for group in groups for shard in group]
    firsts = [group[0].metadata for group in groups]
    entries = {entry.name: entry for header in reversed(firsts) for entry in header.implementations}
    names = dict.fromkeys(entry.name for header in firsts for entry in header.implementations)
    skipped: dict[str, NotTested] = {}
    for absent in (absent for header in firsts for absent in header.skipped if absent.name not in names):
        skipped.setdefault(absent.name, absent)
    gates = [header.gate for header in firsts if header.gate]
    return replace(
        every[0],
        shard=None,
        started_at=min(header.started_at for header in every),
        options=shared_options([header.options for header in firsts]),
        gate=_gate(gates) if len(gates) > 1 else every[0].gate,
        implementations=tuple(entries[name] for name in names),
        skipped=tuple(skipped.values()),
        uses={name: used for header in every for name, used in header.uses.items()},
        requirements={id_: requirement for header in every for id_, requirement in header.requirements.items()},
        rulings={id_: ruling for header in every for id_, ruling in header.rulings.items()},
        fixtures={id_: fixture for header in every for id_, fixture in header.fixtures.items()},
    )


def _gate(gates: Sequence[GateFile]) -> GateFile:
    """The gates of different implementations, each with its own known-divergence file, as one."""
    digests = [gate.digest for gate in gates if gate.digest]
    return GateFile(
        digest=hashlib.sha256("\n".join(digests).encode()).hexdigest() if digests else "",
        unmatched=tuple(dict.fromkeys(name for gate in gates for name in gate.unmatched)),
        without_reason=sum(gate.without_reason for gate in gates),
        places={name: place for gate in gates for name, place in gate.places.items()},
    )


_Named = TypeVar("_Named", StoredResult, Incident)


def _renamed(value: _Named, shard: ShardRecord) -> _Named:
    """The result or incident with the new name of its implementation."""
    name = shard.renamed.get(value.implementation)
    if not name:
        return value
    if isinstance(value, StoredResult):
        return replace(value, common=replace(value.common, implementation=name))
    return replace(value, implementation=name)


def _renamed_line(line: bytes, shard: ShardRecord) -> bytes:
    if not shard.renamed:
        return line
    value = json_object(line)
    value["implementation"] = shard.renamed.get(value["implementation"], value["implementation"])
    return _line(value)


def _line(value: Mapping[str, Json]) -> bytes:
    return line_text(value).encode("ascii") + b"\n"
