"""Templates of HTML and of Markdown (`*.jinja` beside this module): each value that goes in is text and is escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base import text_limits
from ..base.text_limits import MAX_TEXT
from ..errors import one_line, printable
from .phrases import and_more

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_FOLDER = Path(__file__).parent
_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#\w*\[)", re.MULTILINE)
"""What makes a line a command of a CI log: `::error::` at its beginning, `##[error]` anywhere."""


def render_template(name: str, /, **values: Any) -> str:
    """The template `name` with these values. A missing value is an error."""
    return _environment().get_template(name).render(**values)


def stream_template(name: str, /, **values: Any) -> Iterator[str]:
    """The same in pieces; a value can be an iterator that the template reads to its end."""
    return _environment().get_template(name).generate(**values)


def template_parts(
    name: str, escaped: Callable[[str], str], filters: Mapping[str, Callable[..., str]], /, **values: Any
) -> Callable[..., str]:
    """A function that calls a macro of a template which is no HTML. Each text that goes in is `escaped`; what `filters`
    return is not."""

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
    environment.filters["number"] = "{:,}".format
    environment.globals |= {name: value for name, value in vars(text_limits).items() if name.startswith("MAX_")}
    environment.globals["and_more"] = and_more
    return environment


def _prose(text: str, most: int = MAX_TEXT) -> Markup:
    """Written text on one line, of at most `most` characters; text between backticks is code."""
    from markupsafe import Markup

    code = Markup("<code>{}</code>")
    return _inert(
        Markup().join(code.format(part) if is_code else part for part, is_code in prose_parts(one_line(text, most)))
    )


def prose_parts(text: str) -> list[tuple[str, bool]]:
    """The parts of written text, and whether each is code: what stands between two backticks."""
    parts = text.split("`")
    return [(text, False)] if len(parts) % 2 == 0 else [(part, at % 2 == 1) for at, part in enumerate(parts)]


def _content(text: str) -> Markup:
    """Text between two tags. Quotes stay, which are a fifth of a value in JSON; in an attribute they would end it."""
    return _inert(printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def _inert(markup: str) -> Markup:
    """Markup that a CI log can print: no line of it is a command."""
    return trusted(_COMMAND.sub(lambda found: "&#35;" if found[1] is None else f"{found[1]}&#58;", markup))


def _printable(value: Any) -> Any:
    """A text with its unprintable characters as escapes; anything else, trusted markup included, as it is."""
    from markupsafe import escape

    return _inert(str(escape(printable(value)))) if type(value) is str else value
