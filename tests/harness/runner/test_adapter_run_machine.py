"""An adapter run against an adapter that does anything in any order: one verdict a case, and just blame."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from scripted import (
    OPERATIONS,
    Clock,
    ScriptedChannel,
    ScriptedConnection,
    answer_error,
    echo_case,
    steps,
    verdict_of,
)

from harness.model import Errored, ErrorKind, Result, StartFailure, TimedOut, Verdict
from harness.runner.adapter_run import MAX_FAILED_STARTS, AdapterRun
from harness.runner.adapter_session import Timeouts
from harness.runner.events import Event

TIMEOUTS = Timeouts(reply=1.0, initialize=2.0, shutdown=0.5)
FAILURES = st.sampled_from([1, 1, 1, 2, 2, MAX_FAILED_STARTS])
PICK = st.integers(0, 1000)
ENVIRONMENTS = st.sampled_from([(), (), (("TZ", "Asia/Tokyo"),)])


class AdapterRunMachine(RuleBasedStateMachine):
    """The rules are what an adapter can do; what the run makes of it is checked after each step."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.clock.start()
        self.connection = ScriptedConnection()
        self.results: dict[str, Result] = {}
        self.wrong: set[str] = set()
        self.right: set[str] = set()
        self.spoiled_starts = 0
        self.mute = 0
        """How many of the next processes do not answer `initialize` by themselves."""

    @initialize(
        environments=st.lists(ENVIRONMENTS, min_size=3, max_size=9),
        window=st.integers(1, 4).map(lambda n: 5 - n),
        failing=st.sampled_from([0, 0, 0, 0, 1, 2]),
    )
    def begin(self, environments: list[tuple[tuple[str, str], ...]], window: int, failing: int) -> None:
        """A run of a few cases, some with an environment of their own; mostly it has sent the first requests."""
        self.cases = [echo_case(f"text-{number}", one) for number, one in enumerate(environments)]
        self.run = AdapterRun("one", self.connection, self.cases, OPERATIONS, answer_error, TIMEOUTS, window)
        self.connection.failing = failing
        for _ in range(3):
            self.pass_time(0.05)

    @property
    def channel(self) -> ScriptedChannel:
        """The running process."""
        assert self.connection.current is not None
        return self.connection.current

    def running(self) -> bool:
        """Whether a process runs."""
        return self.connection.current is not None

    @property
    def failed_starts(self) -> int:
        """Processes that could not be had, or broke before their introduction was read."""
        mute = [one for one in self.connection.started if not one.is_alive and not one.introduced]
        return self.connection.failed + len(mute) + self.spoiled_starts

    def introducing(self) -> bool:
        """Whether a process has `initialize` to answer."""
        return self.running() and self.channel.initialize is not None

    def has_requests(self) -> bool:
        """Whether a request is open."""
        return self.running() and bool(self.channel.open)

    def has_replied(self) -> bool:
        """Whether the process has answered a request."""
        return self.running() and bool(self.channel.replied)

    def chosen(self, pick: int) -> tuple[int, str]:
        """One of the open requests: its id and its text."""
        requests = [*self.channel.open.items()]
        id_, params = requests[pick % len(requests)]
        return id_, params["text"]

    def take(self, events: list[Event]) -> None:
        """Keeps the results, and checks each against what the adapter did."""
        for event in events:
            if isinstance(event, Result):
                assert event.case.name not in self.results, "a second verdict"
                self.results[event.case.name] = event
                self.check(event)

    def check(self, result: Result) -> None:
        """A verdict has a cause that the adapter gave."""
        text = str(result.case.request["text"])
        verdict, kind = verdict_of(result)
        if verdict is Verdict.PASS:
            assert text in self.right
        elif verdict is Verdict.FAIL:
            assert text in self.wrong
        elif kind is ErrorKind.START:
            assert self.failed_starts >= MAX_FAILED_STARTS or self.start_timed_out(result)
        else:
            assert verdict is Verdict.ERROR
            self.check_blame(text, kind)

    @staticmethod
    def start_timed_out(result: Result) -> bool:
        """Whether the adapter was given up because `initialize` had no reply; that is not tried again."""
        match result.outcome:
            case Errored(StartFailure(TimedOut())):
                return True
        return False

    def check_blame(self, text: str, kind: ErrorKind | None) -> None:
        """The process that had the request last had no other one open then; one that was lost had answered nothing."""
        channel, at = next(
            (channel, at)
            for channel in reversed(self.connection.started)
            for at, (_, texts) in reversed([*enumerate(channel.batches)])
            if text in texts
        )
        assert channel.batches[at] == (True, [text]), "blamed in company"
        if kind in (ErrorKind.CRASH, ErrorKind.TIMEOUT):
            assert channel.batches[at + 1 :] == []
            assert at == 0, "blamed although an earlier request can be the reason"

    def pass_time(self, seconds: float) -> None:
        """One step of the run, so many seconds later; a process that was just started introduces itself, as most do."""
        started = len(self.connection.started)
        self.clock.now += seconds
        self.take(self.run.step())
        if len(self.connection.started) > started and self.introducing():
            if self.mute:
                self.mute -= 1
            else:
                self.channel.introduce()

    @rule(seconds=st.sampled_from([0.01, 0.03, 0.1]))
    def step(self, seconds: float) -> None:
        """Time passes, and the run looks."""
        self.pass_time(seconds)

    @precondition(lambda self: self.introducing() or self.has_requests())
    @rule(patience=st.integers(0, 3))
    def stall(self, patience: int) -> None:
        """The adapter does nothing for a while, now and then for longer than it may; the run looks often."""
        for _ in range(3 if patience else 25):
            self.pass_time(0.1)

    @precondition(lambda self: self.connection.started)
    @rule(starts=FAILURES)
    def be_mute(self, starts: int) -> None:
        """The next processes do not answer `initialize`, unless the rule below does."""
        self.mute = starts

    @precondition(lambda self: self.introducing())
    @rule()
    def introduce(self) -> None:
        self.channel.introduce()

    @precondition(lambda self: self.has_requests())
    @rule(count=st.integers(1, 4))
    def serve(self, count: int) -> None:
        """The adapter does well for a while."""
        for _ in range(count):
            if self.has_requests():
                self.reply_to(0)
            self.pass_time(0.05)

    @precondition(lambda self: self.has_requests())
    @rule(pick=PICK)
    def reply_right(self, pick: int) -> None:
        self.reply_to(pick)

    def reply_to(self, pick: int) -> None:
        """Answers one of the open requests as its case expects."""
        id_, text = self.chosen(pick)
        self.right.add(text)
        self.channel.reply(id_, result={"text": text})

    @precondition(lambda self: self.has_requests())
    @rule(pick=PICK)
    def reply_wrong(self, pick: int) -> None:
        id_, text = self.chosen(pick)
        self.wrong.add(text)
        self.channel.reply(id_, result={"text": "another"})

    @precondition(lambda self: self.has_requests())
    @rule(pick=PICK, result=st.sampled_from([None, {}, {"text": 1}]))
    def break_the_schema(self, pick: int, result: object) -> None:
        self.channel.reply(self.chosen(pick)[0], result=result)

    @precondition(lambda self: self.has_replied())
    @rule(pick=PICK)
    def reply_twice(self, pick: int) -> None:
        self.channel.reply(self.channel.replied[pick % len(self.channel.replied)], result={"text": "again"})

    @precondition(lambda self: self.running())
    @rule(line=st.sampled_from([b"noise", b"[]", b'{"jsonrpc": "2.0", "id": 4, "result": {}}', b"\xff"]))
    def write_noise(self, line: bytes) -> None:
        self.spoiled_starts += self.introducing()
        self.channel.write(line)

    @precondition(lambda self: self.running())
    @rule(status=st.sampled_from([0, 3]))
    def crash(self, status: int) -> None:
        self.channel.status = status

    @precondition(lambda self: self.connection.started)
    @rule(starts=FAILURES)
    def fail_to_start(self, starts: int) -> None:
        """The next processes cannot be had."""
        self.connection.failing = starts

    @invariant()
    def one_process_at_a_time(self) -> None:
        """A process that is not the last one has ended or was killed."""
        assert [one for one in self.connection.started[:-1] if one.is_alive] == []

    def teardown(self) -> None:
        """From here on the adapter behaves: the run ends, each case has its verdict, and no process runs."""
        try:
            if hasattr(self, "run"):
                self.finish()
        finally:
            self.clock.stop()

    def finish(self) -> None:
        """Drives the run to its end."""
        self.right |= {str(case.request["text"]) for case in self.cases}
        for events in steps(self.run, self.connection, self.clock):
            self.take(events)
        assert sorted(self.results) == [case.name for case in self.cases]
        assert not self.running()


TestAdapterRun = AdapterRunMachine.TestCase
TestAdapterRun.settings = settings(stateful_step_count=40, deadline=None)
