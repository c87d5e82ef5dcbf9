"""What the SDK does with the scripted parts, and what it needs that they do not offer."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sdk import OutOfReach

HERE = Path(__file__).parent


class ScriptedFailure(RuntimeError):
    """The failure that the request asks a part for."""


@dataclass
class Recorder:
    """The calls in order, the compiled form of each text that the BM25 leg was given, and the first use out of reach.

    The SDK may catch the exception of a part, so the reason is kept until `check`.
    """

    calls: list[Any] = field(default_factory=list)
    compiled: list[str] = field(default_factory=list)
    beyond: str = ""
    started: list[tuple[str, Coroutine[Any, Any, Any]]] = field(default_factory=list)

    def out_of_reach(self, reason: str) -> OutOfReach:
        """The exception for a use that no part offers."""
        self.beyond = self.beyond or reason
        return OutOfReach(reason)

    def check(self) -> None:
        """Raises `OutOfReach` after a use that no part offers, whatever the SDK made of it."""
        for name, coroutine in self.started:
            if inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
                coroutine.close()
                self.out_of_reach(f"the SDK does not await `{name}`")
        if self.beyond:
            raise OutOfReach(self.beyond)


class Part:
    """A scripted part. A member that it lacks is out of reach, also where the SDK only looks whether it exists."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_recorder":
            raise AttributeError(name)
        raise self._recorder.out_of_reach(f"the scripted {self._kind()} has no `{name}`, which the SDK uses")

    def _kind(self) -> str:
        return type(self).__name__.lower()


def offered(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that the SDK calls. Other parameters than its own, and a mistake of the adapter in it, are out of reach."""
    signature = inspect.signature(method)

    def fits(part: Part, values: tuple[Any, ...], named: dict[str, Any]) -> None:
        try:
            signature.bind(part, *values, **named)
        except TypeError as error:
            name = f"`{method.__name__}` of the scripted {part._kind()}"
            raise part._recorder.out_of_reach(f"the SDK calls {name} with other parameters: {error}") from None

    @functools.wraps(method)
    def direct(part: Part, *values: Any, **named: Any) -> Any:
        fits(part, values, named)
        return method(part, *values, **named)

    async def guarded(part: Part, values: tuple[Any, ...], named: dict[str, Any]) -> Any:
        try:
            return await method(part, *values, **named)
        except Exception as error:
            moved = isinstance(error, TypeError) and raised_here(error)
            reason = f"the SDK's values have another form: {error}" if moved else unreachable(error)
            if reason:
                raise part._recorder.out_of_reach(reason) from error
            raise

    @functools.wraps(method)
    def awaited(part: Part, *values: Any, **named: Any) -> Any:
        fits(part, values, named)
        coroutine = guarded(part, values, named)
        part._recorder.started.append((method.__name__, coroutine))
        return coroutine

    if not inspect.iscoroutinefunction(method):
        return direct
    mark: Callable[..., Any] = getattr(inspect, "markcoroutinefunction", lambda made: made)
    marked: Callable[..., Any] = mark(awaited)
    return marked


def unreachable(error: Exception) -> str:
    """Why an exception is no failure of the SDK; empty when it is one.

    A member that the adapter's own code reads and a value of the SDK lacks has moved; where the SDK has no value at all,
    nothing has moved.
    """
    if isinstance(error, OutOfReach):
        return str(error)
    if isinstance(error, AttributeError) and error.obj is not None and raised_here(error):
        return f"the SDK's `{type(error.obj).__name__}` has no `{error.name}`"
    return ""


def raised_here(error: Exception) -> bool:
    """True if the adapter's own code raises this exception."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return trace is not None and Path(trace.tb_frame.f_code.co_filename).parent == HERE
