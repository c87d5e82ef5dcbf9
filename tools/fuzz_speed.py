"""Speed of `parity fuzz` against its two floors, in one run: generating and discarding the same requests, and each
implementation answering them. Prints CPU time a request, because other work on the machine distorts wall-clock time.

The processes of a campaign work side by side, so the slowest one gives its rate on a machine with enough cores.

tools/fuzz_speed.py --adapter ts --adapter go --sdk go=DIR --operation 'query.*' --examples 5000 --by-operation
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from harness.compare.canonical import compact
from harness.corpus.checker import Checker
from harness.corpus.loader import Corpus, load_corpus
from harness.corpus.paths import cache, shipped
from harness.fuzz import campaign as campaign_module
from harness.fuzz.campaign import Campaign
from harness.fuzz.campaign_report import Limits
from harness.fuzz.classify import Classifier
from harness.fuzz.exchange import Exchanges, introduce
from harness.fuzz.generation import BATCH, MAX_EXAMPLES, Source, generate, sources
from harness.fuzz.store import ExampleStore
from harness.fuzz.units import whole_campaign
from harness.gate.known_divergences import KnownDivergences
from harness.gate.reader import load_beside
from harness.model import Implementation, JsonObject
from harness.protocol import Connection
from harness.runner.adapter_session import Timeouts
from harness.runner.attribute import Explanations
from harness.transport.adapter_spec import parse_specs
from harness.transport.answer_under import AlternativesAdapter, shipped_alternatives
from harness.transport.connect import connect
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox
from harness.transport.sync_client import SyncClient
from harness.transport.working_copy import inspect_working_copy

_IN_FLIGHT = 32


campaign_module.MAX_SHRUNK = 0  # shrinking costs once for each finding, not for each request


def children() -> float:
    """CPU seconds of all ended children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def requests_of(found: list[Source], count: int) -> tuple[list[tuple[str, JsonObject]], float]:
    """At least `count` generated requests, and the CPU seconds for each."""
    requests: list[tuple[str, JsonObject]] = []
    before, number = time.process_time(), 0
    while len(requests) < count:
        for source in found:
            name = source.operation
            made: list[JsonObject] = []
            generate(source, f"speed/{name}/{number}", MAX_EXAMPLES, BATCH, made.append)
            requests += [(name, request) for request in made]
        number += 1
    return requests, (time.process_time() - before) / len(requests)


def alone(connection: Connection, requests: dict[str, list[str]]) -> float:
    """CPU seconds of an implementation for each request."""
    before = children()
    with SyncClient(connection.start(())) as client:
        offered = client.initialize("").operations
        sent = {name: texts for name, texts in requests.items() if name in offered}
        for name, texts in sent.items():
            client.call_all(name, texts, _IN_FLIGHT, 60.0)
        client.close()
    return (children() - before) / max(1, sum(map(len, sent.values())))


@dataclass(frozen=True, slots=True)
class Speed:
    """CPU seconds a request: of each floor by name, and of parity in a campaign."""

    floors: dict[str, float]
    harness: float

    @property
    def share(self) -> float:
        """The rate of the campaign over the rate of the slower floor."""
        return min(1.0, max(self.floors.values()) / self.harness)

    @property
    def rate(self) -> float:
        """Requests a second of a campaign whose processes have a core each."""
        return 1 / max(self.harness, *self.floors.values())


@dataclass(frozen=True, slots=True)
class Bench:
    """The corpus, the implementations, and what explains their differences."""

    corpus: Corpus
    checker: Checker
    connections: dict[str, Connection]
    implementations: dict[str, Implementation]
    known: dict[str, KnownDivergences]
    sandbox: Sandbox

    def measure(self, operations: list[str], examples: int) -> Speed:
        """The speed of a campaign over these operations."""
        found = sources(self.corpus, operations)
        requests, generating = requests_of(found, examples)
        by_operation: dict[str, list[str]] = {}
        for name, request in requests:
            if self.checker.is_surely_request(self.corpus.operations[name], request):
                by_operation.setdefault(name, []).append(compact(request))
        floors = {name: alone(connection, by_operation) for name, connection in self.connections.items()}
        return Speed({"generate": generating, **floors}, self._campaign(found, examples))

    def _campaign(self, found: list[Source], examples: int) -> float:
        manifests, operations = shipped_manifests(shipped()), self.corpus.operations
        models = {name: file.model for name, file in self.known.items()}

        def alternatives() -> AbstractContextManager[AlternativesAdapter | None]:
            return shipped_alternatives("reference", manifests, print)

        with (
            tempfile.TemporaryDirectory() as folder,
            Exchanges(
                self.connections,
                self.implementations,
                operations,
                self.checker.answer_error,
                Timeouts(),
                lambda _: None,
            ) as exchanges,
            alternatives() as source,
        ):
            explanations = Explanations(alternatives, self.corpus.rulings, models)
            classifier = Classifier(
                operations, self.corpus.rulings, explanations, source, self.implementations, self.known
            )
            store = ExampleStore(Path(folder))
            campaign = Campaign(found, self.checker, exchanges, classifier, store, 0)
            before = time.process_time()
            report = campaign.run(whole_campaign(Limits(examples=examples), 0))
            harness = (time.process_time() - before) / report.tally.sent
            exchanges.close()
        return harness


def sdk_option(text: str) -> tuple[str, Path]:
    name, _, folder = text.partition("=")
    return name, Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--adapter", action="append", default=[])
    parser.add_argument("--sdk", action="append", default=[], type=sdk_option, metavar="NAME=DIR")
    parser.add_argument("--operation", default="*")
    parser.add_argument("--examples", type=int, default=5000)
    parser.add_argument("--by-operation", action="store_true", help="one row for each operation")
    parser.add_argument("--corpus", type=Path, default=shipped())
    given = parser.parse_args()
    corpus, manifests = load_corpus(given.corpus.resolve()), shipped_manifests(shipped())
    specs = [*parse_specs(["reference"], manifests), *parse_specs(given.adapter, manifests)]
    copies = {name: inspect_working_copy(manifests[name], folder) for name, folder in given.sdk}
    with Sandbox() as sandbox:
        connections = {one.name: connect(one, manifests, cache(), sandbox, (), copies.get(one.name)) for one in specs}
        implementations, _ = introduce(connections, Timeouts())
        operations = [
            name
            for name in corpus.operations
            if fnmatchcase(name, given.operation) and all(name in one.operations for one in implementations.values())
        ]
        known = {one.name: load_beside(manifests[one.name].folder) for one in specs if not one.command}
        bench = Bench(corpus, Checker(corpus.schemas), connections, implementations, known, sandbox)
        columns = ["generate", *connections, "parity"]
        print(f"{'µs CPU a request':<24}" + "".join(f"{name:>11}" for name in columns) + "  of the floor  requests/s")
        for names in [[name] for name in operations] if given.by_operation else [operations]:
            speed = bench.measure(names, given.examples)
            cells = [*speed.floors.values(), speed.harness]
            row = "".join(f"{one * 1e6:>11.0f}" for one in cells)
            label = names[0] if given.by_operation else given.operation
            print(f"{label:<24}{row}{speed.share:>14.0%}{speed.rate:>12.0f}", flush=True)


if __name__ == "__main__":
    main()
