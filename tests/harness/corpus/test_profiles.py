"""Profiles of a system: what `profiles.yaml` states, and its problems; and the floors of operations."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.corpus.loader import load_corpus
from harness.corpus.paths import shipped
from harness.corpus.profiles import corpus_profiles, floors_of
from harness.corpus.selection import profiles_of, with_profiles
from harness.errors import CorpusError
from harness.model import Answered, CaseBody, Raised, replace


def test_shipped_profiles() -> None:
    """The profiles of Jeffs Brain share no operation and have all of them; every system has `all`, which is last."""
    corpus = load_corpus(shipped())
    found = corpus_profiles(corpus)
    own = [one for one in found if one.system == "jeffs_brain"]
    assert [one.name for one in own] == ["query-dsl", "temporal", "algorithms", "retrieval", "all"]
    listed = [name for one in own[:-1] for name in one.operations]
    assert sorted(listed) == sorted(own[-1].operations)
    assert {one.system for one in found if one.name == "all"} == {"augur", "jeffs_brain", "nexus", "tideline"}
    assert sum(one.cases for one in found if one.name == "all") == len(corpus.cases)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system: echo\nprofiles:\n  - {name: a, title: A., operations: [echo.sing]}\n", "unknown operation echo.sing"),
        ("system: echo\nprofiles:\n  - {name: all, title: A., operations: [echo.say]}\n", "has all operations"),
        ("system: echo\nprofiles:\n  - {name: A b, title: A., operations: [echo.say]}\n", "does not match"),
        ("system: echo\nprofiles: none\n", "is not of type 'array'"),
        ("system: [\n", "profiles.yaml"),
    ],
    ids=["unknown operation", "all", "name", "no list", "no YAML"],
)
def test_problems(echo_corpus: Path, text: str, message: str) -> None:
    """A mistake in the file is a problem of the corpus with its place."""
    (echo_corpus / "cases/echo/profiles.yaml").write_text(text, "utf-8")
    with pytest.raises(CorpusError, match=message) as raised:
        corpus_profiles(load_corpus(echo_corpus))
    assert {one.place.partition(":")[0] for one in raised.value.problems} == {"cases/echo/profiles.yaml"}


def test_floors(echo_corpus: Path) -> None:
    """The floor is the share of the most frequent expected answer; 1 and 1.0 are one answer, an error is none."""
    case = next(iter(load_corpus(echo_corpus).cases))
    answers: list[Answered | Raised] = [
        Answered({"text": 1}),
        Answered({"text": 1.0}),
        Answered({"text": 2}),
        *[Raised("Refused")] * 4,
    ]
    cases = [replace(case, body=CaseBody(recorded_request={}, expected=answer)) for answer in answers]
    assert floors_of(cases) == {case.operation: 2 / 7}
    assert floors_of([]) == {}
    assert floors_of(cases, 7) == floors_of(cases)
    assert floors_of(cases, 8) == {}


def test_profiles_limit_a_selection() -> None:
    """A profile is a term of each expression; a selection that is limited twice does not change."""
    once = with_profiles(["foo", "bar"], ["p"])
    assert once == ["foo profile:p", "bar profile:p"]
    assert with_profiles(once, ["p"]) == once
    assert with_profiles([], ["p", "q"]) == ["profile:p", "profile:q"]
    assert profiles_of(["profile:p", "foo profile:q"]) == ["p", "q"]
    assert profiles_of(["profile:p", "foo"]) == profiles_of([]) == []
