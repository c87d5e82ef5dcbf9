"""The nine patterns, the two intents, the two tables of multipliers."""

import itertools

import pytest
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


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        ("PREFERENCE_QUERY_RE", "which should i read", True),
        ("PREFERENCE_QUERY_RE", "recommended", False),
        ("PREFERENCE_QUERY_RE", "TIPS", True),
        ("PREFERENCE_QUERY_RE", "tipsé", True),
        ("ENUMERATION_OR_TOTAL_QUERY_RE", "in total", True),
        ("ENUMERATION_OR_TOTAL_QUERY_RE", "li\u017ft", False),
        ("ENUMERATION_OR_TOTAL_QUERY_RE", "counts", False),
        ("FIRST_PERSON_FACT_LOOKUP_RE", "did it", False),
        ("FACT_LOOKUP_VERB_RE", "pick up", True),
        ("FACT_LOOKUP_VERB_RE", "picks up", False),
        ("PREFERENCE_NOTE_RE", "preferred", True),
        ("PREFERENCE_NOTE_RE", "preferring", False),
        ("GENERIC_NOTE_RE", "suggesteds", True),
        ("GENERIC_NOTE_RE", "guides", False),
        ("ROLLUP_NOTE_RE", "rollup", True),
        ("ROLLUP_NOTE_RE", "totalle", True),
        ("ROLLUP_NOTE_RE", "totalledd", False),
        ("ATOMIC_EVENT_NOTE_RE", "i\u00a0 bought", True),
        ("ATOMIC_EVENT_NOTE_RE", "wii bought", False),
        ("DATE_TAG_RE", "[Observed On: may]", True),
        ("DATE_TAG_RE", "date:", False),
    ],
)
def test_patterns(pattern: str, text: str, wanted: bool) -> None:
    """Each pattern finds what JavaScript finds with the flag i alone."""
    assert decided(IntentDecisions).matches(pattern, text) is wanted


def test_patterns_are_ascii() -> None:
    """There are nine source texts, and none has a Unicode escape."""
    assert len(PATTERN_SOURCES) == 9
    assert all(source.isascii() and r"\p" not in source and r"\u" not in source for source in PATTERN_SOURCES.values())


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("Recommend a book", Intent(True, False)),
        ("How many books did I read", Intent(False, True)),
        ("have I finished it", Intent(False, True)),
        ("was I there", Intent(False, False)),
        ("bought milk", Intent(False, False)),
        ("list your tips", Intent(True, True)),
        ("what  should i", Intent(False, False)),
        ("Heb je tips voor mij", Intent(True, False)),
    ],
)
def test_detection(query: str, wanted: Intent) -> None:
    """A query has the intents whose patterns it matches, none, one or both."""
    assert decided(IntentDecisions).detect(query) == wanted


@pytest.mark.parametrize(
    ("path", "content", "wanted"),
    [
        ("memory/global/user-preference-tea.md", "prefers tea", 2.35),
        ("memory/global/tea.md", "prefers tea", 2.1),
        ("memory/global/tea.md", "tips", 1.0),
        ("wiki/user-preference-tea.md", "prefers tea", 1.0),
        ("wiki/tea.md", "tips", 0.82),
        ("wiki/tea.md", "overview", 0.9),
        ("wiki/tea.md", "tips, an overview", 0.82 * 0.9),
        ("memory/global/tea.md", "prefers an overview", 2.1 * 0.9),
        ("memory/global/user-preference-tea.md", "overview", 2.35 * 0.9),
        ("Memory/Global/user-preference-tea.md", "", 1.0),
        ("wiki/tea.md", "green", 1.0),
    ],
)
def test_preference_table(path: str, content: str, wanted: float) -> None:
    """The preference factors of a note are those of every row that fires, 2.35 shutting out 2.1."""
    assert decided(IntentDecisions).multipliers(PREFERENCE, note(path, content=content)).preference == wanted


@pytest.mark.parametrize(
    ("path", "content", "wanted"),
    [
        ("wiki/user-fact-1.md", "", 2.2),
        ("wiki/milestone-1.md", "tips", 2.2),
        ("wiki/x.md", "[date: 2026-01-01]", 2.2),
        ("wiki/x.md", "we took a train", 2.2),
        ("wiki/x.md", "overview: we took a train", 0.45),
        ("wiki/user-fact-1.md", "overview", 2.2 * 0.45),
        ("wiki/x.md", "a guide and overview", 0.45 * 0.75),
        ("wiki/x.md", "a guide", 0.75),
        ("memory/global/x.md", "a guide", 1.0),
        ("wiki/x.md", "we took the guide", 2.2),
    ],
)
def test_concrete_fact_table(path: str, content: str, wanted: float) -> None:
    """The concrete-fact factors of a note are those of every row that fires."""
    assert decided(IntentDecisions).multipliers(CONCRETE_FACT, note(path, content=content)).concrete_fact == wanted


def test_fields_are_lines() -> None:
    """A word that begins a field is a word, and white space in a pattern reaches over two fields."""
    rule = decided(IntentDecisions)
    assert rule.multipliers(PREFERENCE, note("a", "tips")).preference == 0.82
    assert rule.multipliers(CONCRETE_FACT, note("x.md", "I", "bought it")).concrete_fact == 2.2


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


def test_reweighting_sorts_stably() -> None:
    """Equal scores keep the order that they came in, not the order of their paths."""
    results = [
        Result(note("z.md"), 0.5),
        Result(note("a.md"), 0.5),
        Result(note("memory/global/user-preference-"), 0.4),
    ]
    reweighted = reweight("recommend", results)
    assert [result.path for result in reweighted] == ["memory/global/user-preference-", "z.md", "a.md"]
    assert reweighted[0].score == 0.4 * 2.35


def test_without_intent_nothing_moves() -> None:
    """A query without an intent leaves even an unsorted list as it came."""
    results = [Result(note("a.md", "tips"), 0.1), Result(note("b.md"), 0.9)]
    assert reweight("zebra", results) == results


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
