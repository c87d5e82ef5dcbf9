"""Section "The model-free embedder (HRR)": the embedder can be exchanged, the plumbing around it stays."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from reference_impl.tideline import hrr
from reference_impl.tideline.hrr import Vector


class Embedder(Protocol):
    """What recall asks of an embedder. ``floor`` is the noise floor that it recommends; None for the default one."""

    @property
    def floor(self) -> float | None:
        """The smallest cosine worth a recovery."""

    def embed(self, text: str) -> Vector:
        """The vector of a text."""


@dataclass(frozen=True, slots=True)
class Hrr:
    """The default: no model, no network, no floor of its own."""

    floor: float | None = None

    def embed(self, text: str) -> Vector:
        """The text's HRR vector."""
        return hrr.embed(text)


@dataclass(frozen=True, slots=True)
class Table:
    """A learned embedder's stand-in: the vectors of some texts, and one for all others."""

    vectors: Mapping[str, Vector]
    default: Vector
    floor: float | None = None

    def embed(self, text: str) -> Vector:
        """The listed vector."""
        return self.vectors.get(text, self.default)
