"""What failures of the SDKs charge, judged one by one."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from harness.api import load_corpus
from harness.compare.charged import charged_requirements
from harness.corpus.paths import shipped
from harness.gate.known_reader import files_in, load_known
from harness.model import ABSENT, Answered, Choice, Difference, Failed, Result
from harness.plan.run_plan import explanations_of

JUDGED = Path(__file__).with_name("judged_charges.txt").read_text("ascii").splitlines()
"""A line has an SDK, a case, the causes of its failure joined by `+`, the first differing place, and the sentences that
somebody who read the case, the text and the answer found to be broken."""


def _choice(causes: str, listed: frozenset[str]) -> Choice:
    names = causes.split("+")
    readings = [tuple(name.split("=")) for name in names if "=" in name]
    deviations = tuple(name for name in names if "=" not in name and name not in listed)
    return Choice(
        tuple((ruling, reading) for ruling, reading in readings), deviations, "".join(set(names).intersection(listed))
    )


@pytest.mark.parametrize("line", [pytest.param(line, id=line.split()[1]) for line in JUDGED])
def test_a_failure_charges_the_sentence_that_it_breaks(line: str) -> None:
    """The judgement of a reader and the rule give the same requirements."""
    sdk, name, causes, place, *judged = line.split()
    checked = load_corpus(select=[f"jeffs_brain/{name}"])
    [case] = checked.cases
    known = load_known(shipped() / "adapters" / sdk / "known-divergences.yaml")
    listed = frozenset(known.listed_causes.values())
    found = (Difference(place, 1, ABSENT),)
    shown = charged_requirements(case.demands, found, checked.corpus.operations[case.operation])
    outcome = Failed(Answered({}), found, "0" * 12, charged=shown, explained_by=_choice(causes, listed))
    settled = explanations_of(checked.corpus, {sdk: known}, warnings.warn).settled(Result(case, sdk, outcome)).outcome
    assert isinstance(settled, Failed)
    assert (sorted(settled.charged), settled.by_cause) == (sorted(judged), True)


def test_every_cause_of_a_shipped_file_names_what_it_breaks() -> None:
    """The requirements exist and demand something, and each listed answer has a named cause."""
    requirements = load_corpus().corpus.requirements
    for path in [path for folder in (shipped() / "adapters").iterdir() for path in files_in(folder)]:
        for entry in load_known(path).divergences:
            assert entry.cause, entry.reason
            assert entry.requirements, entry.cause
            assert not [id_ for id_ in entry.requirements if requirements[id_].is_fact], entry.cause
