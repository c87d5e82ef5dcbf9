"""The campaign as text and as JSON: a table of functions, then what a person has to look at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from tools.mutation.campaign import Fate, Judged

from .baseline import Baseline, Function

FATES = (Fate.KILLED, Fate.VARIANT, Fate.GATE, Fate.SURVIVED, Fate.BROKEN)
_COLUMNS = ("lines", "cases", *FATES)


def _tally(found: Iterable[Judged], baseline: Baseline) -> Mapping[Function, Counter[Fate]]:
    """The number of mutants of each function, by fate."""
    fates: defaultdict[Function, Counter[Fate]] = defaultdict(Counter)
    for judged in found:
        fates[baseline.function(judged.mutant.module, judged.mutant.scope)][judged.fate] += 1
    return fates


def lines(functions: Sequence[Function], found: Sequence[Judged], baseline: Baseline) -> Iterator[str]:
    """The page. `functions` are those of the modules that a case reaches."""
    fates = _tally(found, baseline)
    width = max((len(function.name) for function in functions), default=0) + 4
    yield f"{'':{width}}" + "".join(f"{column:>10}" for column in _COLUMNS)
    module = ""
    for function in functions:
        if function.module != module:
            module = function.module
            yield module
        if function.cases or fates[function]:
            yield _row(f"  {function.name or '-'}", width, function, fates[function])
    total = sum(fates.values(), Counter[Fate]())
    yield f"{'all':{width + 20}}" + "".join(f"{total[fate]:>10}" for fate in FATES)
    unreached = [function for function in functions if function.name and not function.cases]
    yield ""
    yield f"No case reaches these functions: {len(unreached)}"
    yield from (f"  {function.module}:{function.first}  {function.name}" for function in unreached)
    yield from _modules(baseline)
    survivors = sorted(
        (judged for judged in found if judged.fate is Fate.SURVIVED),
        key=lambda judged: (judged.mutant.module, judged.mutant.first, judged.mutant.name),
    )
    yield ""
    yield f"No case notices these mutants: {len(survivors)}"
    for judged in survivors:
        yield f"  {judged.mutant.module}:{judged.mutant.first}  {judged.mutant.scope}, {judged.asked} cases asked"
        yield f"    {judged.mutant.change}"


def _row(name: str, width: int, function: Function, fates: Mapping[Fate, int]) -> str:
    executed = f"{function.executed}/{function.lines}"
    counts = "".join(f"{fates[fate] or '':>10}" for fate in FATES)
    return f"{name:{width}}{executed:>10}{len(function.cases):>10}{counts}".rstrip()


def _modules(baseline: Baseline) -> Iterator[str]:
    unreached = [
        (name, module) for name, module in baseline.modules.items() if not module.lines and len(module.functions) > 1
    ]
    if unreached:
        yield f"The adapter imports these modules, and no case executes a line of them: {len(unreached)}"
        yield from (
            f"  {name}  {sum(bool(function.name) for function in module.functions.values())} functions"
            for name, module in unreached
        )


def values(functions: Sequence[Function], found: Sequence[Judged], baseline: Baseline, corpus: str) -> object:
    """The same as JSON; `corpus` is its digest."""
    fates = _tally(found, baseline)
    return {
        "corpus": corpus,
        "functions": [
            {**asdict(function), "cases": len(function.cases), "mutants": fates[function]} for function in functions
        ],
        "mutants": [
            {
                "module": judged.mutant.module,
                "scope": judged.mutant.scope,
                "line": judged.mutant.first,
                "change": judged.mutant.change,
                "fate": judged.fate,
                "asked": judged.asked,
                "noticedBy": [baseline.cases[number].name for number in judged.failing[:1]],
            }
            for judged in found
        ],
    }
