"""What can be wrong with an adapter, in the order in which it matters, and what its author does about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import PurePath


class ProtocolFinding(Enum):
    """One mistake: the name it is given and the remedy. Those that hide others come first."""

    CANNOT_START = ("cannot be started", "Check the path, and that the file may be executed (chmod +x).")
    EXITS_AT_ONCE = (
        "ends before it answers",
        "Read its standard error below. It must answer line by line until shutdown or the end of its input; it sees "
        "PATH and an empty HOME but none of your variables: name those that it needs with --pass-env NAME.",
    )
    WIDE = ("output in UTF-16 or UTF-32", "Write UTF-8, without a byte-order mark.")
    NOT_FLUSHED = ("output not flushed", "Flush standard output after every reply.")
    READS_TO_END = (
        "waits for the end of input before it answers",
        "Read one line, answer it, then read the next: the harness keeps the input open.",
    )
    NO_LINE_END = ("a reply without a line end", "End every reply with a line feed (\\n).")
    SILENT = (
        "does not answer",
        "Read one JSON message a line from standard input (there are no headers) and write one reply a line.",
    )
    TEXT_ON_STDOUT = (
        "text on standard output",
        "Standard output is for replies alone; write logs to standard error.",
    )
    FRAMED = ("Content-Length headers", "Leave the headers out: a message is one line, and nothing stands around it.")
    PRETTY_PRINTED = ("JSON spread over several lines", "Write each reply on one line, without indentation.")
    PYTHON_NOTATION = ("a Python dict instead of JSON", "Write json.dumps(reply), not the dict itself.")
    NOT_UTF8 = ("output that is not UTF-8", "Write UTF-8, or ASCII with \\u escapes.")
    BYTE_ORDER_MARK = ("a byte-order mark", "Write UTF-8 without one.")
    NOT_STRICT = ("JSON that cannot be read safely", "Write each key once, and only finite numbers (null for NaN).")
    NO_REPLY_OBJECT = (
        "not a reply object",
        'Write one {"jsonrpc": "2.0", "id": …, "result": …} for each request, never a list or a request.',
    )
    NO_JSONRPC = ("no jsonrpc member", 'Put "jsonrpc": "2.0" into every reply.')
    WRONG_ID = ("missing or wrong id", "Copy the id of the request into the reply as it is: the same number, no text.")
    NO_RESULT = (
        "no result object",
        "Answer with an object under result, or with an object under error; never null, a list or a bare value.",
    )
    INITIALIZE_REFUSED = ("initialize is refused", "Answer the method initialize; it is the first request of all.")
    PROTOCOL_VERSION = ("wrong protocolVersion", "Answer initialize with the number 1 under protocolVersion.")
    NO_IMPLEMENTATION = (
        "implementation not told",
        'Answer initialize with "implementation": {"name": …, "version": …, "language": …}, all of them texts.',
    )
    NO_OPERATIONS = (
        "no operations",
        'Answer initialize with "operations": [names of what can be answered]; `parity cases` shows the names.',
    )
    INITIALIZE_SHAPE = ("a flaw in the reply to initialize", "Correct it as the sentence says.")
    UNKNOWN_NAME = ("an operation that does not exist", "Correct the name in operations, or it is never asked.")
    CRASHES = ("crashes on a request", "Catch what the implementation raises and answer with error -32000.")
    SILENT_ON_REQUEST = (
        "does not answer a request",
        "Answer every request, at the latest with error -32000, and flush.",
    )
    REFUSES_OFFERED = (
        "refuses what it offers",
        "Use -32001 with a reason for what is out of reach, -32000 for what the implementation raised, or take the "
        "operation out of operations.",
    )
    BREAKS_SCHEMA = (
        "an answer that breaks its schema",
        "Answer with the members of the operation's schema, no others.",
    )
    CRASHES_ON_NON_ASCII = (
        "crashes on a character outside ASCII",
        "Make standard output UTF-8, or write ASCII with \\u escapes.",
    )
    CRASHES_ON_ASTRAL = (
        "crashes on a character above U+FFFF",
        "Such a character arrives as two \\u escapes that belong together; decode them as one.",
    )
    SHORT_ESCAPE = (
        "a character above U+FFFF in one escape",
        "Write it as two escapes, as 😀 is \\ud83d\\ude00, or as itself in UTF-8.",
    )
    MOJIBAKE = ("garbled characters (mojibake)", "Read and write UTF-8 once; do not encode a text that is encoded.")
    UNKNOWN_OPERATION = (
        "an unknown operation is not refused",
        "Answer a method that you do not know with error -32601.",
    )
    MALFORMED_REQUEST = (
        "a malformed request is not refused",
        "Answer a request that breaks its schema with error -32602, and go on.",
    )
    ONE_AT_A_TIME = (
        "loses requests that arrive together",
        "Split the input at line feeds: one read may bring several messages, or a part of one.",
    )
    LONG_LINE = (
        "loses a long line",
        "Lines may have 16 MiB, and one may arrive in several parts: read until the line feed.",
    )
    SHUTDOWN_REPLY = ("shutdown is not answered", "Answer shutdown with an empty object as result, then exit.")
    NO_EXIT = (
        "does not exit after shutdown",
        "Exit with status 0 once shutdown is answered; close what keeps it alive.",
    )
    EXIT_STATUS = ("exits with another status than 0", "Exit with status 0 after shutdown and at the end of input.")
    END_OF_INPUT = (
        "does not end with its input",
        "At the end of input answer what was asked, then exit with status 0.",
    )
    SLOW_START = (
        "slow to start",
        "Build it first and start the result; `parity run` waits 60 s for initialize, and --timeout S lets this wait.",
    )
    NOT_FINISHED = ("not all could be looked at", "Correct the above first, then probe again.")

    @property
    def named(self) -> str:
        """What the mistake is called."""
        return self.value[0]

    @property
    def remedy(self) -> str:
        """What to do about it, in any language."""
        return self.value[1]


GRAVITY = {mistake: rank for rank, mistake in enumerate(ProtocolFinding)}
"""The rank of each mistake; 0 is the gravest."""

_IN_LANGUAGE = {
    (ProtocolFinding.NOT_FLUSHED, "Python"): "print(reply, flush=True), or set PYTHONUNBUFFERED=1.",
    (
        ProtocolFinding.NOT_FLUSHED,
        "JavaScript",
    ): "process.stdout.write(reply + '\\n') directly; hold nothing back until the end.",
    (
        ProtocolFinding.NOT_FLUSHED,
        "Go",
    ): "call Flush() on the bufio.Writer after each reply, or write to os.Stdout directly.",
    (ProtocolFinding.NOT_FLUSHED, "Java"): "call System.out.flush().",
    (ProtocolFinding.NOT_FLUSHED, "Ruby"): "set $stdout.sync = true.",
    (ProtocolFinding.NOT_FLUSHED, "Rust"): "call flush() on the BufWriter.",
    (ProtocolFinding.NOT_FLUSHED, "Perl"): "set $| = 1.",
    (ProtocolFinding.READS_TO_END, "Python"): "for line in sys.stdin, not sys.stdin.read() or json.load(sys.stdin).",
    (
        ProtocolFinding.READS_TO_END,
        "JavaScript",
    ): "answer in the 'data' or 'line' event, not in 'end'; no readFileSync(0).",
    (ProtocolFinding.READS_TO_END, "Go"): "bufio.Reader.ReadBytes('\\n') in a loop, not io.ReadAll.",
    (ProtocolFinding.TEXT_ON_STDOUT, "Python"): "print(…, file=sys.stderr), and logging to standard error.",
    (ProtocolFinding.TEXT_ON_STDOUT, "JavaScript"): "console.error instead of console.log.",
    (ProtocolFinding.TEXT_ON_STDOUT, "Go"): "log.Print or fmt.Fprintln(os.Stderr, …) instead of fmt.Println.",
    (ProtocolFinding.PRETTY_PRINTED, "Python"): "json.dumps(reply) without indent.",
    (ProtocolFinding.PRETTY_PRINTED, "JavaScript"): "JSON.stringify(reply) without further arguments.",
    (ProtocolFinding.PRETTY_PRINTED, "Go"): "json.Marshal, not json.MarshalIndent.",
    (ProtocolFinding.WIDE, "Python"): "sys.stdout.reconfigure(encoding='utf-8').",
    (ProtocolFinding.NOT_UTF8, "Python"): "sys.stdout.reconfigure(encoding='utf-8'), or leave ensure_ascii on.",
    (
        ProtocolFinding.CRASHES_ON_NON_ASCII,
        "Python",
    ): "sys.stdout.reconfigure(encoding='utf-8'), or leave ensure_ascii on.",
    (ProtocolFinding.LONG_LINE, "Go"): "bufio.Scanner stops at 64 KiB; use bufio.Reader.ReadBytes('\\n').",
    (ProtocolFinding.LONG_LINE, "JavaScript"): "collect the chunks until a '\\n' has come, or use node:readline.",
    (ProtocolFinding.ONE_AT_A_TIME, "JavaScript"): "a 'data' event is no message; cut at '\\n' and keep the rest.",
}
_EVERYWHERE = ("Python", "JavaScript", "Go")
"""The languages whose ways are all told when nobody knows which one it is."""

_INTERPRETERS = {
    "python": "Python",
    "pypy": "Python",
    "uv": "Python",
    "node": "JavaScript",
    "nodejs": "JavaScript",
    "deno": "JavaScript",
    "bun": "JavaScript",
    "npx": "JavaScript",
    "tsx": "JavaScript",
    "go": "Go",
    "java": "Java",
    "kotlin": "Java",
    "ruby": "Ruby",
    "cargo": "Rust",
    "perl": "Perl",
}
_EXTENSIONS = {
    ".py": "Python",
    ".js": "JavaScript",
    ".mjs": "JavaScript",
    ".cjs": "JavaScript",
    ".ts": "JavaScript",
    ".go": "Go",
    ".jar": "Java",
    ".rb": "Ruby",
    ".rs": "Rust",
    ".pl": "Perl",
}


@dataclass(frozen=True, slots=True)
class ProbeFinding:
    """One mistake and what was seen of it; `advice` is what to do about this very one, over the remedy, and `stderr` what
    the process that made it had written to standard error by then."""

    mistake: ProtocolFinding
    seen: str
    advice: str = ""
    stderr: str = ""


class ProbeFindings:
    """The findings so far; a mistake made again is counted, not repeated, and seen in the same words it is no other."""

    def __init__(self) -> None:
        self._found: dict[ProtocolFinding, ProbeFinding] = {}
        self._seen: dict[ProtocolFinding, set[str]] = {}
        self.notes = 0
        self.stderr: Callable[[], str] = str
        """Tells what the process that is being looked at has written to standard error."""

    def add(self, mistake: ProtocolFinding, seen: str, advice: str = "") -> None:
        """Notes that the mistake was made."""
        if mistake not in self._found:
            self._found[mistake] = ProbeFinding(mistake, seen, advice, self.stderr())
        self._seen.setdefault(mistake, set()).add(seen)
        self.notes += 1

    def advise(self, mistake: ProtocolFinding, advice: str) -> None:
        """Says what to do about a mistake that was found, unless something was said."""
        found = self._found.get(mistake)
        if found is not None and not found.advice:
            self._found[mistake] = replace(found, advice=advice)

    def __contains__(self, mistake: ProtocolFinding) -> bool:
        return mistake in self._found

    def sorted(self) -> list[ProbeFinding]:
        """One finding for each mistake, the gravest first."""
        return [
            replace(found, seen=f"{found.seen}{self._more(found.mistake)}")
            for found in sorted(self._found.values(), key=lambda found: GRAVITY[found.mistake])
        ]

    def _more(self, mistake: ProtocolFinding) -> str:
        more = len(self._seen[mistake]) - 1
        return f" (and {more} more like it)" if more else ""


def language_of(command: Sequence[str]) -> str:
    """The language that a command seems to be written in; empty if it does not tell."""
    for word in command:
        path = PurePath(word)
        found = _INTERPRETERS.get(path.name.rstrip("0123456789.")) or _EXTENSIONS.get(path.suffix)
        if found:
            return found
    return ""


def sentence(finding: ProbeFinding, language: str) -> str:
    """The finding on one line: what is wrong, what was seen, what to do."""
    advice = f"{finding.advice}. " if finding.advice else ""
    remedy = f"{finding.mistake.remedy}{_ways(finding.mistake, language)}"
    return f"{finding.mistake.named}: {finding.seen}. {advice}{remedy}"


def _ways(mistake: ProtocolFinding, language: str) -> str:
    if (mistake, language) in _IN_LANGUAGE:
        return f" {language}: {_IN_LANGUAGE[mistake, language]}"
    if language:
        return ""
    return "".join(
        f" {known}: {_IN_LANGUAGE[mistake, known]}" for known in _EVERYWHERE if (mistake, known) in _IN_LANGUAGE
    )
