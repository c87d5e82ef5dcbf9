"""SARIF: what keeps a gate from green, at lines that the SDK's repository has, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from made_records import HOSTILE, entry, everything, explained, failing, record, result, with_metadata

from harness.model import (
    Cause,
    ChangedFile,
    Choice,
    GateFile,
    RunRecord,
    SdkState,
    Status,
    Verdict,
    replace,
)
from harness.report.ci import sarif
from harness.report.run_summary import summarise
from harness.report.terminal import first_screen

PLACE = "src/ear.go#Hear@0123456789ab/31"
DEAF = Cause("deaf", "It does not listen.", PLACE, line=12)
SDK = SdkState("0" * 64, "c" * 40, manifest="sdks/go/go.mod")
CHANGED = replace(
    SDK,
    changes=(ChangedFile("sdks/go/src/ear.go", ((3, 4),)), ChangedFile("sdks/go/src/mouth.go", ((7, 7), (9, 20)))),
    reached={"song.sing": ("sdks/go/src/mouth.go",)},
)
FILE = GateFile(digest="d", unmatched=(), without_reason=0, path="ci/known.yaml")


def sarif_run(made: RunRecord, number: int = 0) -> Any:
    return json.loads("".join(sarif.stream(summarise(made))))["runs"][number]


def lines(made: RunRecord) -> list[tuple[str, str, int]]:
    """Each result: its rule, and where it lies."""
    found = []
    for alert in sarif_run(made)["results"]:
        assert "relatedLocations" not in alert
        (where,) = alert["locations"]
        place = where["physicalLocation"]
        found.append((alert["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"]))
    return found


def notes(made: RunRecord) -> list[str]:
    (invocation,) = sarif_run(made)["invocations"]
    return [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]


def of(*results: Any, gate: GateFile | None = FILE, sdk: SdkState | None = CHANGED, **more: Any) -> RunRecord:
    implementation = replace(entry("bass"), causes=(DEAF,), sdk=sdk, **more)
    return with_metadata(record(*results), gate=gate, implementations=(implementation,))


def deaf(case: str = "choir/verse/first", **more: Any) -> Any:
    return explained(failing(case, "bass", **more), Choice((), ("deaf",)))


def test_a_green_gate_has_no_result() -> None:
    """GitHub shows a suppressed result as an open alert, so a known failure is none."""
    made = of(deaf(expectation=(Status.KNOWN, "It does not listen.")), result("choir/verse/second", "bass"))
    assert (lines(made), notes(made), sarif_run(made)["tool"]["driver"]["rules"]) == ([], [], [])


def test_a_new_failure_lies_in_the_change() -> None:
    """At its cause if the change touched that file, else at the first changed line of the file that its operation reaches;
    a failure of an operation that reaches none lies nowhere, and no result has it."""
    assert lines(of(deaf())) == [("SONG-01", "sdks/go/src/ear.go", 12)]
    assert lines(of(failing("choir/verse/second", "bass"))) == [("SONG-01", "sdks/go/src/mouth.go", 7)]
    untouched = replace(CHANGED, changes=CHANGED.changes[1:])
    assert lines(of(deaf(), sdk=untouched)) == [("SONG-01", "sdks/go/src/mouth.go", 7)]
    made = of(failing("choir/verse/second", "bass", operation="song.hum"))
    assert (lines(made), notes(made)) == ([], ['choir/verse/second: $.tune wanted "fa" got "so"'])


def test_a_place_that_is_gone_or_has_no_repository_is_no_location() -> None:
    """The line of a cause that the copy does not have, a release, and a working copy outside a repository."""
    gone = (replace(DEAF, line=0),)
    implementation = replace(entry("bass"), causes=gone, sdk=replace(CHANGED, reached={}))
    made = with_metadata(record(deaf()), gate=FILE, implementations=(implementation,))
    assert lines(made) == []
    for sdk in (None, replace(SDK, revision="")):
        assert lines(of(deaf(), gate=None, sdk=sdk)) == []


def test_a_run_without_a_gate_has_every_failure() -> None:
    """At the place of its cause, changed or not, below the SDK's folder in its repository."""
    made = of(deaf(), failing("choir/verse/second", "bass"), gate=None, sdk=SDK)
    assert lines(made) == [("SONG-01", "sdks/go/src/ear.go", 12)]
    assert notes(made) == ['choir/verse/second: $.tune wanted "fa" got "so"']


def test_failures_of_one_rule_at_one_line_are_one_result() -> None:
    """Its text has the first case and the number of the others."""
    (alert,) = sarif_run(of(deaf(), deaf("choir/verse/second"), deaf("choir/verse/third")))["results"]
    assert alert["message"]["text"] == (
        'choir/verse/first: $.tune wanted "fa" got "so"; known cause: deaf; and 2 more cases'
    )
    assert (alert["occurrenceCount"], alert["level"]) == (3, "error")


def test_a_group_that_can_follow_from_another_lies_where_that_one_lies() -> None:
    """The file that its own operation reaches first is further from the cause."""
    schema = {"song.hum": ("src/ear.go",), "song.sing": ("src/mouth.go",)}
    reached = {name: tuple(f"sdks/go/{file}" for file in files) for name, files in schema.items()}
    cause, effect = failing("choir/verse/first", "bass"), failing("choir/verse/second", "bass", operation="song.hum")
    made = of(cause, effect, sdk=replace(CHANGED, reached=reached))
    assert lines(made) == [("SONG-01", "sdks/go/src/mouth.go", 7), ("SONG-01", "sdks/go/src/ear.go", 3)]
    made = with_metadata(made, uses={"song.hum": ("song.sing",)})
    assert lines(made) == [("SONG-01", "sdks/go/src/mouth.go", 7)] * 2
    texts = [alert["message"]["text"] for alert in sarif_run(made)["results"]]
    assert texts[1].endswith("; this can follow from the 1 failure of song.sing")


def test_findings_about_the_file_lie_in_the_file() -> None:
    """A stale line, a name that the corpus does not have, and a path that is declared no more; a red gate with these alone
    has results. Where the repository does not have the file, a stale line lies in the change that made it stale."""
    file = replace(FILE, unmatched=("gone",), places={"gone": "/x/known.yaml:3", "song.sing/tune": "/x/known.yaml:9"})
    stale = result(
        "choir/verse/first", "bass", expectation=(Status.STALE, "the case passes now", None, "/x/known.yaml:5")
    )
    made = of(stale, gate=file, known_unobservable=("song.sing/tune",))
    assert lines(made) == [
        ("parity/stale", "ci/known.yaml", 5),
        ("parity/unmatched", "ci/known.yaml", 3),
        ("parity/stale", "ci/known.yaml", 9),
    ]
    assert lines(of(stale, gate=replace(FILE, path=""))) == [("parity/stale", "sdks/go/src/mouth.go", 7)]


def test_what_else_keeps_a_gate_from_green() -> None:
    """A new unsupported case, another reading, an expired entry, a flaky failure as a warning, and an unobservable path as a
    notification; nothing of what is new in the corpus."""
    unsupported = result(
        "choir/verse/first",
        "bass",
        Verdict.UNSUPPORTED,
        reason="no voice",
        expectation=(Status.NEW, "unsupported-not-listed"),
    )
    expired = failing("choir/verse/second", "bass", expectation=(Status.EXPIRED, "It cannot sing."))
    flaky = failing("choir/verse/third", "bass", expectation=(Status.FLAKY, ""))
    identity = entry("bass").identity
    assert identity
    identity = replace(identity, unobservable={"song.sing": ("/tune",)})
    hidden = result("choir/verse/fourth", "bass", unobserved=1)
    reading = result(
        "choir/verse/fifth",
        "bass",
        Verdict.VARIANT,
        ruling="RUL-1",
        reading="b",
        expectation=(Status.READING, "a before"),
    )
    new_in_corpus = failing("choir/verse/sixth", "bass", expectation=(Status.NEW_IN_CORPUS, "not-listed"))
    made = of(unsupported, expired, flaky, hidden, reading, new_in_corpus, identity=identity)
    assert [(alert["ruleId"], alert["level"]) for alert in sarif_run(made)["results"]] == [
        ("parity/unsupported", "error"),
        ("parity/reading", "error"),
        ("SONG-01", "error"),
        ("SONG-01", "warning"),
    ]
    texts = [alert["message"]["text"] for alert in sarif_run(made)["results"]]
    assert texts[0].startswith("choir/verse/first: ") and "no voice" in texts[0]
    assert texts[1] == "choir/verse/fifth: a before"
    assert texts[2].endswith("; the entry in the known-divergence file has expired: It cannot sing.")
    assert notes(made) == ["song.sing/tune: The known-divergence file does not list this unobservable path."]


def test_rules_have_help() -> None:
    """The statement, what to do, and the command that explains an example, as text and as Markdown."""
    (rule,) = sarif_run(of(deaf()))["tool"]["driver"]["rules"]
    assert rule["shortDescription"] == rule["fullDescription"] == {"text": "A song is sung to its end."}
    assert rule["help"]["text"].splitlines() == [
        "A song is sung to its end.",
        "Correct the SDK. If the difference is meant, list it with its reason in the known-divergence file.",
        "parity explain choir/verse/first shows the request, the expected answer and the text behind it.",
    ]
    assert "`parity explain choir/verse/first`" in rule["help"]["markdown"]


def test_the_rule_is_the_requirement_that_the_screen_names() -> None:
    """Of several charged requirements both name the one of which most cases fail, whatever the order in the case."""
    made = of(
        failing("choir/verse/first", "bass", requirements=("SONG-01", "SONG-02")),
        failing("choir/verse/second", "bass", requirements=("SONG-02",)),
        result("choir/verse/third", "bass", requirements=("SONG-01",)),
    )
    assert [rule for rule, *_ in lines(made)] == ["SONG-02"]
    screen = first_screen.render(summarise(made), color=False)
    assert ("SONG-02  A song has a tune." in screen, "SONG-01  A song" in screen) == (True, False)


def test_hostile_texts_are_escaped() -> None:
    """No control character of an implementation reaches the document."""
    text = "".join(sarif.stream(summarise(everything())))
    shown = json.dumps([*strings(json.loads(text))], ensure_ascii=False)
    assert not [c for c in shown if not c.isprintable()], HOSTILE


def strings(value: Any) -> Any:
    """Every text of a document, without the line feeds that lay out a help."""
    if isinstance(value, str):
        yield from value.split("\n")
    elif isinstance(value, dict | list):
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from strings(inner)
