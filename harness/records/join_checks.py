"""Reasons why records do not make one run: shards of one run, and runs of different implementations. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from ..compare.canonical import compact
from ..compare.error_text import outcome_text
from ..errors import one_line
from ..model import REFERENCE, UNTESTED, JsonObject, RecordedResult, RunMetadata, Scope, StoredResult, replace
from .header import implementation_members
from .reader import ScannedRecord
from .run_options import different_texts

_FREE = frozenset({"adapter", "reason", "log", "sdk"})
"""Members of an implementation that may differ between machines: the command, and its output. The files of working copies
are compared in `_other_copies`."""

_FREE_OF_REFERENCE = _FREE | {"runtime", "versions"}
"""The same for the reference in runs of different implementations."""

_VERSIONS = frozenset({"implementation", "version", "language", "runtime"})


class ShardRecord(Struct, frozen=True, eq=False):
    """A record that is joined with others; messages call it `name`.

    The metadata have the new names of implementations that the joined record calls otherwise; `renamed` has the new names
    by the old ones.
    """

    name: str
    scanned: ScannedRecord
    metadata: RunMetadata
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> tuple[int, int]:
        """Which shard of how many it is; a whole run is the first of one."""
        return self.metadata.shard or (1, 1)

    def results(self) -> dict[tuple[str, str], StoredResult]:
        """The results by case and the new name of the implementation."""
        renamed = self.renamed
        return {
            (result.case, renamed.get(result.implementation, result.implementation)): result
            for result in self.scanned.results
        }

    @property
    def implementations(self) -> Mapping[str, JsonObject]:
        """The entries of the header by name."""
        return {entry.name: implementation_members(entry) for entry in self.metadata.implementations}


def groups_of(shards: Sequence[ShardRecord]) -> list[list[ShardRecord]]:
    """The shards of each run, sorted. Records with an implementation in common, the reference aside, are of one run."""
    groups: list[list[ShardRecord]] = []
    for shard in shards:
        names = _own_names(shard)
        group = next((members for members in groups if names & _own_names(members[0])), None)
        if group is None:
            groups.append([shard])
        else:
            group.append(shard)
    return [sorted(group, key=lambda shard: shard.place) for group in groups]


def _own_names(shard: ShardRecord) -> set[str]:
    names = set(shard.implementations)
    return names - {REFERENCE} or names


def problems_of(groups: Sequence[Sequence[ShardRecord]]) -> list[str]:
    """Every reason why the records do not belong together."""
    first = groups[0][0]
    found: list[str] = []
    for group in groups:
        found += [*_unfinished(group), *_unlike(group), *_absent(group)]
        if group[0] is not first:
            found += _unlike_run(first, group[0])
    return found or [problem for group in groups for problem in _other_results(group)]


def _unlike_run(first: ShardRecord, shard: ShardRecord) -> Iterator[str]:
    """The reasons why the runs of different implementations are not over the same cases in the same way."""
    yield from _other_cases(first, shard)
    if (first.metadata.gate is None) != (shard.metadata.gate is None):
        yield from _gated_otherwise(first, shard)
    yield from _other_options(first, shard, Scope.ALL_RUNS)
    if REFERENCE in first.implementations and REFERENCE in shard.implementations:
        yield from _other_identity(first, shard, REFERENCE, _FREE_OF_REFERENCE)


def _unfinished(shards: Sequence[ShardRecord]) -> Iterator[str]:
    for shard in shards:
        if not shard.scanned.record.complete:
            remedy = "Run that gate again." if shard.metadata.gate else "Go on with it: parity run --resume FILE"
            yield f"{shard.name} has no footer: its run did not come to its end. {remedy}"


def _unlike(shards: Sequence[ShardRecord]) -> Iterator[str]:
    """The reasons why the shards are not parts of one run."""
    first = shards[0]
    for shard in shards[1:]:
        yield from _other_cases(first, shard)
        if shard.place[1] != first.place[1]:
            yield f"{shard.name} is one of {shard.place[1]} shards, {first.name} one of {first.place[1]}."
        yield from _gated_otherwise(first, shard)
        yield from _other_options(first, shard, Scope.ONE_RUN)
        yield from _other_copies(first, shard)
        ours, theirs = first.implementations, shard.implementations
        for name in sorted(ours.keys() ^ theirs.keys()):
            lacking, having = (shard, first) if name in ours else (first, shard)
            yield f"{one_line(name)} is in {having.name} and not in {lacking.name}."
        for name in sorted(ours.keys() & theirs.keys()):
            yield from _other_identity(first, shard, name, _FREE)


def _other_cases(first: ShardRecord, shard: ShardRecord) -> Iterator[str]:
    ours, theirs = first.metadata, shard.metadata
    is_same_corpus = ours.corpus_digest == theirs.corpus_digest
    if ours.harness_version != theirs.harness_version:
        now, then = one_line(theirs.harness_version, 60), one_line(ours.harness_version, 60)
        yield f"{shard.name} is of parity {now}, and {first.name} of parity {then}."
    if not is_same_corpus:
        now, then = one_line(theirs.corpus_digest[:12]), one_line(ours.corpus_digest[:12])
        yield f"{shard.name} has another corpus than {first.name}: digest {now}, not {then}."
    if ours.selection != theirs.selection or (is_same_corpus and ours.cases_digest != theirs.cases_digest):
        yield f"{shard.name} has another selection than {first.name}: {_selected(theirs)}, not {_selected(ours)}."


def _selected(metadata: RunMetadata) -> str:
    """How many cases were selected, and by which options."""
    words = [word for name in metadata.options.systems for word in ("--system", name)]
    words += [word for expression in metadata.selection for word in ("--select", expression)]
    return f"{metadata.cases} cases of {one_line(shlex.join(words), 400) or 'all systems'}"


def _other_results(shards: Sequence[ShardRecord]) -> Iterator[str]:
    """The results that copies of one shard do not share."""
    firsts: dict[object, ShardRecord] = {}
    for shard in shards:
        if (first := firsts.setdefault(shard.place, shard)) is shard:
            continue
        ours, theirs = first.results(), shard.results()
        for key in {**ours, **theirs}:
            what = f"{one_line(key[0])} ({one_line(key[1])})"
            if key not in ours or key not in theirs:
                having, lacking = (first, shard) if key in ours else (shard, first)
                yield f"{what} is in {having.name}, and not in {lacking.name}, which is the same shard."
            elif (then := outcome_words(ours[key])) != (now := outcome_words(theirs[key])):
                yield f"{what} is {then} in {first.name} and {now} in {shard.name}."
            else:
                for member in ("request", "expected"):
                    if getattr(ours[key], member) != getattr(theirs[key], member):
                        yield f"{what} has another member {member} in {shard.name} than in {first.name}."


def outcome_words(result: RecordedResult) -> str:
    """Verdict, kind of error, readings, signature, and the cause of an unsupported case."""
    cause = one_line(outcome_text(result.brief)) if result.verdict in UNTESTED else ""
    readings = " ".join(map("=".join, result.readings))
    return " ".join(filter(None, (result.verdict, result.kind, readings, result.signature, cause)))


def _other_identity(first: ShardRecord, shard: ShardRecord, name: str, free: frozenset[str]) -> Iterator[str]:
    ours, theirs = first.implementations[name], shard.implementations[name]
    for key in sorted((ours.keys() | theirs.keys()) - free):
        if ours.get(key) != theirs.get(key):
            now, then = (one_line(compact(entry.get(key)), 120) for entry in (theirs, ours))
            sentence = (
                f"{one_line(name)} is not the same in {shard.name} as in {first.name}: its {key} is {now}, not {then}."
            )
            remedy = f" To keep both, give one of them another name: LABEL={shard.name}"
            yield sentence + (remedy if key in _VERSIONS and name != REFERENCE else "")


def _gated_otherwise(first: ShardRecord, shard: ShardRecord) -> Iterator[str]:
    """The differences between the two if either is of a gate. The header of a gate depends on its file and the corpus."""
    then, now = first.metadata.gate, shard.metadata.gate
    if then is None or now is None:
        if then is not now:
            ours, theirs = ("run" if gate is None else "gate" for gate in (then, now))
            yield f"{shard.name} is of `parity {theirs}`, and {first.name} of `parity {ours}`."
    elif bool(then.digest) != bool(now.digest):
        having, lacking = (first, shard) if then.digest else (shard, first)
        yield f"{having.name} was judged by a known-divergence file, and {lacking.name} by none."
    elif replace(then, places={}, path="") != replace(
        now, places={}, path=""
    ):  # the file has another path on another machine
        yield f"{shard.name} and {first.name} were judged by different known-divergence files."


def _other_options(first: ShardRecord, shard: ShardRecord, scope: Scope) -> Iterator[str]:
    """The options that must be equal and differ, with both values."""
    for _, then, now in different_texts(first.metadata.options, shard.metadata.options, scope):
        yield f"{shard.name} was run {now}, and {first.name} {then}. Run one of them again."


def _other_copies(first: ShardRecord, shard: ShardRecord) -> Iterator[str]:
    """Other files of the working copy. Its folder differs between machines."""
    then, now = _copies(first), _copies(shard)
    if then != now:
        yield f"{shard.name} was run {now}, and {first.name} {then}. Run one of them again."


def _copies(shard: ShardRecord) -> str:
    files = ", ".join(one_line(entry.sdk.digest) for entry in shard.metadata.implementations if entry.sdk)
    return f"with --sdk of the files {files}" if files else "without --sdk"


def _absent(shards: Sequence[ShardRecord]) -> Iterator[str]:
    """The shards that are missing."""
    of = shards[0].place[1]
    names = one_line(", ".join(sorted(_own_names(shards[0]))), 400)
    missing = sorted(set(range(1, of + 1)) - {shard.place[0] for shard in shards})
    for index in missing:
        yield (
            f"Shard {index}/{of} of {names} is missing. Make it with the options of the others and --shard {index}/{of}."
        )
