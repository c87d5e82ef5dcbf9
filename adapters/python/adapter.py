"""The protocol: JSON-RPC 2.0, one message a line, answered one after the other."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import sys
import traceback
import unicodedata
from typing import Any

from operations import OPERATIONS, UNOBSERVABLE, malformed, unsupported
from recorder import unreachable
from sdk import PACKAGE, Sdk, package_version


def initialize(missing: dict[str, str]) -> dict[str, Any]:
    """The reply to `initialize`."""
    operations = [name for name in OPERATIONS if name not in missing]
    return {
        "protocolVersion": 1,
        "implementation": {
            "name": PACKAGE,
            "version": package_version(),
            "language": "Python",
            "runtime": f"{platform.python_implementation()} {platform.python_version()}",
            "source": "a working copy",
        },
        "operations": operations,
        "unsupported": missing,
        "unobservable": {name: paths for name, paths in UNOBSERVABLE.items() if name in operations},
        "versions": {"unicode": unicodedata.unidata_version, "sqlite": sqlite3.sqlite_version},
    }


def perform(sdk: Sdk, missing: dict[str, str], method: str, params: Any) -> dict[str, Any]:
    """The member of the reply that is not the same in all: `result` or `error`."""
    if method == "initialize":
        return {"result": initialize(missing)}
    if method == "shutdown":
        return {"result": {}}
    if method not in OPERATIONS or method in missing:
        return refusal(-32601, missing.get(method, f"no operation `{method}`"))
    fault = malformed(OPERATIONS[method], params)
    if fault:
        return refusal(-32602, fault)
    try:
        return {"result": OPERATIONS[method].answer(sdk, params)}
    except Exception as error:
        if reason := unreachable(error):
            return refusal(-32001, "out of the public surface's reach", reason=reason)
        return raised(error)


def raised(error: Exception) -> dict[str, Any]:
    """What the SDK itself raised."""
    message = f"{type(error).__name__}: {error}"
    stack = "".join(traceback.format_exception(error))
    return refusal(-32000, message, type="unclassified", message=message, stack=stack)


def refusal(code: int, text: str, **data: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": text, **({"data": data} if data else {})}}


def encoded(id_: Any, outcome: dict[str, Any]) -> str:
    """ASCII, lone surrogates as escapes; what JSON has no word for (NaN, an object) must not pass for something else."""
    try:
        return json.dumps({"jsonrpc": "2.0", "id": id_, **outcome}, allow_nan=False)
    except (TypeError, ValueError) as error:
        return json.dumps({"jsonrpc": "2.0", "id": id_, **raised(error)})


def main() -> None:
    # Whatever the SDK prints must not get between the messages.
    out = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
    os.dup2(2, 1)
    sdk = Sdk()
    missing = unsupported(sdk)
    if len(missing) == len(OPERATIONS):
        sys.exit(f"No operation of {PACKAGE} is usable: " + "; ".join(dict.fromkeys(missing.values())))
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            message = dict(json.loads(line))
        except (ValueError, TypeError):
            message = {}
        method = message.get("method")
        outcome = (
            perform(sdk, missing, method, message.get("params", {}))
            if isinstance(method, str)
            else refusal(-32700, "not a JSON-RPC message")
        )
        print(encoded(message.get("id"), outcome), file=out, flush=True)
        if method == "shutdown":
            break


main()
