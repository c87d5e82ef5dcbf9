"""Deviations from the query DSL document's sections "Operator semantics" (compilation) and "FTS5 compilation target"."""

from collections.abc import Iterable
from dataclasses import replace

from reference_impl.javascript import strings
from reference_impl.jeffs_brain.ast import Token
from reference_impl.jeffs_brain.fts5 import Fts5Decisions

ACTS_ON = ("query.*", "retrieval.search")


class SurfacesOfTrimmedTexts(Fts5Decisions, deviation="rendered-text-trimmed"):
    def surfaces(self, tokens: Iterable[Token]) -> list[str]:
        """The compiler trims the text of each token, also inside the quotes of a phrase."""
        return super().surfaces([replace(token, text=strings.trim(token.text)) for token in tokens])
