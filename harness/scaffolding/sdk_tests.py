"""Cases → tests of an SDK alone, in the SDK's own language, from the templates in the folder `repro` of its adapter.

`repro/OPERATION.jinja` is the body of one test, `repro/file.jinja` the file around the bodies. A value that a template
prints is a literal of the language, so no text of a case becomes code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct

from ..base.json_path import pointer_steps, put
from ..compare.unobservable import drop_paths
from ..corpus.loader import Corpus
from ..corpus.paths import shipped
from ..errors import UsageError, one_line
from ..model import EXACT, Answered, Case, Json, Raised, Rules, Tolerance, replace
from ..transport.manifest import Manifest
from ..transport.operation_support import OperationSupport, State
from .literals import JAVASCRIPT, NOTATIONS, Call

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

FOLDER = "repro"
_FILE = "file"
_COMMENT = 100


class NoTest(UsageError):
    """No test of a case is possible: its operation is not offered or has no template, or its request is out of reach."""


def has_templates(adapter: str) -> bool:
    """Whether the shipped adapter of this name has templates of tests."""
    return (shipped() / "adapters" / adapter / FOLDER).is_dir()


class SdkTest(Struct, frozen=True):
    """One test. `words` are its name, `about` the lines of its comment. `calls` are the SDK's public calls, `body` has them
    with all that is around them; `needs` names parts of the file that the body uses."""

    words: tuple[str, ...]
    about: tuple[Markup, ...]
    environment: Mapping[str, str]
    calls: Markup
    body: Markup
    needs: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name in words."""
        return " ".join(self.words)

    @property
    def pascal(self) -> Markup:
        """The name as in `LeadingNot`."""
        return _code("".join(word[0].upper() + word[1:] for word in self.words))

    @property
    def snake(self) -> Markup:
        """The name as in `leading_not`."""
        return _code("_".join(self.words).lower())


def sdk_test(case: Case, corpus: Corpus, manifest: Manifest, declared: Mapping[str, OperationSupport]) -> SdkTest:
    """The test of one case. `declared` has the support of its operation. Raises `NoTest` with the reason, and `UsageError`
    for a fault of a template."""
    support = declared.get(case.operation)
    if support is None or support.state is State.UNSUPPORTED:
        why = f": {support.how}" if support else ""
        raise NoTest(f"{case.name}: {manifest.name} does not offer {case.operation}{why}.")
    if isinstance(case.expected, Raised):
        raise NoTest(f"{case.name} expects an error ({case.expected.type}), and a template asserts an answer.")

    def out_of_reach() -> NoReturn:
        raise NoTest(f"{case.name} is out of reach of {manifest.name}, which does not support: {support.out_of_reach}.")

    module = _module(
        manifest,
        case.operation,
        request=case.request,
        expected=_expected(case.expected, corpus.operations[case.operation].rules, support),
        out_of_reach=out_of_reach,
    )
    return SdkTest(
        words=tuple(re.findall(r"[A-Za-z0-9]+", "/".join(case.name.split("/")[-2:]))),
        about=tuple(map(_code, _about(case, corpus))),
        environment=dict(case.environment),
        calls=_code(str(getattr(module, "calls", "")).strip()),
        body=_code(str(module).strip()),
        needs=tuple(getattr(module, "needs", ())),
    )


def render_file(tests: Sequence[SdkTest], manifest: Manifest) -> str:
    """The file with these tests, each name once."""
    named: dict[tuple[str, ...], SdkTest] = {}
    for test in tests:
        words, number = test.words, 1
        while words in named:
            number += 1
            words = (*test.words, str(number))
        named[words] = replace(test, words=words)
    needs = {need for test in tests for need in test.needs}
    text = str(_module(manifest, _FILE, tests=list(named.values()), needs=needs))
    return re.sub(r"\n{4,}", "\n\n\n", text)


def _expected(answer: Answered, rules: Rules, support: OperationSupport) -> Any:
    """The expected answer without the places that are not compared. A `Call` stands for what equality does not say:
    `near(number, distance)`, `unordered(list)`, `containing(texts, length)`, `anything()`."""
    value = _with_calls(drop_paths(answer.value, list(support.unobservable)), rules)
    for pointer in answer.free:
        value = put(value, pointer_steps(pointer), Call("anything"))
    for pointer, texts, length in answer.contains:
        value = put(value, pointer_steps(pointer), Call("containing", (list(texts), length)))
    return value


def _with_calls(value: Json, rules: Rules) -> Any:
    if isinstance(value, dict):
        below = {key: rules.properties.get(key, EXACT) for key in value}
        return {key: _with_calls(item, below[key]) for key, item in value.items() if not below[key].ignored}
    if isinstance(value, list):
        items = [_with_calls(item, rules.items or EXACT) for item in value]
        return Call("unordered", (items,)) if rules.unordered else items
    if rules.tolerance and isinstance(value, int | float) and not isinstance(value, bool):
        return Call("near", (value, _distance(float(value), rules.tolerance)))
    return value


def _distance(number: float, allowed: Tolerance) -> float:
    """The greatest allowed distance from the number."""
    return allowed.absolute if allowed.absolute is not None else (allowed.ulps or 0) * math.ulp(number)


def _about(case: Case, corpus: Corpus) -> Iterator[str]:
    """The lines of the comment: the case, where it is, its ruling and its requirements."""
    yield one_line(f"{case.name}  ({case.at})")
    if ruling := corpus.rulings.get(case.ruling):
        reading = f"{case.adopted}: {ruling.readings[case.adopted]}"
        yield from _folded(f"{ruling.id}  {ruling.title}. The expected answer is that of reading {reading}")
    for id_ in case.requirements:
        yield from _folded(f"{id_}  {corpus.requirements[id_].statement}")


def _folded(text: str) -> list[str]:
    return wrap(one_line(text, len(text)), _COMMENT, subsequent_indent="  ")


def _module(manifest: Manifest, template: str, **values: Any) -> Any:
    """The module of a template: its text, and the variables that it sets. Raises `UsageError` for a fault in it."""
    from jinja2 import TemplateError, TemplateNotFound

    folder = manifest.folder / FOLDER
    try:
        return _environment(folder, manifest.language).get_template(f"{template}.jinja").make_module(values)
    except TemplateNotFound as missing:
        raise NoTest(
            f"The adapter {manifest.name} prints no test of {template}: {folder / str(missing.name)} does not exist. "
            "Add it; docs/protocol.md describes the templates."
        ) from None
    except TemplateError as error:
        raise UsageError(f"{folder}/{template}.jinja: {one_line(str(error))}. Correct the template.") from None


@cache
def _environment(folder: Path, language: str) -> Environment:
    from jinja2 import Environment, FileSystemLoader, Undefined, UndefinedError  # takes 60 ms

    notation = NOTATIONS.get(language, JAVASCRIPT)

    def finalize(value: Any) -> Any:
        if isinstance(value, Undefined):
            raise UndefinedError("a value that the request lacks is printed; test it with `is defined` first")
        return value if hasattr(value, "__html__") else _code(notation.literal(value))

    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,  # a text that is no code has no way into the file
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["literal"] = finalize
    return environment


def _code(text: str) -> Markup:
    """Text that a template prints as it is."""
    from markupsafe import Markup

    return Markup(text)
