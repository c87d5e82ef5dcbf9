"""Mistakes of adapters, most severe first, each with its remedy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import PurePath

from msgspec import Struct

from ..compare.error_text import MALFORMED_REMEDY
from ..model import replace


class ProtocolFinding(Enum):
    """A mistake: its title and its remedy. Mistakes that hide others come first."""

    CANNOT_START = ("cannot be started", "Check the path, and that the file may be executed (chmod +x).")
    EXITS_AT_ONCE = (
        "ends before it answers",
        "Read its standard error below. It must answer line by line until shutdown or the end of its input. It sees "
        "PATH and an empty HOME, and your own variables only with --pass-env NAME.",
    )
    WIDE = ("output in UTF-16 or UTF-32", "Write UTF-8, without a byte-order mark.")
    NOT_FLUSHED = (
        "output not flushed, or input read ahead",
        "Flush standard output after every reply, and read the input line by line, without a block that is filled first.",
    )
    READS_TO_END = (
        "waits for the end of input before it answers",
        "Read one line, answer it, flush, then read the next; the harness keeps the input open. An adapter that does so "
        "still waits if its language reads a block ahead: look for an option that reads a pipe line by line.",
    )
    NO_LINE_END = ("a reply without a line end", "End every reply with a line feed (\\n).")
    SILENT = (
        "does not answer",
        "Read one JSON message a line from standard input (there are no headers) and write one reply a line.",
    )
    TEXT_ON_STDOUT = (
        "text on standard output",
        "Write only replies to standard output; write logs to standard error.",
    )
    MALFORMED_JSON = ("malformed JSON", MALFORMED_REMEDY)
    FRAMED = ("Content-Length headers", "Write no headers: a message is one line of JSON.")
    PRETTY_PRINTED = ("JSON spread over several lines", "Write each reply on one line, without indentation.")
    PYTHON_NOTATION = ("a Python dict instead of JSON", "Write json.dumps(reply), not the dict itself.")
    NOT_UTF8 = ("output that is not UTF-8", "Write UTF-8, or ASCII with \\u escapes.")
    BYTE_ORDER_MARK = ("a byte-order mark", "Write UTF-8 without one.")
    NOT_STRICT = ("ambiguous JSON", "Write each key once, and only finite numbers (null for NaN).")
    NO_REPLY_OBJECT = (
        "not a reply object",
        'Write one {"jsonrpc": "2.0", "id": …, "result": …} for each request, never a list or a request.',
    )
    NO_JSONRPC = ("no jsonrpc member", 'Put "jsonrpc": "2.0" into every reply.')
    WRONG_ID = ("missing or wrong id", "Copy the id of the request into the reply: the same number, not a string.")
    NO_RESULT = (
        "no result object",
        "Answer with an object under result, or with an object under error; never null, a list or a bare value.",
    )
    INITIALIZE_REFUSED = ("initialize is refused", "Answer the method initialize; it is the first request.")
    PROTOCOL_VERSION = ("wrong protocolVersion", "Answer initialize with the number 1 under protocolVersion.")
    NO_IMPLEMENTATION = (
        "incomplete implementation",
        'Answer initialize with "implementation": {"name": …, "version": …, "language": …}, all strings.',
    )
    NO_OPERATIONS = (
        "no operations",
        'Answer initialize with "operations": [the names that the adapter implements]; `parity cases` lists the names.',
    )
    INITIALIZE_SHAPE = ("invalid reply to initialize", "Correct the member that is named.")
    UNKNOWN_NAME = ("an operation that does not exist", "Correct the name in operations; no case uses an unknown name.")
    CRASHES = ("crashes on a request", "Catch every exception of the implementation and answer with error -32000.")
    SILENT_ON_REQUEST = (
        "does not answer a request",
        "Answer every request, at the latest with error -32000, and flush.",
    )
    REFUSES_OFFERED = (
        "refuses an operation that it offers",
        "Use -32001 with a reason for a request that is out of reach, -32000 for an exception of the implementation, or "
        "remove the operation from operations.",
    )
    BREAKS_SCHEMA = (
        "an answer that breaks its schema",
        "Answer with the members of the operation's schema and no others.",
    )
    CRASHES_ON_NON_ASCII = (
        "crashes on a character outside ASCII",
        "Make standard output UTF-8, or write ASCII with \\u escapes.",
    )
    CRASHES_ON_ASTRAL = (
        "crashes on a character above U+FFFF",
        "Such a character arrives as a pair of \\u escapes; decode the pair as one character.",
    )
    SHORT_ESCAPE = (
        "a character above U+FFFF in one escape",
        "Write it as two escapes (😀 is \\ud83d\\ude00), or in UTF-8.",
    )
    MOJIBAKE = ("garbled characters (mojibake)", "Encode and decode UTF-8 once; do not encode an encoded text again.")
    UNDECODED = (
        "an escape in a request is not decoded",
        'Decode \\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t and \\uXXXX within texts.',
    )
    UNESCAPED_QUOTE = ("a quotation mark is not escaped", 'Within a JSON text, write " as \\", or use a JSON library.')
    UNESCAPED_BACKSLASH = ("a backslash is not escaped", "Within a JSON text, write \\ as \\\\, or use a JSON library.")
    UNESCAPED_CONTROL = (
        "a control character is not escaped",
        "Within a JSON text, write a line feed as \\n, a tab as \\t and any other character below U+0020 as \\u00XX, or "
        "use a JSON library.",
    )
    UNKNOWN_OPERATION = (
        "an unknown operation is not refused",
        "Answer an unknown method with error -32601.",
    )
    MALFORMED_REQUEST = (
        "a malformed request is not refused",
        "Answer a request that breaks its schema with error -32602, and continue.",
    )
    ONE_AT_A_TIME = (
        "loses requests that arrive together",
        "Split the input at line feeds: one read can return several messages, or a part of one.",
    )
    LONG_LINE = (
        "loses a long line",
        "A line can have 16 MiB and arrive in several parts: read until the line feed.",
    )
    SHUTDOWN_REPLY = ("shutdown is not answered", "Answer shutdown with an empty object as result, then exit.")
    NO_EXIT = (
        "does not exit after shutdown",
        "Exit with status 0 after the reply to shutdown; close threads, timers and sockets that keep the process alive.",
    )
    EXIT_STATUS = ("exit status is not 0", "Exit with status 0 after shutdown and at the end of input.")
    END_OF_INPUT = (
        "does not end with its input",
        "At the end of input answer the pending requests, then exit with status 0.",
    )
    SLOW_START = (
        "slow to start",
        "Build it first and start the result. `parity run` waits 60 s for initialize; --timeout S sets the limit here.",
    )
    NOT_FINISHED = ("some checks did not run", "Correct the findings above, then probe again.")

    @property
    def title(self) -> str:
        """The name of the mistake."""
        return self.value[0]

    @property
    def remedy(self) -> str:
        """The correction, in any language."""
        return self.value[1]


SEVERITY = {kind: rank for rank, kind in enumerate(ProtocolFinding)}
"""The rank of each mistake; 0 is the most severe."""

_IN_LANGUAGE = {
    ProtocolFinding.NOT_FLUSHED: {
        "Python": "print(reply, flush=True), or set PYTHONUNBUFFERED=1.",
        "JavaScript": "process.stdout.write(reply + '\\n') directly; hold nothing back until the end.",
        "Go": "call Flush() on the bufio.Writer after each reply, or write to os.Stdout directly.",
        "Java": "call System.out.flush().",
        "Ruby": "set $stdout.sync = true.",
        "Rust": "call flush() on the BufWriter.",
        "Perl": "set $| = 1.",
        "awk": "call fflush() after each print; mawk needs the option -W interactive too.",
        "sed": "set the option -u.",
        "jq": "set the option --unbuffered.",
        "PHP": "call flush(), and ob_flush() if output buffering is on; read with fgets(STDIN).",
        "Lua": "call io.stdout:setvbuf('line') and io.read('L').",
        "C": "call fflush(stdout); read with fgets or getline, not with fread.",
    },
    ProtocolFinding.READS_TO_END: {
        "Python": "for line in sys.stdin, not sys.stdin.read() or json.load(sys.stdin).",
        "JavaScript": "answer in the 'data' or 'line' event, not in 'end'; no readFileSync(0).",
        "Go": "bufio.Reader.ReadBytes('\\n') in a loop, not io.ReadAll.",
        "Ruby": "STDIN.each_line, not STDIN.read.",
        "Perl": "while (my $line = <STDIN>), not for (<STDIN>).",
        "R": "readLines(file('stdin'), n = 1) on an open connection, not without n.",
    },
    ProtocolFinding.TEXT_ON_STDOUT: {
        "Python": "print(…, file=sys.stderr), and logging to standard error.",
        "JavaScript": "console.error instead of console.log.",
        "Go": "log.Print or fmt.Fprintln(os.Stderr, …) instead of fmt.Println.",
    },
    ProtocolFinding.PRETTY_PRINTED: {
        "Python": "json.dumps(reply) without indent.",
        "JavaScript": "JSON.stringify(reply) without further arguments.",
        "Go": "json.Marshal, not json.MarshalIndent.",
    },
    ProtocolFinding.WIDE: {
        "Python": "sys.stdout.reconfigure(encoding='utf-8').",
    },
    ProtocolFinding.NOT_UTF8: {
        "Python": "sys.stdout.reconfigure(encoding='utf-8'), or leave ensure_ascii on.",
    },
    ProtocolFinding.CRASHES_ON_NON_ASCII: {
        "Python": "sys.stdout.reconfigure(encoding='utf-8'), or leave ensure_ascii on.",
    },
    ProtocolFinding.LONG_LINE: {
        "Go": "bufio.Scanner stops at 64 KiB; use bufio.Reader.ReadBytes('\\n').",
        "JavaScript": "collect the chunks until a '\\n' has come, or use node:readline.",
    },
    ProtocolFinding.ONE_AT_A_TIME: {
        "JavaScript": "a 'data' event is no message; cut at '\\n' and keep the rest.",
    },
}
"""The remedy of a mistake in a language."""

_COMMON = ("Python", "JavaScript", "Go", "awk", "C")
"""The languages whose advice is shown when the language is unknown."""

_WORDS = {
    "Python": "python pypy uv .py",
    "JavaScript": "javascript typescript node nodejs deno bun npx tsx .js .mjs .cjs .ts",
    "Go": "go golang .go",
    "Java": "java kotlin .jar",
    "Ruby": "ruby .rb",
    "Rust": "rust cargo .rs",
    "Perl": "perl .pl",
    "awk": "awk mawk gawk .awk",
    "sed": "sed",
    "jq": "jq",
    "PHP": "php .php",
    "Lua": "lua luajit .lua",
    "C": ".c",
    "R": "rscript .r",
}
"""The names, interpreters and file extensions of the languages with advice."""

_LANGUAGES = {word: language for language, words in _WORDS.items() for word in words.split()}


class ProbeFinding(Struct, frozen=True):
    """A mistake with its evidence. `advice` is specific to this finding and precedes the remedy; `stderr` is the standard
    error of the process up to the mistake; `request` the operation and the request that were sent last, or empty."""

    kind: ProtocolFinding
    evidence: str
    advice: str = ""
    stderr: str = ""
    request: str = ""


class ProbeFindings:
    """The findings so far: one for each mistake, with a count of further evidence that differs."""

    def __init__(self) -> None:
        self._found: dict[ProtocolFinding, ProbeFinding] = {}
        self._evidence: dict[ProtocolFinding, set[str]] = {}
        self.request = ""
        """The operation and the request that were sent last."""
        self.malformed = ProtocolFinding.MALFORMED_JSON
        """The finding for a reply to it that is malformed JSON."""
        self.count = 0
        """Mistakes so far, repeated ones included."""
        self.stderr: Callable[[], str] = str
        """Returns the standard error of the current process."""

    def add(self, kind: ProtocolFinding, evidence: str, advice: str = "") -> None:
        """Records a mistake."""
        if kind not in self._found:
            self._found[kind] = ProbeFinding(kind, evidence, advice, self.stderr(), self.request)
        self._evidence.setdefault(kind, set()).add(evidence)
        self.count += 1

    def advise(self, kind: ProtocolFinding, advice: str) -> None:
        """Adds advice to a finding that has none."""
        found = self._found.get(kind)
        if found is not None and not found.advice:
            self._found[kind] = replace(found, advice=advice)

    def __contains__(self, kind: ProtocolFinding) -> bool:
        return kind in self._found

    def sorted(self) -> list[ProbeFinding]:
        """One finding for each mistake, the most severe first."""
        return [
            replace(self._found[kind], evidence=f"{self._found[kind].evidence}{self._more(kind)}")
            for kind in sorted(self._found, key=SEVERITY.__getitem__)
        ]

    def _more(self, kind: ProtocolFinding) -> str:
        more = len(self._evidence[kind]) - 1
        return f" (and {more} more)" if more else ""


def language_of(command: Sequence[str]) -> str:
    """The language of a command, from its interpreter or file extension; empty if neither is known."""
    for word in command:
        path = PurePath(word)
        language = _LANGUAGES.get(path.name.rstrip("0123456789.").lower()) or _LANGUAGES.get(path.suffix.lower())
        if language:
            return language
    return ""


def language_named(name: str) -> str:
    """The language that `initialize` reports, under the name of its advice."""
    return _LANGUAGES.get(name.lower(), name)


def sentence(finding: ProbeFinding, language: str) -> str:
    """The finding on one line: title, evidence, remedy."""
    advice = f"{finding.advice.rstrip('.')}. " if finding.advice else ""
    remedy = f"{finding.kind.remedy}{_in_language(finding.kind, language)}"
    return f"{finding.kind.title}: {finding.evidence}{_request(finding)}. {advice}{remedy}"


def _request(finding: ProbeFinding) -> str:
    """The operation and the request, unless the evidence has them."""
    operation, _, request = finding.request.partition(" ")
    if not operation or request == "{}" or request in finding.evidence:
        return ""
    return f" (request {request})" if operation in finding.evidence else f" (request {finding.request})"


def _in_language(kind: ProtocolFinding, language: str) -> str:
    """The remedy in one language, or in each common one if the language is unknown."""
    advice = _IN_LANGUAGE.get(kind, {})
    languages = [language] if language else _COMMON
    return "".join(f" {name}: {advice[name]}" for name in languages if name in advice)
