"""Known-divergence files: the problems of a broken file, the entries of the shipped files, and names for many cases."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from commands import ROOT, Parity, parity
from made_known import CORPUS, OPERATION_OF, TODAY, found, gate_input, reasons, unsupported, without

from harness.corpus.paths import shipped
from harness.errors import CorpusError, Problem
from harness.gate.findings import Declared, findings, path_findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames, ListedReading
from harness.gate.known_reader import FILE_NAME, load_known
from harness.gate.known_writer import digest_of, save_known
from harness.gate.readings import requirement_problems
from harness.gate.update import merged, with_unobservable
from harness.model import Cause, Choice, Requirement, Status, replace

SHIPPED = ROOT / "adapters" / "ts" / FILE_NAME

BROKEN = {
    "no-mapping": ("- one\n", 1, "not-a-mapping"),
    "unknown-key": ("divergence: []\n", 1, "unknown-key"),
    "blank-reason": ("divergences:\n  - reason: ' '\n    cases: {a/b: \"111111111111\"}\n", 2, "blank-reason"),
    "blank-reason-of-an-operation": ('unsupported:\n- {names: [a.b], reason: "\\t"}\n', 2, "blank-reason"),
    "todo-behind-a-blank": ("unsupported:\n- {names: [a.b], reason: ' TODO'}\n", 2, "unwritten-reason"),
    "no-cases": ("divergences:\n  - reason: r\n    cases:\n", 3, "no-cases"),
    "no-cases-at-all": ("divergences:\n  - reason: r\n", 2, "no-cases"),
    "todo": (
        'divergences:\n  - reason: todo later\n    cases: {echo/said/word: "111111111111"}\n',
        2,
        "unwritten-reason",
    ),
    "todo-unsupported": ("unsupported:\n- {names: [a.b], reason: TODO}\n", 2, "unwritten-reason"),
    "number-for-a-signature": (
        "divergences:\n  - reason: r\n    cases:\n      a/b: 111111111111\n",
        4,
        "bad-signature",
    ),
    "no-signature": ("divergences:\n  - reason: r\n    cases:\n      a/b: []\n", 4, "bad-signature"),
    "no-date": (
        'divergences:\n  - reason: r\n    expires: 20261121\n    cases: {a/b: "111111111111"}\n',
        3,
        "not-a-text",
    ),
    "wrong-date": (
        'divergences:\n  - reason: r\n    expires: 2026-13-01\n    cases: {a/b: "111111111111"}\n',
        3,
        "not-a-date",
    ),
    "twice": (
        'divergences:\n  - reason: r\n    cases: {a/b: "111111111111"}\nunsupported:\n- reason: r\n  names: [a/b]\n',
        6,
        "duplicate-name",
    ),
    "a-mapping-of-names": ("unsupported:\n  echo.say: It is mute.\n", 1, "not-a-list"),
    "no-names": ("unsupported:\n- reason: r\n  names: []\n", 3, "no-names"),
    "no-names-at-all": ("unsupported:\n- reason: r\n", 2, "no-names"),
    "names-of-another-kind": ("unsupported:\n- {reason: r, names: a.b}\n", 2, "not-a-list"),
    "half-a-document": (
        'divergences:\n- reason: r\n  documented: {where: spec/README}\n  cases: {a/b: "111111111111"}\n',
        3,
        "missing-key",
    ),
    "model-twice": (
        "divergences:\n- {reason: r, model: deaf}\n- {reason: s, model: deaf}\n",
        3,
        "duplicate-name",
    ),
    "model-of-another-kind": (
        'divergences:\n- {reason: r, model: [deaf], cases: {a/b: "111111111111"}}\n',
        2,
        "not-a-text",
    ),
    "name-twice": (
        'divergences:\n- {reason: r, name: lame, cases: {a/b: "111111111111"}}\n'
        '- {reason: s, name: lame, cases: {a/c: "111111111111"}}\n',
        3,
        "duplicate-name",
    ),
    "name-of-a-reading": ('divergences:\n- {reason: r, name: RUL-1=b, cases: {a/b: "111111111111"}}\n', 2, "bad-name"),
    "blank-name": ('divergences:\n- {reason: r, name: " ", cases: {a/b: "111111111111"}}\n', 2, "bad-name"),
    "name-beside-a-model": ("divergences:\n- {reason: r, name: lame, model: deaf}\n", 2, "name-beside-model"),
    "requirements-of-no-cause": (
        'divergences:\n- {reason: r, requirements: [A-1], cases: {a/b: "111111111111"}}\n',
        2,
        "requirements-without-cause",
    ),
    "todo-with-a-model": ("divergences:\n- {reason: TODO, model: deaf}\n", 2, "unwritten-reason"),
    "follows-of-another-kind": ("follows: [RUL-1]\n", 1, "not-a-mapping"),
    "reading-of-another-kind": ("follows:\n  RUL-1: [b]\n", 2, "not-a-text"),
    **{f"versions-{text}": (f"versions: '{text}'\n", 1, "bad-versions") for text in ("newest", "1.0", ">=x")},
    "reading-without-cases": ("readings:\n- {ruling: RUL-1, reading: b}\n", 2, "no-names"),
}

SENTENCES = {
    "versions-1.0": 'versions is 1.0, which is no list of version specifiers.\n  Write a text such as ">=0.2,<0.3".',
    "blank-reason": "reason is blank.\n  Write one sentence that gives the reason.",
    "todo": "The reason still begins with TODO.\n  Write one sentence that gives the reason.",
    "no-cases": "The entry explains no case.\n  List its cases below `cases:`, name a `model:`, or delete the whole entry.",
    "no-signature": "a/b has no signature of 12 hex digits.\n  Copy the signature that the gate printed, in quotes.",
    "wrong-date": "expires is 2026-13-01, not a date.\n  Write YYYY-MM-DD.",
    "twice": "known.yaml:3.\n  Keep one of the two lines.",
    "a-mapping-of-names": "unsupported is a mapping, not a list.\n  Write `- reason: …` below it.",
    "no-names": "The entry has no names.\n  Write `names: [one, two]`, or delete the whole entry.",
}


def problems_of(folder: Path, name: str) -> tuple[Problem, ...]:
    file = folder / "known.yaml"
    file.write_text(BROKEN[name][0], "utf-8")
    with pytest.raises(CorpusError) as caught:
        load_known(file)
    return caught.value.problems


@pytest.mark.parametrize("name", BROKEN)
def test_a_mistake_has_a_place_and_a_code(tmp_path: Path, name: str) -> None:
    """A mistake in the file gives one problem with its line and its code."""
    _, line, code = BROKEN[name]
    assert [(problem.place, problem.code) for problem in problems_of(tmp_path, name)] == [
        (f"{tmp_path / 'known.yaml'}:{line}", code)
    ]


def test_an_entry_without_a_reason_and_cases_has_two_problems(tmp_path: Path) -> None:
    """A missing reason and an empty list of cases are both reported."""
    file = tmp_path / "known.yaml"
    file.write_text("divergences:\n  - cases: {}\n", "utf-8")
    with pytest.raises(CorpusError) as caught:
        load_known(file)
    assert {problem.code for problem in caught.value.problems} == {"missing-key", "no-cases"}


@pytest.mark.parametrize("name", SENTENCES)
def test_each_sentence_ends_with_the_remedy(tmp_path: Path, name: str) -> None:
    """The sentence and the remedy of each kind of mistake."""
    (problem,) = problems_of(tmp_path, name)
    assert str(problem).endswith(SENTENCES[name])


MODELS = """\
versions: ">=1,<2"
follows:
  RUL-1: b
divergences:
- reason: It hears nothing.
  model: deaf
  place: src/ear.ts:7
- reason: It reads another way.
  model: RUL-9=b
  cases:
    a/b: "111111111111"
readings: []
"""


def test_followed_readings_and_models_are_read_and_written(tmp_path: Path) -> None:
    """An entry with a model needs no cases; a file that is written again has the same content."""
    file = tmp_path / "known.yaml"
    file.write_text(MODELS, "utf-8")
    known = load_known(file)
    assert known.model == Choice((("RUL-1", "b"), ("RUL-9", "b")), ("deaf",))
    assert known.causes == (
        Cause("deaf", "It hears nothing.", "src/ear.ts:7"),
        Cause("RUL-9=b", "It reads another way."),
    )
    assert (known.place("deaf"), known.entry_place(known.divergences[0])) == (f"{file}:5", f"{file}:5-7")
    again = tmp_path / "again.yaml"
    save_known(again, known)
    assert load_known(again).divergences == known.divergences
    assert (load_known(again).versions, known.holds_for("1.5"), known.holds_for("2.0")) == (">=1,<2", True, False)
    assert (load_known(again).follows, digest_of(load_known(again))) == (known.follows, digest_of(known))


def test_a_heading_without_entries_is_no_mistake(tmp_path: Path) -> None:
    """The last line below a heading can be deleted."""
    file = tmp_path / "known.yaml"
    file.write_text("divergences:\nunsupported:\n", "utf-8")
    assert (load_known(file).divergences, load_known(file).unsupported) == ((), ())


def test_a_followed_reading_a_model_and_a_place_change_the_digest(tmp_path: Path) -> None:
    """Two files with different models are different files."""
    digests = set()
    for number, (old, new) in enumerate((("", ""), ("RUL-1: b", "RUL-1: c"), ("deaf", "mute"), ("ts:7", "ts:8"))):
        file = tmp_path / f"{number}.yaml"
        file.write_text(MODELS.replace(old, new) if old else MODELS, "utf-8")
        digests.add(digest_of(load_known(file)))
    assert len(digests) == 4


def test_shipped_entries_have_a_date_and_a_reason() -> None:
    """Each entry of a shipped file has a reason that is a sentence, and the date since when it is known."""
    for path in (shipped() / "adapters").glob(f"*/{FILE_NAME}"):
        known = load_known(path)
        assert known.divergences
        for one in known.divergences:
            assert one.since
            assert one.reason.endswith(".")
        assert all(one.reason.endswith(".") for one in known.unsupported)


def test_a_reading_that_varies_is_read_and_written(tmp_path: Path) -> None:
    """The member `flaky` of a reading stays in a file that is written again, and is part of its digest."""
    entry = "readings:\n- ruling: RUL-1\n  reading: b\n  flaky: true\n  cases: [a/b]\n"
    file, again, plain = (tmp_path / f"{name}.yaml" for name in ("known", "again", "plain"))
    file.write_text(MODELS.replace("readings: []\n", entry), "utf-8")
    plain.write_text(MODELS.replace("readings: []\n", entry.replace("  flaky: true\n", "")), "utf-8")
    known = load_known(file)
    assert known.readings == (ListedReading(ruling="RUL-1", reading="b", cases=("a/b",), flaky=True),)
    save_known(again, known)
    assert load_known(again).readings == known.readings
    assert digest_of(known) == digest_of(load_known(again)) != digest_of(load_known(plain))


# Shipped files


@pytest.mark.slow
def test_stale_lines_of_the_shipped_file(run_parity: Parity, here: Path) -> None:
    """Outside the checkout the text deletes no line of the shipped file, and ends with two commands that write a copy and
    use it. Who works in the checkout may edit the file."""
    names = (name for one in load_known(SHIPPED).unsupported for name in one.names)
    case = next(name for name in names if "/" in name and "*" not in name)
    words = ["gate", "--adapter", "reference", "--known", SHIPPED, "--select", case]
    done = run_parity(*words)
    assert done.returncode == 1
    line = done.stdout.splitlines()[2]
    assert line.startswith("1 line of the shipped file: the implementation answers what the file lists as")
    lead, update, again = done.stdout.partition("Or delete these lines in")[2].splitlines()[:3]
    assert lead.startswith(f" a copy of the shipped file {SHIPPED}, which stays as it is.")
    assert ("Delete" in done.stdout, done.stdout.count("--fix-known")) == (False, 1)
    assert done.stdout.splitlines()[-3] == f"known-divergence file: {SHIPPED} (shipped with parity)"
    for command in (update, again):
        assert shlex.split(command)[0] == "parity"
        assert run_parity(*shlex.split(command)[1:]).returncode == 0
    assert (here / "known-divergences.yaml").exists()
    shown = SHIPPED.relative_to(ROOT)
    done = parity(*words, "--record", here / "r.jsonl", folder=ROOT)
    assert done.stdout.splitlines()[2].startswith("Delete ")
    assert f"file: {shown} (shipped with parity)\n" in done.stdout
    assert f"\nOr delete these lines in the file {shown} with this command:\n" in done.stdout


@pytest.mark.slow
def test_the_reference_has_nothing_to_explain(run_parity: Parity) -> None:
    """The reference passes a gate without a file over a system of its own."""
    assert run_parity("gate", "--adapter", "reference", "--system", "nexus").returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="node or npm is not on PATH")
def test_the_shipped_file_explains_the_published_typescript_sdk(run_parity: Parity) -> None:
    """Every failure of the published TypeScript SDK is explained by the shipped file, and every line of it holds. `explain`
    shows the reason and the note that the file gives for a failure."""
    done = run_parity("gate", "--adapter", "ts", timeout=300)
    if done.returncode == 3:
        pytest.skip(f"the SDK cannot be installed here: {done.stdout.splitlines()[0]}")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (0, "gate: green"), done.stdout
    case = "jeffs_brain/temporal/not_expanded/today-and-yesterday.today"
    done = run_parity("explain", case, "--adapter", "ts", timeout=300)
    section = done.stdout.partition("\nknown divergences\n")[2].partition("\n\n")[0]
    assert section.startswith("  ts: today and yesterday are expanded")
    assert "describes recognisers for today, yesterday and last week" in " ".join(section.split())


def test_the_cases_that_vary_are_listed() -> None:
    """An entry with `flaky` gives its cases with their signatures, a reading with `flaky` the disputed cases it holds."""
    file = KnownDivergences(
        divergences=(
            Divergence(reason="A map.", cases={"s/said/a": ("1", "2")}, flaky=True),
            Divergence(reason="It mumbles.", cases={"s/said/b": ("3",)}),
        ),
        readings=(
            ListedReading(ruling="R", reading="b", cases=("s/sung/*",), flaky=True),
            ListedReading(ruling="R", reading="c", cases=("s/heard/*",)),
        ),
    )
    ruling_of = {"s/sung/a": "R", "s/sung/b": "OTHER", "s/heard/a": "R"}
    assert file.flaky_cases(ruling_of) == {"s/said/a": ("1", "2"), "s/sung/a": ()}


def test_an_unobservable_path_is_new_or_stale() -> None:
    """A path without a line is new; a line of a path that is declared no more, or of no operation, is found at its place."""
    names = ("echo.say/notes", "echo.hum/notes")
    listed = ListedNames(reason="It hums.", names=names)
    file = KnownDivergences(unobservable=(listed,), lines=dict.fromkeys(names, 2), shown="known.yaml")
    paths = path_findings(file, ["echo.say/text", "echo.say/notes"], ["echo.say/notes"])
    assert [(one.status, one.name, one.place, one.is_path) for one in paths] == [
        (Status.NEW, "echo.say/text", "", True),
        (Status.STALE, "echo.say/notes", "known.yaml:2", True),
    ]
    assert found(file) == [(Status.UNMATCHED, "echo.hum/notes", "known.yaml:2")]


SUNG = {f"s/sung/{table}.{row}": f"echo.{table}" for table in ("high", "low") for row in "12"}

ALL = {**OPERATION_OF, **SUNG}
"""A corpus whose suite `s/sung` has two tables, each of an operation of its own."""


def entries(file: KnownDivergences) -> list[tuple[str, ...]]:
    return [one.names for one in file.unsupported]


@pytest.mark.parametrize(
    ("missing", "names"),
    [
        ([*ALL], [("echo.*",)]),
        ([*SUNG], [("echo.high", "echo.low")]),
        (["s/sung/high.1", "s/sung/low.1", "s/sung/low.2"], [("echo.low", "s/sung/high.1")]),
    ],
)
def test_few_names_for_many_cases(missing: list[str], names: list[tuple[str, ...]]) -> None:
    """One reason takes the widest names that mean no other case of the corpus."""
    results = [unsupported(case) if case in missing else gate_input(case) for case in ALL]
    results = [replace(result, operation=ALL[result.case]) for result in results]
    file = merged(KnownDivergences(), results, Declared(ALL))
    assert entries(file) == names
    assert findings(file, results, Declared(ALL), TODAY) == []


def test_a_suite_of_one_operation_is_a_glob_over_cases() -> None:
    """Cases of an operation that is answered elsewhere are named by their table or suite."""
    corpus = {**dict.fromkeys(SUNG, "echo.say"), "s/said/a": "echo.say"}
    results = [*(unsupported(case, case.split("/")[2][:3]) for case in SUNG), gate_input("s/said/a")]
    assert entries(merged(KnownDivergences(), results, Declared(corpus))) == [("s/sung/high.*",), ("s/sung/low.*",)]
    alike = [*(unsupported(case, "no") for case in SUNG), gate_input("s/said/a")]
    assert entries(merged(KnownDivergences(), alike, Declared(corpus))) == [("s/sung/*",)]


def test_a_glob_is_stale_once_one_of_its_cases_is_answered() -> None:
    """A glob means all its cases; the update then lists the others under the same reason."""
    file = without("s/shouted/*")
    results = [gate_input("s/shouted/a"), unsupported("s/shouted/b")]
    assert found(file, *results) == [(Status.STALE, "s/shouted/*", "known.yaml:3")]
    assert reasons(merged(file, results, CORPUS)) == {"s/shouted/b": "mute"}
    assert found(without("s/sighed/*")) == [(Status.UNMATCHED, "s/sighed/*", "known.yaml:3")]
    assert found(without("echo.sh*"), unsupported("s/shouted/a")) == []


def test_an_update_writes_and_deletes_unobservable_paths() -> None:
    """A new path gets a TODO, a listed one keeps its reason, and one that is gone goes with its entry."""
    hums = ListedNames(reason="It hums.", names=("echo.say/notes",))
    waiting = ListedNames(reason="TODO", names=("echo.say/text",))
    file = KnownDivergences(unobservable=(hums,))
    assert with_unobservable(file, ["echo.say/text"], ()).unobservable == (hums, waiting)
    assert with_unobservable(file, (), {"echo.say/notes"}).unobservable == ()


def test_a_cause_breaks_only_what_demands_something() -> None:
    """A fact is a problem at the line of the cause, and an unknown requirement is unmatched there."""
    divergence = Divergence(reason="r", model="deaf", requirements=("ECHO-1", "ECHO-2", "ECHO-9"))
    known = KnownDivergences(divergences=(divergence,), lines={"deaf": 3}, shown="known.yaml")
    levels = {"ECHO-1": "MUST", "ECHO-2": "fact"}
    requirements = {
        id_: Requirement(id=id_, level=level, document="d", section="s", statement="S.", revision="1.0")
        for id_, level in levels.items()
    }
    charged = [(problem.place, problem.code) for problem in requirement_problems(known, requirements)]
    assert charged == [("known.yaml:3", "fact-as-requirement")]
    declared = Declared({}, alternatives={"deaf"}, requirements=requirements)
    unmatched = [(finding.name, finding.place) for finding in findings(known, (), declared, TODAY)]
    assert unmatched == [("ECHO-9", "known.yaml:3")]
