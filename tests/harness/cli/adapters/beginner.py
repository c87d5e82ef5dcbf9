"""An adapter for the echo system as a beginner writes it: right, but for the one mistake that the first argument names."""

import json
import os
import sys

MISTAKE = sys.argv[1]
LANGUAGE = sys.argv[2] if len(sys.argv) > 2 else "Python"
WIDE = ("utf-16", "utf-16-le", "utf-16-be", "utf-32")
OUT = sys.stdout
if MISTAKE in ("buffered", "latin-1", "ascii", *WIDE):
    encoding = "utf-8" if MISTAKE == "buffered" else MISTAKE
    OUT = os.fdopen(1, "w", encoding=encoding, buffering=65536, closefd=False)
INITIALIZE = {
    "protocolVersion": 1,
    "implementation": {"name": "beginner", "version": "1", "language": LANGUAGE},
    "operations": ["echo.say", "echo.shout"],
}
FLAWS = {
    "version": {"protocolVersion": "1.0"},
    "nameless": {"implementation": {"version": "1", "language": "Python"}},
    "no-implementation": {"implementation": None},
    "no-operations": {"operations": None},
    "nothing-offered": {"operations": []},
    "misspelt": {"operations": ["echo.say", "echo.schout"]},
    "all-misspelt": {"operations": ["echo.sya", *(f"echo.shout{number}" for number in range(7))]},
    "unsupported-as-list": {"unsupported": ["echo.shout"]},
}
UNESCAPED = {
    "quotes": lambda text: text.replace('\\"', '"'),
    "backslashes": lambda text: text.replace("\\\\", "\\"),
    "tabs": lambda text: text.replace("\\t", "\t"),
    "line-feeds": lambda text: text.replace("\\n", "\n"),
    "trailing-comma": lambda text: text[:-2] + ",}}" if '"text"' in text else text,
}


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.error = {"code": code, "message": message}


def answer(method, params):
    if method == "initialize":
        return {**INITIALIZE, **FLAWS.get(MISTAKE, {})}
    if method == "shutdown":
        return {}
    if MISTAKE == "burst":
        return len(params["text"]) // 0
    if method not in INITIALIZE["operations"]:
        if MISTAKE == "unknown-answered":
            return {}
        raise Refused(-32601, f"no operation {method}")
    if MISTAKE == "offered-refused" and method == "echo.shout":
        raise Refused(-32601, "not yet")
    if not isinstance(params.get("text"), str) or set(params) != {"text"}:
        if MISTAKE == "malformed-crash":
            raise SystemExit(3)
        if MISTAKE == "malformed-answered":
            return {"text": ""}
        raise Refused(-32602, "wanted a text")
    return say(method, params["text"])


def say(method, text):
    if MISTAKE == "astral-crash" and max(text, default="") > "\uffff":
        raise SystemExit(3)
    if MISTAKE == "mojibake":
        text = text.encode().decode("latin-1")
    if MISTAKE == "escaped-twice":
        text = json.dumps(text)[1:-1]
    if MISTAKE == "twice" and text.isascii():
        text = json.dumps(text)[1:-1]
    if MISTAKE == "undecoded":
        text = text.replace("\t", "t").replace("\n", "n")
    if MISTAKE == "extra-member":
        return {"text": text, "took": 3}
    if MISTAKE == "crash" and method == "echo.shout":
        os.abort()
    if method == "echo.shout" and not text:
        raise Refused(-32000, "empty")
    return {"text": text if method == "echo.say" else text.upper()}


def reply(message):
    head = {"jsonrpc": "2.0", "id": message.get("id")}
    if MISTAKE == "no-jsonrpc":
        del head["jsonrpc"]
    if MISTAKE in ("string-id", "constant-id"):
        head["id"] = str(head["id"]) if MISTAKE == "string-id" else 1
    if MISTAKE == "no-id":
        del head["id"]
    try:
        result = answer(message["method"], message.get("params", {}))
    except Refused as refused:
        return {**head, "error": refused.error}
    if MISTAKE == "null-result" and result != {} and "protocolVersion" not in result:
        result = None
    if MISTAKE == "list-result" and "protocolVersion" not in result:
        result = [result]
    return {**head, **result} if MISTAKE == "no-result" else {**head, "result": result}


def write(message):
    if MISTAKE == "pretty":
        text = json.dumps(message, indent=2)
    elif MISTAKE == "dict":
        text = str(message)
    elif MISTAKE in ("five-digits", "sixteen-bits"):
        most = 0x10FFFF if MISTAKE == "five-digits" else 0xFFFF
        raw = json.dumps(message, ensure_ascii=False)
        text = "".join(c if c.isascii() else f"\\u{ord(c) & most:04x}" for c in raw)
    else:
        text = json.dumps(message, ensure_ascii=MISTAKE not in ("latin-1", "ascii", "utf-8"))
    text = UNESCAPED.get(MISTAKE, str)(text)
    if MISTAKE == "log":
        OUT.write(f"INFO answering {message['id']}\n")
    if MISTAKE == "headers":
        OUT.write(f"Content-Length: {len(text)}\r\n\r\n")
    end = {"no-line-end": "", "headers": "", "crlf": "\r\n"}.get(MISTAKE, "\n")
    OUT.write(text + end)
    if MISTAKE != "buffered":
        OUT.flush()


def main():
    if MISTAKE == "separators":
        sys.stderr.buffer.write("one\u2028two\x85three\r\n\x1cfour\n".encode())
        raise SystemExit(2)
    if MISTAKE == "usage":
        print("usage: beginner FILE", file=sys.stderr)
        raise SystemExit(2)
    if MISTAKE == "log-at-start":
        print("listening …", flush=True)
    if MISTAKE == "mute":
        sys.stdin.read()
        return
    if MISTAKE == "reads-all":
        for line in sys.stdin.read().splitlines():
            write(reply(json.loads(line)))
        return
    if MISTAKE == "chunks":
        while chunk := os.read(0, 1 << 16):
            write(reply(json.JSONDecoder().raw_decode(chunk.decode())[0]))
        return
    held = []
    for line in sys.stdin:
        message = json.loads(line)
        if MISTAKE == "short-lines" and len(line) > 65536:
            raise SystemExit("token too long")
        if MISTAKE == "silent-shout" and message["method"] == "echo.shout":
            continue
        if MISTAKE == "shutdown-unanswered" and message["method"] == "shutdown":
            return
        if MISTAKE == "out-of-order" and message["method"].startswith("echo.") and not held and more():
            held.append(message)
            continue
        write(reply(message))
        while held:
            write(reply(held.pop()))
        if message["method"] == "shutdown" and MISTAKE != "stays":
            raise SystemExit(1 if MISTAKE == "status" else 0)
    for message in held:
        write(reply(message))
    if MISTAKE == "stays-at-end":
        import time

        time.sleep(60)


def more():
    """Whether another request has arrived already; only a guess, as the reader has a buffer of its own."""
    import select

    return bool(select.select([0], [], [], 0.02)[0])


main()
