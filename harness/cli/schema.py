"""Lists the operations, or prints the types of one operation's request and answer, with limits and descriptions."""

from __future__ import annotations

import argparse
import json
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from ..base.near_names import nearest
from ..corpus.loader import Corpus, load_corpus
from ..corpus.profiles import corpus_profiles
from ..corpus.selection import of_systems
from ..corpus.value_types import operation_title, operation_types, self_contained
from ..errors import UsageError, one_line
from ..model import JsonObject
from ..plan.chosen_cases import corpus_folder
from ..report.pages.schema_page import ListedOperation, OperationPage, render_list, render_operation
from .options import add_options, options_of
from .streams import medium


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "operation", nargs="?", metavar="OPERATION", help="the operation (default: list all operations)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON; of one operation a JSON Schema without outside references"
    )
    add_options(parser, ["corpus", "systems"], systems="list only this system; may be repeated")


def run(arguments: argparse.Namespace) -> int:
    corpus = load_corpus(corpus_folder(options_of(arguments)))
    of_systems(corpus.cases, arguments.system)
    systems = arguments.system or {operation.system for operation in corpus.operations.values()}
    listed = [operation for operation in listed_operations(corpus) if operation.system in systems]
    if arguments.operation is None:
        print(_dumped(list(map(_as_json, listed))) if arguments.json else render_list(listed, medium()), end="")
        return 0
    known_operation(arguments.operation, [operation.name for operation in listed])
    [one] = [operation for operation in listed if operation.name == arguments.operation]
    if arguments.json:
        print(_dumped(_with_schema(one, corpus)), end="")
        return 0
    given = ["--corpus", str(arguments.corpus)] if arguments.corpus else []
    commands = [
        shlex.join(["parity", "ask", one.name, *given]),
        shlex.join(["parity", "cases", "--select", f"operation:{one.name}", *given]),
    ]
    print(operation_page(one, corpus, commands), end="")
    return 0


def operation_page(one: ListedOperation, corpus: Corpus, commands: Sequence[str]) -> str:
    """The page about one operation, for this terminal."""
    types = operation_types(corpus.schemas, one.system, one.name)
    requirements = _requirements(one.name, corpus)
    return render_operation(
        OperationPage(listed=one, types=types, requirements=requirements, commands=commands), medium()
    )


def listed_operations(corpus: Corpus) -> Iterator[ListedOperation]:
    """The operations of the corpus by system and profile; each in the first profile that has it. Raises `CorpusError`."""
    counts = Counter(case.operation for case in corpus.cases)
    seen = set()
    for profile in corpus_profiles(corpus):
        for name in profile.operations:
            if name not in seen:
                seen.add(name)
                title = operation_title(corpus.schemas, profile.system, name)
                yield ListedOperation(name, profile.system, profile.name, title, counts[name])


def known_operation(name: str, names: Sequence[str]) -> None:
    """Raises `UsageError` with the nearest name if no operation has this name."""
    if name in names:
        return
    near = nearest(name, names)
    meant = f" Did you mean {near}?" if near else ""
    raise UsageError(f"No operation is called {one_line(name)}.{meant} `parity schema` lists the operations.")


def _requirements(operation: str, corpus: Corpus) -> list[str]:
    """The requirements that the operation's cases cite, in the order of the catalogue."""
    cited = {id_ for case in corpus.cases if case.operation == operation for id_ in case.requirements}
    return [id_ for id_ in corpus.requirements if id_ in cited]


def _dumped(value: JsonObject | list[JsonObject]) -> str:
    return f"{json.dumps(value, indent=1)}\n"


def _as_json(one: ListedOperation) -> JsonObject:
    return {"name": one.name, "system": one.system, "profile": one.profile, "title": one.title, "cases": one.cases}


def _with_schema(one: ListedOperation, corpus: Corpus) -> JsonObject:
    requirements = _requirements(one.name, corpus)
    return {
        **_as_json(one),
        "requirements": [*requirements],
        "schema": self_contained(corpus.schemas, one.system, one.name),
    }
