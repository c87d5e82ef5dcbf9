"""The real command over the shipped adapters, and what they say of themselves."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from in_process import call

from harness.cli.main import main
from harness.corpus.loader import load_corpus
from harness.corpus.paths import cache as cache_folder
from harness.corpus.paths import shipped
from harness.model import Implementation
from harness.transport.adapter_spec import AdapterSpec
from harness.transport.connect import connect, try_connect
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox
from harness.transport.sync_client import SyncClient
from harness.transport.working_copy import inspect_working_copy

HERE = Path(__file__).parent
GO_MODULE = HERE / "go_module"
PYTHON_PACKAGE = HERE / "python_package"


def parity(*arguments: Any) -> subprocess.CompletedProcess[str]:
    """Runs `parity` in the checkout, in this process, with the user's own cache, so that what is built is built once."""
    return call(main, ["parity", *map(str, arguments)], shipped(), {**os.environ}, timeout=300)


def lines(record: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.read_text("utf-8").splitlines()]


def verdicts(record: Path) -> dict[str, tuple[str, str, str]]:
    """For each case the verdict, the reading and the signature."""
    return {
        line["case"]: (line["verdict"], line.get("reading", ""), line.get("signature", ""))
        for line in lines(record)
        if line["type"] == "result"
    }


@cache
def operations() -> dict[str, str]:
    """The operations of the shipped corpus, in order, each with its system."""
    found = load_corpus(shipped()).operations
    return {name: found[name].system for name in sorted(found)}


def introduced(name: str, sdk: Path | None = None) -> Implementation | str:
    """What a shipped adapter says of itself, over a working copy if one is given; else why it cannot be asked."""
    manifests = shipped_manifests(shipped())
    with Sandbox() as sandbox:
        if sdk is None:
            reached = try_connect(AdapterSpec(name), manifests, sandbox, ())
            if reached.connection is None:
                return reached.reason
            connection = reached.connection
        else:
            copy = inspect_working_copy(manifests[name], sdk)
            connection = connect(AdapterSpec(name), manifests, cache_folder(), sandbox, (), copy)
        with SyncClient(connection.start(())) as talk:
            said = talk.initialize(name)
            assert talk.close() is None
            return said


def note(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "path": f"wiki/{name}.md", "title": "", "summary": "", "content": f"About {name}.", **fields}


def answer(talk: SyncClient, operation: str, **request: Any) -> Any:
    reply = talk.call(operation, request)
    assert reply.refusal is None, reply.refusal
    return reply.result


def reason(talk: SyncClient, operation: str, **request: Any) -> str:
    """Why the request is out of the public surface's reach."""
    reply = talk.call(operation, request)
    assert reply.refusal is not None, reply.result
    assert reply.refusal.code == -32001
    return str(reply.refusal.data["reason"])
