"""Generated requests: the strategies of a system, mutated requests of its corpus, and rounds of Hypothesis examples.

A system brings its strategies in the folder `strategies/<system>/` beside `cases/` and `schemas/`: a package with the
mapping `requests`, operation → strategy. An operation without one gets a strategy from its request schema.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import DataObject, SearchStrategy
from msgspec import Struct

from ..compare.canonical import compact
from ..corpus.loader import Corpus
from ..errors import ParityError
from ..model import JsonObject
from .from_schema import requests_by_schema
from .mutation import mutated

BATCH = 64
"""Requests in one Hypothesis example; an example of one request costs 4 times as much a request (November 2026)."""

MAX_EXAMPLES = 10
"""Examples in one round. After the tenth, Hypothesis copies parts of an example over others, which repeats requests."""

MUTATED = 4
"""Every so many requests, one is a mutated request of the corpus."""

MAX_CHOICES = 6000
"""Size of an example after which a batch ends early; Hypothesis discards examples above 8192."""

_SIZES = ((4, 16), (MAX_EXAMPLES, 32), (MAX_EXAMPLES, BATCH))
"""Examples, and requests in each, of the first rounds of an operation; the last pair holds for all later ones."""

_SEEDS = st.integers(0, 2**24 - 1)
"""Hypothesis draws numbers of up to 24 bits evenly; of larger ones it prefers the small."""


class Source(Struct, frozen=True):
    """The requests of one operation: `generated` by a strategy, and `corpus`, those of its cases as JSON."""

    operation: str
    generated: SearchStrategy[JsonObject]
    corpus: Sequence[str]


def sizes(cycle: int) -> tuple[int, int]:
    """Examples, and requests in each, of an operation's round with this number, from 0."""
    return _SIZES[min(cycle, len(_SIZES) - 1)]


def cycle_requests(cycle: int) -> int:
    """Most requests of such a round."""
    examples, batch = sizes(cycle)
    return examples * batch


def sources(corpus: Corpus, operations: Sequence[str]) -> list[Source]:
    """The sources of these operations, in their order. Raises `ParityError` if a strategy module fails."""
    requests: dict[str, list[str]] = {}
    for case in corpus.cases:
        if not case.environment:
            requests.setdefault(case.operation, []).append(compact(case.request))
    found = []
    for name in operations:
        operation = corpus.operations[name]
        own = _strategies(corpus.root, operation.system).get(name)
        strategy = requests_by_schema(operation, corpus.schemas) if own is None else own
        found.append(Source(name, strategy, requests.get(name, [])))
    return found


def _strategies(root: Path, system: str) -> Mapping[str, SearchStrategy[JsonObject]]:
    """The strategies that a system brings; empty if it brings none."""
    folder = root / "strategies"
    if not (folder / system / "__init__.py").is_file():
        return {}
    try:
        module = importlib.import_module(f"{_package(folder)}.{system}")
    except Exception as error:
        raise ParityError(f"{folder / system}: the strategies cannot be imported: {error!r}. Correct them.") from error
    requests = getattr(module, "requests", None)
    if not isinstance(requests, Mapping):
        raise ParityError(f"{folder / system}: the mapping `requests` is missing. Add it: operation → strategy.")
    return requests


def _package(folder: Path) -> str:
    """Makes the folder a package with a name of its own, since several corpora can have one; its name."""
    name = f"_parity_strategies_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        module = ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules[name] = module
    return name


def generate(source: Source, seeded: str, examples: int, batch: int, take: Callable[[JsonObject], None]) -> None:
    """Gives `take` the requests of one round: `examples` Hypothesis examples of up to `batch` requests each.

    The same `seeded` text gives the same requests. An exception of `take` that is no `Exception` ends the round.
    """

    def example(data: DataObject) -> None:
        own = data.conjecture_data  # its `draw` costs a fifth of `data.draw`, which prepares a report of each value
        is_simplest = own.draw(_SEEDS) == 0  # each series of examples begins with the simplest: one request is enough
        for number in range(1 if is_simplest else batch):
            if own.length > MAX_CHOICES:
                return
            if source.corpus and number % MUTATED == MUTATED - 1:
                take(mutated(Random(own.draw(_SEEDS)), source.corpus))
            else:
                take(own.draw(source.generated))

    quiet = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    number = int.from_bytes(hashlib.sha256(seeded.encode()).digest()[:8], "big")
    test: Any = seed(number)(quiet(given(st.data())(example)))
    with _without_local_constants():
        test()


@contextmanager
def _without_local_constants() -> Iterator[None]:
    """Inside, Hypothesis draws no constants of imported modules, since other processes can have imported others; with them
    a seed gives other requests there."""
    found: Any = providers
    before = found._get_local_constants
    none = type(found._local_constants)()
    found._get_local_constants = lambda: none
    found.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        found._get_local_constants = before
        found.CONSTANTS_CACHE.cache.clear()
