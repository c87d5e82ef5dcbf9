"""The reason on one line for an adapter that does not build."""

from __future__ import annotations

from harness.transport.connect import short_reason


def test_the_output_of_a_toolchain_is_one_bounded_line() -> None:
    """`parity explain` prints at most 400 characters of a failed build, with the line that names the error."""
    log = "\n".join([*["go: downloading a module"] * 500, "main.go:7:2: error: undefined: search.Build", "x" * 5000])
    found = short_reason("`go build` failed with status 1.", log)
    assert found == "`go build` failed with status 1. main.go:7:2: error: undefined: search.Build"
    assert len(short_reason("`go build` failed with status 1.", "error: " + "x" * 5000)) == 400
