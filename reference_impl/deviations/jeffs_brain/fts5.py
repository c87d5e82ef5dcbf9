"""Deviations from the query DSL document's sections "Operator semantics" (compilation) and "FTS5 compilation target"."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from ...javascript import strings
from ...jeffs_brain import fts5
from ...jeffs_brain.ast import Token
from ...switches import Switches

SWITCHES = Switches("query.*", "retrieval.search")


@SWITCHES.deviation("rendered-text-trimmed", fts5.surfaces, wraps=True)
def surfaces_of_trimmed_texts(current: Callable[[Iterable[Token]], list[str]], tokens: Iterable[Token]) -> list[str]:
    """The compiler trims the text of each token, also inside the quotes of a phrase."""
    return current([replace(token, text=strings.trim(token.text)) for token in tokens])
