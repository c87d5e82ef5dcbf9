"""Phrases that the query DSL document does not expand: ts 0.2.0, Go v0.3.0, Python 22a586e."""

import re

from reference_impl.javascript import dates
from reference_impl.jeffs_brain.temporal import Recogniser, TemporalDecisions

ACTS_ON = ("temporal.*", "retrieval.search")


class NearDays(TemporalDecisions, deviation="today-and-yesterday-are-phrases"):
    def recognisers(self) -> tuple[Recogniser, ...]:
        """today and yesterday are expanded, after the relative times."""
        found = super().recognisers()
        at = [recogniser.name for recogniser in found].index("last weekday")
        pattern = self.relative_time_edges("(yesterday|today)")
        return (*found[:at], Recogniser("near day", pattern, _near_day, "({})"), *found[at:])


def _near_day(anchor: int, match: re.Match[str]) -> int | None:
    return dates.set_day(anchor, dates.civil(anchor).day - (match[1] == "yesterday"))
