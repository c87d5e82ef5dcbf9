"""An echo whose breaking depends on what was before, in the way that its first argument names.

The second argument is a file that counts starts.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

from loop import DECLARED, chosen, envelope, hang, is_guilty, reply, serve, write


def is_request(message):
    return message["method"].startswith("echo.")


seen = []


def dies_at_the_third(message):
    seen.append(message)
    if len(seen) == 3:
        sys.exit(7)
    write(reply(message))


def dies_at_every_request(_):
    sys.exit(7)


def dies_after_every_reply(message):
    write(reply(message))
    sys.exit(0)


def answers_everything_twice(message):
    write(reply(message))
    time.sleep(0.005)
    write(reply(message))


def answers_null(message):
    write(envelope(message, result=None))


def answers_nothing_at_all(message):
    write(envelope(message, result={}))


def answers_guilty_twice(message):
    write(reply(message))
    if is_guilty(message):
        write(reply(message))


def logs_after_guilty(message):
    write(reply(message))
    if is_guilty(message):
        write("done")


def dies_soon_after_guilty(message):
    """The answer to `guilty` is right; a thread that it left behind ends the process while the next is thought about."""
    if seen:
        time.sleep(0.2)
    write(reply(message))
    if is_guilty(message):
        seen.append(message)
        threading.Timer(0.1, lambda: os._exit(9)).start()


def hangs_after_guilty(message):
    """The answer to `guilty` is right, and the last."""
    write(reply(message))
    if is_guilty(message):
        hang()


def dislikes_company():
    """It dies if more than one request waits for it."""
    while True:
        lines = os.read(0, 1 << 20).splitlines()
        if len(lines) > 1:
            print("I am not alone", file=sys.stderr)
            sys.exit(5)
        message = json.loads(lines[0])
        write(reply(message))
        if message["method"] == "shutdown":
            sys.exit(0)


def swaps_guilty_with_the_next(message):
    if is_guilty(message):
        seen.append(message)
    elif seen:
        other = seen.pop()
        write({**reply(other), "id": message["id"]})
        write({**reply(message), "id": other["id"]})
    else:
        write(reply(message))


def starts_no_second_time(message):
    if is_guilty(message):
        sys.exit(6)
    write(reply(message))


def calls_itself_another(message):
    starts_no_second_time(message)


def calls_itself_another_beside_the_first(message):
    """No process answers before a second one has started."""
    until = time.monotonic() + 10
    while counter.stat().st_size < 2 and time.monotonic() < until:
        time.sleep(0.01)
    write(reply(message))


def starts_at_the_third_time(message):
    write(reply(message))


def on_start(way, starts):
    """What some ways do as early as in initialize."""
    if way == "starts_no_second_time" and starts > 1:
        print("the port is taken", file=sys.stderr)
        sys.exit(8)
    if way == "starts_at_the_third_time" and starts < 3:
        sys.exit(8)
    if way.startswith("calls_itself_another"):
        DECLARED["implementation"]["version"] = str(starts)


if __name__ == "__main__":
    counter = Path(sys.argv[2])
    with counter.open("ab") as file:  # two processes that start at once have different numbers
        file.write(b"x")
        file.flush()
        starts = file.tell()
    if sys.argv[1] == "dislikes-company":
        dislikes_company()
    on_start(sys.argv[1].replace("-", "_"), starts)
    serve(chosen(globals()), when=is_request)
