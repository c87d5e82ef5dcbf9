"""Query DSL document, sections "Alias expansion" and "Alias tables" (normative part: "Runtime semantics")."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..javascript import regexps, strings
from ..observer import Observer, Step, silent
from .ast import Ast, Kind, Token

# Surface token -> ordered alternatives. The table is only in memory; no file is read or written.
AliasTable = Mapping[str, Sequence[str]]


def expand_aliases(ast: Ast, table: AliasTable, *, observe: Observer = silent) -> Ast:
    """Replaces each term by its alternatives; phrases and prefixes stay unchanged. Section "Alias expansion"."""
    tokens: list[Token] = []
    for token in ast.tokens:
        alternatives = list(_alternatives(token, table))
        if alternatives:
            observe(Step("Alias expansion", token.text, [alternative.to_json() for alternative in alternatives]))
        tokens.extend(alternatives or [token])
    return replace(ast, tokens=tuple(tokens))


def _alternatives(token: Token, table: AliasTable) -> Iterator[Token]:
    """The distinct tokens that replace a token, the first with its operator; none if no alternative is left."""
    surfaces = _look_up(token.text, table) if token.kind is Kind.TERM else ()
    survivors = (survivor for surface in surfaces if (survivor := _survivor(surface)) is not None)
    for place, alternative in enumerate(dict.fromkeys(survivors)):
        yield replace(alternative, operator=token.operator) if place == 0 else alternative


def _look_up(text: str, table: AliasTable) -> Sequence[str]:
    """Section "Runtime semantics": looks up the exact key, else the lower-cased key."""
    found = table.get(text)
    return table.get(strings.to_lower_case(text), ()) if found is None else found


def _survivor(surface: str) -> Token | None:
    """Section "Runtime semantics": lower-cases and splits at every character that is no letter or digit.

    One word gives a term, several words a phrase. A digit is a decimal digit: other numeric characters of Unicode
    (fractions, letter numbers) separate words.
    """
    words = regexps.runs_of(strings.to_lower_case(surface), "L", "Nd")
    if not words:
        return None
    return Token(Kind.TERM if len(words) == 1 else Kind.PHRASE, " ".join(words))
