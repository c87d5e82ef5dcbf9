"""Query DSL document, sections "Alias expansion" and "Alias tables", whose "Runtime semantics" are normative."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain.ast import Ast, Kind, Token
from reference_impl.observer import Observer, Step, silent

# Surface token -> ordered alternatives. An in-memory contract only; nothing reads or writes a file.
AliasTable = Mapping[str, Sequence[str]]


def expand_aliases(ast: Ast, table: AliasTable, *, observe: Observer = silent) -> Ast:
    """Put each term's alternatives in its place; phrases and prefixes pass through unchanged."""
    tokens: list[Token] = []
    for token in ast.tokens:
        alternatives = list(_alternatives(token, table))
        if alternatives:
            observe(Step("Alias expansion", token.text, [alternative.to_json() for alternative in alternatives]))
        tokens.extend(alternatives or [token])
    return replace(ast, tokens=tuple(tokens))


def _alternatives(token: Token, table: AliasTable) -> Iterator[Token]:
    """The tokens that replace one token, each once, the first with its operator; none where nothing is left."""
    surfaces = _look_up(token.text, table) if token.kind is Kind.TERM else ()
    survivors = (survivor for surface in surfaces if (survivor := _survivor(surface)) is not None)
    for place, alternative in enumerate(dict.fromkeys(survivors)):
        yield replace(alternative, operator=token.operator) if place == 0 else alternative


def _look_up(text: str, table: AliasTable) -> Sequence[str]:
    """Section "Runtime semantics": the exact key, or else the lower-cased form."""
    found = table.get(text)
    return table.get(strings.to_lower_case(text), ()) if found is None else found


def _survivor(surface: str) -> Token | None:
    """Section "Runtime semantics": lower-case, split on all but letters and digits; one word is a term, more a phrase.

    A digit is a decimal digit: Unicode's other numeric characters (fractions, letter numbers) separate.
    """
    words = regexps.runs_of(strings.to_lower_case(surface), "L", "Nd")
    if not words:
        return None
    return Token(Kind.TERM if len(words) == 1 else Kind.PHRASE, " ".join(words))
