"""Floors of the corpus: the share of cases that adapters without any knowledge of the specification pass.

`python tools/floor.py` prints a table by system and by operation, the highest floor first. `--write` also writes
`cases/<system>/floors.yaml`, from which reports take the share that one constant answer passes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from harness.base.json_path import follow  # noqa: E402
from harness.compare.verdict import response_differences  # noqa: E402
from harness.corpus.loader import Corpus, load_corpus  # noqa: E402
from harness.corpus.rules import resolved  # noqa: E402
from harness.corpus.schemas import SCHEME, Schemas  # noqa: E402
from harness.model import Answered, Case, Json, JsonObject, Operation  # noqa: E402

ADAPTERS = ("null", "minimal", "best", "echo", "previous", "random")
"""Null members; the smallest answer of the schema; the best constant; parts of the request; the previous expected answer;
a random answer of the schema."""

_CANDIDATES = 3
"""Most frequent expected answers that are tried as the best constant."""


@dataclass(frozen=True, slots=True)
class Floor:
    """An operation: the number of its cases, and the number of cases that each adapter passes."""

    operation: str
    system: str
    cases: int
    passes: Mapping[str, int]

    def share(self, adapter: str) -> int:
        """The passes of an adapter as a whole percentage."""
        return round(100 * self.passes[adapter] / self.cases)


class AnswerMaker:
    """Answers from the schema of an operation, without the specification."""

    def __init__(self, schemas: Schemas, operation: Operation) -> None:
        self._schemas = schemas
        self._address = f"{SCHEME}{operation.system}/{operation.name}.json"
        self._schema = follow(schemas.values.get(self._address), ("$defs", "answer"))

    def minimal(self) -> Json:
        """The smallest answer: required members only, empty texts and lists, 0, false."""
        return self._value(self._schema, self._address, None)

    def chosen(self, source: random.Random) -> Json:
        """A random answer."""
        return self._value(self._schema, self._address, source)

    def null(self) -> Json:
        """Each member of the smallest answer is null."""
        smallest = self.minimal()
        return dict.fromkeys(smallest) if isinstance(smallest, dict) else None

    def echo(self, request: JsonObject) -> Json:
        """Each member of the smallest answer is the first member of the request with the same type."""
        smallest = self.minimal()
        if not isinstance(smallest, dict):
            return smallest
        return {
            name: next((given for given in request.values() if type(given) is type(value)), value)
            for name, value in smallest.items()
        }

    def _value(self, schema: Json, address: str, source: random.Random | None) -> Json:
        if not isinstance(schema, dict):
            return None
        if isinstance(reference := schema.get("$ref"), str):
            address, steps = resolved(reference, address)
            return self._value(follow(self._schemas.values.get(address), steps), address, source)
        if "const" in schema:
            return schema["const"]
        for keyword in ("enum", "oneOf", "anyOf"):
            if isinstance(options := schema.get(keyword), list):
                chosen = source.choice(options) if source else options[0]
                return chosen if keyword == "enum" else self._value(_merged(schema, chosen, keyword), address, source)
        given = schema.get("type")
        kinds: list[Json] = given if isinstance(given, list) else [given]
        kind = source.choice(kinds) if source else "null" if "null" in kinds else kinds[0]
        match kind:
            case "string":
                return "" if source is None else source.choice(("", "a", "foo bar", "2026-01-31T00:00:00.000Z"))
            case "integer" | "number":
                least = schema.get("minimum", 0)
                base = least if isinstance(least, (int, float)) else 0
                return base if source is None else base + source.randrange(3)
            case "boolean":
                return source.random() < 0.5 if source else False
            case "array":
                least_items = schema.get("minItems", 0)
                size = least_items if isinstance(least_items, int) else 0
                size += source.randrange(3) if source else 0
                return [self._value(schema.get("items"), address, source) for _ in range(size)]
            case "null":
                return None
        properties, required = schema.get("properties"), schema.get("required")
        members = properties if isinstance(properties, dict) else {}
        needed: list[Json] = required if isinstance(required, list) else []
        if not needed and schema.get("minProperties"):
            needed = list[Json](members)[:1]
        return {
            name: self._value(below, address, source)
            for name, below in members.items()
            if name in needed or (source and source.random() < 0.3)
        }


def _merged(schema: JsonObject, part: Json, keyword: str) -> JsonObject:
    rest = {key: value for key, value in schema.items() if key != keyword}
    return {**rest, **part} if isinstance(part, dict) else rest


def floors(corpus: Corpus) -> list[Floor]:
    """The floor of each operation, in corpus order of the first case."""
    cases: dict[str, list[Case]] = defaultdict(list)
    for case in corpus.cases:
        cases[case.operation].append(case)
    return [_floor(corpus.operations[name], of_operation, corpus.schemas) for name, of_operation in cases.items()]


def passes(case: Case, operation: Operation, answer: Json) -> bool:
    """Whether the answer is the expected one, by the comparison of a run."""
    if not isinstance(answer, dict):
        return False
    found = response_differences(case.expected, Answered(answer), operation.rules, ())
    return not any(islice(found, 1))


def best_constant(cases: Sequence[Case], operation: Operation, others: Sequence[Json] = ()) -> tuple[Json, int]:
    """The constant answer that passes most cases, and the number of these cases."""
    texts = Counter(json.dumps(one.expected.value) for one in cases if isinstance(one.expected, Answered))
    candidates = [*others, *(json.loads(text) for text, _ in texts.most_common(_CANDIDATES))]
    counted = [(one, sum(passes(case, operation, one) for case in cases)) for one in candidates]
    return max(counted, key=lambda pair: pair[1])


def _floor(operation: Operation, cases: Sequence[Case], schemas: Schemas) -> Floor:
    maker, source = AnswerMaker(schemas, operation), random.Random(operation.name)
    previous: list[Json] = [
        None,
        *(one.expected.value if isinstance(one.expected, Answered) else None for one in cases),
    ]
    minimal, null = maker.minimal(), maker.null()
    answers: dict[str, Callable[[int, Case], Json]] = {
        "null": lambda _at, _case: null,
        "minimal": lambda _at, _case: minimal,
        "echo": lambda _at, case: maker.echo(case.request),
        "previous": lambda at, _case: previous[at],
        "random": lambda _at, _case: maker.chosen(source),
    }
    counts = {
        name: sum(passes(case, operation, answer(at, case)) for at, case in enumerate(cases))
        for name, answer in answers.items()
    }
    _, counts["best"] = best_constant(cases, operation, [minimal])
    return Floor(operation.name, operation.system, len(cases), counts)


def by_system(found: Sequence[Floor]) -> dict[str, Floor]:
    """The sum of the floors of each system."""
    systems: dict[str, list[Floor]] = defaultdict(list)
    for one in found:
        systems[one.system].append(one)
    return {
        system: Floor(
            "all",
            system,
            sum(one.cases for one in of_system),
            {name: sum(one.passes[name] for one in of_system) for name in ADAPTERS},
        )
        for system, of_system in systems.items()
    }


def file_text(system: str, found: Sequence[Floor]) -> str:
    """The text of `floors.yaml` of a system."""
    lines = ["# Written by tools/floor.py.", f"system: {system}", "operations:"]
    for one in sorted(found, key=lambda one: one.operation):
        if one.system == system:
            lines.append(f"  {one.operation}: {{minimal: {one.share('minimal')}, best: {one.share('best')}}}")
    return "\n".join(lines) + "\n"


def table(found: Sequence[Floor]) -> Iterator[str]:
    """The floors as text: systems first, then operations, the best constant's highest share first."""
    yield f"{'percentage of cases that pass':<36}{'cases':>7}" + "".join(f"{name:>10}" for name in ADAPTERS)
    rows = [*by_system(found).values(), *sorted(found, key=lambda one: -one.passes["best"] / one.cases)]
    for one in rows:
        name = f"{one.system} (all)" if one.operation == "all" else one.operation
        yield f"{name:<36}{one.cases:>7}" + "".join(f"{100 * one.passes[each] / one.cases:>10.1f}" for each in ADAPTERS)


def main() -> None:
    """Prints the table, and writes the files if `--write` is given."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write cases/<system>/floors.yaml")
    arguments = parser.parse_args()
    found = floors(load_corpus(ROOT))
    for line in table(found):
        print(line)
    if arguments.write:
        for system in by_system(found):
            (ROOT / "cases" / system / "floors.yaml").write_text(file_text(system, found), encoding="utf-8")


if __name__ == "__main__":
    main()
