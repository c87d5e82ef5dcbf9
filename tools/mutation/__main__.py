"""Mutates the reference and prints which mutants no case fails. Exit status 1: one has no written reason, or a reason is
stale.

`python -m tools.mutation` judges all mutants, `--module jeffs_brain/parser` those of one module, in some seconds.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.mutation import score  # noqa: E402
from tools.mutation.campaign import Judged, Prepared, campaign, prepared  # noqa: E402
from tools.mutation.mutants import (  # noqa: E402
    REFERENCE,
    Kind,
    Mutant,
    by_deviations,
    by_operators,
    modules,
)

EQUIVALENT = Path(__file__).with_name("equivalent.yaml")


def main() -> int:
    """Prints the score; 1 if a mutant survives without a reason, or a reason is stale."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument(
        "--module", action="append", default=[], metavar="TEXT", help="only modules whose path has TEXT"
    )
    parser.add_argument(
        "--kind", action="append", default=[], choices=[*Kind], help="only mutants of this kind (default: all)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (default: cores)")
    parser.add_argument("--select", default="", metavar="TEXT", help="ask only cases whose name begins with TEXT")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the score and the proven requirements here")
    parser.add_argument("--thin", action="store_true", help="list the mutants that one case alone fails")
    arguments = parser.parse_args()
    begun = time.monotonic()
    paths = [path for path in modules(ROOT) if not arguments.module or _matches(path, arguments.module)]
    ready = prepared(ROOT, arguments.select)
    sources = _sources(arguments.kind or [*Kind], paths, whole=not arguments.module)
    found = list(campaign(ROOT, sources, arguments.jobs, arguments.select))
    equivalent = score.reasons(EQUIVALENT)
    _print_scores(score.scores(found, equivalent), time.monotonic() - begun)
    survivors = score.unexplained(found, equivalent)
    names = [path.relative_to(ROOT / REFERENCE).as_posix() for path in paths]
    stale = {} if arguments.select or arguments.kind else score.stale(found, equivalent, names)
    _list(
        "No case fails these mutants, and no reason is written", survivors, lambda one: f"{one.fate}, {one.asked} asked"
    )
    if arguments.thin:
        _list("One case alone fails these mutants", score.thin(found), lambda one: ready.cases[one.failing[0]].name)
    for name, fate in stale.items():
        print(f"Stale reason, the mutant is {fate or 'gone'}: {name}")
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(_values(ready, found, equivalent), indent=1) + "\n")
    return int(bool(survivors or stale))


def _deviations() -> list[str]:
    """The names of all deviations. The campaign has imported the reference again, so this import cannot stand above."""
    switches = importlib.import_module(f"{REFERENCE}.switches").all_switches()
    return sorted(name for name, switch in switches.items() if not switch.is_reading)


def _matches(path: Path, texts: Sequence[str]) -> bool:
    return any(text in path.relative_to(ROOT).as_posix() for text in texts)


def _sources(kinds: Sequence[str], paths: Sequence[Path], *, whole: bool) -> list[Callable[[], Sequence[Mutant]]]:
    sources: list[Callable[[], Sequence[Mutant]]] = []
    if Kind.OPERATOR in kinds:
        sources += [partial(by_operators, ROOT, path) for path in paths]
    if Kind.DEVIATION in kinds and whole:
        sources.append(partial(by_deviations, _deviations()))
    return sources


def _print_scores(scores: Mapping[str, score.Score], seconds: float) -> None:
    columns = ("killed", "thin", "variant", "survived", "equivalent", "broken")
    print(f"{'mutants of':14}{''.join(f'{column:>12}' for column in columns)}{'score':>9}")
    for group, one in scores.items():
        print(f"{group:14}{''.join(f'{getattr(one, column):12}' for column in columns)}{one.share:9.1%}")
    print(f"{seconds:.0f} s")


def _list(title: str, found: Sequence[Judged], note: Callable[[Judged], str]) -> None:
    if found:
        print(f"\n{title}: {len(found)}")
    for one in found:
        print(f"  {one.mutant.name}")
        print(f"    {one.mutant.module}:{one.mutant.first}  {one.mutant.change}")
        print(f"    {note(one)}")


def _values(ready: Prepared, found: Sequence[Judged], equivalent: Mapping[str, str]) -> object:
    scores = score.scores(found, equivalent)
    return {
        "corpus": ready.corpus.corpus.digest,
        "scores": {
            group: {name: getattr(one, name) for name in score.Score.__dataclass_fields__}
            for group, one in scores.items()
        },
        "proven": sorted(score.proven(found)),
    }


if __name__ == "__main__":
    sys.exit(main())
