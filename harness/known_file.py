"""Known-divergence files: reading one, writing one, where a shipped adapter's lies."""

from __future__ import annotations

from pathlib import Path

import yaml

from harness.corpus.strict_yaml import read_yaml
from harness.errors import CorpusError, ParityError
from harness.expectations import TODO, Known, as_value, read_known
from harness.model import Json

FILE_NAME = "known-divergences.yaml"

_HEAD = """\
# What is known to diverge, and why. `parity gate` fails for everything else, and for a line here that no longer holds.
# Written by `parity gate --write-known`; every reason is a person's.
"""


class _Quoted(str):
    """A text that is written in quotes: digits of a signature must never be read as a number."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """Writes mappings in their own order."""


_Dumper.add_representer(
    _Quoted, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style='"')
)


def load_known(path: Path, *, allow_todo: bool = False) -> Known:
    """The file at `path`. Raises `CorpusError` with every problem in it.

    With `allow_todo`, reasons that still have to be written are no problem: the file is about to be written again.
    """
    if not path.exists():
        raise ParityError(f"{path}: there is no such file. `parity gate --write-known {path}` makes one.")
    value, problems = read_yaml(path, str(path))
    known, more = read_known(value, str(path))
    left = [problem for problem in [*problems, *more] if not (allow_todo and TODO in problem.message)]
    if left:
        raise CorpusError(left, path.name)
    return known


def save_known(path: Path, known: Known) -> None:
    """Writes the file. Raises `ParityError` if it cannot be written."""
    value = _quoted(as_value(known))
    text = _HEAD + yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ParityError(f"{path}: the file cannot be written: {error.strerror}. Name another one.") from None


def _quoted(value: dict[str, Json]) -> dict[str, Json]:
    """The same value with the signatures marked."""
    entries = value["divergences"]
    for entry in entries if isinstance(entries, list) else []:
        cases = entry["cases"] if isinstance(entry, dict) else None
        for name, signature in list(cases.items()) if isinstance(cases, dict) else []:
            assert isinstance(cases, dict)
            listed: list[Json] = [_Quoted(one) for one in signature] if isinstance(signature, list) else []
            cases[name] = listed or _Quoted(signature)
    return value
