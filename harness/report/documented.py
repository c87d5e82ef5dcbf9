"""Behaviour that another document of the same project describes: at the failures, and as a list for the review. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from ..errors import printable
from ..model import FAILING, Documented, RecordedResult, RunRecord, where


class DocumentedPlace(Struct, frozen=True):
    """One place where another document differs, with the rulings that name it, the reasons of the known divergences that
    name it, and the failing results."""

    documented: Documented
    rulings: tuple[str, ...]
    reasons: tuple[str, ...]
    results: tuple[RecordedResult, ...]


def documented_text(found: Documented) -> str:
    """`spec/ALGORITHMS.md at tag v0.2.0 of the SDKs' repository describes up to four queries`, without a full stop."""
    return printable(f"{found.where.strip()} describes {found.says.strip().removesuffix('.')}")


def documented_at(result: RecordedResult, record: RunRecord) -> Iterator[Documented]:
    """The notes at a failing result, each once: of its known divergence, and of the rulings that it is disputed under or
    that cite it. Other results have none."""
    if result.verdict not in FAILING:
        return
    found = [result.expectation.documented if result.expectation else None]
    for id_ in (result.ruling, *result.cited_by_rulings):
        ruling = record.metadata.rulings.get(id_)
        found.append(ruling.documented if ruling else None)
    yield from dict.fromkeys(documented for documented in found if documented is not None)


def notes(result: RecordedResult, record: RunRecord) -> list[str]:
    """The texts of the notes at a failing result."""
    return [documented_text(note) for note in documented_at(result, record)]


def notes_of(results: Iterable[RecordedResult], record: RunRecord) -> Mapping[str, int]:
    """The texts of the notes at these results, each with the number of its cases."""
    found: dict[str, int] = {}
    for result in results:
        for note in notes(result, record):
            found[note] = found.get(note, 0) + 1
    return found


def documented_places(record: RunRecord) -> list[DocumentedPlace]:
    """Every place where another document differs: those of the rulings in their order, then those of known divergences."""
    rulings: dict[Documented, list[str]] = {}
    for id_, ruling in record.metadata.rulings.items():
        if ruling.documented:
            rulings.setdefault(ruling.documented, []).append(id_)
    reasons: dict[Documented, dict[str, None]] = {documented: {} for documented in rulings}
    results: dict[Documented, list[RecordedResult]] = {ruling: [] for ruling in rulings}
    for result in where(record.results, lambda outcome: bool(outcome.expectation) or outcome.verdict in FAILING):
        expected = result.expectation
        if expected and expected.documented:
            reasons.setdefault(expected.documented, {})[expected.reason] = None
        for note in documented_at(result, record):
            results.setdefault(note, []).append(result)
    return [
        DocumentedPlace(
            documented, tuple(rulings.get(documented, ())), tuple(reasons[documented]), tuple(results[documented])
        )
        for documented in reasons
    ]
