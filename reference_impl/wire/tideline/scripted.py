"""A scripted embedder."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...tideline.hrr import Vector


@dataclass(frozen=True, slots=True)
class Table:
    """Stand-in for a learned embedder: given vectors for some texts, and a default vector."""

    vectors: Mapping[str, Vector]
    default: Vector
    floor: float | None = None

    def embed(self, text: str) -> Vector:
        """The given vector of a text, else the default."""
        return self.vectors.get(text, self.default)
