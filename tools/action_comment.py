"""Keeps one comment on a pull request: `python tools/action_comment.py REPORT NAME`.

`action.yml` runs it after the gate. REPORT is a file in Markdown. The comment ends with an invisible marker with NAME, by
which the next job finds it and replaces its text; another name has a comment of its own. The variables are those of a
GitHub runner. A comment decides nothing: without a right to write it, or without an answer of the API, the script says so
and ends with 0.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

AUTHOR = "github-actions[bot]"
"""Who writes with the token of a job. A comment of anybody else is left alone, whatever marker it has."""

LIMIT = 65_536
"""Characters of a comment."""

_PAGE = 100
_SECONDS = 30


class _NoRedirect(HTTPRedirectHandler):
    """The token goes to the API alone."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Comments:
    """The comments of one pull request. Raises `OSError`, such as `HTTPError`, and `ValueError`."""

    def __init__(self, variables: Mapping[str, str], number: int) -> None:
        self._issues = f"{variables['GITHUB_API_URL']}/repos/{variables['GITHUB_REPOSITORY']}/issues"
        self._number = number
        self._token = variables["GITHUB_TOKEN"]
        self._opener = build_opener(_NoRedirect)

    def keep(self, body: str, marker: str) -> str:
        """Writes the comment that ends with the marker, in place of the earlier one if there is one; its address."""
        if (earlier := self._find(marker)) is None:
            written = self._ask("POST", f"/{self._number}/comments", {"body": body})
        else:
            written = self._ask("PATCH", f"/comments/{earlier}", {"body": body})
        return str(written["html_url"])

    def _find(self, marker: str) -> int | None:
        """The id of the earlier comment."""
        for page in count(1):
            comments = self._ask("GET", f"/{self._number}/comments?per_page={_PAGE}&page={page}")
            for comment in comments:
                is_own = (comment["user"] or {}).get("login") == AUTHOR
                if is_own and (comment["body"] or "").rstrip().endswith(marker):
                    return int(comment["id"])
            if len(comments) < _PAGE:
                break
        return None

    def _ask(self, method: str, path: str, content: Mapping[str, str] | None = None) -> Any:
        data = None if content is None else json.dumps(content).encode()
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
        }
        request = Request(f"{self._issues}{path}", data, headers, method=method)
        with self._opener.open(request, timeout=_SECONDS) as reply:
            return json.load(reply)


def marker_of(name: str) -> str:
    """The last line of the comment."""
    return f"<!-- parity comment: {quote(name, safe=' ')} -->"


def body_of(report: str, marker: str) -> str:
    """The report, cut if it is too long, and the marker."""
    room = LIMIT - len(marker) - 2
    return f"{report.rstrip()[:room]}\n\n{marker}"


def kept(variables: Mapping[str, str], report: Path, name: str) -> str:
    """Keeps the comment, and returns what the job prints."""
    event = json.loads(Path(variables["GITHUB_EVENT_PATH"]).read_text("utf-8"))
    if not (pull := event.get("pull_request")):
        return _without_comment("This job runs for no pull request.")
    marker = marker_of(name)
    body = body_of(report.read_text("utf-8", errors="replace"), marker)
    try:
        return f"comment: {Comments(variables, pull['number']).keep(body, marker)}"
    except HTTPError as error:
        return _without_comment(_NO_RIGHT if error.code in (401, 403, 404) else f"The API replied with {error.code}.")
    except (OSError, ValueError) as error:
        return _without_comment(f"The API cannot be used: {type(error).__name__}.")


_NO_RIGHT = (
    "This job has no right to write it. A pull request of a fork never has it; any other needs `pull-requests: write` in "
    "the permissions of the job."
)


def _without_comment(why: str) -> str:
    return f"::notice title=parity writes no comment::{why} The summary of this job has the report."


def main(arguments: Sequence[str]) -> None:
    """Prints what became of the comment."""
    report, name = arguments
    print(kept(os.environ, Path(report), name))


if __name__ == "__main__":
    main(sys.argv[1:])
