"""Aliases, anchors and notes beyond the query DSL document: Go v0.3.0; all but the notes also Python 22a586e."""

from collections.abc import Sequence

from reference_impl.javascript import strings
from reference_impl.jeffs_brain.aliases import AliasesDecisions, AliasTable
from reference_impl.jeffs_brain.anchors import AnchorsDecisions
from reference_impl.jeffs_brain.temporal import TemporalDecisions

ACTS_ON = ("query.*", "temporal.*", "retrieval.search")


class LookUpOfSeveralAlternatives(AliasesDecisions, deviation="one-alternative-alias-ignored"):
    def look_up(self, text: str, table: AliasTable) -> Sequence[str] | None:
        """An entry whose alternatives are all equal, after trimming and lower-casing, counts as no entry."""
        found = super().look_up(text, table)
        if found is None:
            return None
        distinct = {trimmed for surface in found if (trimmed := self.lower_case(strings.trim(surface)))}
        return found if len(distinct) > 1 else None


class ThreeForms(AnchorsDecisions, deviation="three-anchor-forms"):
    def surface_pattern(self) -> str:
        """Only a date, and a date with slashes and ``HH:MM``, with or without an English weekday before it, are parsed."""
        year, two, space = self.digit_pattern() * 4, "[0-9]{2}", self.separator_pattern()
        weekday = rf"(?:{space}\((?:mon|tue|wed|thu|fri|sat|sun)\))?"
        time = rf"{weekday}{space}{self.digit_pattern()}{{2}}:{self.digit_pattern()}{{2}}"
        return rf"(?={year}(?:-{two}-{two}|/{two}/{two}(?:{time})?)$){super().surface_pattern()}"

    def fallback(self, text: str) -> None:
        """No other text is a date."""
        del text


class NoNoteWithoutADate(TemporalDecisions, deviation="no-note-without-a-date"):
    def note_and_resolved(self, note: str, hints: Sequence[str]) -> tuple[str, bool]:
        """Without a date, the question passes without a note."""
        note, resolved = super().note_and_resolved(note, hints)
        return note if hints else "", resolved
