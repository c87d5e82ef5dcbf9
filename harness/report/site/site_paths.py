"""Names of a corpus and of records → paths of pages. No text becomes part of a path unless all its characters are safe."""

from __future__ import annotations

import re
from functools import partial
from hashlib import sha256

from msgspec import Struct

_SAFE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.@-]{0,78}[A-Za-z0-9_-])?")

INDEX = "index.html"
AGREEMENT = "agreement.html"
CASES = "cases.html"
OPERATIONS = "operations.html"
REQUIREMENTS = "requirements.html"
REQUIREMENTS_BY_FAILURES = "requirements-by-failures.html"
REQUIREMENTS_UNMET = "requirements-that-no-sdk-meets.html"
OUTLINE = "outline.html"
RULINGS = "rulings.html"
SEARCH = "search.html"


class Linked(Struct, frozen=True):
    """A text and the path of its page, if it has one."""

    text: str
    path: str = ""
    more: str = ""


def file_name(name: str) -> str:
    """A name as one part of a path; a digest of it, with the prefix `x~`, if a character is not safe. No part ends in
    `.html`, so that no folder has the path of a page."""
    if _SAFE.fullmatch(name) and not name.lower().endswith(".html"):
        return name
    return f"x~{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}"


def path_of(folder: str, name: str) -> str:
    """The path of the page about `name`. Each part of a name with slashes is a folder."""
    return "/".join([folder, *map(file_name, name.split("/"))]) + ".html"


suite_path = partial(path_of, "cases")
"""The path of a suite, which has an entry for each of its cases."""


def case_address(name: str) -> str:
    """The permanent address of a case: its entry on the page of its suite. It depends on the name alone, so that links stay,
    whatever the verdicts are."""
    suite, _, id_ = name.rpartition("/")
    return f"{suite_path(suite)}#{file_name(id_)}"


case_path = partial(path_of, "results")
"""The path of the full page of a case, which only a case with a failure or a variant has."""

operation_path = partial(path_of, "operations")
requirement_path = partial(path_of, "requirements")
ruling_path = partial(path_of, "rulings")
fixture_path = partial(path_of, "fixtures")
family_path = partial(path_of, "implementations")
"""The path of the page of all versions of an implementation."""


def part_path(folder: str, kind: str, name: str) -> str:
    """The path of a list of results of one version: those of a cause, a group or a reason."""
    return f"{folder}/{kind}-{file_name(name.replace('=', '.'))}.html"


def numbered(path: str, number: int) -> str:
    """The path of the further page `number` of a list; the first one has the path itself."""
    return path if number == 1 else f"{path.removesuffix('.html')}~{number}.html"


def data_path(path: str, format_: str) -> str:
    """The path of the data of a page, `json` or `csv`; all pages of a list share it."""
    return f"{path.partition('~')[0].removesuffix('.html')}.{format_}"
