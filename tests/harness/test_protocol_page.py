"""The page that porters read says what the code does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.asking.flight import MOST_BYTES_IN_FLIGHT, MOST_IN_FLIGHT
from harness.asking.interview import MOST_FAILED_STARTS, MOST_RESTARTS, Timeouts
from harness.connections.manifest import Manifest, read_manifest
from harness.connections.process import STDERR_KEPT
from harness.protocol import DEEPEST, LONGEST_LINE, initialize_params, read_implementation, read_reply, request_line

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
    assert [(reply.id, reply.result, reply.breach) for reply in rest] == [(14, {"text": "a b"}, ""), (21, {}, "")]


@pytest.mark.parametrize(
    "words",
    [
        f"At most {MOST_IN_FLIGHT} requests and {MOST_BYTES_IN_FLIGHT >> 20} MiB are in flight",
        f"seconds ({Timeouts().asking:g} if not given)",
        f"`initialize` has {Timeouts().starting:g} seconds, `shutdown` {Timeouts().closing:g}",
        f"After {MOST_RESTARTS} restarts the rest is asked one at a time",
        f"After {('three', MOST_FAILED_STARTS)[MOST_FAILED_STARTS != 3]} failed starts in a row",
        f"a line over {LONGEST_LINE >> 20} MiB, or nested deeper than {DEEPEST} levels",
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
    assert json.dumps(manifest.command) == '["./target/release/mine"]'
