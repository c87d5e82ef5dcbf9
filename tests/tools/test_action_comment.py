"""The sticky comment of the action, against an API on this machine that keeps comments as GitHub does."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tools.action_comment import AUTHOR, LIMIT, kept, marker_of

PATH = "/repos/o/r/issues"
TOKEN = "t0ken"


class Api(ThreadingHTTPServer):
    """The comments of pull request 7 of the repository o/r; a `status` other than 0 refuses every request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.comments: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.status = 0

    def add(self, body: str, login: str = AUTHOR) -> dict[str, Any]:
        """A new comment."""
        number = len(self.comments) + 1
        self.comments.append({"id": number, "body": body, "user": {"login": login}, "html_url": f"comment-{number}"})
        return self.comments[-1]


class _Handler(BaseHTTPRequestHandler):
    server: Api

    def do_GET(self) -> None:
        page = int(re.fullmatch(rf"{PATH}/7/comments\?per_page=100&page=(\d+)", self.path)[1])  # type: ignore[index]
        self._reply(200, self.server.comments[100 * (page - 1) : 100 * page])

    def do_POST(self) -> None:
        assert self.path == f"{PATH}/7/comments"
        self._reply(201, lambda body: self.server.add(body))

    def do_PATCH(self) -> None:
        comment = self.server.comments[int(self.path.removeprefix(f"{PATH}/comments/")) - 1]
        self._reply(200, lambda body: comment.update(body=body) or comment)

    def _reply(self, status: int, content: Any) -> None:
        api = self.server
        api.asked.append(self.command)
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            status = 401
        elif api.status:
            status = api.status
        elif callable(content):
            content = content(json.loads(data)["body"])
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(json.dumps(content if status < 300 else {"message": "no"}).encode())

    def log_message(self, *_: object) -> None:
        """Writes no log."""


@pytest.fixture
def api() -> Iterator[Api]:
    server = Api()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def run(
    api: Api,
    folder: Path,
    text: str = "## gate: red",
    name: str = "parity",
    event: Mapping[str, Any] | None = None,
    **more: str,
) -> str:
    """What the script prints for this report in a job of pull request 7."""
    report, event_file = folder / "summary.md", folder / "event.json"
    report.write_text(text, "utf-8")
    event_file.write_text(json.dumps({"pull_request": {"number": 7}} if event is None else event), "utf-8")
    variables = {
        "GITHUB_API_URL": f"http://127.0.0.1:{api.server_port}",
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_EVENT_PATH": str(event_file),
        "GITHUB_TOKEN": TOKEN,
        **more,
    }
    return kept(variables, report, name)


def test_one_comment_for_each_name(api: Api, tmp_path: Path) -> None:
    """The first job writes a comment, the next replaces its text; a job with another name has its own."""
    assert run(api, tmp_path, "one") == "comment: comment-1"
    assert run(api, tmp_path, "two") == "comment: comment-1"
    assert run(api, tmp_path, "three", "parity-go") == "comment: comment-2"
    assert [comment["body"] for comment in api.comments] == [
        "two\n\n<!-- parity comment: parity -->",
        "three\n\n<!-- parity comment: parity-go -->",
    ]


def test_it_is_found_behind_many_others_and_nobody_else_has_it(api: Api, tmp_path: Path) -> None:
    """A comment of a person who copies the marker, and one that quotes it, stay as they are."""
    marker = marker_of("parity")
    api.add(f"mine\n{marker}", "somebody")
    api.add(f"quoted: {marker} and more")
    for _ in range(150):
        api.add("talk", "somebody")
    api.add(f"before\n\n{marker}")
    assert run(api, tmp_path, "now") == "comment: comment-153"
    assert api.asked == ["GET", "GET", "PATCH"]
    assert run(api, tmp_path, "again") == "comment: comment-153"


@pytest.mark.parametrize(
    ("status", "why"),
    [(403, "pull-requests: write"), (404, "pull-requests: write"), (500, "with 500"), (302, "with 302")],
)
def test_a_job_that_cannot_write_says_so_and_does_not_fail(api: Api, tmp_path: Path, status: int, why: str) -> None:
    """As that of a fork, whose token only reads."""
    api.status = status
    text = run(api, tmp_path)
    assert text.startswith("::notice title=parity writes no comment::")
    assert why in text
    assert TOKEN not in text
    assert not api.comments


def test_without_a_pull_request_or_an_api_nothing_is_written(api: Api, tmp_path: Path) -> None:
    """A push has no comment, and a network without the API stops no job."""
    assert "no pull request" in run(api, tmp_path, event={"ref": "refs/heads/main"})
    assert "cannot be used: URLError" in run(api, tmp_path, GITHUB_API_URL="http://127.0.0.1:1")
    assert api.asked == []


def test_a_comment_has_the_size_that_github_takes(api: Api, tmp_path: Path) -> None:
    """A longer report loses its end and keeps the marker."""
    run(api, tmp_path, "x" * 2 * LIMIT)
    assert len(api.comments[0]["body"]) == LIMIT
    assert run(api, tmp_path, "short") == "comment: comment-1"


def test_a_name_cannot_end_the_marker() -> None:
    """Whatever an artifact is called."""
    assert marker_of("a --> <b>") == "<!-- parity comment: a --%3E %3Cb%3E -->"
