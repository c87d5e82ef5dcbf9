"""The operations on which switches act."""

from __future__ import annotations

from collections import defaultdict
from inspect import isfunction

import pytest
from reference_answers import OPERATIONS, answer, cases, corpus, differs, reached_in

from harness.model import Case
from reference_impl.decisions import overrides, section_of
from reference_impl.effects import effects, needed
from reference_impl.switches import all_switches

PIPELINE = "retrieval.search"
"""A search runs every section; its cases cite few of their requirements."""


def test_a_decision_is_one_that_a_reading_or_a_model_makes() -> None:
    """A section's class of decisions has no method that nothing overrides: that would be main text."""
    kinds = {kind for switch in all_switches().values() for kind in switch.kinds}
    overridden = {(section_of(kind), name) for kind in kinds for name in overrides(kind)}
    sections = {section_of(kind) for kind in kinds}
    decided = {(section, name) for section in sections for name, value in vars(section).items() if isfunction(value)}
    assert {method for method in decided - overridden if not method[1].startswith("__")} == set()


def test_a_switch_names_operations_that_exist() -> None:
    """Each switch acts on an operation, and each of its globs matches one."""
    empty = {
        switch.name: glob
        for switch in all_switches().values()
        for glob in switch.operations or ("",)
        if not any(type(switch)(switch.name, switch.is_reading, (glob,)).acts_on(name) for name in OPERATIONS)
    }
    assert empty == {}


def test_a_reading_acts_where_its_ruling_holds() -> None:
    """A reading acts on operations of the areas of its ruling's cases: those that cite a requirement of the ruling or are
    disputed under it. A search contains every area.
    """
    by_requirement, by_ruling = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for case in cases():
        by_ruling[case.ruling or ""].add(case.operation)
        for requirement in case.requirements:
            by_requirement[requirement].add(case.operation)
    elsewhere = {}
    for switch in all_switches().values():
        if switch.is_reading:
            ruling = corpus().corpus.rulings[switch.ruling]
            held = by_ruling[ruling.id].union(*(by_requirement[one] for one in ruling.requirements))
            areas = {operation.partition(".")[0] for operation in held}
            acts = {name for name in OPERATIONS if switch.acts_on(name) and name != PIPELINE}
            if wrong := sorted(name for name in acts if name.partition(".")[0] not in areas):
                elsewhere[switch.name] = wrong
    assert elsewhere == {}


@pytest.mark.parametrize(
    ("operation", "request_", "switch"),
    [
        ("temporal.expand", {"question": "last\u0085friday", "questionDate": "\u00852023-10-25"}, "RUL-B143=b"),
        ("retry.sanitise", {"query": "\ufeffalpha\u0085"}, "RUL-B143=c"),
        ("nexus.parseSessionIds", {"sessionIds": "1,\u00852"}, "RUL-B143=b"),
        ("tideline.tokenize", {"text": "\u0130stanbul \u039f\u03a3"}, "RUL-B152=b"),
    ],
)
def test_a_request_of_another_operation_never_reaches_a_switch(
    operation: str, request_: dict[str, object], switch: str
) -> None:
    """Neither the effects of the request nor the switches that it needs name the switch."""

    def perform() -> object:
        return OPERATIONS[operation](request_)

    found = effects(operation, perform)
    assert switch not in found.reached | found.changes.keys()
    assert needed(operation, perform, [switch]) == []


@pytest.mark.slow
def test_every_named_area_is_reached() -> None:
    """Some case of each glob reaches a switch of those that name it, so that no name is left over."""
    reached: dict[str, set[str]] = defaultdict(set)
    for case in cases():
        for ruling, reading in reached_in(case):
            reached[f"{ruling}={reading}" if ruling else reading].add(case.operation)
    named: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for switch in all_switches().values():
        named[switch.operations] |= reached[switch.name]
    assert {operations for operations, found in named.items() if not found} == set()


def test_a_switch_that_is_on_changes_no_other_operation() -> None:
    """The answers of every operation outside the names of a shared switch stay."""
    shared = ["RUL-B152=b"]
    changed: list[Case] = []
    for case in cases()[::7]:
        if not all_switches()[shared[0]].acts_on(case.operation) and differs(case, answer(case), answer(case, shared)):
            changed.append(case)
    assert [case.name for case in changed] == []
