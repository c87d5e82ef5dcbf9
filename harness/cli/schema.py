"""Lists the operations, or prints the types of one operation's request and answer, with limits and descriptions; with
--rules also its requirements, rulings, traps and two cases."""

from __future__ import annotations

import argparse
import json
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ..base.near_names import name_remedy, nearest
from ..corpus.loader import Corpus, load_corpus
from ..corpus.profiles import corpus_profiles, profile_operations
from ..corpus.selection import of_systems
from ..corpus.traps import traps_of_operation
from ..corpus.value_types import operation_title, operation_types, self_contained
from ..errors import UsageError, one_line
from ..model import Case, JsonObject
from ..plan.chosen_cases import corpus_folder
from ..report.pages.rules_page import Rules, render_rules
from ..report.pages.schema_page import ListedOperation, OperationPage, render_list, render_operation
from .options import add_options, options_of
from .streams import medium
from .text_option import WORDS, add_text_option, text_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "operation", nargs="?", metavar="OPERATION", help="the operation (default: list all operations)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON; of one operation a JSON Schema without outside references"
    )
    parser.add_argument(
        "--rules",
        action="store_true",
        help="print the rules of the operation too: requirements, rulings with their readings, traps, two cases; with "
        "--profile, the rules of all its operations",
    )
    add_options(
        parser,
        ["corpus", "systems", "profiles"],
        systems="list only this system; may be repeated",
        profiles="list only the operations of this conformance profile; may be repeated",
    )
    add_text_option(parser, f"with --rules, {WORDS}")


def run(arguments: argparse.Namespace) -> int:
    corpus = load_corpus(corpus_folder(options_of(arguments)))
    of_systems(corpus.cases, arguments.system)
    systems = arguments.system or {operation.system for operation in corpus.operations.values()}
    of_profiles = _of_profiles(arguments.profile, corpus)
    listed = [
        operation
        for operation in listed_operations(corpus)
        if operation.system in systems and operation.name in of_profiles
    ]
    if arguments.rules and (arguments.json or not (arguments.operation or arguments.profile)):
        raise UsageError("--rules prints pages of operations. Name an operation or a --profile, and leave out --json.")
    if arguments.specification and not arguments.rules:
        raise UsageError("--text shows the words behind the rules of an operation. Add --rules.")
    if arguments.rules and arguments.operation is None:
        print("\n".join(_rules_page(operation, corpus, arguments) for operation in listed), end="")
        return 0
    if arguments.operation is None:
        print(_dumped(list(map(_as_json, listed))) if arguments.json else render_list(listed, medium()), end="")
        return 0
    known_operation(arguments.operation, [operation.name for operation in listed])
    [one] = [operation for operation in listed if operation.name == arguments.operation]
    if arguments.json:
        print(_dumped(_with_schema(one, corpus)), end="")
        return 0
    if arguments.rules:
        print(_rules_page(one, corpus, arguments), end="")
    else:
        print(operation_page(one, corpus, _commands(one, arguments)), end="")
    return 0


def _of_profiles(names: Sequence[str], corpus: Corpus) -> Collection[str]:
    """The operations of these profiles; all of the corpus without any. Raises `UsageError` for another name."""
    if not names:
        return corpus.operations.keys()
    profiles = profile_operations(corpus)
    for name in names:
        if name not in profiles:
            raise UsageError(f"No profile is called {one_line(name)}. {name_remedy(name, profiles.keys())}")
    return frozenset().union(*(profiles[name] for name in names))


def _commands(one: ListedOperation, arguments: argparse.Namespace) -> list[str]:
    given = ["--corpus", str(arguments.corpus)] if arguments.corpus else []
    return [
        shlex.join(["parity", "ask", one.name, *given]),
        shlex.join(["parity", "cases", "--select", f"operation:{one.name}", *given]),
    ]


def _rules_page(one: ListedOperation, corpus: Corpus, arguments: argparse.Namespace) -> str:
    """The page about one operation with its rules."""
    types = operation_types(corpus.schemas, one.system, one.name)
    cases = [case for case in corpus.cases if case.operation == one.name]
    cited = {id_ for case in cases for id_ in (case.ruling, *case.cited_by_rulings)}
    rules = Rules(
        requirements=[corpus.requirements[id_] for id_ in _requirements(one.name, corpus)],
        rulings=[ruling for ruling in corpus.rulings.values() if ruling.id in cited],
        traps={trap.id: trap.languages for trap in traps_of_operation(one.name, corpus.traps.get(one.system, ()))},
        examples=_examples(cases),
        text=text_of(arguments.specification, corpus),
    )
    page = OperationPage(listed=one, types=types, requirements=(), commands=_commands(one, arguments))
    return render_rules(page, rules, medium())


def _examples(cases: Sequence[Case]) -> list[Case]:
    """Two plain cases: an example of the text, if there is one, and a negative case."""
    plain = sorted((case for case in cases if not case.ruling), key=lambda case: case.origin != "spec-example")
    negative = [case for case in plain[1:] if case.negative]
    return [*plain[:1], *(negative or plain[1:])[:1]]


def operation_page(one: ListedOperation, corpus: Corpus, commands: Sequence[str]) -> str:
    """The page about one operation, for this terminal."""
    types = operation_types(corpus.schemas, one.system, one.name)
    page = OperationPage(
        listed=one,
        types=types,
        uses=corpus.operations[one.name].uses,
        requirements=_requirements(one.name, corpus),
        commands=commands,
    )
    return render_operation(page, medium())


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
