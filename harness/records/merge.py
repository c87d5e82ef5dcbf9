"""The records of a run's shards → the record that one whole run would have left, or every reason why not. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..compare.canonical import compact
from ..corpus.sharding import Part, part_of
from ..errors import RecordError, one_line
from ..model import JsonObject, RecordedResult, RunRecord

_FREE = frozenset({"adapter", "reason", "log", "sdk"})
"""Members of an implementation that may differ between machines: the command, and its output. The files of working copies
are compared in `_decisive_options`."""

_MAX_SHOWN = 5
_MAX_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Shard:
    """A record with the lines of its file; messages call it `name`."""

    name: str
    record: RunRecord
    header: JsonObject
    results: Sequence[bytes]
    incidents: Sequence[bytes]
    footer: JsonObject

    @property
    def place(self) -> tuple[int, int]:
        """Which shard of how many it is; a whole run is the first of one."""
        part = part_of(self.header.get("shard")) or Part(1, 1)
        return part.index, part.of


def merge(shards: Sequence[Shard]) -> bytes:
    """The merged record, footer and all. Raises `RecordError` with every reason."""
    shards = sorted(shards, key=lambda shard: shard.place)
    problems = [*_unfinished(shards), *_unlike(shards), *_absent(shards)]
    if problems:
        raise _refused(problems)
    kept, conflicts = _results(shards)
    problems = conflicts or [*_unjudged(shards[0], kept)]
    if problems:
        raise _refused(problems)
    incidents = _incidents(shards)
    results = [result for result, _ in kept.values()]
    footer = _footer(shards, results, len(incidents))
    lines = [_line(_header(shards)), *(line for _, line in kept.values()), *incidents, _line(footer)]
    return b"".join(line + b"\n" for line in lines)


def _incidents(shards: Sequence[Shard]) -> list[bytes]:
    """The incidents of all shards; of two records of the same shard, the record with more incidents counts."""
    found: dict[object, Sequence[bytes]] = {}
    for shard in shards:
        if len(shard.incidents) >= len(found.get(shard.place, ())):
            found[shard.place] = shard.incidents
    return [line for lines in found.values() for line in lines]


def _line(value: JsonObject) -> bytes:
    return compact(value).encode("ascii")


def _refused(problems: Sequence[str]) -> RecordError:
    shown = list(problems[:_MAX_PROBLEMS])
    if len(problems) > _MAX_PROBLEMS:
        shown.append(f"… and {len(problems) - _MAX_PROBLEMS} more.")
    return RecordError("These records do not make one run; nothing was written.\n" + "\n".join(shown))


def _unfinished(shards: Sequence[Shard]) -> Iterator[str]:
    for shard in shards:
        if not shard.record.complete:
            gate = "gate" in shard.header
            remedy = "Run that gate again." if gate else "Go on with it: parity run --resume FILE"
            yield f"{shard.name} has no footer: its run did not come to its end. {remedy}"


def _unlike(shards: Sequence[Shard]) -> Iterator[str]:
    """The reasons why the shards are not parts of one run."""
    first = shards[0]
    for shard in shards[1:]:
        for key in ("harness", "corpus", "selection"):
            if shard.header.get(key) != first.header.get(key):
                then, now = _rendered(first.header.get(key)), _rendered(shard.header.get(key))
                yield f"{shard.name} has another {key} than {first.name}: {now}, not {then}."
        if shard.place[1] != first.place[1]:
            yield f"{shard.name} is one of {shard.place[1]} shards, {first.name} one of {first.place[1]}."
        yield from _gated_otherwise(first, shard)
        yield from _other_options(first, shard)
        ours, theirs = _implementations(first), _implementations(shard)
        for name in sorted(ours.keys() ^ theirs.keys()):
            lacking, having = (shard, first) if name in ours else (first, shard)
            yield f"{one_line(name)} is in {having.name} and not in {lacking.name}."
        for name in sorted(ours.keys() & theirs.keys()):
            for key in sorted((ours[name].keys() | theirs[name].keys()) - _FREE):
                if ours[name].get(key) != theirs[name].get(key):
                    yield (
                        f"{one_line(name)} is not the same in {shard.name} as in {first.name}: "
                        f"its {key} is {_rendered(theirs[name].get(key))}, not {_rendered(ours[name].get(key))}."
                    )


def _gated_otherwise(first: Shard, shard: Shard) -> Iterator[str]:
    """The differences between the two if either is of a gate. The header of a gate depends on its file and the corpus."""
    then: Any = first.header.get("gate")
    now: Any = shard.header.get("gate")
    if then is None or now is None:
        if then is not now:
            ours, theirs = ("run" if gate is None else "gate" for gate in (then, now))
            yield f"{shard.name} is of `parity {theirs}`, and {first.name} of `parity {ours}`."
    elif bool(then.get("known")) != bool(now.get("known")):
        having, lacking = (first, shard) if then.get("known") else (shard, first)
        yield f"{having.name} was judged by a known-divergence file, and {lacking.name} by none."
    elif then != now:
        yield f"{shard.name} and {first.name} were judged by different known-divergence files."


def _other_options(first: Shard, shard: Shard) -> Iterator[str]:
    """The options that decide verdicts and differ, with both values."""
    ours, theirs = _decisive_options(first), _decisive_options(shard)
    for option in sorted(ours.keys() | theirs.keys()):
        then, now = (given.get(option, f"without {option}") for given in (ours, theirs))
        if then != now:
            yield f"{shard.name} was run {now}, and {first.name} {then}."


def _decisive_options(shard: Shard) -> dict[str, str]:
    """The options that decide verdicts, with their values. The folders of corpus and working copy differ between machines;
    the files of the working copy count."""
    options: Any = shard.header["options"]
    given = {f"--{key}": f"with --{key} {options[key]:.10g}" for key in ("timeout", "repeat") if key in options}
    if "maxBreaks" in options:
        given["--max-breaks"] = f"with --max-breaks {options['maxBreaks']}"
    if "passEnv" in options:
        given["--pass-env"] = f"with --pass-env {one_line(', '.join(sorted({*options['passEnv']})))}"
    for entry in _implementations(shard).values():
        if isinstance(sdk := entry.get("sdk"), dict):
            given["--sdk"] = f"with --sdk of the files {one_line(str(sdk.get('digest')))}"
    return given


def _rendered(value: Any) -> str:
    return one_line(compact(value), 120)


def _implementations(shard: Shard) -> dict[str, dict[str, Any]]:
    entries: Any = shard.header["implementations"]
    return {entry["name"]: entry for entry in entries}


def _absent(shards: Sequence[Shard]) -> Iterator[str]:
    """The shards that are missing."""
    of = shards[0].place[1]
    missing = sorted(set(range(1, of + 1)) - {shard.place[0] for shard in shards})
    for index in missing:
        yield f"Shard {index}/{of} is missing. Make it with the options of the others and --shard {index}/{of}."


_Kept = dict[tuple[str, str], tuple[RecordedResult, bytes]]


def _results(shards: Sequence[Shard]) -> tuple[_Kept, list[str]]:
    """One result and its line for each case and implementation, and a sentence for each pair that does not agree."""
    kept: _Kept = {}
    first_in: dict[tuple[str, str], str] = {}
    conflicts = []
    for shard in shards:
        for result, line in zip(shard.record.results, shard.results, strict=True):
            key = (result.case, result.implementation)
            if key not in kept:
                kept[key], first_in[key] = (result, line), shard.name
            elif _verdict(kept[key][0]) != _verdict(result):
                then, now = (" ".join(filter(None, _verdict(one))) for one in (kept[key][0], result))
                conflicts.append(
                    f"{one_line(result.case)} ({one_line(result.implementation)}) is {then} in {first_in[key]} "
                    f"and {now} in {shard.name}."
                )
    return kept, conflicts


def _verdict(result: RecordedResult) -> tuple[str, str, str, str]:
    """Verdict, kind of error, readings, signature; empty where there is none."""
    kind = result.kind.value if result.kind else ""
    return result.verdict.value, kind, " ".join(map("=".join, result.readings)), result.signature


def _unjudged(first: Shard, kept: _Kept) -> Iterator[str]:
    """The cases of the selection that the shards lack together."""
    cases: dict[str, set[str]] = defaultdict(set)
    for case, name in kept:
        cases[case].add(name)
    corpus: Any = first.header["corpus"]
    if len(cases) != corpus["cases"]:
        yield f"{corpus['cases']} cases were selected, and together the records hold {len(cases)}."
    for name in first.record.implementations:
        lacking = [case for case, names in cases.items() if name not in names]
        if lacking:
            shown = ", ".join(one_line(case) for case in lacking[:_MAX_SHOWN])
            more = ", …" if len(lacking) > _MAX_SHOWN else ""
            yield f"{one_line(name)} has no verdict on {len(lacking)} cases: {shown}{more}."


def _header(shards: Sequence[Shard]) -> JsonObject:
    """The first header without its shard, with all texts that any shard's cases cite."""
    header: dict[str, Any] = {key: value for key, value in shards[0].header.items() if key != "shard"}
    header["startedAt"] = min(str(shard.header["startedAt"]) for shard in shards)
    for key in ("requirements", "rulings", "fixtures"):
        texts: dict[str, Any] = {}
        for shard in shards:
            found: Any = shard.header[key]
            texts.update(found)
        header[key] = texts
    return header


def _footer(shards: Sequence[Shard], results: Sequence[RecordedResult], incidents: int) -> JsonObject:
    """The shards run beside each other, so the run took as long as the longest of them."""
    counts: Mapping[str, Counter[str]] = {name: Counter() for name in shards[0].record.implementations}
    for result in results:
        counts[result.implementation][result.verdict.value] += 1
    return {
        "type": "footer",
        "finishedAt": max(str(shard.footer["finishedAt"]) for shard in shards),
        "seconds": max(shard.record.seconds or 0 for shard in shards),
        "counts": {name: {**count} for name, count in counts.items()},
        "incidents": incidents,
    }
