"""Section "The model-free embedder (HRR)": interchangeable embedders of recall."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from . import hrr
from .hrr import Vector


class Embedder(Protocol):
    """Embedder of recall. ``floor`` is its recommended noise floor; None for the default floor."""

    @property
    def floor(self) -> float | None:
        """The smallest cosine of a recovery."""

    def embed(self, text: str) -> Vector:
        """The vector of a text."""


@dataclass(frozen=True, slots=True)
class Hrr:
    """The default embedder: no model, no network, no own floor."""

    floor: float | None = None

    def embed(self, text: str) -> Vector:
        """The HRR vector of a text."""
        return hrr.embed(text)


@dataclass(frozen=True, slots=True)
class Table:
    """Stand-in for a learned embedder: given vectors for some texts, and a default vector."""

    vectors: Mapping[str, Vector]
    default: Vector
    floor: float | None = None

    def embed(self, text: str) -> Vector:
        """The given vector of a text, else the default."""
        return self.vectors.get(text, self.default)
