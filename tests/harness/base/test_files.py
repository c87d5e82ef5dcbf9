"""Locks and replaced files: what other processes see of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.base.files import locked, replace_file, replace_locked, take_lock


def test_one_process_at_a_time_has_a_lock(tmp_path: Path) -> None:
    """Who does not wait learns that the lock is taken; it is free after the block."""
    with locked(tmp_path / "a"), locked(tmp_path / "a", waits=False) as is_ours:
        assert not is_ours
    with locked(tmp_path / "a", waits=False) as is_ours:
        assert is_ours


def test_a_lock_follows_no_link(tmp_path: Path) -> None:
    """A link in the place of a lock file makes no file elsewhere."""
    (tmp_path / "a.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"), locked(tmp_path / "a"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_replaced_file_keeps_its_permissions_and_is_locked(tmp_path: Path) -> None:
    """A private file stays private; the new file is locked when others first see it."""
    path = tmp_path / "a"
    path.touch(0o600)
    descriptor = replace_locked(path, [b"1", b"2"])
    with path.open("rb") as other:
        assert (other.read(), path.stat().st_mode & 0o777, take_lock(other.fileno())) == (b"12", 0o600, False)
        os.close(descriptor)
        assert take_lock(other.fileno())


def test_a_replacement_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    """The file holds what it held before, and nothing lies beside it."""

    def blocks() -> Iterator[bytes]:
        yield b"new"
        raise KeyboardInterrupt

    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        replace_file(tmp_path / "a", blocks())
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]
