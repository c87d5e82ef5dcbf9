"""Values of a corpus ↔ tuples, lists and mappings that `marshal` can write: the form that the compiled corpus holds."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from sys import intern
from typing import Any, NamedTuple

from ..model import (
    EXACT,
    Answered,
    Case,
    Documented,
    Fixture,
    Json,
    Operation,
    Raised,
    Requirement,
    Response,
    Rules,
    Ruling,
    Tolerance,
)
from .names import Cited, CorpusNames, MissingReferences, NameTable
from .schemas import Schemas
from .traps import Trap

Plain = tuple[Any, ...]
"""A value as `marshal` writes it."""

StoredCases = tuple[int, bytes, bytes]
"""The cases of one suite: their number, their heads and the rest of each."""

_REQUIREMENT = tuple(one.name for one in fields(Requirement))
_RULING = tuple(one.name for one in fields(Ruling))


class CaseHead(NamedTuple):
    """The members of a case that are read before it is sent; `row` is its index in its suite."""

    name: str
    at: str
    operation: str
    requirements: tuple[str, ...]
    origin: str
    revision: str
    tags: tuple[str, ...]
    ruling: str
    environment: tuple[tuple[str, str], ...]
    fixtures: tuple[Fixture, ...]
    suite: str
    system: str
    cited_by_rulings: tuple[str, ...]
    row: int


@dataclass(frozen=True, slots=True)
class Foundation:
    """Everything in a corpus except its cases; `known` has the names that the cases of each system can cite."""

    schemas: Schemas
    operations: Mapping[str, Operation]
    requirements: Mapping[str, Requirement]
    rulings: Mapping[str, Ruling]
    known: Mapping[str, CorpusNames]
    cited: tuple[Cited, ...]

    @property
    def citing(self) -> dict[str, list[str]]:
        """The rulings that cite a case as evidence, by the name of the case."""
        found: dict[str, list[str]] = {}
        for ruling in self.rulings.values():
            for name in ruling.evidence:
                found.setdefault(name, []).append(ruling.id)
        return found


def plain_foundation(foundation: Foundation) -> Plain:
    """The foundation of a corpus without problems."""
    return (
        (dict(foundation.schemas.values), dict(foundation.schemas.texts)),
        [_plain_operation(operation) for operation in foundation.operations.values()],
        [_members(one, _REQUIREMENT) for one in foundation.requirements.values()],
        [_plain_ruling(one) for one in foundation.rulings.values()],
        {
            system: (
                list(known.requirements.found),
                list(known.rulings.found),
                [(one.name, one.digest, Plainer().json(one.value)) for one in known.fixtures.found.values()],
                [tuple(trap) for trap in known.traps],
            )
            for system, known in foundation.known.items()
        },
        [(one.place, one.ruling, one.case) for one in foundation.cited],
    )


def read_foundation(plain: Plain) -> Foundation:
    """The foundation that `plain_foundation` converted."""
    (values, texts), operations, requirements, rulings, known, cited = plain
    by_operation = {one.name: one for one in map(_read_operation, operations)}
    by_requirement = {one[0]: Requirement(**dict(zip(_REQUIREMENT, one, strict=True))) for one in requirements}
    by_ruling = {one[0]: _read_ruling(one) for one in rulings}
    return Foundation(
        schemas=Schemas(values, texts),
        operations=by_operation,
        requirements=by_requirement,
        rulings=by_ruling,
        known={
            system: CorpusNames(
                operations=NameTable(by_operation),
                requirements=NameTable({name: by_requirement[name] for name in in_requirements}),
                rulings=NameTable({name: by_ruling[name] for name in in_rulings}),
                fixtures=NameTable({name: Fixture(name, digest, value) for name, digest, value in fixtures}),
                missing=MissingReferences(),
                traps=tuple(map(Trap._make, traps)),
            )
            for system, (in_requirements, in_rulings, fixtures, traps) in known.items()
        },
        cited=tuple(Cited(*one) for one in cited),
    )


def plain_cases(cases: Iterable[Case]) -> StoredCases:
    """The cases of one suite as bytes, so that each part is read on demand."""
    heads: list[Plain] = []
    rests: list[Plain] = []
    plainer = Plainer()
    for case in cases:
        heads.append(
            (
                case.name,
                case.at,
                case.operation,
                case.requirements,
                case.origin,
                case.revision,
                case.tags,
                case.ruling,
                case.environment,
                tuple(fixture.name for fixture in case.fixtures),
            )
        )
        rests.append(
            (
                plainer.json(case.request),
                plainer.json(case.recorded_request),
                plainer.response(case.expected),
                case.negative,
                case.note,
                case.evidence,
                case.adopted,
                {reading: plainer.response(response) for reading, response in case.readings.items()},
                case.request_text,
                case.expected_text,
            )
        )
    return len(heads), marshal.dumps(heads), marshal.dumps(rests)


def stored_rows(content: bytes) -> list[Plain]:
    """The heads or the rests that `plain_cases` converted; the reader of the file verified its checksum."""
    rows: list[Plain] = marshal.loads(content)
    return rows


def read_case(head: CaseHead, row: Plain) -> Case:
    """The case of this head; `row` is its rest."""
    request, recorded_request, expected, negative, note, evidence, *rest = row
    adopted, readings, request_text, expected_text = rest
    return Case(
        name=head.name,
        suite=head.suite,
        at=head.at,
        system=head.system,
        operation=head.operation,
        request=request,
        recorded_request=recorded_request,
        expected=_read_response(expected),
        requirements=head.requirements,
        origin=head.origin,
        revision=head.revision,
        negative=negative,
        tags=head.tags,
        note=note,
        evidence=evidence,
        environment=head.environment,
        ruling=head.ruling,
        adopted=adopted,
        readings={reading: _read_response(one) for reading, one in readings.items()},
        cited_by_rulings=head.cited_by_rulings,
        fixtures=head.fixtures,
        request_text=request_text,
        expected_text=expected_text,
    )


@dataclass(slots=True)
class Plainer:
    """Converter of JSON values into plain lists and mappings. A value that occurs twice stays one object."""

    _done: dict[int, Any] = field(default_factory=dict)

    def json(self, value: Json) -> Any:
        """The same value without lines. The caller keeps `value` alive as long as this converter."""
        if not isinstance(value, list | dict):
            return value
        if id(value) not in self._done:
            self._done[id(value)] = (
                [self.json(item) for item in value]
                if isinstance(value, list)
                else {intern(key): self.json(item) for key, item in value.items()}
            )
        return self._done[id(value)]

    def response(self, response: Response) -> Plain:
        """An expected response of a case."""
        if isinstance(response, Answered):
            return (self.json(response.value), response.free, response.contains)
        return (response.type,)


def _read_response(plain: Plain) -> Response:
    return Raised(*plain) if len(plain) == 1 else Answered(*plain)


def _members(value: object, names: Iterable[str]) -> Plain:
    return tuple(getattr(value, name) for name in names)


def _optional(read: Callable[..., Any], plain: Plain | None) -> Any:
    return None if plain is None else read(*plain)


def _plain_ruling(ruling: Ruling) -> Plain:
    documented = ruling.documented
    members = {name: getattr(ruling, name) for name in _RULING}
    members["readings"] = dict(ruling.readings)
    members["documented"] = documented and (documented.where, documented.says)
    return tuple(members.values())


def _read_ruling(plain: Plain) -> Ruling:
    members = dict(zip(_RULING, plain, strict=True))
    members["documented"] = _optional(Documented, members["documented"])
    return Ruling(**members)


def _plain_operation(operation: Operation) -> Plain:
    return (
        operation.name,
        operation.system,
        _plain_rules(operation.rules),
        operation.stages,
        operation.error_types,
        dict(operation.places),
    )


def _read_operation(plain: Plain) -> Operation:
    name, system, rules, *rest = plain
    return Operation(name, system, _read_rules(rules), *rest)


def _plain_rules(rules: Rules) -> Plain | None:
    """The rules of a place; None for a place without annotations."""
    if rules == EXACT:
        return None
    return (
        rules.tolerance and (rules.tolerance.absolute, rules.tolerance.ulps),
        rules.unordered,
        rules.ignored,
        rules.if_expected,
        rules.engine,
        {name: _plain_rules(below) for name, below in rules.properties.items()},
        None if rules.items is None else (_plain_rules(rules.items),),
    )


def _read_rules(plain: Plain | None) -> Rules:
    if plain is None:
        return EXACT
    tolerance, unordered, ignored, if_expected, engine, properties, items = plain
    return Rules(
        _optional(Tolerance, tolerance),
        unordered,
        ignored,
        if_expected,
        engine,
        {name: _read_rules(below) for name, below in properties.items()},
        _optional(_read_rules, items),
    )
