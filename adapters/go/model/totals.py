"""The order of the notes in a question for a total: Go v0.3.0."""

from typing import Final

from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain import intent
from reference_impl.jeffs_brain.candidates import Result
from reference_impl.jeffs_brain.intent import IntentDecisions

ACTS_ON = ("intent.*", "retrieval.search")

_NUMBER: Final = regexps.compile_ignoring_case(
    r"\b(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
)
_MOST_EVIDENCE: Final = 8


class EvidenceFirst(IntentDecisions, deviation="evidence-of-a-total-first"):
    def in_final_order(self, query: str, weighted: list[Result]) -> list[Result]:
        """In a question for a total, at most eight notes with the strongest evidence come first."""
        results = super().in_final_order(query, weighted)
        if not self.matches("ENUMERATION_OR_TOTAL_QUERY_RE", strings.to_lower_case(query)):
            return results
        strong = sorted((result for result in results if _strength(result) >= 1.25), key=_strength, reverse=True)
        if len(strong) == 1 and _strength(strong[0]) < 2.0:
            return results
        first = strong[:_MOST_EVIDENCE]
        kept = set(map(id, first))
        return first + [result for result in results if id(result) not in kept]


def _strength(result: Result) -> float:
    """The sum in the order of the SDK: another order of the additions rounds to another side of a limit."""
    rule, text = decided(IntentDecisions), intent.note_text(result.candidate)
    path = strings.to_lower_case(result.path)
    strength = 0.6 + (1.0 if _NUMBER.search(text) else 0.0)
    strength += 1.2 if rule.is_fact(path, text) else 0.0
    strength += 0.65 if "memory/global/" in path else 0.0
    strength -= 0.45 if rule.matches("GENERIC_NOTE_RE", text) else 0.0
    return strength - (0.35 if rule.matches("ROLLUP_NOTE_RE", text) else 0.0)
