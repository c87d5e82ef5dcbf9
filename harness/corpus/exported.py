"""The corpus as plain JSON files, for test suites that do not use parity. docs/exported-corpus.md describes the format.

Every value is in the file of its suite: fixtures are resolved, and the comparison rules of the schemas stand beside the
operations. The same corpus gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from msgspec import Struct, to_builtins

from ..compare.contained import with_contains
from ..model import EXACT, Answered, Case, Json, JsonObject, Requirement, Response, Rules, Ruling, replace
from .loader import Corpus
from .profiles import corpus_profiles
from .schemas import SCHEME, shown

FORMAT = 1
"""Version of the format. It changes when a program that reads the files has to change."""

_OWN = re.compile(r"(?:suites|schemas)/[A-Za-z0-9_./-]+\.json")

MANIFEST = "corpus.json"
"""The file that lists all others with their digests."""


class ExportedFile(Struct, frozen=True):
    """A file of the export: its path with `/`, and its text."""

    path: str
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 over the bytes, in hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def export(corpus: Corpus, cases: Sequence[Case], version: str) -> Iterator[ExportedFile]:
    """The files for these cases, the manifest last. `version` is that of parity."""
    files: list[JsonObject] = []
    operations = {case.operation for case in cases}
    systems = {case.system for case in cases}
    cited = {name for case in cases for name in case.requirements}
    disputed = {name for case in cases for name in (case.ruling, *case.cited_by_rulings) if name}

    def written(path: str, value: Json, **more: Json) -> ExportedFile:
        file = ExportedFile(path, _text(value))
        files.append({"file": path, "sha256": file.digest, **more})
        return file

    for suite, group in groupby(sorted(cases, key=attrgetter("suite")), key=attrgetter("suite")):
        listed: list[Json] = [_case(case) for case in group]
        yield written(f"suites/{suite}.json", {"suite": suite, "cases": listed}, suite=suite, cases=len(listed))
    for address, schema in sorted(corpus.schemas.values.items()):
        if address.removeprefix(SCHEME).split("/")[0] in systems:
            yield written(shown(address), schema)
    requirements: JsonObject = {name: _requirement(corpus.requirements[name]) for name in sorted(cited)}
    yield written("requirements.json", requirements)
    yield written("rulings.json", {name: _ruling(corpus.rulings[name]) for name in sorted(disputed)})
    yield ExportedFile(
        MANIFEST,
        _text(
            {
                "format": FORMAT,
                "parity": version,
                "corpus": corpus.digest,
                "cases": len(cases),
                "operations": {name: _operation(corpus, name) for name in sorted(operations)},
                "profiles": _profiles(corpus, systems),
                "files": [*files],
            }
        ),
    )


def stale(folder: Path, files: Sequence[ExportedFile]) -> dict[str, str]:
    """The files in `folder` that an export would change, each with `missing`, `changed` or `surplus`. Only files that the
    manifest in the folder lists are surplus."""
    wanted = {file.path: file for file in files}
    found = {path: _state(folder / path, file) for path, file in wanted.items()}
    surplus = {name: "surplus" for name in listed(folder) - wanted.keys() if (folder / name).is_file()}
    return {path: state for path, state in sorted({**found, **surplus}.items()) if state}


def _state(path: Path, file: ExportedFile) -> str:
    if not path.is_file():
        return "missing"
    return "" if path.read_bytes() == file.text.encode() else "changed"


def listed(folder: Path) -> set[str]:
    """The suites and schemas that the manifest of an export in `folder` lists; empty if there is no manifest."""
    try:
        files = json.loads((folder / MANIFEST).read_bytes())["files"]
        names = {str(file["file"]) for file in files}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {name for name in names if _OWN.fullmatch(name) and ".." not in name.split("/")}


def _text(value: Json) -> str:
    """JSON with one member a line; characters beyond ASCII as they are, except in texts that are not valid Unicode."""
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        text = json.dumps(value, indent=1, allow_nan=False) + "\n"
    return text


def _case(case: Case) -> Json:
    value: JsonObject = {
        "name": case.name,
        "operation": case.operation,
        "request": case.request,
        "expected": _response(case.expected),
        "requirements": [*case.requirements],
        "origin": case.origin,
    }
    if case.readings:
        value["ruling"] = case.ruling
        value["adopted"] = case.adopted
        value["readings"] = {name: _response(response) for name, response in case.readings.items()}
    optional: JsonObject = {
        "environment": dict(case.environment),
        "tags": [*case.tags],
        "note": case.note,
        "evidence": case.evidence,
    }
    return value | {name: value for name, value in optional.items() if value}


def _response(response: Response) -> JsonObject:
    if not isinstance(response, Answered):
        return {"error": response.type}
    return {"answer": with_contains(response), **({"free": [*response.free]} if response.free else {})}


def _operation(corpus: Corpus, name: str) -> Json:
    operation = corpus.operations[name]
    rules = rules_value(operation.rules)
    return {
        "system": operation.system,
        "schema": f"schemas/{operation.system}/{name}.json",
        **({"rules": rules} if rules else {}),
    }


def rules_value(rules: Rules) -> JsonObject:
    """Comparison rules as JSON; empty for exact comparison."""
    value: JsonObject = to_builtins(replace(rules, engine="", properties={}, items=None))
    if below := {name: found for name, below in rules.properties.items() if (found := rules_value(below))}:
        value["properties"] = {**below}
    if rules.items is not None and rules.items != EXACT and (items := rules_value(rules.items)):
        value["items"] = items
    return value


def _profiles(corpus: Corpus, systems: Collection[str]) -> JsonObject:
    found: JsonObject = {}
    for profile in corpus_profiles(corpus):
        if profile.system in systems:
            found[f"{profile.system}/{profile.name}"] = [*profile.operations]
    return found


def _requirement(one: Requirement) -> Json:
    members: JsonObject = {name: getattr(one, name) for name in ("level", "document", "section", "statement")}
    return {**members, "anchors": [*one.anchors]} if one.anchors else members


def _ruling(one: Ruling) -> Json:
    return {
        "title": one.title,
        "question": one.question,
        "readings": {**one.readings},
        "adopted": one.adopted,
        "why": one.why,
        "requirements": [*one.requirements],
    }
