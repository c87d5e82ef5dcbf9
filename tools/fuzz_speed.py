"""Speed of `parity fuzz` against its two floors, in one run: generating and discarding the same requests, and each
implementation answering them. Prints CPU time a request, because other work on the machine distorts wall-clock time.

tools/fuzz_speed.py --adapter ts --operation 'query.*' --examples 5000
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from fnmatch import fnmatchcase
from pathlib import Path

from harness.compare.canonical import compact
from harness.corpus.checker import Checker
from harness.corpus.known_divergences_file import load_beside
from harness.corpus.loader import load_corpus
from harness.corpus.paths import cache, shipped
from harness.fuzz.campaign import Campaign
from harness.fuzz.classify import Classifier
from harness.fuzz.exchange import Exchanges, introduce
from harness.fuzz.findings import Limits
from harness.fuzz.generation import BATCH, MAX_EXAMPLES, Source, generate, sources
from harness.fuzz.store import ExampleStore
from harness.model import JsonObject
from harness.protocol import Connection
from harness.runner.attribute import Explanations
from harness.runner.session import Timeouts
from harness.transport.adapter_spec import parse_specs, with_sdk
from harness.transport.alternatives import shipped_alternatives
from harness.transport.connect import connect
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox
from harness.transport.sync_client import SyncClient
from harness.transport.working_copy import inspect_working_copy

_IN_FLIGHT = 32


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--adapter", action="append", default=[])
    parser.add_argument("--sdk", type=Path)
    parser.add_argument("--operation", default="*")
    parser.add_argument("--examples", type=int, default=5000)
    parser.add_argument("--corpus", type=Path, default=shipped())
    given = parser.parse_args()
    corpus = load_corpus(given.corpus.resolve())
    checker, manifests = Checker(corpus.schemas), shipped_manifests(shipped())
    specs = parse_specs(given.adapter, manifests)
    specs = [*parse_specs(["reference"], manifests), *(with_sdk(specs, given.sdk) if given.sdk else specs)]
    with Sandbox() as sandbox:
        copies = {one.name: inspect_working_copy(manifests[one.name], one.sdk) for one in specs if one.sdk}
        connections = {one.name: connect(one, manifests, cache(), sandbox, (), copies.get(one.name)) for one in specs}
        implementations, _ = introduce(connections, Timeouts())
        operations = [
            name
            for name in corpus.operations
            if fnmatchcase(name, given.operation) and all(name in one.operations for one in implementations.values())
        ]
        found = sources(corpus, operations)
        requests, generating = requests_of(found, given.examples)
        floors = {"generate and discard": generating}
        by_operation: dict[str, list[str]] = {}
        for name, request in requests:
            if checker.is_surely_request(corpus.operations[name], request):
                by_operation.setdefault(name, []).append(compact(request))
        floors |= {f"{name} alone": alone(connection, by_operation) for name, connection in connections.items()}
        known = {one.name: load_beside(manifests[one.name].folder) for one in specs if not one.command}
        models = {name: file.model for name, file in known.items()}
        with (
            tempfile.TemporaryDirectory() as folder,
            Exchanges(
                connections, implementations, corpus.operations, checker.answer_error, Timeouts(), lambda _: None
            ) as exchanges,
            shipped_alternatives("reference", manifests, sandbox, print) as source,
        ):
            explanations = Explanations(
                lambda: shipped_alternatives("reference", manifests, sandbox, print), corpus.rulings, models
            )
            classifier = Classifier(corpus.operations, corpus.rulings, explanations, source, implementations, known)
            store = ExampleStore(Path(folder))
            campaign = Campaign(found, dict(corpus.operations), checker, exchanges, classifier, store, 0)
            before = time.process_time()
            report = campaign.run(Limits(examples=given.examples))
            harness = (time.process_time() - before) / report.tally.sent
            exchanges.close()
    for name, seconds in floors.items():
        print(f"{name:<24}{seconds * 1e6:8.0f} µs CPU a request")
    print(f"{'harness in a campaign':<24}{harness * 1e6:8.0f} µs CPU a request")
    slower = max(floors.values())
    share = min(1.0, slower / harness)
    print(f"the harness costs {harness / slower:.0%} of the slower floor: at best {share:.0%} of its speed")


if __name__ == "__main__":
    main()
