"""A page of titled sections for a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

INDENT = 2


def render_sections(sections: Mapping[str, Iterable[RenderableType]], *, color: bool, width: int) -> str:
    """The page for a terminal of `width` columns, without the empty sections. The section of the empty title has no
    indent; a text with `no_wrap` is a command and keeps its length."""
    file = io.StringIO()
    out = Console(file=file, force_terminal=color, no_color=not color, highlight=False, width=width)
    for heading, section in sections.items():
        lines = list(section)
        if not lines:
            continue
        if heading:
            out.print()
            out.print(Text(heading, style="bold cyan"))
        for line in lines:
            if isinstance(line, Text) and line.no_wrap:  # a command, to be pasted whole
                out.print(Text(" " * (INDENT if heading else 0)) + line, soft_wrap=True)
                continue
            out.print(Padding(line, (0, 0, 0, INDENT if heading else 0), expand=False))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())
