"""Templates of HTML and of Markdown (`*.jinja` beside this module): each value that goes in is text and is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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


def markdown_parts(
    name: str, escaped: Callable[[str], str], filters: Mapping[str, Callable[..., str]], /, **values: Any
) -> Callable[..., str]:
    """A function that calls a macro of a template of Markdown. Each text that goes in is `escaped`; `filters` return
    Markdown."""

    def finalize(value: Any) -> Any:
        return trusted(escaped(value)) if isinstance(value, str) and not hasattr(value, "__html__") else value

    def trusting(made: Callable[..., str]) -> Callable[..., Markup]:
        return lambda *arguments: trusted(made(*arguments))

    environment = _environment().overlay(finalize=finalize)
    environment.filters = {**environment.filters, **{key: trusting(made) for key, made in filters.items()}}
    module = environment.get_template(name).make_module(values)
    return lambda macro, *arguments: str(getattr(module, macro)(*arguments))


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
