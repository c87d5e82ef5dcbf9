"""An adapter of any corpus that breaks in the way that its first argument names, as often as the second one states.

The ways are those of the scripts beside it and the ones below. The third argument is the folder of the corpus. A request of
another system than echo is out of reach for it, unless it breaks.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import loop

_own_reply = loop.reply


def _reply(message):
    if message["method"] in ("initialize", "shutdown") or message["method"].startswith("echo."):
        return _own_reply(message)
    return loop.refusal(message, -32001, reason="out of reach")


loop.reply = _reply  # before the ways take it over

import end  # noqa: E402
import guilty  # noqa: E402
import moody  # noqa: E402
import start  # noqa: E402


def hangs_after_reply(message):
    loop.write(loop.reply(message))
    loop.hang()


def exits_later(message):
    loop.write(loop.reply(message))
    time.sleep(0.05)
    os._exit(3)


def half_a_reply_then_exit(message):
    loop.write(str(loop.reply(message)).encode()[:15])
    os._exit(0)


def floods_stdout(_):
    while True:
        os.write(1, b"no\n" * 10_000)


def floods_stdout_without_line_feed(_):
    while True:
        os.write(1, b"x" * 30_000)


def floods_blank_lines(_):
    while True:
        os.write(1, b"\n" * 30_000)


def floods_stderr(_):
    while True:
        os.write(2, b"warning\n" * 4_000)


def floods_stderr_and_answers(message):
    for _ in range(64):
        os.write(2, b"warning\n" * 4_000)
    loop.write(loop.reply(message))


def slow_reply(message):
    time.sleep(0.05)
    loop.write(loop.reply(message))


def starts_processes(message):
    for _ in range(3):
        subprocess.Popen(["sleep", "600"], start_new_session=True)
    loop.write(loop.reply(message))
    os._exit(1)


def one_of_several(message):
    random.choice([guilty.exits_with_3, guilty.hangs, guilty.banner, guilty.unknown_id])(message)


def crash_or_hang(message):
    random.choice([guilty.exits_with_3, guilty.hangs])(message)


def answers_nothing_useful(message):
    loop.write(loop.envelope(message, result={}))


SCHEDULES = {
    "always": lambda _number, _: True,
    "third": lambda number, _: number % 3 == 0,
    "fiftieth": lambda number, _: number % 50 == 0,
    "once": lambda number, _: number == 20,
    "from-the-tenth": lambda number, _: number >= 10,
    "one-operation": lambda _, message: message["method"] in ("augur.route", "query.normalise", "echo.say"),
    "some-requests": lambda _, message: hash(str(message["params"])) % 16 == 0,
}
"""Whether a request is broken, from its number in this process and the message."""


def main():
    way, schedule, corpus = sys.argv[1].replace("-", "_"), sys.argv[2], Path(sys.argv[3])
    names = (path.stem for path in sorted(corpus.glob("schemas/*/*.json")))
    loop.DECLARED["operations"] = [name for name in names if name.count(".") == 1]
    if schedule in ("start", "end"):
        module, method = (start, "initialize") if schedule == "start" else (end, "shutdown")
        if way == "exits_before":
            start.exits_before()
        loop.serve(getattr(module, way), when=lambda message: message["method"] == method)
        return
    do = next(getattr(module, way) for module in (sys.modules["__main__"], guilty, moody) if hasattr(module, way))
    numbers = iter(range(1, 1 << 30))

    def is_due(message):
        if message["method"] in ("initialize", "shutdown"):
            return False
        return SCHEDULES[schedule](next(numbers), message)

    loop.serve(do, when=is_due)


if __name__ == "__main__":
    main()
