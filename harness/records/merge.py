"""Records → one record: the shards of a run, and runs of different implementations over the same cases.

The results stay in their files; their lines are copied in blocks.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from ..compare.canonical import compact
from ..errors import RecordError, one_line
from ..model import JsonObject, OutcomeEntry, shared_options
from ..report.summary import REFERENCE
from . import decode
from .merge_checks import Shard, groups_of, problems_of
from .reader import scan_record
from .run_options import encode_options

_MAX_SHOWN = 5
_MAX_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Merged:
    """The record that several make together: its lines in order, and the number of its verdicts."""

    header: JsonObject
    footer: JsonObject
    kept: _Kept
    incidents: Sequence[bytes]

    @property
    def verdicts(self) -> int:
        """The number of results."""
        return sum(sum(each.values()) for each in self.kept.counts.values())

    def blocks(self) -> Iterator[bytes]:
        """The bytes of the record."""
        yield _line(self.header)
        yield from self.kept.lines()
        yield from self.incidents
        yield _line(self.footer)


def read_shard(path: Path, label: str = "") -> Shard:
    """The record at `path`; with `label` its implementation has that name. Raises `RecordError`."""
    scanned = scan_record(path)
    header: dict[str, Any] = json.loads(scanned.source.read(0, scanned.header_size))
    footer: dict[str, Any] = json.loads(scanned.source.read(*scanned.footer)) if scanned.footer else {}
    if not label:
        return Shard(str(path), scanned, header, footer)
    names = [entry["name"] for entry in header["implementations"]]
    own = [name for name in names if name != REFERENCE] or names
    if len(own) != 1:
        listed = one_line(", ".join(own), 400)
        raise RecordError(
            f"{path}: the label {label} names one implementation, and this record has {len(own)}: {listed}. "
            "Run each alone to give it a label."
        )
    if label in names and label != own[0]:
        raise RecordError(f"{path}: {label} is already in this record. Choose another label.")
    for entry in header["implementations"]:
        entry["name"] = label if entry["name"] == own[0] else entry["name"]
    return Shard(str(path), scanned, header, footer, {own[0]: label} if label != own[0] else {})


def merge(shards: Sequence[Shard]) -> Merged:
    """The merged record. Raises `RecordError` with every reason why these records do not make one."""
    groups = groups_of(shards)
    problems = problems_of(groups)
    if problems:
        raise _refused(problems)
    kept = _Kept([shard for group in groups for shard in group])
    problems = kept.conflicts or [*_unjudged(groups[0][0], kept)]
    if problems:
        raise _refused(problems)
    incidents = [line for group in groups for line in _incidents(group)]
    return Merged(_header(groups), _footer(kept, len(incidents)), kept, incidents)


def _incidents(shards: Sequence[Shard]) -> list[bytes]:
    """The incidents of all shards; of two records of the same shard, the record with more incidents counts."""
    found: dict[object, Shard] = {}
    for shard in shards:
        kept = found.get(shard.place)
        if kept is None or len(shard.scanned.incidents) >= len(kept.scanned.incidents):
            found[shard.place] = shard
    return [_renamed_value(one.scanned.source.read(*at), one) for one in found.values() for at in one.scanned.incidents]


def _renamed_value(line: bytes, shard: Shard) -> bytes:
    if not shard.renamed:
        return line
    value = decode.json_object(line)
    value["implementation"] = shard.renamed.get(value["implementation"], value["implementation"])
    return _line(value)


def _line(value: JsonObject) -> bytes:
    return compact(value).encode("ascii") + b"\n"


def _refused(problems: Sequence[str]) -> RecordError:
    shown = list(problems[:_MAX_PROBLEMS])
    if len(problems) > _MAX_PROBLEMS:
        shown.append(f"… and {len(problems) - _MAX_PROBLEMS} more.")
    return RecordError("These records do not make one run; nothing was written.\n" + "\n".join(shown))


class _Kept:
    """One result for each case and implementation: the first one. `conflicts` has a sentence for each later one that has
    another outcome."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self.shards = shards
        self.cases: dict[str, int] = {}
        self.counts: dict[str, Counter[str]] = {name: Counter() for shard in shards for name in shard.implementations}
        self.conflicts: list[str] = []
        self._shard = {name: array("i") for name in self.counts}
        self._row = {name: array("i") for name in self.counts}
        for number in range(len(shards)):
            self._add(number)

    def _rows(self, number: int) -> Iterator[tuple[int, str, str, OutcomeEntry]]:
        """The row, the case, the implementation and the outcome of each result of a shard."""
        shard = self.shards[number]
        table = shard.scanned.table
        names = [shard.renamed.get(name, name) for name in table.names]
        for row, (case, name, outcome) in enumerate(zip(table.case, table.name, table.outcome, strict=True)):
            yield row, table.cases[case].case, names[name], table.outcomes[outcome]

    def _add(self, number: int) -> None:
        for row, case, name, outcome in self._rows(number):
            at = self.cases.setdefault(case, len(self.cases))
            holders, rows = self._shard[name], self._row[name]
            if at >= len(holders):
                more = array("i", [-1]) * (len(self.cases) - len(holders))
                holders.extend(more)
                rows.extend(more)
            if holders[at] < 0:
                holders[at], rows[at] = number, row
                self.counts[name][outcome.verdict.value] += 1
            else:
                self._compare(case, name, (holders[at], rows[at]), (number, outcome))

    def _compare(self, case: str, name: str, first: tuple[int, int], second: tuple[int, OutcomeEntry]) -> None:
        (holder, row), (number, outcome) = first, second
        table = self.shards[holder].scanned.table
        then, now = _verdict(table.outcomes[table.outcome[row]]), _verdict(outcome)
        if then != now:
            self.conflicts.append(
                f"{one_line(case)} ({one_line(name)}) is {' '.join(filter(None, then))} in {self.shards[holder].name} "
                f"and {' '.join(filter(None, now))} in {self.shards[number].name}."
            )

    def lacking(self, name: str) -> list[str]:
        """The cases without a verdict of an implementation."""
        holders = self._shard[name]
        return [case for case, at in self.cases.items() if at >= len(holders) or holders[at] < 0]

    def lines(self) -> Iterator[bytes]:
        """The lines of the results."""
        for number, shard in enumerate(self.shards):
            table = shard.scanned.table
            for row, case, name, _ in self._rows(number):
                at = self.cases[case]
                if (self._shard[name][at], self._row[name][at]) == (number, row):
                    yield _renamed(shard.scanned.source.read(table.offset[row], table.length[row]), shard)


def _renamed(line: bytes, shard: Shard) -> bytes:
    """The line of a result with the new name of its implementation."""
    for old, new in shard.renamed.items():
        beginning, mark, end = line.partition(f',"implementation":{json.dumps(old)},'.encode("ascii"))
        if not mark:
            continue
        try:
            orjson.loads(b"{" + end)  # else the member belongs to the request
        except orjson.JSONDecodeError:
            return _renamed_value(line, shard)
        return beginning + f',"implementation":{json.dumps(new)},'.encode("ascii") + end
    return _renamed_value(line, shard)


def _verdict(outcome: OutcomeEntry) -> tuple[str, str, str, str]:
    """Verdict, kind of error, readings, signature; empty where there is none."""
    kind = outcome.kind.value if outcome.kind else ""
    return outcome.verdict.value, kind, " ".join(map("=".join, outcome.readings)), outcome.signature


def _unjudged(first: Shard, kept: _Kept) -> Iterator[str]:
    """The cases of the selection that the records lack together."""
    corpus: Any = first.header["corpus"]
    if len(kept.cases) != corpus["cases"]:
        yield f"{corpus['cases']} cases were selected, and together the records hold {len(kept.cases)}."
    for name in kept.counts:
        lacking = kept.lacking(name)
        if lacking:
            shown = ", ".join(one_line(case) for case in lacking[:_MAX_SHOWN])
            more = ", …" if len(lacking) > _MAX_SHOWN else ""
            yield f"{one_line(name)} has no verdict on {len(lacking)} cases: {shown}{more}."


def _header(groups: Sequence[Sequence[Shard]]) -> JsonObject:
    """The first header without its shard, with the implementations of all runs and the texts that any record cites."""
    shards = [shard for group in groups for shard in group]
    header: dict[str, Any] = {key: value for key, value in shards[0].header.items() if key != "shard"}
    header["startedAt"] = min(str(shard.header["startedAt"]) for shard in shards)
    entries = {name: entry for group in reversed(groups) for name, entry in group[0].implementations.items()}
    names = dict.fromkeys(name for group in groups for name in group[0].implementations)
    header["implementations"] = [entries[name] for name in names]
    header["skipped"] = _skipped(groups, names)
    header["options"] = encode_options(shared_options([group[0].options for group in groups]))
    if "gate" in header and len(groups) > 1:
        header["gate"] = _gate([_object(group[0].header["gate"]) for group in groups])
    for key in ("requirements", "rulings", "fixtures"):
        header[key] = {id_: text for shard in shards for id_, text in _object(shard.header[key]).items()}
    return header


def _object(value: Any) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value


def _skipped(groups: Sequence[Sequence[Shard]], run: Mapping[str, None]) -> list[JsonObject]:
    """The implementations that a record skipped and no record ran, each once."""
    entries: dict[str, JsonObject] = {}
    for group in groups:
        skipped: Any = group[0].header["skipped"]
        for one in skipped:
            if one["implementation"] not in run:
                entries.setdefault(one["implementation"], one)
    return list(entries.values())


def _gate(gates: Sequence[dict[str, Any]]) -> JsonObject:
    """The gates of different implementations, each with its own known-divergence file, as one."""
    digests = [str(gate["known"]) for gate in gates if gate.get("known")]
    known = {"known": hashlib.sha256("\n".join(digests).encode()).hexdigest()} if digests else {}
    return {
        **known,
        "unmatched": [*dict.fromkeys(name for gate in gates for name in gate["unmatched"])],
        "withoutReason": sum(gate["withoutReason"] for gate in gates),
    }


def _footer(kept: _Kept, incidents: int) -> JsonObject:
    """The runs took place beside each other, so together they took as long as the longest of them."""
    return {
        "type": "footer",
        "finishedAt": max(str(shard.footer["finishedAt"]) for shard in kept.shards),
        "seconds": max(shard.scanned.record.seconds or 0 for shard in kept.shards),
        "counts": {name: {**count} for name, count in kept.counts.items()},
        "incidents": incidents,
    }
