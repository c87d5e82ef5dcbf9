"""Deviations from the query DSL document's sections "Alias expansion" and "Alias tables"."""

from collections.abc import Sequence

from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain import parser
from reference_impl.jeffs_brain.aliases import AliasesDecisions, AliasTable
from reference_impl.jeffs_brain.parser import ParserDecisions

ACTS_ON = ("query.*", "retrieval.search")


class LookUpOfSeveralAlternatives(AliasesDecisions, deviation="one-alternative-alias-ignored"):
    def look_up(self, text: str, table: AliasTable) -> Sequence[str] | None:
        """An entry whose alternatives are all equal, after trimming and lower-casing, counts as no entry."""
        found = super().look_up(text, table)
        if found is None:
            return None
        distinct = {trimmed for surface in found if (trimmed := self.lower_case(strings.trim(surface)))}
        return found if len(distinct) > 1 else None


# Defined after the check of one alternative: the later wrapper is the outer one, so an ignored entry has this fallback.
class LookUpStrippedWordSecond(AliasesDecisions, deviation="alias-of-stripped-word-second"):
    def look_up(self, text: str, table: AliasTable) -> Sequence[str] | None:
        """A word without an entry as typed is looked up again without its strip characters."""
        found = super().look_up(text, table)
        return (
            super().look_up(decided(ParserDecisions).lower_case(parser.stripped(text)), table)
            if found is None
            else found
        )


class TableWithKeysInSimpleLowerCase(AliasesDecisions, deviation="keys-in-simple-lower-case"):
    def with_keys(self, table: AliasTable) -> AliasTable:
        """The table lowercases its keys by the simple mapping, in which a sigma never takes its final form."""
        return super().with_keys({"".join(character.lower()[0] for character in key): table[key] for key in table})


class TableWithoutEmptyEntries(AliasesDecisions, deviation="entry-without-alternative-dropped"):
    def with_keys(self, table: AliasTable) -> AliasTable:
        """An entry without an alternative does not replace another one whose key is equal in lower case."""
        return super().with_keys({key: surfaces for key, surfaces in table.items() if any(map(strings.trim, surfaces))})


class TableWithFirstKeys(AliasesDecisions, deviation="first-of-equal-keys"):
    def with_keys(self, table: AliasTable) -> AliasTable:
        """Of keys that are equal in lower case, the first keeps its entry."""
        return super().with_keys({key: table[key] for key in reversed([*table])})


class WordsOfLettersAndDigitValues(AliasesDecisions, deviation="digits-by-numeric-type"):
    def words_of(self, text: str) -> list[str]:
        """Superscript and circled digits are digits, because Unicode gives them the numeric type Digit."""
        separated = "".join(c if regexps.has_property(c, "L") or c.isdigit() else " " for c in text)
        return separated.split()
