"""An echo that answers everything well, and does not end as it was asked to, in the way that its first argument names."""

import json
import os
import signal
import sys

from loop import chosen, hang, refusal, reply, serve, write


def exits_with_3(message):
    write(reply(message))
    sys.exit(3)


def is_killed(message):
    write(reply(message))
    os.kill(os.getpid(), signal.SIGKILL)


def stays(message):
    write(reply(message))
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


def closes_stdout_and_stays(message):
    write(reply(message))
    os.close(1)
    hang()


def trickles(_):
    while True:
        write(b"\n" * 1000)


def says_nothing(_):
    sys.exit(0)


def says_half(message):
    write(json.dumps(reply(message)).encode())
    sys.exit(0)


def refuses(message):
    write(refusal(message, -32601))


def null_result(message):
    write({**reply(message), "result": None})


def says_it_twice(message):
    write(reply(message))
    write(reply(message))


def banner(message):
    write(reply(message))
    write("Goodbye!")


def banner_without_a_line_feed(message):
    write(reply(message))
    write(b"Goodbye!")


if __name__ == "__main__":
    serve(chosen(globals()), when=lambda message: message["method"] == "shutdown")
