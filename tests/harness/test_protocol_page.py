"""docs/protocol.md agrees with the code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.base.strict_json import MAX_DEPTH
from harness.protocol import MAX_LINE_BYTES, initialize_params, read_implementation, read_reply, request_line
from harness.runner.adapter_run import MAX_FAILED_STARTS, MAX_RESTARTS
from harness.runner.adapter_session import Timeouts
from harness.runner.inflight import MAX_BYTES_IN_FLIGHT, MAX_IN_FLIGHT
from harness.transport.manifest import Manifest, read_manifest
from harness.transport.process import STDERR_KEPT

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text("utf-8")
TEXT = " ".join(PAGE.split())


def lines(arrow: str) -> list[bytes]:
    """The messages of the example that go in one direction."""
    return [line.split(arrow, 1)[1].strip().encode() for line in PAGE.splitlines() if line.startswith(f"    {arrow}")]


def test_the_example_s_requests_are_those_that_are_sent() -> None:
    """Byte for byte, ids included."""
    sent = [
        request_line(7, "initialize", initialize_params()),
        request_line(14, "query.normalise", {"query": " a  b "}),
        request_line(21, "shutdown", {}),
    ]
    assert [line + b"\n" for line in lines("→")] == sent


def test_the_example_s_replies_are_understood() -> None:
    """The adapter of the example is one that the harness accepts."""
    first, *rest = [read_reply(line) for line in lines("←")]
    assert read_implementation("mine", first.result).operations == {"query.normalise"}
    assert [(reply.id, reply.result, reply.breach) for reply in rest] == [(14, {"text": "a b"}, None), (21, {}, None)]


@pytest.mark.parametrize(
    "words",
    [
        f"At most {MAX_IN_FLIGHT} requests and {MAX_BYTES_IN_FLIGHT >> 20} MiB are in flight",
        f"seconds ({Timeouts().reply:g} if not given)",
        f"`initialize` has {Timeouts().initialize:g} seconds, `shutdown` {Timeouts().shutdown:g}",
        f"After {MAX_RESTARTS} restarts parity sends the remaining requests one at a time",
        f"After {('three', MAX_FAILED_STARTS)[MAX_FAILED_STARTS != 3]} failed starts in a row",
        f"a line over {MAX_LINE_BYTES >> 20} MiB, or nested deeper than {MAX_DEPTH} levels",
        f"the last {STDERR_KEPT >> 10} KiB",
    ],
)
def test_the_numbers_are_those_of_the_code(words: str) -> None:
    """Each limit stands on the page as it is."""
    assert words in TEXT


def test_the_example_of_a_manifest_is_one(tmp_path: Path) -> None:
    """It is read as it stands."""
    path = tmp_path / "mine" / "adapter.toml"
    path.parent.mkdir()
    path.write_text(PAGE.split("```toml\n")[1].split("```")[0], "utf-8")
    manifest = read_manifest(path)
    assert isinstance(manifest, Manifest)
    assert json.dumps(manifest.run.command) == '["./target/release/mine"]'
