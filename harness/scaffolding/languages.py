"""`skeleton.toml`: what sets the skeleton of one language apart, beside its templates."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_SUFFIX = ".template"
_SHARED = {"javascript": ("typescript", "JavaScript")}
"""Languages that the skeleton of another one is written in too: that skeleton, and what they are called."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language and its ways.

    `build` and `command` are words with `{folder}` in them, `build` none where nothing is built. `edit` is the file that
    a porter writes in. `function` is the style of names, snake or camel; `read`, `argument`, `answer` and `unsupported`
    are lines, or parts of them, with places for names; `reserved` are the words that cannot name a variable in the sketch,
    because they are the language's own or its; `kinds` has the language's words for text, number, boolean, list,
    object and any.
    """

    folder: Path
    language: str
    needs: str
    edit: str
    build: tuple[str, ...]
    command: tuple[str, ...]
    function: str
    read: str
    argument: str
    answer: str
    unsupported: str
    comment: str
    reserved: frozenset[str]
    kinds: Mapping[str, str]

    def templates(self) -> dict[str, str]:
        """The text of each template, by the path of the file that it becomes."""
        return {
            path.relative_to(self.folder).as_posix().removesuffix(_SUFFIX): path.read_text("utf-8")
            for path in sorted(self.folder.rglob(f"*{_SUFFIX}"))
        }


def language_names() -> list[str]:
    """The languages that have skeletons of their own."""
    return sorted(path.parent.name for path in _HERE.glob("*/skeleton.toml"))


def is_language(name: str) -> bool:
    """Whether there is a skeleton for a language, one of its own or a shared one."""
    return name in _SHARED or name in language_names()


def read_language(name: str) -> Language:
    """A language by a name of which `is_language` holds."""
    skeleton, called = _SHARED.get(name, (name, ""))
    folder = _HERE / skeleton
    values = tomllib.loads((folder / "skeleton.toml").read_text("utf-8"))
    values["language"] = called or values["language"]
    build, command = tuple(values.pop("build")), tuple(values.pop("command"))
    reserved = frozenset(values.pop("reserved"))
    return Language(folder=folder, build=build, command=command, reserved=reserved, **values)


def readme() -> str:
    """The template of the README, which all languages share."""
    return (_HERE / f"README.md{_SUFFIX}").read_text("utf-8")
