"""A language and the operations of a system → the files of a starter adapter."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from ..protocol import INVALID_PARAMS, METHOD_NOT_FOUND, OUT_OF_REACH, PROTOCOL_VERSION, RAISED
from .languages import Language, readme, wording
from .shapes import Member, Shape, simplest

_PROTOCOL = {
    "version": PROTOCOL_VERSION,
    "code": {
        "not_offered": METHOD_NOT_FOUND,
        "malformed": INVALID_PARAMS,
        "out_of_reach": OUT_OF_REACH,
        "raised": RAISED,
    },
}
"""What a template says of the protocol in numbers."""


def skeleton(language: Language, shapes: Sequence[Shape], commands: Sequence[str], name: str) -> dict[str, str]:
    """The text of each file by its path; `commands` are the next commands in the README, `name` that of the SDK."""
    first = simplest(list(shapes))
    others = [shape for shape in shapes if shape is not first]
    reads = [member for member in first.request if member.required]
    arguments = ", ".join(_filled(language.argument, member, language) for member in reads)
    filled = {
        **_PROTOCOL,
        "words": wording(),
        "name": name,
        "language": language.language,
        "needs": language.needs,
        "edit": language.edit,
        "commands": "\n".join(f"    {command}" for command in commands),
        "first": first.operation,
        "first_shape": str(first),
        "first_function": _styled(first.operation, language.function),
        "first_reads": "\n".join(_filled(language.read, member, language) for member in reads),
        "first_arguments": arguments if len(reads) == 1 else f"({arguments})",
        "first_answer": _answer(language, first, arguments),
        "unsupported": _unsupported(language, others),
    }
    templates = {"README.md": readme(), **language.templates()}
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters["comment"] = _comment
    texts = {path: environment.from_string(template).render(filled) for path, template in templates.items()}
    return {path: text.rstrip("\n") + "\n" for path, text in texts.items()}


def build_and_command(language: Language, folder: Path) -> tuple[str, str]:
    """The shell commands that build (empty without a build) and start the adapter in `folder`."""
    path = str(folder) if folder.is_absolute() or not folder.parts else f"./{folder}"

    def line(words: Sequence[str]) -> str:
        return shlex.join(word.replace("{folder}", path) for word in words)

    return line(language.build), line(language.command)


def _comment(text: str, prefix: str) -> str:
    """A text as lines of a comment, each behind the prefix."""
    return textwrap.fill(text, 110, initial_indent=prefix, subsequent_indent=prefix)


def _answer(language: Language, first: Shape, arguments: str) -> str:
    """The answer in the commented example: a call for each member."""
    verb = first.operation.rpartition(".")[2]
    return ", ".join(
        language.answer.format(
            member=member.name, snake=_styled(verb, "snake"), camel=verb, pascal=_pascal(verb), arguments=arguments
        )
        for member in first.answer
    )


def _unsupported(language: Language, shapes: Sequence[Shape]) -> str:
    """A line for each operation, with its shape in an aligned comment."""
    width = max((len(shape.operation) for shape in shapes), default=0)
    return "\n".join(
        language.unsupported.format(operation=shape.operation, pad=" " * (width - len(shape.operation)))
        + f" {language.comment} {shape}"
        for shape in shapes
    )


def _filled(line: str, member: Member, language: Language) -> str:
    """A template line with the names of a member filled in, in every style."""
    kind = language.kinds.get(member.kind, language.kinds["any"])
    snake, camel = (_variable(name, language) for name in (_styled(member.name, "snake"), member.name))
    return line.format(member=member.name, snake=snake, camel=camel, pascal=_pascal(member.name), kind=kind)


def _variable(name: str, language: Language) -> str:
    """A name that is no reserved word."""
    return f"{name}_" if name in language.reserved else name


def _styled(name: str, style: str) -> str:
    """`query.parseDate` as `query_parse_date`, `queryParseDate` or `QueryParseDate`."""
    if style == "snake":
        return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name.replace(".", "_")).lower()
    first, *rest = name.split(".")
    return (_pascal(first) if style == "pascal" else first) + "".join(map(_pascal, rest))


def _pascal(name: str) -> str:
    return name[:1].upper() + name[1:]
