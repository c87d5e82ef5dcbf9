"""An echo that does what is unusual and allowed, in the way that its first argument names."""

import json
import os
import select
import sys
import time
from pathlib import Path

from loop import chosen, reply, serve, write


def crlf(message):
    write(json.dumps(reply(message)).encode() + b"\r\n")


def blank_lines(message):
    write(b"\n\r\n \t\n")
    write(reply(message))
    write(b"\n")


def white_space(message):
    write(b" \t" + json.dumps(reply(message)).replace(":", " : ").encode() + b" \n")


def byte_by_byte(message):
    for byte in json.dumps(reply(message)).encode() + b"\n":
        os.write(1, bytes([byte]))


def slow_but_alive(message):
    time.sleep(0.2)
    write(reply(message))


def starts_slowly(message):
    if message["method"] == "initialize":
        time.sleep(0.6)
    write(reply(message))


def talks_on_stderr(message):
    os.write(2, b"\xff\x00\x1b[2J" * 1000)
    write(reply(message))


def floods_stderr(message):
    os.write(2, b"x" * (8 << 20))
    write(reply(message))


def closes_stderr(message):
    if message["method"] == "initialize":
        os.close(2)
    write(reply(message))


def backwards():
    """Answers what it has been sent, the latest first, and the goodbye last."""
    while True:
        lines = os.read(0, 1 << 20).splitlines()
        for line in reversed(lines):
            message = json.loads(line)
            write(reply(message))
            if message["method"] == "shutdown":
                sys.exit(0)


def gathers():
    """Answers only once nothing more comes; the second argument is a file for the most requests and bytes it had."""
    most = (0, 0)
    while True:
        data = os.read(0, 1 << 20)
        while select.select([0], [], [], 0.2)[0]:
            data += os.read(0, 1 << 20)
        lines = data.splitlines()
        most = max(most, (len(lines), len(data)))
        Path(sys.argv[2]).write_text(json.dumps(most))
        for line in lines:
            message = json.loads(line)
            write(reply(message))
            if message["method"] == "shutdown":
                sys.exit(0)


if __name__ == "__main__":
    if sys.argv[1] == "gathers":
        gathers()
    if sys.argv[1] == "backwards":
        backwards()
    serve(chosen(globals()), when=lambda _: True)
