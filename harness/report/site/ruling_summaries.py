"""The rulings of a site with the answers of each SDK: rows of the matrix of rulings and SDKs. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...compare.alternatives import DECIDES
from ...corpus.catalogue import SEVERITIES
from ...model import Ruling, where
from ..ruling_adherence import Followers, by_ruling, followers
from .case_pages import reading_state
from .contents import Site

NO_READING = "failing"
"""The state of failures by none of the readings."""


class MatrixPart(Struct, frozen=True):
    """The answers of one SDK that follow one reading, or none: the letter, its state, and the number of cases."""

    letter: str
    state: str
    cases: int

    @property
    def text(self) -> str:
        """`b 47`, `failing 2`."""
        return f"{self.letter or self.state} {self.cases:,}"


class RulingSummary(Struct, frozen=True):
    """A ruling, the results of each column on it, and the parts of a matrix row: those of the newest version of each SDK,
    most cases first."""

    ruling: Ruling
    positions: Mapping[int, Followers]
    cells: Sequence[Sequence[MatrixPart]]

    @property
    def is_open(self) -> bool:
        """Whether the text allows several readings, or nobody has classified it."""
        return self.ruling.text != DECIDES

    @property
    def departing(self) -> int:
        """The number of answers of newest versions that do not follow the adopted reading."""
        adopted = self.ruling.adopted
        return sum(part.cases for cell in self.cells for part in cell if part.letter != adopted)


def ruling_summaries(site: Site) -> list[RulingSummary]:
    """Every ruling; those from which most answers depart come first, then by severity."""
    summaries = []
    indexed = [by_ruling(where(column.record.results, names={column.name})) for column in site.columns]
    for id_, ruling in site.rulings.items():
        positions = {
            number: followers(id_, ruling, indexed[number].get(id_, ()), column.record)
            for number, column in enumerate(site.columns)
        }
        summaries.append(
            RulingSummary(ruling, positions, [_parts(ruling, positions[number]) for number in site.newest])
        )
    severities = {name: number for number, name in enumerate(SEVERITIES)}
    return sorted(
        summaries, key=lambda summary: (-summary.departing, severities.get(summary.ruling.severity, len(severities)))
    )


def _parts(ruling: Ruling, position: Followers) -> list[MatrixPart]:
    parts = [
        MatrixPart(reading, reading_state(ruling, reading), followed.cases)
        for reading, followed in position.readings.items()
    ]
    parts += [MatrixPart("", NO_READING, len(position.failing))] if position.failing else []
    return sorted(parts, key=lambda part: -part.cases)
