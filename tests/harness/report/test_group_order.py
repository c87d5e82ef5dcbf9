"""Failure groups stand in the order of cause and effect, in every report."""

from __future__ import annotations

from collections.abc import Mapping

from made_records import crash, entry, explained, failing, groups, record
from renderers import console, first_screen, markdown

from harness.model import Choice, RecordedResult, replace

USES: Mapping[str, tuple[str, ...]] = {"choir.hum": ("choir.tune",), "choir.sing": ("choir.hum", "choir.read")}
BEHIND = "can follow from the 1 failure of choir.tune"


def failures(operation: str, count: int, *deviations: str) -> list[RecordedResult]:
    """So many failures of an operation, which these deviations explain."""
    cases = (failing(f"choir/{operation.partition('.')[2]}/{number}", "bass") for number in range(count))
    found = Choice(deviations=deviations)
    return [replace(explained(result.line, found), operation=operation) for result in cases]


def order(*results: RecordedResult, **more: object) -> list[tuple[str, Mapping[str, int]]]:
    """The operations of the groups, each with those that it can follow from."""
    return [(group.operation, group.follows) for group in groups(*results, **{"uses": USES, **more})]


def test_a_cause_stands_before_its_effects() -> None:
    """Whatever their numbers; the first cause of a chain is named, and a chain counts with its effects."""
    chain = [*failures("choir.sing", 9), *failures("choir.hum", 3), *failures("choir.tune", 1)]
    first = {"choir.tune": 1}
    found = order(*chain, *failures("choir.bow", 5))
    assert found == [("choir.tune", {}), ("choir.hum", first), ("choir.sing", first), ("choir.bow", {})]


def test_an_effect_stands_behind_the_last_of_its_causes() -> None:
    """With several first causes, each is named."""
    found = order(*failures("choir.sing", 4), *failures("choir.tune", 2), *failures("choir.read", 1))
    assert found == [("choir.tune", {}), ("choir.read", {}), ("choir.sing", {"choir.tune": 2, "choir.read": 1})]


def test_what_an_adapter_observes_through_another_operation_follows_it() -> None:
    """That is no fact about the text; and operations that need each other have no order."""
    own, other = failures("choir.bow", 2), failures("choir.tune", 1)
    assert order(*own, *other) == [("choir.bow", {}), ("choir.tune", {})]
    through = replace(entry("bass"), through={"choir.bow": ("choir.tune",)})
    assert order(*own, *other, entries=[through]) == [("choir.tune", {}), ("choir.bow", {"choir.tune": 1})]
    both = {"choir.bow": ("choir.tune",), "choir.tune": ("choir.bow",)}
    assert order(*own, *other, uses=both) == [("choir.bow", {}), ("choir.tune", {})]


def test_another_cause_is_no_effect() -> None:
    """A failure that a known cause explains follows from failures of the same cause alone; a crash follows from none."""
    deaf = failures("choir.hum", 2, "deaf")
    assert order(*deaf, *failures("choir.tune", 1)) == [("choir.hum", {}), ("choir.tune", {})]
    same = failures("choir.tune", 1, "deaf")
    assert order(*deaf, *same) == [("choir.tune", {}), ("choir.hum", {"choir.tune": 1})]
    broken = replace(crash("choir/hum/0", "bass").line, operation="choir.hum")
    assert order(broken, *failures("choir.tune", 1)) == [("choir.hum", {}), ("choir.tune", {})]


def test_every_report_says_what_can_follow() -> None:
    """The first screen has one row for all effects of a cause."""
    chain = record(*failures("choir.sing", 9), *failures("choir.hum", 3), *failures("choir.tune", 1), uses=USES)
    for text in (console.render(chain, color=False), markdown.render(chain)):
        places = [text.replace("`", "").index(f"{cause} $.tune") for cause in ("choir.tune", "choir.hum", "choir.sing")]
        assert places == sorted(places)
        assert BEHIND in text
    rows = first_screen.render(chain, color=False).splitlines()
    assert [row.split(maxsplit=1) for row in rows if "choir." in row][:2] == [
        ["1", "choir.tune $.tune: no known cause"],
        ["12", f"{BEHIND}: choir.hum, choir.sing"],
    ]
