"""An echo that offers less than all, in the way that its first argument names."""

import sys

from loop import DECLARED, envelope, refusal, reply, serve, write

DECLARATIONS = {
    "nothing": {"operations": []},
    "unknown-names": {"operations": ["echo.whisper", "say"]},
    "no-shouting": {"operations": ["echo.say"], "unsupported": {"echo.shout": "the package has no loud voice"}},
    "no-reason": {"operations": ["echo.say"], "unsupported": {"echo.shout": ""}},
    "everything-unobservable": {"unobservable": {"echo.say": ["/text"]}},
    "tells-unobservable": {"unobservable": {"echo.say": ["/text"]}},
}


def decline(message):
    way = sys.argv[1]
    if message["method"] == "initialize":
        write(envelope(message, result={**DECLARED, **DECLARATIONS.get(way, {})}))
    elif message["method"] == "shutdown":
        write(reply(message))
    elif way == "out-of-reach":
        write(refusal(message, -32001, reason="the package does not show it"))
    elif way == "other-error" and message["params"]["text"] == "":
        write(refusal(message, -32000, type="forbidden"))
    elif way == "unclassified-error" and message["params"]["text"] == "":
        write(refusal(message, -32000, type="unclassified"))
    elif way == "no-error":
        write(envelope(message, result={"text": message["params"]["text"]}))
    else:
        write(reply(message))


if __name__ == "__main__":
    serve(decline, when=lambda _: True)
