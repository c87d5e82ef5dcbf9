"""Failing results → failure groups: results of one operation with the same place, whatever the index. Pure.

The place is the path of the first difference in the first stage that differs: later differences may only follow from it.
The place of an error is its kind, with the type of the raised error.

Groups are in the order of cause and effect: a group can follow from the failures of an operation that its own depends on,
by the text or by how the adapter observes it, if both have the same known cause or none. It then stands behind them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from operator import attrgetter

from msgspec import Struct, field

from ..compare.causes import change_of, first_difference, group_name, names_of, place_of
from ..compare.error_text import breach_finding, outcome_text
from ..model import Breach, Difference, Errored, ErrorKind, RecordedResult, RunMetadata, replace
from .run_summary import urgency

MAX_FIRST = 8
"""Groups that a report shows before the others, unless more groups are breaks of the adapter."""

_MAX_EXAMPLES = 3
_MAX_SUITES = 2

BREAKS = frozenset({ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL, ErrorKind.START})


class FailureGroup(Struct, frozen=True):
    """Failing results of one operation that first differ at one place. The first results, so many as `shown`, are its
    examples: of each change the commonest; of one change in several suites one of two suites.

    `follows` has the operations from whose failures these can follow, each with the number of its failures.
    """

    operation: str
    place: str
    results: tuple[RecordedResult, ...]
    shown: int = 1
    follows: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Operation and place in one printable line."""
        return group_name(self.operation, self.place)

    @property
    def examples(self) -> tuple[RecordedResult, ...]:
        """The results that stand for all, that of the commonest change first."""
        return self.results[: self.shown]

    @property
    def is_break(self) -> bool:
        """Whether the adapter broke, which no failure of another operation explains."""
        return self.results[0].kind in BREAKS

    @property
    def causes(self) -> tuple[str, ...]:
        """The names of what explains most of its results, the example among them."""
        return _causes(self.results[0])

    @property
    def fault(self) -> str:
        """The text of the example's error, of a schema breach what was expected and found, but for what the place has."""
        match self.results[0].outcome:
            case Errored(Breach() as breach) if breach.schema:
                return f"{breach_finding(breach).removeprefix(self.place.rpartition(' ')[2]).lstrip(': ')} (schema)"
            case outcome:
                text = outcome_text(outcome)
                return "" if self.place.endswith(f": {text}") else text

    @property
    def difference(self) -> Difference | None:
        """The example's difference at the place; None for an error."""
        return first_difference(self.results[0])

    def uniform(self) -> bool:
        """Whether all results have the example's expected and actual value at the place."""
        sides = ((part.wanted, part.got) for result in self.results if (part := first_difference(result)) is not None)
        first = next(sides, None)
        return all(pair == first for pair in sides)


def failure_groups(failing: Iterable[RecordedResult], metadata: RunMetadata) -> list[FailureGroup]:
    """The groups of these results, in the order of their chains."""
    return [group for chain in failure_chains(failing, metadata) for group in chain]


def failure_chains(failing: Iterable[RecordedResult], metadata: RunMetadata) -> list[list[FailureGroup]]:
    """The groups of these results: a group alone, or those of an operation with all that can follow from them. Crashes and
    timeouts first, then other errors, then the chains of most failures. A group stands behind all that it can follow
    from."""
    alike: dict[tuple[str, str], list[RecordedResult]] = defaultdict(list)
    for result in failing:
        alike[result.operation, place_of(result)].append(result)
    made = [_group(operation, place, results) for (operation, place), results in alike.items()]
    needed = dependence(metadata, {group.results[0].implementation for group in made})
    made = sorted(_with_causes(made, needed), key=lambda group: (-len(group.results), group.name))
    effects = Counter[str]()
    for group in made:
        effects.update(dict.fromkeys(group.follows, len(group.results)))
    own: dict[str, list[FailureGroup]] = defaultdict(list)
    for group in made:
        if not group.follows:
            own[group.operation if group.operation in effects and not group.is_break else group.name].append(group)
    chains = sorted(own.values(), key=lambda chain: (urgency(chain[0].results[0]), -_weight(chain, effects)))
    last = {group.operation: number for number, chain in enumerate(chains) for group in chain}
    for group in sorted(made, key=lambda group: len(needed[group.operation])):
        if group.follows:
            chains[max(last[operation] for operation in group.follows)].append(group)
    return chains


def _group(operation: str, place: str, results: Sequence[RecordedResult]) -> FailureGroup:
    """The group of these results, its examples first."""
    parts = _most_frequent(results, change_of)
    if len(parts) == 1:
        parts = _most_frequent(results, _suite)[:_MAX_SUITES]
    examples = list(map(_typical, parts[:_MAX_EXAMPLES]))
    others = (result for result in results if all(result is not example for example in examples))
    return FailureGroup(operation, place, (*examples, *others), len(examples))


def _typical(results: Sequence[RecordedResult]) -> RecordedResult:
    """A result of the commonest cause, which charges the requirement that most of these charge, of the suite of most."""
    alike = _most_frequent(results, _causes)[0]
    charged = Counter(id_ for result in alike for id_ in result.charged).most_common(1)
    alike = [result for result in alike if not charged or charged[0][0] in result.charged]
    return _most_frequent(alike, _suite)[0][0]


_suite: Callable[[RecordedResult], str] = attrgetter("suite")


def _causes(result: RecordedResult) -> tuple[str, ...]:
    return tuple(names_of(result.explained_by))


def _most_frequent(
    results: Sequence[RecordedResult], key: Callable[[RecordedResult], Hashable]
) -> list[list[RecordedResult]]:
    """The results by key, the most frequent first."""
    parts: dict[Hashable, list[RecordedResult]] = defaultdict(list)
    for result in results:
        parts[key(result)].append(result)
    return sorted(parts.values(), key=len, reverse=True)


def _weight(chain: Sequence[FailureGroup], effects: Mapping[str, int]) -> int:
    """The failures of a chain, and all that can follow from them."""
    return sum(len(group.results) for group in chain) + (0 if chain[0].is_break else effects[chain[0].operation])


def dependence(metadata: RunMetadata, names: Collection[str]) -> Mapping[str, frozenset[str]]:
    """For each operation all others that its answers depend on, directly or not: by the text, or by how the adapters of
    these implementations observe them. Two operations that depend on each other have no order."""
    through = (entry.through for entry in metadata.implementations if entry.name in names)
    direct: dict[str, set[str]] = defaultdict(set)
    for declared in (metadata.uses, *through):
        for operation, used in declared.items():
            direct[operation].update(used)
    reached = {operation: _reached(operation, direct) for operation in list(direct)}
    return defaultdict(
        frozenset,
        {
            operation: frozenset(name for name in names if operation not in reached.get(name, ()))
            for operation, names in reached.items()
        },
    )


def _reached(operation: str, direct: Mapping[str, Collection[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [operation]
    while waiting:
        new = {*direct.get(waiting.pop(), ())} - reached
        reached |= new
        waiting += new
    return reached


def _with_causes(groups: Sequence[FailureGroup], needed: Mapping[str, frozenset[str]]) -> Iterator[FailureGroup]:
    """The groups with the operations from whose failures they can follow, but for those that follow themselves."""
    failures: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for group in groups:
        failures[group.causes][group.operation] += len(group.results)
    for group in groups:
        alike = failures[group.causes]
        above = needed[group.operation] & alike.keys()
        first = () if group.is_break else [name for name in sorted(above) if not needed[name] & above]
        yield replace(group, follows={name: alike[name] for name in first})


def count_first(groups: Sequence[FailureGroup]) -> int:
    """The number of groups that a report shows before the others: every leading crash, timeout and protocol error, and
    more until they are `MAX_FIRST`."""
    breaks = takewhile(lambda group: group.results[0].kind in BREAKS and not group.results[0].unsent_after, groups)
    return max(MAX_FIRST, sum(1 for _ in breaks))
