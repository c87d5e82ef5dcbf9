"""Intents and multipliers: what holds of all notes, and the steps."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.decisions import decided
from reference_impl.jeffs_brain.candidates import Candidate, Result
from reference_impl.jeffs_brain.intent import PATTERN_SOURCES, Intent, IntentDecisions, reweight
from reference_impl.observer import Step, observing

PREFERENCE, CONCRETE_FACT = Intent(True, False), Intent(False, True)
NOTES = st.builds(
    Candidate,
    id=st.just("n"),
    path=st.sampled_from(
        ["memory/global/x.md", "memory/global/user-preference-x.md", "wiki/user-fact-1.md", "wiki/x.md"]
    ),
    title=st.sampled_from(["", "tips", "summary", "I bought it", "[date: 2026-01-01]"]),
    content=st.sampled_from(["", "prefers tea", "overview", "guide"]),
)


def note(path: str, title: str = "", summary: str = "", content: str = "") -> Candidate:
    return Candidate("n", path, title, summary, content)


def test_patterns_are_ascii() -> None:
    """There are nine source texts, and none has a Unicode escape."""
    assert len(PATTERN_SOURCES) == 9
    assert all(source.isascii() and r"\p" not in source and r"\u" not in source for source in PATTERN_SOURCES.values())


@given(NOTES)
def test_both_intents_compose(found: Candidate) -> None:
    """With both intents the combined factor is the product of what each gives alone."""
    rule = decided(IntentDecisions)
    both = rule.multipliers(Intent(True, True), found)
    alone = rule.multipliers(PREFERENCE, found).preference, rule.multipliers(CONCRETE_FACT, found).concrete_fact
    assert both.combined == alone[0] * alone[1]


@given(NOTES)
def test_no_intent_no_factor(found: Candidate) -> None:
    """Without an intent every factor is 1."""
    assert decided(IntentDecisions).multipliers(Intent(False, False), found).combined == 1.0


@given(st.lists(NOTES, max_size=6))
def test_reweighting_keeps_the_notes(notes: list[Candidate]) -> None:
    """Reweighting loses no result and leaves scores falling."""
    results = [Result(found, 1 / (61 + rank)) for rank, found in enumerate(notes)]
    reweighted = reweight("how many tips", results)
    assert sorted(result.candidate.path for result in reweighted) == sorted(found.path for found in notes)
    assert all(better.score >= worse.score for better, worse in itertools.pairwise(reweighted))


def test_steps_name_the_factors() -> None:
    """An observer is told both intents, the factors of every note, and the new order."""
    steps: list[Step] = []
    with observing(steps.append):
        reweight("recommend", [Result(note("wiki/x.md", "tips", "overview"), 1.0)])
    assert steps == [
        Step("Intent categories", "preferenceQuery", True),
        Step("Intent categories", "concreteFactQuery", False),
        Step("Multipliers", "wiki/x.md", {"preference": [0.82, 0.9], "concreteFact": []}),
        Step("Intent-aware reweighting", "reweighted", [["n", 0.82 * 0.9]]),
    ]
