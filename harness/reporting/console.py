"""RunRecord → the text that `parity run` prints. What matters most stands last, next to the prompt: the differences come
first, then what was not compared, then the matrix, then the kinds of failure, what was not judged at all, and the sums."""

from __future__ import annotations

import io
import shlex
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice, zip_longest

from rich.console import Console
from rich.text import Text

from harness.errors import one_line, printable
from harness.model import FAILING, Json, RecordedResult, RunRecord, Verdict
from harness.reporting.agreement import agreement
from harness.reporting.agreement import render as agreed
from harness.reporting.describing import (
    describe,
    describe_incident,
    describe_kind,
    describe_passes,
    describe_unstable,
    plural,
    quoted,
    ruling_title,
)
from harness.reporting.kinds import MOST_FIRST, kinds
from harness.reporting.matrix import matrix
from harness.reporting.ordering import in_corpus_order
from harness.reporting.summary import cases, not_started, silences, totals, unoffered, unstable

FIRST = 3
"""Failing cases shown in full for each implementation; no two of one suite, as long as there is another."""

_MOST_RULINGS = 3
_LAST_LINES = 6
_ENGINES = {"sqlite-fts5-match": "SQLite FTS5"}
_ALARM = "bold red"
_ANSWERED = (Verdict.PASS, Verdict.VARIANT, Verdict.FAIL)


def render(record: RunRecord, *, color: bool, width: int = 100) -> str:
    """The whole report; what has to be cut is cut to `width` columns."""
    record = in_corpus_order(record)
    file = io.StringIO()
    out = Console(file=file, force_terminal=color, no_color=not color, highlight=False, soft_wrap=True)
    sections = [
        list(_asked(record)),
        *(list(_failures(record, name, width)) for name in record.implementations),
        list(_variants(record)),
        [*_unsupported(record), *_untold(record)],
        list(_refused(record)),
        matrix(record, width),
        *(list(_kinds(record, name, width)) for name in record.implementations),
        [Text(line) for line in agreed(agreement(record))],
        list(_unstable(record)),
        [Text(describe_incident(incident), _ALARM) for incident in record.incidents],
        *(list(_not_started(name, reason, record)) for name, reason in not_started(record).items()),
        [Text(sentence, _ALARM) for sentence in silences(record)],
        [Text(_sums(record))],
    ]
    for number, section in enumerate(filter(None, sections)):
        if number:
            out.print()
        for line in section:
            out.print(line)
    return file.getvalue()


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _asked(record: RunRecord) -> Iterator[Text]:
    """Who was asked, and who was left out."""
    for entry in _objects(record.header["implementations"]):
        if entry["started"]:
            said = (entry["implementation"], entry["version"], entry["language"], entry["runtime"])
            yield Text(one_line(f"{entry['name']}: {' '.join(str(part) for part in said if part)}"))
            yield from (Text(one_line(f"  {line}", 400)) for line in _working_copy(entry.get("sdk"), record))
    for name, reason in record.skipped:
        yield Text(f"{one_line(name)}: left out. {one_line(reason, 400)}")


def _working_copy(sdk: Json, record: RunRecord) -> Iterator[str]:
    """Which state of which folder was judged in place of the release."""
    if not isinstance(sdk, dict):
        return
    options = record.header["options"]
    folder = options.get("sdk") if isinstance(options, dict) else None
    state = f"files {str(sdk['digest'])[:12]}"
    if "revision" in sdk:
        state = f"revision {str(sdk['revision'])[:12]}{' with changes' if sdk['changed'] else ''}, {state}"
    yield f"a working copy in place of the release: {folder} ({state})"


def _failures(record: RunRecord, name: str, width: int) -> Iterator[Text]:
    """The first failing cases of one implementation, from as many suites as there are."""
    failing = _failing(record, name)
    if not failing:
        return
    suites = len({result.suite for result in failing})
    asked = cases(record) - totals(record)[name][Verdict.UNSUPPORTED]
    yield Text(
        f"{name} fails {len(failing)} of the {plural(asked, 'case')} it was asked, in {plural(suites, 'suite')}:",
        style="bold",
    )
    for result in islice(spread(failing), FIRST):
        lines = list(describe(result, record, width))
        yield Text()
        yield Text(lines[0], style="red")
        yield Text("\n".join(lines[1:]))
    if len(failing) > FIRST:
        yield Text(f"\n{name}: {len(failing) - FIRST} more; the record has them all, `parity explain CASE` shows one.")


def _failing(record: RunRecord, name: str) -> Sequence[RecordedResult]:
    """The failing cases of one implementation; none of one that did not start, for it failed once."""
    if name in not_started(record):
        return ()
    return [result for result in record.results if result.implementation == name and result.verdict in FAILING]


def _kinds(record: RunRecord, name: str, width: int) -> Iterator[Text]:
    """The commonest kinds of failure of one implementation, unless all its failures were shown."""
    failing = _failing(record, name)
    if len(failing) <= FIRST:
        return
    found = kinds(failing)
    yield Text(f"{name}: {plural(len(failing), 'failure')} of {plural(len(found), 'kind')}:", style="bold")
    for kind in found[:MOST_FIRST]:
        yield from map(Text, describe_kind(kind, width))
    rest = found[MOST_FIRST:]
    if rest:
        left = sum(len(kind.results) for kind in rest)
        yield Text(f"       and {plural(len(rest), 'more kind')} ({plural(left, 'failure')})")


def spread(results: Sequence[RecordedResult]) -> Iterator[RecordedResult]:
    """The first of each suite, the suite with most of them first; then the second of each, and so on."""
    suites: dict[str, list[RecordedResult]] = defaultdict(list)
    for result in results:
        suites[result.suite].append(result)
    columns = sorted(suites.values(), key=lambda of_suite: (-len(of_suite), of_suite[0].suite))
    return (result for result in chain.from_iterable(zip_longest(*columns)) if result is not None)


def _variants(record: RunRecord) -> Iterator[Text]:
    """Who follows another recorded reading, and in which disputes."""
    for name in record.implementations:
        rulings = Counter(
            result.ruling
            for result in record.results
            if result.implementation == name and result.verdict is Verdict.VARIANT
        )
        if not rulings:
            continue
        count = plural(rulings.total(), "case")
        yield Text(f"variant: {name} answers {count} by another recorded reading, which never fails a run:")
        most = rulings.most_common(_MOST_RULINGS)
        for ruling, number in most:
            yield Text(f"  {number:>4}  {one_line(ruling)}  {one_line(ruling_title(record, ruling), 80)}")
        if len(rulings) > len(most):
            rest = rulings.total() - sum(number for _, number in most)
            yield Text(f"  {rest:>4}  under {plural(len(rulings) - len(most), 'other ruling')}")


def _untold(record: RunRecord) -> Iterator[Text]:
    """What implementations cannot tell within the answers that they gave, and what was therefore not compared."""
    answered = {(result.implementation, result.operation) for result in record.results if result.verdict in _ANSWERED}
    for entry in _objects(record.header["implementations"]):
        untold = entry.get("untold")
        if not isinstance(untold, dict):
            continue
        parts = [
            f"{operation} {', '.join(map(str, paths))}"
            for operation, paths in untold.items()
            if (entry["name"], operation) in answered and isinstance(paths, list)
        ]
        if parts:
            yield Text(
                f"not told by {one_line(str(entry['name']))}, and not compared: {one_line('; '.join(parts), 400)}"
            )


def _unsupported(record: RunRecord) -> Iterator[Text]:
    """What implementations could not be asked: each reason with the number of cases, the commonest first."""
    without = unoffered(record)
    for name in record.implementations:
        reasons = Counter(
            _reason(result, without.get(name, frozenset()))
            for result in record.results
            if result.implementation == name and result.verdict is Verdict.UNSUPPORTED
        )
        if reasons:
            yield Text(f"unsupported: {name} cannot be asked {plural(reasons.total(), 'case')}:")
        for reason, count in reasons.most_common():
            yield Text(f"  {count:>4}  {one_line(reason)}")


def _reason(result: RecordedResult, without: Collection[str]) -> str:
    """Why it is unsupported; all cases of a system of which nothing is offered have one reason."""
    system = result.case.partition("/")[0]
    return f"{system}: none of its operations is offered" if system in without else result.reason


def _unstable(record: RunRecord) -> Iterator[Text]:
    """The cases that implementations answer otherwise when asked again."""
    for name, found in unstable(record).items():
        yield Text(f"unstable: {describe_unstable(name, len(found))}:", style=_ALARM)
        for result in found[:FIRST]:
            yield Text(f"  {result.case}")
            yield from (Text(f"    {line}") for line in describe_passes(result))
        if len(found) > FIRST:
            yield Text(f"  {len(found) - FIRST} more; the record has them all.")


def _refused(record: RunRecord) -> Iterator[Text]:
    """What a real engine refuses of the expressions that were wanted or came; one line an engine."""
    found: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for result in record.results:
        for refusal in result.engine:
            engine, match = str(refusal.get("engine")), str(refusal.get("match"))
            found[engine].setdefault(match, (str(refusal.get("message")), result.case))
    for engine, refused in found.items():
        match, (message, case) = min(refused.items(), key=lambda item: len(item[0]))
        yield Text(
            f"The live engine ({_ENGINES.get(engine, one_line(engine))}) refuses {plural(len(refused), 'expression')}, "
            f"e.g. {quoted(match, 60)}: {one_line(message, 80)} ({case})"
        )


def _not_started(name: str, reason: str, record: RunRecord) -> Iterator[Text]:
    """Why an adapter could not be built or started, once, with the end of what it printed."""
    first, *output = printable(reason).splitlines() or [""]
    yield Text(f"{name} could not be built or started: {first.removeprefix(f'{name}: ')}", style=_ALARM)
    yield from (Text(f"    {one_line(line)}") for line in output[-_LAST_LINES:])
    errors = totals(record)[name][Verdict.ERROR]
    yield Text(f"  Its {plural(errors, 'case')} {'is an error' if errors == 1 else 'are errors'} (start).")
    entries = _objects(record.header["implementations"])
    option = next((str(one["adapter"]) for one in entries if one["name"] == name), name)
    if option != name:
        command = option.partition("=")[2]
        yield Text(f"  What is wrong with it tells: parity probe {shlex.quote(printable(command))}")


def _sums(record: RunRecord) -> str:
    """`40 cases, 2 implementations, 80 verdicts in 1.2 s: 79 pass, 1 fail`."""
    sums: Counter[Verdict] = Counter()
    for counts in totals(record).values():
        sums.update(counts)
    told = ", ".join(f"{sums[verdict]} {verdict}" for verdict in Verdict if sums[verdict]) or "nothing judged"
    time = "" if record.seconds is None else f" in {_duration(record.seconds)}"
    return (
        f"{plural(cases(record), 'case')}, {plural(len(record.implementations), 'implementation')}, "
        f"{plural(sums.total(), 'verdict')}{time}: {told}"
    )


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"
