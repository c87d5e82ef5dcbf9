"""A record cut at any byte and resumed any number of times ends with the verdicts of an undisturbed run."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from scripted import (
    OPERATIONS,
    Clock,
    ScriptedChannel,
    ScriptedConnection,
    answer_error,
    behave,
    echo_case,
    steps,
    verdict_of,
)

from harness.corpus.loader import Corpus
from harness.model import RecordedImplementation, Result, RunRecord, tally
from harness.records import Recorder, Unfinished, read_record, read_unfinished, run_metadata
from harness.runner.adapter_run import AdapterRun
from harness.runner.adapter_session import Timeouts

TIMEOUTS = Timeouts(reply=1.0, initialize=2.0, shutdown=0.5)
TEXTS = st.lists(st.sampled_from(["right", "wrong", "dies", "breaks-the-schema", "é"]), min_size=1, max_size=6)
NAME = "one"


def answer(channel: ScriptedChannel, id_: int, text: str) -> None:
    """Replies as the text wants, every time alike."""
    if text.startswith("dies"):
        channel.status = 3
    elif text.startswith("breaks-the-schema"):
        channel.reply(id_, result={})
    else:
        channel.reply(id_, result={"text": "another" if text.startswith("wrong") else text})


class ResumeMachine(RuleBasedStateMachine):
    """One run that is disturbed in every way that leaves a file behind."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.clock.start()
        self.folder = Path(tempfile.mkdtemp(prefix="resume-machine-"))
        self.path = self.folder / "run.jsonl"
        self.recorder: Recorder | None = None

    @initialize(texts=TEXTS)
    def begin(self, texts: list[str]) -> None:
        """A corpus of these texts, and what an undisturbed run makes of it."""
        self.cases = tuple(echo_case(f"{text}-{number}") for number, text in enumerate(texts))
        corpus = Corpus(
            root=self.folder,
            cases=self.cases,
            operations=OPERATIONS,
            requirements={},
            rulings={},
            schemas=None,  # type: ignore[arg-type]
            traps={},
            digest="0" * 64,
        )
        self.plan = run_metadata(corpus, self.cases, implementations=(RecordedImplementation(NAME, NAME),))
        connection = ScriptedConnection()
        run = AdapterRun(NAME, connection, self.cases, OPERATIONS, answer_error, TIMEOUTS)
        events = [event for batch in steps(run, connection, self.clock, answer) for event in batch]
        self.undisturbed = {one.case.name: verdict_of(one) for one in events if isinstance(one, Result)}
        assert len(self.undisturbed) == len(self.cases)

    def is_writing(self) -> bool:
        """Whether a run goes on."""
        return self.recorder is not None

    @precondition(lambda self: not self.is_writing())
    @rule()
    def start(self) -> None:
        """Begins the run, or resumes what its record holds; a complete one stays as it is."""
        unfinished: Unfinished | None = None
        if self.path.exists():
            if self.is_complete():
                return
            unfinished = read_unfinished(self.path)
        judged = unfinished.completed() if unfinished else frozenset()
        left = [case for case in self.cases if (case.name, NAME) not in judged]
        self.connection = ScriptedConnection()
        self.run = AdapterRun(NAME, self.connection, left, OPERATIONS, answer_error, TIMEOUTS)
        self.recorder = Recorder(self.path, self.plan, unfinished)

    def is_complete(self) -> bool:
        """Whether the record has its footer."""
        data = self.path.read_bytes()
        return b"\n" in data and read_record(self.path).complete

    @precondition(lambda self: self.is_writing())
    @rule(count=st.integers(1, 8))
    def go_on(self, count: int) -> None:
        """Some steps of the run; the record ends with it."""
        assert self.recorder is not None
        for _ in range(count):
            if self.connection.current is not None:
                behave(self.connection.current, answer)
            self.clock.now += 0.05
            self.recorder.write(self.run.step())
        if self.run.done:
            self.close(complete=True)

    def close(self, *, complete: bool) -> None:
        """Ends the recorder."""
        assert self.recorder is not None
        self.recorder.close(complete=complete)
        if complete:
            self.compare_with_the_file(self.recorder.record())
        self.recorder = None

    def compare_with_the_file(self, record: RunRecord) -> None:
        """The record that the recorder gives, without reading it back, is that of the file."""
        read = read_record(self.path)
        assert (record.metadata, record.incidents, record.seconds) == (read.metadata, read.incidents, read.seconds)
        assert tally(record.results) == tally(read.results)
        assert [one.brief for one in record.results] == [one.brief for one in read.results]
        assert [one.line for one in record.results] == [one.line for one in read.results]

    @precondition(lambda self: self.is_writing())
    @rule()
    def interrupt(self) -> None:
        """The run ends early and in good order."""
        self.close(complete=False)

    @precondition(lambda self: self.is_writing())
    @rule()
    def kill(self) -> None:
        """The run ends without a last word: the file stays as it was."""
        data = self.path.read_bytes()
        self.close(complete=False)
        self.path.write_bytes(data)

    @precondition(lambda self: not self.is_writing() and self.path.exists())
    @rule(part=st.floats(0, 1))
    def cut(self, part: float) -> None:
        """The file loses its end."""
        data = self.path.read_bytes()
        self.path.write_bytes(data[: round(part * len(data))])

    def teardown(self) -> None:
        """Undisturbed from here on: each case has the verdict of an undisturbed run, once."""
        try:
            if hasattr(self, "plan"):
                self.finish()
        finally:
            self.clock.stop()
            shutil.rmtree(self.folder)

    def finish(self) -> None:
        """Resumes until the record is complete."""
        for _ in range(3):
            if not self.is_writing():
                self.start()
            for _ in range(2000):
                if self.is_writing():
                    self.go_on(1)
        record = read_record(self.path)
        assert record.complete
        assert sorted(result.case for result in record.results) == sorted(self.undisturbed)
        assert {result.case: (result.verdict, result.kind) for result in record.results} == self.undisturbed


TestResume = ResumeMachine.TestCase
TestResume.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
