"""What the unchanged SDK answers, and which of its lines each case executes."""

from __future__ import annotations

import ast
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import coverage
from coverage.exceptions import NoDataError

from harness.api import CheckedCorpus, RunPlan, Timeouts
from harness.compare.run_diff import differs
from harness.errors import ParityError, UsageError
from harness.model import PASSING, UNTESTED, Case, ErrorKind, Result, RunOptions, Verdict, replace
from harness.runner.execute import batches, execute
from harness.transport.connect import ProcessConnection
from tools.mutation.campaign import spread

from . import agent

NAME = "sdk"
"""The name of the implementation in every run of this tool."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The SDK below `root`, behind its adapter; `timeout` is in seconds."""

    connection: ProcessConnection
    root: Path
    corpus: CheckedCorpus
    timeout: float

    def verdicts(self) -> list[Result]:
        """The results of all cases as a run has them: a failing answer that another reading explains is a variant."""
        plan = self.corpus.plan({NAME: self.connection}, Timeouts.of(self.timeout))
        return [event for event in execute(replace(plan, recheck=False)) if isinstance(event, Result)]

    def results(self, cases: Sequence[Case], *words: str) -> Generator[Result, None, None]:
        """The results of these cases, with their signatures and without explanations, from the agent with these `words`
        around the adapter. Closing the iterator ends the adapter."""
        plan = RunPlan(
            cases=cases,
            operations=self.corpus.corpus.operations,
            connections={NAME: replace(self.connection, command=self._around(words))},
            answer_error=self.corpus.checker.answer_error,
            options=RunOptions(max_breaks=0),
            timeouts=Timeouts.of(self.timeout),
            spare=False,
        )
        with closing(batches(plan)) as steps:
            for events in steps:
                yield from (event for event in events if isinstance(event, Result))

    def _around(self, words: Sequence[str]) -> tuple[str, ...]:
        """The adapter's command with the agent before its script. Raises `UsageError`."""
        command = self.connection.command
        for number, word in enumerate(command[1:], 1):
            if word.endswith(".py"):
                return (*command[:number], agent.__file__, *words, *command[number:])
        raise UsageError(f"The adapter's command {' '.join(command)} has no Python script. Name one: python ADAPTER.py")


@dataclass(frozen=True, slots=True)
class Function:
    """A function, by its path within the module, such as `Index.search`, or the module's other lines (empty name).

    `executed` of its `lines` are executed at all, `cases` are those that execute one, by index.
    """

    module: str
    name: str
    first: int
    executed: int
    lines: int
    cases: frozenset[int]

    def __str__(self) -> str:
        return f"{self.module} {self.name or '-'}"


@dataclass(frozen=True)
class Module:
    """A module's functions by name, the cases that execute each line, by index, and the lines that a start executes.
    `statements` has for each line the lines of its innermost statement."""

    functions: Mapping[str, Function]
    lines: Mapping[int, frozenset[int]]
    at_start: frozenset[int]
    statements: Mapping[int, range]

    @cached_property
    def cases(self) -> frozenset[int]:
        """The cases that reach the module."""
        return frozenset[int]().union(*self.lines.values())

    def reaching(self, first: int, last: int) -> frozenset[int] | None:
        """The cases that execute the statement at these lines; None if a start does, so that any case can depend on it."""
        lines = {*range(first, last + 1), *self.statements.get(first, ())}
        if not lines.isdisjoint(self.at_start):
            return None
        return frozenset[int]().union(*(self.lines.get(line, ()) for line in lines))


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the SDK answers without a change. `cases` are all, and every other member has indices into them.

    `results` are those of the cases that can notice a change: answered twice the same. `passing` are those of them that
    pass or are variants; `order` is the order of asking, these first. `modules` are the imported ones, by path below the
    SDK's folder. `unstable` counts the other answered cases, which have two answers, or end the adapter.
    """

    cases: Sequence[Case]
    results: Mapping[int, Result]
    passing: frozenset[int]
    order: Sequence[int]
    modules: Mapping[str, Module]
    unstable: int

    def function(self, module: str, scope: str) -> Function:
        """The function of this name; for a constant, the module's lines outside functions."""
        functions = self.modules[module].functions
        return functions.get(scope) or functions[""]


def measured(subject: Subject) -> Baseline:
    """Runs the cases twice, the second time with a record of the executed lines. Raises `ParityError`."""
    cases = [*subject.corpus.cases]
    numbers = {case.name: number for number, case in enumerate(cases)}
    first = {numbers[result.case.name]: result for result in subject.verdicts()}
    answered = [number for number, result in sorted(first.items()) if result.verdict not in UNTESTED]
    lasting = [number for number in answered if not _ends_adapter(first[number])]
    if not lasting:
        raise ParityError("The adapter answers no case. To see why: parity probe COMMAND.")
    with TemporaryDirectory() as folder:
        words = ("record", str(subject.root), folder, str(Path(coverage.__file__).parents[1]))
        again = {numbers[result.case.name]: result for result in subject.results([cases[n] for n in lasting], *words)}
        by_key: dict[str, list[int]] = {}
        for number in lasting:
            by_key.setdefault(agent.request_key(cases[number].operation, cases[number].request), []).append(number)
        modules = _modules(subject.root, Path(folder), by_key)
    if not any(module.lines for module in modules.values()):
        raise ParityError(
            f"No case executes a line below {subject.root}. The adapter has to import the SDK from there, and to read its "
            "requests from sys.stdin, line by line."
        )
    results = {number: again[number] for number in lasting if _are_alike(first[number], again[number])}
    passing = frozenset(number for number in results if first[number].verdict in PASSING)
    order = sorted((number for number in spread(cases) if number in results), key=lambda number: number not in passing)
    return Baseline(cases, results, passing, order, modules, len(answered) - len(results))


def _ends_adapter(result: Result) -> bool:
    return result.verdict is Verdict.ERROR and result.kind is not ErrorKind.IMPLEMENTATION


def _are_alike(explained: Result, raw: Result) -> bool:
    """Whether two results show the same answer; an explanation makes a variant of a failing one."""
    return not differs(explained, raw) or explained.response == raw.response


def _modules(root: Path, folder: Path, by_key: Mapping[str, Sequence[int]]) -> Mapping[str, Module]:
    """The modules that the data in the folder measure, sorted by path."""
    measurement = coverage.Coverage(str(folder / agent.DATA), config_file=False)
    try:
        measurement.combine([str(folder)])
        measurement.json_report(outfile=str(folder / "report.json"))
    except NoDataError:
        return {}
    data = measurement.get_data()
    report = json.loads((folder / "report.json").read_text("utf-8"))["files"]
    paths = {Path(file).resolve(): functions["functions"] for file, functions in report.items()}
    contexts = {Path(file).resolve(): data.contexts_by_lineno(file) for file in data.measured_files()}
    return {
        path.relative_to(root).as_posix(): _module(
            path, path.relative_to(root).as_posix(), functions, contexts[path], by_key
        )
        for path, functions in sorted(paths.items())
    }


def _module(
    path: Path,
    name: str,
    functions: Mapping[str, Any],
    contexts: Mapping[int, Sequence[str]],
    by_key: Mapping[str, Sequence[int]],
) -> Module:
    """A module from what coverage reports of its functions, and the contexts that execute each line."""
    lines = {line: frozenset(n for key in keys for n in by_key.get(key, ())) for line, keys in contexts.items()}
    listed = [
        Function(
            name,
            function,
            values["start_line"],
            len(values["executed_lines"]),
            len(values["executed_lines"]) + len(values["missing_lines"]),
            frozenset[int]().union(*(lines.get(line, ()) for line in values["executed_lines"])),
        )
        for function, values in functions.items()
    ]
    return Module(
        {function.name: function for function in sorted(listed, key=lambda function: function.first)},
        {line: numbers for line, numbers in lines.items() if numbers},
        frozenset(line for line, keys in contexts.items() if not by_key.keys() >= {*keys}),
        _statements(ast.parse(path.read_bytes())),
    )


def _statements(tree: ast.Module) -> Mapping[int, range]:
    """The lines of the innermost statement at each line, without those of the statements in its body."""
    spans: dict[int, range] = {}
    for node in ast.walk(tree):  # outer statements first
        if isinstance(node, ast.stmt | ast.ExceptHandler):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) else node.end_lineno or node.lineno
            span = range(node.lineno, max(last, node.lineno) + 1)
            spans.update(dict.fromkeys(span, span))
    return spans
