"""An echo that writes a flood before it answers `guilty`: what and how many MiB its first two arguments name."""

import os
import sys

from loop import reply, serve, write

MIB = 1 << 20

PIECES = {
    "short-lines": (1, b"no\n"),
    "endless-line": (1, b"x"),
    "blank-lines": (1, b"\r\n"),
    "stderr": (2, b"warning\n"),
}


def flood(message):
    descriptor, piece = PIECES[sys.argv[1]]
    chunk = piece * (MIB // len(piece))
    for _ in range(int(sys.argv[2])):
        left = memoryview(chunk)
        while left:
            left = left[os.write(descriptor, left) :]
    write(reply(message))


if __name__ == "__main__":
    serve(flood)
