"""An echo that says everything well, and shouts in the way that its first argument names."""

import os
import sys

from loop import chosen, envelope, refusal, reply, serve, write


def well(message):
    write(reply(message))


def softly(message):
    """It gives the text back as it came, and says why."""
    print("I would rather\n\x1b[31mwhisper", file=sys.stderr)
    write(envelope(message, result={"text": message["params"]["text"] or "…"}))


def only_out_of_reach(message):
    write(refusal(message, -32001, reason="the SDK has no public shout"))


def zone(message):
    """It answers the time zone that it lives in."""
    write(envelope(message, result={"text": os.environ["TZ"]}))


if __name__ == "__main__":
    serve(chosen(globals()), when=lambda message: message["method"] == "echo.shout")
