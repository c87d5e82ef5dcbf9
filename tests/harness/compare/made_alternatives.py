"""A table of answers under alternatives, and results to explain with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from made_values import ruling

from harness.compare.alternatives import Alternative, Combined, Effects, alternatives_of, choice_of
from harness.compare.attribution import Attribution
from harness.compare.verdict import judge
from harness.model import (
    ADOPTED,
    Answered,
    Case,
    CaseBody,
    Choice,
    Json,
    Operation,
    Raised,
    Readings,
    Response,
    Result,
    Rules,
    Variant,
    Verdict,
    replace,
)

LOW, HIGH, KEY, REFUTED = ("RUL-1", "b"), ("RUL-2", "b"), ("RUL-3", "b"), ("RUL-9", "b")
"""Readings of three open rulings, and of one that the text decides."""

DEAF, FLAT = ("", "deaf"), ("", "flat")
"""Two deviations."""


def choice(*alternatives: Alternative) -> Choice:
    """The choice of these alternatives."""
    return choice_of(alternatives)


@dataclass
class Table:
    """Answers by case and choice. A choice without a row has the answer of its largest part with a row. `asked` has
    each choice that was compared. Every alternative of a row is reached."""

    rows: Mapping[str, Mapping[Choice, Any]]
    asked: list[Choice] = field(default_factory=list)

    def offers(self, operation: str) -> bool:
        return operation == "song.sing"

    def effects(self, case: Case) -> Effects:
        rows = self.rows[case.name]
        reached = frozenset(one for row in rows for one in alternatives_of(row))
        plain = self._response(rows, ADOPTED)
        single = {one: self._response(rows, choice(one)) for one in sorted(reached)}
        return Effects(plain, {one: found for one, found in single.items() if found != plain}, reached)

    def combined(self, case: Case, beside: Choice, further: Collection[Alternative], size: int, limit: int) -> Combined:
        rows = self.rows[case.name]
        known = {frozenset[Alternative](): self._response(rows, beside)}
        different: dict[Readings, Response] = {}
        for reached in range(1, size + 1):
            for some in combinations(sorted(further), reached):
                if len(dict(some)) < reached:
                    continue
                if len(known) > limit:
                    return Combined(known[frozenset()], different, reached - 1, limit)
                others = [one for one in beside.readings if one[0] not in dict(some)]
                whole = choice(*others, *(("", name) for name in beside.deviations), *some)
                self.asked.append(whole)
                found = known[frozenset(some)] = self._response(rows, whole)
                if all(found != known[frozenset(some) - {one}] for one in some):
                    different[tuple(some)] = found
        return Combined(known[frozenset()], different, size, len(known) - 1)

    def answers(self, cases: Sequence[Case], choices: Sequence[Choice]) -> Sequence[Response | None]:
        self.asked += choices
        return [
            self._response(self.rows[case.name], one) if self.offers(case.operation) else None
            for case, one in zip(cases, choices, strict=True)
        ]

    def needed(self, case: Case, chosen: Choice) -> Choice:
        rows, kept = self.rows[case.name], alternatives_of(chosen)
        for one in alternatives_of(chosen):
            others = [other for other in kept if other != one]
            if self._response(rows, choice(*others)) == self._response(rows, chosen):
                kept = others
        return choice(*kept)

    @staticmethod
    def _response(rows: Mapping[Choice, Json | Response], wanted: Choice) -> Response:
        parts = [
            row for row in rows if {*row.readings} <= {*wanted.readings} and {*row.deviations} <= {*wanted.deviations}
        ]
        found = rows[max(parts, key=lambda one: len(one.readings) + len(one.deviations))]
        return found if isinstance(found, Answered | Raised) else tune(found)


def tune(value: Json, **more: Json) -> Answered:
    """An answer with this tune."""
    return Answered({"tune": value, **more})


RULINGS = {id_: ruling(id_, "decides" if id_ == "RUL-9" else "leaves-room") for id_, _ in (LOW, HIGH, KEY, REFUTED)}
OPTIONAL = Rules(properties={"limit": Rules(if_expected=True)})


def case(name: str = "one", expected: Response | None = None, ruling: str = "") -> Case:
    """A case whose expected tune is `fa`."""
    return Case(
        name=name, at="", operation="song.sing", requirements=(), origin="", revision="1.0", ruling=ruling,
        body=CaseBody(recorded_request={}, expected=expected or tune("fa"), adopted="a" if ruling else ""),
    )  # fmt: skip


def operation(rules: Rules = OPTIONAL) -> Operation:
    """The operation of every case."""
    return Operation("song.sing", "choir", rules, (), ())


def failing(
    got: Json | Response,
    name: str = "one",
    unobservable: Sequence[str] = (),
    expected: Response | None = None,
    ruling: str = "",
) -> Result:
    """The result of an answer that fails its case."""
    response = got if isinstance(got, Answered | Raised) else tune(got)
    made = case(name, expected, ruling)
    result = Result(made, "bass", judge(made, operation(), response, unobservable))
    assert result.verdict in (Verdict.FAIL, Verdict.ERROR)
    return result


def attribution(rows: Mapping[str, Mapping[Choice, Any]], model: Choice | None = None, **more: object) -> Attribution:
    """The attribution over a table of answers."""
    made = Attribution(Table(rows), RULINGS, {"song.sing": operation()}, model or Choice())
    return replace(made, **more)  # type: ignore[arg-type]


def shows(reading: Alternative, got: str, name: str = "shown") -> Result:
    """The result of a disputed case whose answer is that of a reading."""
    return Result(case(name), "bass", Variant(tune(got), (reading,)))


def observing(made: Attribution, *results: Result) -> Attribution:
    """The attribution after these results."""
    for one in results:
        made.observe(one)
    return made
