"""The reference against the oracles on generated requests: two authors in two languages, and requests that nobody chose."""

from __future__ import annotations

import itertools
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.api import CheckedCorpus, load_corpus, open_adapters
from harness.compare.canonical import compact
from harness.fuzz.exchange import (
    MAX_PENDING,
    Exchange,
    Exchanges,
    generated_case,
    has_inexact_integer,
    has_lone_surrogate,
    introduce,
)
from harness.fuzz.generation import generate, sources
from harness.model import Case, Failed, Implementation, JsonObject, Outcome, OutOfReach, Passed, Unsupported
from harness.runner.adapter_session import Timeouts
from reference_impl.tideline import hrr

pytestmark = pytest.mark.slow

ORACLES = Path(__file__).resolve().parents[2] / "oracles"

REQUESTS = int(os.environ.get("GENERATED_REQUESTS", "1000"))
"""Requests of each system. CI sends more."""

EXAMPLES, BATCH = 4, max(1, REQUESTS // 80)
"""Hypothesis examples in one round of an operation, and requests in each: every operation has its turn."""

NOT_OFFERED = {"nexus.ftsSearch"}
"""Operations without an oracle: SQLite's FTS5 itself is the engine that confirms their answers."""

OUT_OF_REACH = {("retrieval.search", "the oracle has no FTS5 index")}
"""Why an oracle does not answer some requests of an operation."""


@pytest.fixture(scope="module")
def checked() -> CheckedCorpus:
    return load_corpus()


def offered_of(checked: CheckedCorpus, system: str) -> list[str]:
    """The operations of a system that have an oracle."""
    return sorted({name for name, one in checked.corpus.operations.items() if one.system == system} - NOT_OFFERED)


def is_rounding(request: JsonObject) -> bool:
    """Whether two memories are equally near to the query but for the last digits of sines, which no text fixes."""
    query, records = request.get("query"), request.get("records")
    if not isinstance(query, str) or not isinstance(records, list):
        return False
    asked, texts = hrr.embed(query), [str(one["content"]) for one in records if isinstance(one, dict)]
    cosines = sorted(hrr.cosine(asked, hrr.embed(text)) for text in texts)
    return any(0 < second - first < 1e-12 for first, second in itertools.pairwise(cosines))


def _is_rank_of_vectors(outcome: Outcome) -> bool:
    """Whether an answer differs in ranks of the vector lane and nowhere else."""
    return isinstance(outcome, Failed) and all(part.path.endswith(".vecRank") for part in outcome.differences)


def requests(checked: CheckedCorpus, system: str, count: int) -> Iterator[Case]:
    """Distinct valid requests of the operations that have an oracle, in turn, as `parity fuzz` generates them."""
    operations = checked.corpus.operations
    found = sources(checked.corpus, offered_of(checked, system))
    seen: set[str] = set()
    for number in itertools.count():
        for source in found:
            operation = operations[source.operation]
            made: list[JsonObject] = []
            generate(source, f"0/{source.operation}/{number}", EXAMPLES, BATCH, made.append)
            for request in made:
                if not checked.checker.is_surely_request(operation, request):
                    continue
                case = generated_case(operation, request)
                if not (case.name in seen or has_lone_surrogate(case) or has_inexact_integer(case)):
                    seen.add(case.name)
                    yield case
                    if len(seen) == count:
                        return


@pytest.mark.parametrize("system", ["augur", "jeffs_brain", "nexus", "tideline"])
def test_reference_and_oracles_agree_on_generated_requests(checked: CheckedCorpus, system: str) -> None:
    """No answer of an oracle differs from the reference's, also not by an open reading: both follow the adopted ones."""
    if shutil.which("node") is None:
        pytest.skip("node is not on PATH: reference and oracles were NOT compared")
    differing: list[str] = []
    outside: Counter[tuple[str, str]] = Counter()
    compared: Counter[str] = Counter()
    rounded: list[str] = []

    def take(exchange: Exchange) -> None:
        sent = exchange.case
        match exchange.results[1].outcome:
            case Unsupported(OutOfReach(reason)):
                outside[sent.operation, reason] += 1
            case outcome:
                compared[sent.operation] += 1
                if isinstance(outcome, Passed):
                    return
                if _is_rank_of_vectors(outcome) and is_rounding(sent.request):
                    rounded.append(compact(sent.request))
                else:
                    differing.append(f"{sent.operation} {compact(sent.request)}: {outcome}")

    with open_adapters(["reference", f"oracles=node {ORACLES / 'adapter.mjs'}"]) as connections:
        implementations: dict[str, Implementation]
        implementations, failed = introduce(connections, Timeouts())
        assert failed == {}
        corpus, events = checked.corpus, list[object]()
        answer_error = checked.checker.answer_error
        with Exchanges(
            connections, implementations, corpus.operations, answer_error, Timeouts(), events.append
        ) as exchanges:
            for case in requests(checked, system, REQUESTS):
                exchanges.submit(case, take)
                while exchanges.pending > MAX_PENDING:
                    exchanges.pump(waiting=True)
            exchanges.close()
    assert differing == []
    assert len(rounded) < 5
    assert [event for event in events if not isinstance(event, Implementation)] == []
    assert set(outside) <= OUT_OF_REACH
    assert sorted(compared) == offered_of(checked, system)
    assert compared.total() + outside.total() == REQUESTS
