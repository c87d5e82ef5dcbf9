"""HTML templates (`*.html.jinja` beside this module): each value that goes in is text, escaped and printable."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import one_line, printable

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_FOLDER = Path(__file__).parent


def render_template(name: str, /, **values: Any) -> str:
    """The template `name` with these values. A missing value is an error."""
    return _environment().get_template(name).render(**values)


def stream_template(name: str, /, **values: Any) -> Iterator[str]:
    """The same in pieces; a value can be an iterator that the template reads to its end."""
    return _environment().get_template(name).generate(**values)


def trusted(markup: str) -> Markup:
    """Markup of this package itself, which is not escaped."""
    from markupsafe import Markup

    return Markup(markup)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # takes 60 ms, and only pages need it

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["one_line"] = one_line
    environment.filters["prose"] = _prose
    environment.filters["content"] = _content
    return environment


def _prose(text: str, most: int = 1000) -> Markup:
    """Written text on one line, of at most `most` characters; text between backticks is code."""
    from markupsafe import Markup

    shown = one_line(text, most)
    parts = shown.split("`")
    if len(parts) % 2 == 0:
        parts = [shown]
    return Markup().join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _content(text: str) -> Markup:
    """Text between two tags. Quotes stay, which are a fifth of a value in JSON; in an attribute they would end it."""
    from markupsafe import Markup

    return Markup(printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def _printable(value: Any) -> Any:
    """A text with its unprintable characters as escapes; anything else, trusted markup included, as it is."""
    return printable(value) if type(value) is str else value
