"""The reference behind the adapter protocol: one JSON-RPC message a line on stdin, one reply a line on stdout."""

import argparse
import json
import math
import os
import platform
import sqlite3
import sys
import traceback
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, Registry

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # the folder of `reference_impl`: the checkout, or the installed package

from reference_impl.effects import combinations, effects, needed  # noqa: E402
from reference_impl.observer import Step, observing  # noqa: E402
from reference_impl.switches import SwitchError, all_switches, following  # noqa: E402
from reference_impl.wire.operations import SYSTEMS  # noqa: E402

SCHEMAS = ROOT / "schemas"
SYSTEM_OF = {schema.stem: system for system in SYSTEMS for schema in sorted((SCHEMAS / system).glob("*.*.json"))}
"""The system of each operation; the operations themselves are imported at the first request."""

PARSE_ERROR, INVALID_REQUEST, NOT_OFFERED, MALFORMED, RAISED = -32700, -32600, -32601, -32602, -32000

served: list[str] = []
"""The readings and deviations that the command line names."""

LARGEST_SAFE_INTEGER = 2**53 - 1
"""Up to here a double holds every whole number."""


class Refusal(Exception):
    """A request that gets an error object instead of a result."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


def installed_version() -> str:
    """The version of parity. `importlib.metadata` finds it too, and takes a quarter of the start to import."""
    folders = (folder for path in sys.path for folder in Path(path).glob("parity-*.dist-info"))
    return next((folder.name.split("-")[1].removesuffix(".dist") for folder in folders), "0+unknown")


def initialize() -> dict[str, Any]:
    """The reply to `initialize`."""
    return {
        "protocolVersion": 1,
        "implementation": {
            "name": "parity reference",
            "version": installed_version(),
            "language": "Python",
            "runtime": f"{platform.python_implementation()} {platform.python_version()}",
        },
        "operations": list(SYSTEM_OF),
        "capabilities": ["explain", "answerUnder"],
        "versions": {"unicode": unicodedata.unidata_version, "sqlite": sqlite3.sqlite_version},
    }


def explain(params: dict[str, Any]) -> dict[str, Any]:
    """An operation's answer together with the steps that led to it."""
    operation, request = operation_in(params)
    steps: list[Step] = []
    with observing(steps.append):
        answer = perform(operation, request)
    return {
        "answer": answer,
        "steps": [{"section": step.section, "step": step.step, "value": step.value} for step in steps],
    }


def by_kind(switches: Collection[str]) -> dict[str, Any]:
    """Switches as the protocol writes them: `{readings: {ruling: [reading, …]}, deviations: [name, …]}`."""
    readings: dict[str, list[str]] = {}
    deviations = []
    for name in sorted(switches):
        ruling, is_reading, reading = name.partition("=")
        if is_reading:
            readings.setdefault(ruling, []).append(reading)
        else:
            deviations.append(name)
    return {"readings": readings, "deviations": deviations}


def answer_under(params: dict[str, Any]) -> dict[str, Any]:
    """An operation's answer under the readings and deviations."""
    switches = switches_in(params)
    operation, request = operation_in(params)
    with within(params), following(operation, switches):
        return {"answer": compute(operation, request)}


def single_effects(params: dict[str, Any]) -> dict[str, Any]:
    """An operation's answer, its other answer under each alternative that changes it alone, and every alternative whose
    point of decision it reaches.
    """
    operation, request = operation_in(params)
    with within(params):
        found = effects(operation, lambda: outcome(operation, request))
    changes = [{**by_kind([name]), **other} for name, other in found.changes.items()]
    return {**found.answer, "changes": changes, "reached": by_kind(found.reached)}


def combined_effects(params: dict[str, Any]) -> dict[str, Any]:
    """An operation's answer under the readings and deviations, and its answer under each combination of further ones that
    gives another answer than the parts of it.
    """
    switches, further = switches_in(params), params.get("further", {})
    if not isinstance(further, dict) or not all(isinstance(names, list) for names in further.values()):
        raise Refusal(MALFORMED, "$.further: wanted an object, ruling to readings")
    size, limit = params.get("size"), params.get("limit")
    if not isinstance(size, int) or not isinstance(limit, int):
        raise Refusal(MALFORMED, "$: wanted two whole numbers, size and limit")
    names = [f"{ruling}={reading}" for ruling, readings in further.items() for reading in readings]
    operation, request = operation_in(params)
    with within(params):
        found = combinations(operation, lambda: outcome(operation, request), switches, names, size, limit)
    answers = [{**by_kind(chosen), **answered} for chosen, answered in found.answers.items()]
    return {**found.answer, "combinations": answers, "size": found.size, "tried": found.tried}


def needed_part(params: dict[str, Any]) -> dict[str, Any]:
    """The readings and deviations without those that do not change the answer."""
    switches = switches_in(params)
    operation, request = operation_in(params)
    with within(params):
        return by_kind(needed(operation, lambda: outcome(operation, request), switches))


@contextmanager
def within(params: dict[str, Any]) -> Iterator[None]:
    """Sets the environment variables in the parameters for one request."""
    wanted = params.get("environment", {})
    if not isinstance(wanted, dict) or not all(isinstance(value, str) for value in wanted.values()):
        raise Refusal(MALFORMED, "$.environment: wanted an object, variable to text")
    before = dict(os.environ)
    os.environ.update(wanted)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def operation_in(params: dict[str, Any]) -> tuple[str, Any]:
    """The operation and the request in the parameters."""
    operation = params.get("operation")
    if not isinstance(operation, str):
        raise Refusal(MALFORMED, "$.operation: wanted the name of an operation")
    return operation, params.get("request")


def switches_in(params: dict[str, Any]) -> list[str]:
    """The readings and deviations in the parameters."""
    readings, deviations = params.get("readings", {}), params.get("deviations", [])
    if not isinstance(readings, dict):
        raise Refusal(MALFORMED, "$.readings: wanted an object, ruling to reading")
    if not isinstance(deviations, list):
        raise Refusal(MALFORMED, "$.deviations: wanted a list of names")
    return [*(f"{ruling}={reading}" for ruling, reading in readings.items()), *map(str, deviations)]


def outcome(operation: str, request: Any) -> dict[str, Any]:
    """`{answer}`, or `{error: {type}}` where the reference raises."""
    try:
        return {"answer": compute(operation, request)}
    except Refusal as refusal:
        if refusal.error["code"] != RAISED:
            raise
        return {"error": {"type": refusal.error["data"]["type"]}}


def perform(operation: str, request: Any) -> dict[str, Any]:
    """The reference's answer, or the refusal of a request that breaks its schema or makes the reference raise."""
    check(operation, request)
    with following(operation, served) if served else nullcontext():
        return compute(operation, request)


def compute(operation: str, request: Any) -> dict[str, Any]:
    """The same; the request is checked only where the reference raises, because a run repeats checked requests."""
    if operation not in SYSTEM_OF:
        raise Refusal(NOT_OFFERED, f"{operation} is not one of the reference's operations")
    try:
        return SYSTEMS[SYSTEM_OF[operation]][operation](request)
    except Exception as error:
        check(operation, request)
        name = type(error).__name__
        kind = name if validator(operation, "error").is_valid(name) else "unclassified"
        raise raised(error, "timeout" if isinstance(error, TimeoutError) else kind) from error


def check(operation: str, request: Any) -> None:
    """Raises the refusal of an unknown operation or of a request that breaks its schema."""
    if operation not in SYSTEM_OF:
        raise Refusal(NOT_OFFERED, f"{operation} is not one of the reference's operations")
    try:
        flaw = next(iter(validator(operation, "request").iter_errors(request)), None)
    except ValueError:  # the library reads no lone surrogate; the operation does
        return
    if flaw is not None:
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in flaw.instance_path)
        raise Refusal(MALFORMED, f"${place}: {flaw.message} (see {SYSTEM_OF[operation]}/{operation}.json)")


def raised(error: Exception, kind: str = "unclassified") -> Refusal:
    """What the implementation itself raised; ``kind`` is a type that the operation's schema lists."""
    data = {"type": kind, "message": str(error), "stack": "".join(traceback.format_exception(error))}
    return Refusal(RAISED, f"{type(error).__name__}: {error}", data)


@cache
def validator(operation: str, part: str) -> Draft202012Validator:
    """The validator of one part (request, answer, error) of an operation's schema."""
    system = SYSTEM_OF[operation]
    return Draft202012Validator(
        {"$ref": f"json-schema:///{system}/{operation}.json#/$defs/{part}"}, registry=schemas(system), offline=True
    )


@cache
def schemas(system: str) -> Registry:
    """Every schema of one system, by its path below the schemas' folder."""
    files = sorted((SCHEMAS / system).glob("*.json"))
    contents = [(f"json-schema:///{system}/{file.name}", json.loads(file.read_text("utf-8"))) for file in files]
    return Registry(contents)


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of one method."""
    if method == "initialize":
        return initialize()
    if method == "shutdown":
        return {}
    special = {
        "explain": explain,
        "alternatives": lambda _: by_kind(all_switches()),
        "answerUnder": answer_under,
        "effects": single_effects,
        "combinations": combined_effects,
        "needed": needed_part,
    }
    try:
        return special[method](params) if method in special else perform(method, params)
    except SwitchError as error:
        raise Refusal(MALFORMED, f"$: {error}") from error


def parse(line: bytes) -> dict[str, Any]:
    """One message; a line that is no JSON object in UTF-8 is refused."""
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=finite, parse_float=number)
    except (ValueError, RecursionError) as error:
        raise Refusal(PARSE_ERROR, f"this line is no JSON message: {error}") from error
    if not isinstance(message, dict):
        raise Refusal(INVALID_REQUEST, "wanted one JSON object; batches are not part of the protocol")
    return message


def finite(number: str) -> float:
    """A number that a double can hold; NaN, the infinities and 1e999 are none."""
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number} is no number that a double can hold")
    return value


def number(text: str) -> int | float:
    """A number with a fraction or an exponent; where its value is whole it is the same number as without."""
    value = finite(text)
    return int(value) if value.is_integer() and abs(value) <= LARGEST_SAFE_INTEGER else value


def method_and_params(message: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The method and the params of a message."""
    method, params = message.get("method"), message.get("params", {})
    if not isinstance(method, str):
        raise Refusal(INVALID_REQUEST, '$.method: wanted a string, as in "query.parse"')
    if not isinstance(params, dict):
        raise Refusal(MALFORMED, "$: params is no object")
    return method, params


def reply(line: bytes) -> tuple[str, bool]:
    """The reply to one line as JSON text, and whether it is the last one wanted."""
    message: dict[str, Any] = {}
    try:
        message = parse(line)
        method, params = method_and_params(message)
        return encoded(message, {"result": answer(method, params)}), method == "shutdown"
    except Refusal as refusal:
        return encoded(message, {"error": refusal.error}), False
    except Exception as error:  # a result that no message can hold, such as NaN
        return encoded(message, {"error": raised(error).error}), False


def encoded(message: dict[str, Any], outcome: dict[str, Any]) -> str:
    """The reply to a message, in ASCII, lone surrogates as escapes."""
    return json.dumps({"jsonrpc": "2.0", "id": message.get("id"), **outcome}, allow_nan=False)


def main() -> None:
    """Answer line by line until a shutdown or the end of input."""
    for line in sys.stdin.buffer:
        if line.strip():
            text, is_last = reply(line)
            print(text, flush=True)
            if is_last:
                return


def switches_of(arguments: Sequence[str]) -> list[str]:
    """The readings and deviations that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--reading", action="append", default=[], metavar="RULING=READING", help="follow this reading")
    parser.add_argument("--deviation", action="append", default=[], metavar="NAME", help="follow this deviation")
    chosen = parser.parse_args(arguments)
    return [*chosen.reading, *chosen.deviation]


def run() -> int:
    """The exit status: 0 also if the reader closes its pipe, 2 for an unknown option or reading or if replies cannot be
    written, 130 on Ctrl-C.
    """
    status = 0
    try:
        served.extend(switches_of(sys.argv[1:]))
        if served:
            with following("", served):  # refuses switches that do not exist or exclude each other
                pass
        main()
        return status
    except SwitchError as error:
        print(f"parity serve: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        pass
    except OSError as error:
        print(f"The reply cannot be written: {error.strerror}.", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        status = 130
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # unwritten output is dropped, and the exit stays quiet
    return status


if __name__ == "__main__":
    sys.exit(run())
