"""`skeleton.toml`: the names, commands and lines of one language's skeleton."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

_HERE = Path(__file__).resolve().parent
_SUFFIX = ".template"
_SHARED = {"javascript": ("typescript", "JavaScript"), "c++": ("cpp", "C++"), "c#": ("csharp", "C#")}
"""Further names: the skeleton that each uses, and the language's own name."""


class Language(Struct, frozen=True):
    """The skeleton of one language.

    `build` and `command` are words with `{folder}` in them; `build` is empty for a language without a build. `edit` is
    the file that a porter edits. `function` is the style of names: snake, camel or pascal; `read`, `argument`, `answer` and
    `unsupported` are lines, or parts of lines, with placeholders for names; `reserved` are words that cannot name a
    variable in the skeleton; `kinds` maps text, number, boolean, list, object and any to the language's own words.
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
        """The text of each template, by the path of its output file."""
        return {
            path.relative_to(self.folder).as_posix().removesuffix(_SUFFIX): path.read_text("utf-8")
            for path in sorted(self.folder.rglob(f"*{_SUFFIX}"))
        }


def language_names() -> list[str]:
    """The languages that have their own skeleton."""
    return sorted(path.parent.name for path in _HERE.glob("*/skeleton.toml"))


def is_language(name: str) -> bool:
    """Whether a language has a skeleton, its own or a shared one."""
    return name in _SHARED or name in language_names()


def read_language(name: str) -> Language:
    """A language by its name; `is_language(name)` must be true."""
    skeleton, own_name = _SHARED.get(name, (name, ""))
    folder = _HERE / skeleton
    values = tomllib.loads((folder / "skeleton.toml").read_text("utf-8"))
    values["language"] = own_name or values["language"]
    build, command = tuple(values.pop("build")), tuple(values.pop("command"))
    reserved = frozenset(values.pop("reserved"))
    return Language(folder=folder, build=build, command=command, reserved=reserved, **values)


def readme() -> str:
    """The README template, shared by all languages."""
    return (_HERE / f"README.md{_SUFFIX}").read_text("utf-8")


def wording() -> dict[str, str]:
    """What the skeletons of all languages say, by a short name."""
    return tomllib.loads((_HERE / "wording.toml").read_text("utf-8"))
