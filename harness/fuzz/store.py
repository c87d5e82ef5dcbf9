"""Requests that earlier campaigns found, in Hypothesis' example database below the cache folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from hypothesis.database import DirectoryBasedExampleDatabase

from ..compare.canonical import compact
from ..model import JsonObject


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
        return json.loads(text)
    except ValueError:
        return None
