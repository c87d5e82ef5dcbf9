"""Content of a known-divergence file → the file, and the digest of the content."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from ..base.files import make_folder_of, replace_file
from ..compare.canonical import digest
from ..errors import ParityError
from ..model import Documented, JsonObject
from .known_corpus import KnownCorpus
from .known_divergences import Divergence, Entry, KnownDivergences, members_of

_HEAD = """\
# Known divergences and their reasons. `parity gate` fails for every other divergence, and for a stale line here.
# `parity gate --write-known` writes the lines; a person writes every reason.
"""

_TEXTS = attrgetter("reason", "name", "model", "place", "category", "before", "link", "owner", "since", "expires")


def save_known(path: Path, known: KnownDivergences) -> None:
    """Writes the file and, if necessary, its folder. Raises `ParityError` if that fails; the old file is then unchanged."""
    value: dict[str, Any] = {"versions": known.versions, "follows": dict(known.follows)}
    value |= {key: [*map(_written, getattr(known, key))] for key in ("divergences", "unsupported", "unobservable")}
    value["readings"] = [*map(_written, known.readings or ())]
    value["corpus"] = _corpus(known.corpus) if known.corpus else {}
    optional = ("versions", "follows", "unobservable", "corpus")
    try:
        make_folder_of(path)
        text = _HEAD + _yaml({key: member for key, member in value.items() if member or key not in optional})
        replace_file(path.resolve(), [text.encode()])
    except OSError as error:
        raise ParityError(f"{path}: the file cannot be written: {error.strerror}. Name another file.") from None


def digest_of(known: KnownDivergences) -> str:
    """Digest of the content, independent of comments and of the order of lines; empty if there is no file."""
    if not known.shown:
        return ""
    explained: JsonObject = {
        case: [*_TEXTS(entry), *entry.requirements, entry.flaky, *_sides(entry), *sorted(signatures)]
        for entry in known.divergences
        for case, signatures in entry.cases.items()
    }
    readings: JsonObject = {
        f"{entry.ruling} {entry.reading}{' flaky' if entry.flaky else ''}": [*sorted(entry.cases)]
        for entry in known.readings or ()
    }
    value: JsonObject = {
        "divergences": explained,
        "unsupported": {name: entry.reason for entry in known.unsupported for name in entry.names},
        "readings": None if known.readings is None else readings,
    }
    if known.corpus:
        value["corpus"] = _corpus(known.corpus)
    if known.unobservable:
        value["unobservable"] = {name: entry.reason for entry in known.unobservable for name in entry.names}
    if known.model:
        value["follows"] = dict(known.follows)
        value["models"] = {
            entry.model: [*_TEXTS(entry), *entry.requirements] for entry in known.divergences if entry.model
        }
    return digest(value)


def _corpus(corpus: KnownCorpus) -> JsonObject:
    """The corpus of a file as YAML has it: a line for each suite, and for each model."""
    prints: JsonObject = {
        key: {name: _Quoted(b64encode(rows).decode()) for name, rows in sorted(of_names.items())}
        for key in ("cases", "failures")
        if (of_names := getattr(corpus, key))
    }
    return {**({"date": corpus.date} if corpus.date else {}), "digest": _Quoted(corpus.digest), **prints}


def _sides(divergence: Divergence) -> tuple[str, ...]:
    return (divergence.documented.where, divergence.documented.says) if divergence.documented else ()


class _Quoted(str):
    """A text that is written in quotes, so that no reader takes a signature of digits for a number."""

    __slots__ = ()


def _written(entry: Entry) -> dict[str, Any]:
    """An entry as YAML has it. An entry without cases and without a model keeps its empty list."""
    members = {key: _value(value) for key, value in members_of(entry)}
    if isinstance(entry, Divergence) and not entry.model:
        members.setdefault("cases", {})
    return members


def _value(value: object) -> object:
    match value:
        case Mapping():
            return {case: _signatures(listed) for case, listed in sorted(value.items())}
        case tuple():
            return list(value)
        case Documented():
            return {"where": value.where, "says": value.says}
        case _:
            return value


def _signatures(signatures: Sequence[str]) -> object:
    quoted = [*map(_Quoted, signatures)]
    return quoted[0] if len(quoted) == 1 else quoted


def _yaml(value: dict[str, Any]) -> str:
    """YAML with the signatures in quotes."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    Dumper.add_representer(
        _Quoted, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style='"')
    )
    return yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110)
