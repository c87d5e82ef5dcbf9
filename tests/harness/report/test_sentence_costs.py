"""What a sentence costs: its rulings and causes together, what the SDKs have in common, and what adopting it does."""

from __future__ import annotations

from made_records import CASES, RULING, disputed, entry, explained, failing, record, requirement, result, with_metadata

from harness.model import Cause, Choice, RecordedResult, RunRecord, Topic, Verdict, replace
from harness.report.sentence_costs import SentenceCost, sentence_costs, size

FLAT = Choice(deviations=("flat",))


def _sung(*results: RecordedResult, text: str = "leaves-room") -> RunRecord:
    """A record with a ruling about SONG-01, and SDKs whose deviation `flat` breaks SONG-02."""
    names = dict.fromkeys(result.implementation for result in results)
    entries = [replace(entry(name), causes=(Cause("flat", "Flat.", "", requirements=("SONG-02",)),)) for name in names]
    ruling = replace(RULING, requirements=("SONG-01",), text=text)
    return with_metadata(record(*results, entries=entries), rulings={"RUL-1": ruling})


def _costs(*results: RecordedResult, text: str = "leaves-room") -> dict[str, SentenceCost]:
    return {cost.requirement: cost for cost in sentence_costs(_sung(*results, text=text))}


def test_the_dearest_sentence_is_first() -> None:
    """Sentences stand by their variants and failures; a ruling without any is there too, and the reference costs nothing."""
    costs = sentence_costs(
        _sung(
            explained(failing(CASES[0], "alto"), FLAT),
            explained(failing(CASES[1], "bass"), FLAT),
            disputed("bass", "b", CASES[2]),
            disputed("reference", "b", CASES[2]),
        )
    )
    assert [(cost.requirement, cost.cost) for cost in costs] == [("SONG-02", 2), ("SONG-01", 1)]
    assert [(cost.cost, cost.rulings[0].id) for cost in sentence_costs(_sung(result(CASES[0], "alto")))] == [
        (0, "RUL-1")
    ]


def test_the_main_requirement_is_the_one_that_the_answers_cite() -> None:
    """Of several requirements of a ruling the one counts that most departing answers cite, and no fact."""
    answer = disputed("alto", "b")
    made = _sung(replace(answer, requirements=("SONG-02", "SONG-03")))
    ruling = replace(RULING, requirements=("SONG-01", "SONG-03", "SONG-02"))
    texts = dict(made.metadata.requirements) | {"SONG-03": requirement("SONG-03", "Songs are old.", level="fact")}
    [cost] = sentence_costs(with_metadata(made, rulings={"RUL-1": ruling}, requirements=texts))
    assert cost.requirement == "SONG-02"


def test_what_every_tested_sdk_does_speaks_against_the_text() -> None:
    """A cause of two SDKs is common unless a third one passes its cases; one that reports only a part does not count."""
    flat = [explained(failing(CASES[0], name), FLAT) for name in ("alto", "bass")]
    for other, is_common in (
        (result(CASES[0], "tenor", Verdict.UNSUPPORTED), True),
        (result(CASES[0], "tenor", unobserved=1), True),
        (result(CASES[0], "tenor"), False),
    ):
        cost = _costs(*flat, other)["SONG-02"]
        assert (size(cost.doubting), size(cost.breaking)) == ((2, 0) if is_common else (0, 2))
        assert cost.practice == (FLAT if is_common else Choice())
    assert size(_costs(flat[0])["SONG-02"].breaking) == 1


def test_the_reading_of_most_sdks_is_their_practice() -> None:
    """An open reading is the practice if more SDKs follow it than any other one; adopting it turns their variants into
    passes and ends passes that separate the readings."""
    second = CASES[1]
    answers = [
        disputed("alto", "b"),
        disputed("bass", "b", second),
        disputed("tenor", "a"),
        disputed("tenor", "a", second),
    ]
    cost = _costs(*answers)["SONG-01"]
    assert cost.practice == Choice((("RUL-1", "b"),))
    counts = {name: (len(effect.gained), len(effect.lost)) for name, effect in cost.effect.items()}
    assert counts == {"alto": (1, 0), "bass": (1, 0), "tenor": (0, 2)}
    assert _costs(answers[0], answers[2])["SONG-01"].effect == {}


def test_a_refuted_reading_is_a_practice_if_it_is_common() -> None:
    """A failure by a reading that the text refutes belongs to the sentence of its ruling, and counts once."""
    refuted = Choice((("RUL-1", "b"),))
    failures = [explained(failing(CASES[0], name, ruling="RUL-1"), refuted) for name in ("alto", "bass")]
    cost = _costs(*failures, text="decides")["SONG-01"]
    assert (cost.cost, size(cost.varying), cost.practice) == (2, 0, refuted)
    assert size({name: effect.gained for name, effect in cost.effect.items()}) == 2
    alone = _costs(failures[0], disputed("bass", "a"), text="decides")["SONG-01"]
    assert (alone.practice, size(alone.breaking)) == (Choice(), 1)


def test_an_answer_with_another_cause_is_not_gained() -> None:
    """An answer that also needs what is not adopted does not pass; a failure without a cause charges a sentence too."""
    both = Choice((("RUL-1", "b"),), ("flat",))
    results = [disputed("alto", "b"), explained(failing(CASES[1], "alto"), both), failing(CASES[2], "alto")]
    costs = _costs(*results)
    assert [len(effect.gained) for effect in costs["SONG-01"].effect.values()] == [1]
    assert (size(costs["SONG-01"].uncaused), size(costs["SONG-02"].breaking)) == (1, 1)


def test_a_deviation_belongs_to_the_topic_that_departs_at_its_requirement() -> None:
    """Rulings of one topic are one sentence. A deviation joins it only where an answer departs from such a ruling."""
    for answer, sizes in ((disputed("alto", "b"), [(2, 2)]), (disputed("alto", "a"), [(1, 0), (0, 2)])):
        made = _sung(replace(answer, requirements=("SONG-02",)), explained(failing(CASES[1], "alto"), FLAT))
        first = replace(RULING, requirements=("SONG-02",), topic=Topic("notes", "Notes"))
        rulings = {"RUL-1": first, "RUL-2": replace(first, id="RUL-2", requirements=("SONG-01",))}
        costs = sentence_costs(with_metadata(made, rulings=rulings))
        assert [(cost.cost, len(cost.rulings)) for cost in costs] == sizes
        assert [cost.topic is not None for cost in costs] == [rulings_ > 0 for _, rulings_ in sizes]


def test_answers_that_a_file_lists_are_no_practice() -> None:
    """A cause without a model speaks against the text, but nobody can compute what it would ask for as the text."""
    cost = _costs(*(explained(failing(CASES[0], name), Choice(listed="flat")) for name in ("alto", "bass")))["SONG-02"]
    assert (size(cost.doubting), cost.practice, cost.effect) == (2, Choice(), {})
