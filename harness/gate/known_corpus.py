"""The corpus that a known-divergence file was written for: its revision, and fingerprints of its cases and failures. Pure.

The fingerprint of a case has 5 bytes: 2 of its name, and 3 of everything that judges it. That of a failure has 6: 3 of the
name of its case, and 3 of its signature. By chance, 1 changed case in 16 million counts as unchanged: it is judged as an old
one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain

from msgspec import Struct

from ..compare.canonical import canonical_bytes
from ..corpus.corpus_diff import judged_values
from ..corpus.loader import Corpus
from ..model import Case, Json
from .names import is_glob

_OF_NAME, CASE_BYTES = 2, 5
_OF_CASE, FAILURE_BYTES = 3, 6
DIGEST_DIGITS = 12


class KnownCorpus(Struct, frozen=True, dict=True):
    """`date` and `digest` (12 hex digits) are the revision of the corpus. `cases` has the fingerprints of the cases of each
    suite of the judged systems, `failures` those of the failures that each model of the file explained."""

    digest: str
    date: str = ""
    cases: Mapping[str, bytes] = {}
    failures: Mapping[str, bytes] = {}

    def is_of(self, corpus: Corpus) -> bool:
        """Whether this is the corpus that the file was written for."""
        return corpus.digest.startswith(self.digest)

    def lacks(self, case: Case) -> bool:
        """Whether the corpus did not have this case, or had it with another request or expectation. A corpus with no case
        of the system says nothing about it."""
        return case.system in self._systems and _case_print(case) not in self._rows[case.suite]

    def had(self, name: str) -> bool:
        """Whether the corpus had a case of this name, or the suite or section of a glob."""
        if is_glob(name):
            folder = name[: min(name.find(mark) for mark in "*?[" if mark in name)].rpartition("/")[0]
            return any(f"{suite}/".startswith(f"{folder}/") for suite in self.cases)
        start = _hash(name, _OF_NAME)
        return any(row.startswith(start) for row in self._rows.get(name.rpartition("/")[0], ()))

    def model_of(self, case: str, signatures: Collection[str]) -> str:
        """The model that explained a failure of the case with these signatures; empty if none did."""
        rows = {_failure_print(case, signature) for signature in signatures}
        return next((model for model, known in self._failures.items() if rows and rows <= known), "")

    def failed(self, case: str) -> bool:
        """Whether a model explained a failure of the case."""
        return any(row.startswith(_hash(case, _OF_CASE)) for rows in self._failures.values() for row in rows)

    @cached_property
    def _systems(self) -> frozenset[str]:
        return frozenset(suite.partition("/")[0] for suite in self.cases)

    @cached_property
    def _rows(self) -> Mapping[str, frozenset[bytes]]:
        return _Rows({suite: frozenset(_chunks(rows, CASE_BYTES)) for suite, rows in self.cases.items()})

    @cached_property
    def _failures(self) -> Mapping[str, frozenset[bytes]]:
        return {model: frozenset(_chunks(rows, FAILURE_BYTES)) for model, rows in self.failures.items()}


class _Rows(dict[str, frozenset[bytes]]):
    """Fingerprints by suite; none of a suite that the corpus did not have."""

    def __missing__(self, suite: str) -> frozenset[bytes]:
        return frozenset()


def written_for(
    corpus: Corpus,
    before: KnownCorpus | None,
    ran: Collection[str],
    failures: Mapping[str, Collection[tuple[str, str]]],
) -> KnownCorpus:
    """What a file says of its corpus after a run of the cases `ran`. `failures` has those that each model of the file
    explains in it: the case and its signature.

    A case that is new for the file and did not run stays new; the revision is then still the older one.
    """
    older = before if before and not before.is_of(corpus) else None
    systems = {name.partition("/")[0] for name in (*ran, *(before.cases if before else ()))}
    cases = [case for case in corpus.cases if case.system in systems]
    covered = [case for case in cases if older is None or case.name in ran or not older.lacks(case)]
    prints: dict[str, list[bytes]] = {}
    for case in covered:
        prints.setdefault(case.suite, []).append(_case_print(case))
    again = {_hash(name, _OF_CASE) for name in ran}
    of_failures = {
        model: [
            *(row for row in _chunks(_failures_of(before, model), FAILURE_BYTES) if row[:_OF_CASE] not in again),
            *(_failure_print(*failure) for failure in failing),
        ]
        for model, failing in failures.items()
    }
    revision = older if older and len(covered) < len(cases) else KnownCorpus(corpus.digest[:DIGEST_DIGITS], corpus.date)
    return KnownCorpus(revision.digest, revision.date, _joined(prints), _joined(of_failures))


def _failures_of(before: KnownCorpus | None, model: str) -> bytes:
    return before.failures.get(model, b"") if before else b""


def _joined(prints: Mapping[str, Collection[bytes]]) -> dict[str, bytes]:
    return {name: b"".join(sorted({*rows})) for name, rows in sorted(prints.items()) if rows}


def _case_print(case: Case) -> bytes:
    values: list[Json] = [case.name, case.operation, [*chain(*case.environment)], judged_values(case)]
    return _hash(case.name, _OF_NAME) + _hash(values, CASE_BYTES - _OF_NAME)


def _failure_print(case: str, signature: str) -> bytes:
    return _hash(case, _OF_CASE) + _hash(signature, FAILURE_BYTES - _OF_CASE)


def _hash(value: Json, size: int) -> bytes:
    return hashlib.sha256(canonical_bytes(value)).digest()[:size]


def _chunks(rows: bytes, size: int) -> Iterator[bytes]:
    return (rows[start : start + size] for start in range(0, len(rows), size))
