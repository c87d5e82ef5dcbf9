"""`parity probe`: its findings for adapters that each have one mistake, and for one that has none."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from commands import Parity

pytestmark = pytest.mark.slow

BEGINNER = Path(__file__).parent / "adapters" / "beginner.py"

MISTAKES = {
    "buffered": ("output not flushed, or input read ahead", "flush=True"),
    "reads-all": ("waits for the end of input before it answers", "for line in sys.stdin"),
    "mute": ("does not answer", "one JSON message a line"),
    "usage": ("ends before it answers", "--pass-env"),
    "log": ("text on standard output", "file=sys.stderr"),
    "log-at-start": ("text on standard output", "standard error"),
    "pretty": ("JSON spread over several lines", "without indent"),
    "dict": ("a Python dict instead of JSON", "json.dumps"),
    "headers": ("Content-Length headers", "Write no headers"),
    "no-line-end": ("a reply without a line end", "line feed"),
    "latin-1": ("output that is not UTF-8", "UTF-8"),
    "utf-16": ("output in UTF-16 or UTF-32", "which look like UTF-16. Write UTF-8"),
    "utf-16-le": ("output in UTF-16 or UTF-32", "7b 00 22 00 6a 00 73 00 …, which look like UTF-16"),
    "utf-16-be": ("output in UTF-16 or UTF-32", "which look like UTF-16"),
    "utf-32": ("output in UTF-16 or UTF-32", "which look like UTF-32"),
    "no-jsonrpc": ("no jsonrpc member", '"jsonrpc": "2.0"'),
    "string-id": ("missing or wrong id", "Copy the id"),
    "constant-id": ("missing or wrong id", "Copy the id"),
    "no-id": ("missing or wrong id", "Copy the id"),
    "no-result": ("no result object", "object under result"),
    "null-result": ("no result object", "it is null"),
    "list-result": (
        "no result object",
        ". Answer with an object with text. See schemas/echo/echo.say.json. Answer with",
    ),
    "version": ("wrong protocolVersion", "the number 1"),
    "nameless": ("incomplete implementation", "implementation.name is missing"),
    "no-implementation": ("incomplete implementation", '"language"'),
    "no-operations": ("no operations", "parity cases"),
    "nothing-offered": ("no operations", "operations is []"),
    "unsupported-as-list": ("invalid reply to initialize", "unsupported"),
    "misspelt": ("an operation that does not exist", "similar: echo.shout"),
    "unknown-answered": ("an unknown operation is not refused", "-32601"),
    "malformed-crash": ("a malformed request is not refused", "-32602"),
    "malformed-answered": ("a malformed request is not refused", "echo.say with {}: an answer"),
    "offered-refused": ("refuses an operation that it offers", "echo.shout: error -32601"),
    "crash": ("crashes on a request", "was killed by SIGABRT"),
    "silent-shout": ("does not answer a request", "echo.shout"),
    "extra-member": (
        "an answer that breaks its schema",
        '$.took: unexpected member (value 3) (and 1 more) (request {"text":""}). Allowed there: text. See '
        "schemas/echo/echo.say.json.",
    ),
    "ascii": ("crashes on a character outside ASCII", "encoding='utf-8'"),
    "astral-crash": ("crashes on a character above U+FFFF", "a pair of \\u escapes"),
    "five-digits": ("a character above U+FFFF in one escape", "\\ud83d\\ude00"),
    "sixteen-bits": ("a character above U+FFFF in one escape", "\\ud83d\\ude00"),
    "escaped-twice": ("garbled characters (mojibake)", "UTF-8 once"),
    "mojibake": ("garbled characters (mojibake)", "UTF-8 once"),
    "quotes": (
        "a quotation mark is not escaped",
        """delimiter at column 61, in '…id": 68, "result": {"text": "hello say "hi""}}' """
        """(request echo.say {"text":"hello say \\"hi\\""}). Within""",
    ),
    "backslashes": ("a backslash is not escaped", """escape at column 58, in '"""),
    "tabs": ("a control character is not escaped", "Invalid control character at column 59, in '"),
    "line-feeds": ("a control character is not escaped", '"text": "hello tab\\t'),
    "undecoded": ("an escape in a request is not decoded", "it came back with tabtline"),
    "twice": ("garbled characters (mojibake)", 'it came back escaped twice, as say \\"hi\\"'),
    "trailing-comma": ("malformed JSON", " with a JSON library"),
    "chunks": ("loses requests that arrive together", "line feeds"),
    "short-lines": ("loses a long line", "16 MiB"),
    "shutdown-unanswered": ("shutdown is not answered", "empty object"),
    "stays": ("does not exit after shutdown", "status 0"),
    "status": ("exit status is not 0", "status 1 after shutdown"),
    "stays-at-end": ("does not end with its input", "still ran"),
}


def command(mistake: str) -> str:
    return f"{sys.executable} {BEGINNER} {mistake}"


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_named_with_its_remedy_in_the_first_line(
    mistake: str, echo_corpus: Path, run_parity: Parity
) -> None:
    """Each mistake is what the first line names, and the remedy stands on the same line."""
    named, remedy = MISTAKES[mistake]
    done = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", command(mistake))
    first = done.stdout.splitlines()[0]
    assert done.returncode == 1, done.stderr
    assert first.startswith(f"{named}: "), done.stdout
    assert remedy in first


@pytest.mark.parametrize(
    "mistake",
    [
        "pretty",
        "quotes",
        "backslashes",
        "tabs",
        "line-feeds",
        "trailing-comma",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-32",
        "string-id",
        "no-jsonrpc",
        "version",
        "unknown-answered",
        "mojibake",
        "five-digits",
        "status",
        "stays",
    ],
)
def test_one_mistake_is_one_finding(mistake: str, echo_corpus: Path, run_parity: Parity) -> None:
    """A mistake that hides nothing else is the only finding."""
    done = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", command(mistake))
    assert done.stdout.splitlines()[1:2] == [""], done.stdout


@pytest.mark.parametrize("way", ["none", "utf-8", "crlf", "out-of-order"])
def test_lawful_adapter_has_no_findings(way: str, echo_corpus: Path, run_parity: Parity) -> None:
    """Raw UTF-8, CRLF line ends and replies out of order are allowed, and the last line is the next command."""
    done = run_parity("probe", "--corpus", echo_corpus, "--timeout", "2", command(way))
    assert done.returncode == 0, done.stdout
    assert "beginner 1 (Python) follows the protocol: no findings." in done.stdout
    assert "\n  echo.* (2 operations)  answered\n" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("next: parity run --adapter ")


def test_a_label_is_no_part_of_the_command(echo_corpus: Path, run_parity: Parity) -> None:
    """A command with a name before it is probed as `run --adapter` starts it."""
    done = run_parity("probe", "--corpus", echo_corpus, f"mine={command('none')}")
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1] == f"next: parity run --adapter 'mine={command('none')}'"


def test_a_name_that_run_would_refuse(echo_corpus: Path, run_parity: Parity) -> None:
    """A single word is the name of a shipped adapter, and a label of one needs a folder, as for `run --adapter`."""
    for given, message in (
        ("refrence", "--adapter refrence: expected a shipped adapter ("),
        ("ts=./x", "ts is a shipped adapter, so its working copy is expected; this is not a folder"),
        ("My_SDK=./x", "My_SDK is not a valid name"),
        ("FOO", "no shipped adapter has this name"),
    ):
        done = run_parity("probe", "--corpus", echo_corpus, given)
        assert done.returncode == 2
        assert message in done.stderr


def test_command_that_does_not_exist(echo_corpus: Path, run_parity: Parity) -> None:
    """A command that is not there is a finding, not a fault."""
    done = run_parity("probe", "--corpus", echo_corpus, "./no-such-adapter")
    assert done.returncode == 1
    assert done.stdout.startswith("cannot be started: ./no-such-adapter cannot be started: No such file")


def test_command_that_may_not_be_executed(echo_corpus: Path, run_parity: Parity, tmp_path: Path) -> None:
    """A file without the execute permission is a finding with its remedy."""
    script = tmp_path / "adapter.sh"
    script.write_text("#!/bin/sh\n", "utf-8")
    done = run_parity("probe", "--corpus", echo_corpus, str(script))
    assert done.returncode == 1
    assert "Permission denied" in done.stdout.splitlines()[0]
    assert "chmod +x" in done.stdout.splitlines()[0]


def test_standard_error_is_shown(echo_corpus: Path, run_parity: Parity) -> None:
    """What an adapter that ends at once had to say stands below the findings."""
    done = run_parity("probe", "--corpus", echo_corpus, command("usage"))
    assert done.stdout.splitlines()[-1] == "    | usage: beginner FILE"


def test_standard_error_is_that_of_the_process_a_finding_is_about(echo_corpus: Path, run_parity: Parity) -> None:
    """A process that dies of a request is quoted under its finding's name, whatever later ones write."""
    done = run_parity("probe", "--corpus", echo_corpus, command("burst"))
    assert done.stdout.startswith("crashes on a request: echo.say: ")
    named, _, rest = done.stdout.partition("Its standard error at ")[2].partition(" (the end):\n")
    assert named == '"crashes on a request"'
    quoted = rest.partition("Its standard error at ")[0]
    assert "    | ZeroDivisionError: integer division or modulo by zero" in quoted
    assert "KeyError" not in quoted
    assert "    | KeyError: 'text'" in rest


def test_advice_fits_the_language(echo_corpus: Path, run_parity: Parity) -> None:
    """A command that is no known interpreter gets the ways of several languages, Python's own only Python's."""
    python = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", command("buffered"))
    assert "Go:" not in python.stdout
    hidden = echo_corpus / "adapter"
    hidden.write_text(f"#!/bin/sh\nexec {command('buffered')}\n", "utf-8")
    hidden.chmod(0o755)
    unknown = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", str(hidden))
    assert "Python: print(reply, flush=True)" in unknown.stdout
    assert "Go: call Flush()" in unknown.stdout


@pytest.mark.parametrize("language", ["Rust", "Java", "Ruby", "Zig"])
def test_advice_fits_the_reported_language(language: str, echo_corpus: Path, run_parity: Parity) -> None:
    """The reported language counts where the command does not show it; advice for other languages is absent."""
    hidden = echo_corpus / "adapter"
    hidden.write_text(f"#!/bin/sh\nexec {command('log')} {language}\n", "utf-8")
    hidden.chmod(0o755)
    done = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", str(hidden))
    assert done.stdout.splitlines()[0].endswith("only replies to standard output; write logs to standard error.")


def test_several_misspelt_operations(echo_corpus: Path, run_parity: Parity) -> None:
    """Five are named and the others counted, in one finding with that none is known; nothing more is like it."""
    done = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", command("all-misspelt"))
    first = done.stdout.splitlines()[0]
    slips = ", ".join(f"echo.shout{number} (similar: echo.shout)" for number in range(5))
    assert f"the corpus has none of the 8 offered operations; it offers {slips} and 3 more." in first
    assert first.count(" more.") == 1
    one = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", command("misspelt")).stdout.splitlines()[0]
    assert " more" not in one


@pytest.mark.parametrize("mistake", ["string-id", "pretty", "extra-member", "no-jsonrpc", "log"])
def test_a_reply_with_a_finding_is_not_well_formed(mistake: str, echo_corpus: Path, run_parity: Parity) -> None:
    """An adapter with a mistake in every reply has no well-formed reply."""
    done = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", command(mistake))
    assert "well-formed" not in done.stdout
    good = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", command("status"))
    assert "1 finding; 2 operations gave a well-formed reply." in good.stdout


def test_what_is_not_offered_is_folded(run_parity: Parity) -> None:
    """Areas that are wholly missing stand as one, on lines that keep to the width; other systems are one line."""
    done = run_parity("probe", "reference")
    assert "\n  temporal.* (4 operations)  answered\n" in done.stdout
    mine = run_parity("new-adapter", "python", "mine")
    assert mine.returncode == 0
    done = run_parity("probe", f"{sys.executable} mine/adapter.py")
    [elsewhere] = [line for line in done.stdout.splitlines() if "of other systems" in line]
    assert elsewhere.startswith("  not offered: ")
    assert "nexus" in elsewhere
    assert "nexus.*" not in done.stdout


def test_line_separators_in_standard_error(echo_corpus: Path, run_parity: Parity) -> None:
    """Only a line feed ends a line of what is quoted; other separators are escaped."""
    done = run_parity("probe", "--corpus", echo_corpus, command("separators"))
    assert done.stdout.endswith("(the end):\n    | one\\u2028two\\x85three\n    | \\x1cfour\n")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not here")
def test_node_adapter_that_answers_at_the_end_of_its_input(echo_corpus: Path, run_parity: Parity) -> None:
    """A Node adapter that collects its input until 'end' gets the advice of the right event."""
    script = echo_corpus / "adapter.mjs"
    script.write_text(
        "let all = ''; process.stdin.on('data', (data) => { all += data; });\n"
        "process.stdin.on('end', () => { for (const line of all.split('\\n')) if (line) {\n"
        "  const { id } = JSON.parse(line);\n"
        "  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n'); } });\n",
        "utf-8",
    )
    done = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", f"node {script}")
    assert done.stdout.startswith("waits for the end of input before it answers: ")
    assert "JavaScript: answer in the 'data' or 'line' event" in done.stdout.splitlines()[0]


def test_no_process_is_left(echo_corpus: Path, run_parity: Parity, tmp_path: Path) -> None:
    """A command that ignores everything, and its child, are gone when the probe ends."""
    script = tmp_path / "stubborn.py"
    pids = tmp_path / "pids"
    script.write_text(
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "os.fork()\n"
        f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "time.sleep(60)\n",
        "utf-8",
    )
    done = run_parity("probe", "--corpus", echo_corpus, "--timeout", "1", f"{sys.executable} {script}")
    assert done.stdout.startswith("does not answer: ")
    started = [int(line) for line in pids.read_text("utf-8").split()]
    assert len(started) == 4
    assert not [pid for pid in started if _runs(pid)]


def _runs(pid: int) -> bool:
    """Whether the process is there, and is no zombie that only waits to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
