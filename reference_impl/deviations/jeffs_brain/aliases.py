"""Deviations from the query DSL document's sections "Alias expansion" and "Alias tables"."""

from collections.abc import Callable, Sequence

from ...javascript import regexps, strings
from ...jeffs_brain import aliases, parser
from ...jeffs_brain.aliases import AliasTable
from ...switches import Switches

SWITCHES = Switches("query.*", "retrieval.search")

_LookUp = Callable[[str, AliasTable], Sequence[str] | None]


@SWITCHES.deviation("one-alternative-alias-ignored", aliases.look_up, wraps=True)
def look_up_of_several_alternatives(current: _LookUp, text: str, table: AliasTable) -> Sequence[str] | None:
    """An entry whose alternatives are all equal, after trimming and lower-casing, counts as no entry."""
    found = current(text, table)
    if found is None:
        return None
    distinct = {trimmed for surface in found if (trimmed := aliases.lower_case(strings.trim(surface)))}
    return found if len(distinct) > 1 else None


# Defined after the check of one alternative: the later wrapper is the outer one, so an ignored entry has this fallback.
@SWITCHES.deviation("alias-of-stripped-word-second", aliases.look_up, wraps=True)
def look_up_stripped_word_second(current: _LookUp, text: str, table: AliasTable) -> Sequence[str] | None:
    """A word without an entry as typed is looked up again without its strip characters."""
    found = current(text, table)
    return current(parser.lower_case(parser.stripped(text)), table) if found is None else found


@SWITCHES.deviation("keys-in-simple-lower-case", aliases.with_keys, wraps=True)
def table_with_keys_in_simple_lower_case(current: Callable[[AliasTable], AliasTable], table: AliasTable) -> AliasTable:
    """The table lowercases its keys by the simple mapping, in which a sigma never takes its final form."""
    return current({"".join(character.lower()[0] for character in key): table[key] for key in table})


@SWITCHES.deviation("entry-without-alternative-dropped", aliases.with_keys, wraps=True)
def table_without_empty_entries(current: Callable[[AliasTable], AliasTable], table: AliasTable) -> AliasTable:
    """An entry without an alternative does not replace another one whose key is equal in lower case."""
    return current({key: surfaces for key, surfaces in table.items() if any(map(strings.trim, surfaces))})


@SWITCHES.deviation("first-of-equal-keys", aliases.with_keys, wraps=True)
def table_with_first_keys(current: Callable[[AliasTable], AliasTable], table: AliasTable) -> AliasTable:
    """Of keys that are equal in lower case, the first keeps its entry."""
    return current({key: table[key] for key in reversed([*table])})


@SWITCHES.deviation("digits-by-numeric-type", aliases.words_of)
def words_of_letters_and_digit_values(text: str) -> list[str]:
    """Superscript and circled digits are digits, because Unicode gives them the numeric type Digit."""
    separated = "".join(c if regexps.has_property(c, "L") or c.isdigit() else " " for c in text)
    return separated.split()
