"""Values of a campaign: its options, its findings, and its counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from ..compare.canonical import compact
from ..model import Answered, Case, Json, JsonObject, Response, Result, replace
from .classify import Class, Group, Judged


class Limits(Struct, frozen=True):
    """When a campaign ends: after `examples` sent requests, after `seconds`, or after `findings` new ones, whichever comes
    first; None is no limit."""

    examples: int | None = None
    seconds: float | None = None
    findings: int | None = None

    def is_reached(self, examples: int, seconds: float, findings: int) -> bool:
        """Whether a campaign that has done this much ends."""
        pairs = ((examples, self.examples), (seconds, self.seconds), (findings, self.findings))
        return any(limit is not None and done >= limit for done, limit in pairs)


class Finding(Struct, frozen=True):
    """A group of new differences with its example, the simplest request found: `case` expects the baseline's response,
    `results` are those of all implementations. `passing` is the nearest request on which the implementation shows nothing
    new, if one was seen. `is_shrunk`: the search for a simpler request came to its end. `is_flaky`: the request does not
    fail in every run."""

    group: Group
    case: Case
    results: tuple[Result, ...]
    passing: JsonObject | None = None
    is_shrunk: bool = True
    is_flaky: bool = False


class OperationCounts(Struct):
    """Counts of one operation. `invalid` requests break the request schema and `repeated` ones were sent before: neither
    is sent. `trivial` answers of the baseline hold no value. `seconds` is the time of its rounds."""

    sent: int = 0
    invalid: int = 0
    repeated: int = 0
    trivial: int = 0
    unsupported: int = 0
    seconds: float = 0.0
    classes: Counter[tuple[str, Class]] = field(default_factory=Counter)


class Tally(Struct):
    """Everything that a campaign counts. `causes` counts explained answers by (implementation, causes), `groups` new ones.
    `apart` counts the requests on which two implementations differ from each other. `stopped` has the operations that the
    campaign gave up, with the implementation. `seconds` is the time of the campaign, and `shrinking` the part of it in which
    findings were shrunk; of several workers, their sum. `is_exhausted`: no operation has new requests left."""

    operations: dict[str, OperationCounts] = field(default_factory=dict)
    causes: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    groups: Counter[Group] = field(default_factory=Counter)
    apart: Counter[tuple[str, str]] = field(default_factory=Counter)
    stopped: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    shrinking: float = 0.0
    rounds: int = 0
    is_exhausted: bool = False

    @property
    def sent(self) -> int:
        """Requests sent."""
        return sum(counts.sent for counts in self.operations.values())

    def add(self, judged: Judged) -> None:
        """Counts a failing result."""
        result, group = judged.result, judged.group
        self.operations[result.case.operation].classes[result.implementation, judged.class_] += 1
        if judged.class_ is Class.EXPLAINED:
            self.causes[result.implementation, group.causes] += 1
        elif judged.class_ is Class.NEW:
            self.groups[group] += 1


class Report(Struct, frozen=True):
    """The result of a campaign. `examples` are one explained or known exchange a cause, for the record. `interrupted`: a
    person ended it. `sample` has some of the requests as JSON, by operation."""

    seed: int
    tally: Tally
    findings: Sequence[Finding]
    examples: Sequence[tuple[Case, tuple[Result, ...]]]
    interrupted: bool = False
    sample: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def exchanges(self) -> Iterator[tuple[Case, tuple[Result, ...]]]:
        """The cases of the record with their results, each case once: findings first."""
        seen: set[tuple[str, str]] = set()
        for case, results in (*((finding.case, finding.results) for finding in self.findings), *self.examples):
            if (key := (case.operation, compact(case.request))) not in seen:
                seen.add(key)
                yield case, results


def example_case(case: Case, class_: Class) -> Case:
    """The case under a name that shows its class, such as `lamp/fuzz/explained/lamp-press/…`: it is no finding."""
    system, generated, rest = case.name.split("/", 2)
    name = f"{system}/{generated}/{class_.value}/{rest}"
    return replace(case, name=name)


def is_example(name: str) -> bool:
    """Whether this is the name of an example of an explained or a known answer."""
    return name.split("/")[2:3] in ([Class.EXPLAINED.value], [Class.KNOWN.value])


def merged(reports: Sequence[Report]) -> Report:
    """One report of a campaign whose rounds ran in several workers: counts are sums, and of the findings of one group the
    one with the simplest request stays."""
    findings: dict[Group, Finding] = {}
    for finding in (finding for report in reports for finding in report.findings):
        before = findings.get(finding.group, finding)
        findings[finding.group] = min(before, finding, key=lambda either: simplicity(either.case))
    seen: set[tuple[str, str]] = set()
    kept = []
    for group in sorted(findings):
        key = (group.implementation, findings[group].case.name)
        if key not in seen:
            seen.add(key)
            kept.append(findings[group])
    return Report(
        reports[0].seed,
        _summed([report.tally for report in reports]),
        kept,
        [example for report in reports for example in report.examples],
        any(report.interrupted for report in reports),
        {name: texts for report in reports for name, texts in report.sample.items()},
    )


def simplicity(case: Case) -> tuple[int, str]:
    """The order of cases from simple to long requests."""
    text = compact(case.request)
    return len(text), text


def _summed(tallies: Sequence[Tally]) -> Tally:
    total = Tally(seconds=max(tally.seconds for tally in tallies), rounds=max(tally.rounds for tally in tallies))
    for tally in tallies:
        for name, counts in tally.operations.items():
            into = total.operations.setdefault(name, OperationCounts())
            for member in ("sent", "invalid", "repeated", "trivial", "unsupported", "seconds"):
                setattr(into, member, getattr(into, member) + getattr(counts, member))
            into.classes += counts.classes
        total.shrinking += tally.shrinking
        total.causes += tally.causes
        total.groups += tally.groups
        total.apart += tally.apart
        total.stopped += [stop for stop in tally.stopped if stop not in total.stopped]
    return total


def is_trivial(response: Response) -> bool:
    """Whether an answer holds no value: only null, empty texts, empty lists and empty objects."""
    return isinstance(response, Answered) and _is_empty(response.value)


def _is_empty(value: Json) -> bool:
    match value:
        case dict():
            return all(map(_is_empty, value.values()))
        case list():
            return all(map(_is_empty, value))
        case None | "":
            return True
    return False
