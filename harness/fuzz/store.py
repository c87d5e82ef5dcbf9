"""What a campaign leaves for the next one: its findings as a record, its place in the sequence of rounds, and requests in
Hypothesis' example database below the cache folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hypothesis.database import DirectoryBasedExampleDatabase
from msgspec import MsgspecError, Struct, json

from .. import VERSION
from ..base.files import replace_file
from ..compare.canonical import compact
from ..errors import ParityError, UsageError
from ..model import Implementation, JsonObject, NotOffered, Result, Unsupported, replace
from ..plan.setup import RunSetup
from ..records import Recorder
from .campaign_report import Report


class ExampleStore:
    """The stored requests, by implementation and operation; each is a line of JSON."""

    def __init__(self, folder: Path) -> None:
        self._database = DirectoryBasedExampleDatabase(folder)

    def requests(self, implementation: str, operation: str) -> Sequence[JsonObject]:
        """The stored requests, the shortest first."""
        texts = sorted(self._database.fetch(_key(implementation, operation)), key=lambda text: (len(text), text))
        return [request for text in texts if isinstance(request := _read(text), dict)]

    def save(self, implementation: str, operation: str, request: JsonObject) -> None:
        """Stores a request; the next campaign begins with it."""
        self._database.save(_key(implementation, operation), compact(request).encode("ascii"))

    def delete(self, implementation: str, operation: str, request: JsonObject) -> None:
        """Removes a request on which nothing is new any more."""
        self._database.delete(_key(implementation, operation), compact(request).encode("ascii"))


def _key(implementation: str, operation: str) -> bytes:
    return f"parity-fuzz/{implementation}/{operation}".encode()


def _read(text: bytes) -> object:
    try:
        return json.decode(text)
    except MsgspecError:
        return None


class State(Struct):
    """The place of a campaign in its sequence of rounds, kept beside its record for `--resume`."""

    seed: int
    round: int = 0
    version: str = VERSION


def _state_file(record: Path) -> Path:
    return record.with_name("fuzz.state.json")


def read_state(record: Path) -> State:
    """The state beside a record. Raises `UsageError` if there is none of this version."""
    file = _state_file(record)
    try:
        state = json.decode(file.read_bytes(), type=State)
    except (OSError, MsgspecError):
        raise UsageError(f"--resume: {file} is missing or broken. Start a campaign without --resume.") from None
    if state.version != VERSION:
        raise UsageError(f"--resume: {file} is of version {state.version}, this is {VERSION}. Start anew.")
    return state


def write_state(record: Path, state: State) -> None:
    """Keeps the state. Raises `ParityError` if the file cannot be written."""
    file = _state_file(record)
    try:
        replace_file(file, [json.encode(state), b"\n"])
    except OSError as error:
        raise ParityError(f"{file}: the state of the campaign cannot be written: {error.strerror}.") from None


def write_record(setup: RunSetup, path: Path, report: Report, implementations: Mapping[str, Implementation]) -> None:
    """Writes the record of the findings: each case with the result of every implementation."""
    exchanges = list(report.exchanges())
    recorder = Recorder(path, replace(setup, cases=[case for case, _ in exchanges]).header())
    complete = False
    try:
        recorder.write(implementations.values())
        for case, results in exchanges:
            given = {result.implementation: result for result in results}
            missing = {name: Result(case, name, Unsupported(NotOffered(""))) for name in implementations}
            recorder.write(replace(result, case=case) for result in {**missing, **given}.values())
        complete = True
    finally:
        recorder.close(complete=complete)
