"""Mutates a working copy of an SDK in Python, and prints for each function whether cases notice it.

    python -m tools.sdk_mutants --adapter python --sdk DIR --max 250

The folder is only read: the adapter's build has a copy of it, and a mutant exists in the memory of one process. That
process runs mutated code with your rights, in an empty HOME.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from harness.api import load_corpus  # noqa: E402
from harness.corpus.paths import cache, shipped  # noqa: E402
from harness.errors import ParityError, UsageError, printable  # noqa: E402
from harness.model import replace  # noqa: E402
from harness.transport.adapter_spec import AdapterSpec, parse_specs  # noqa: E402
from harness.transport.connect import ProcessConnection, connect  # noqa: E402
from harness.transport.manifest import Manifest, shipped_manifests  # noqa: E402
from harness.transport.sandbox import Sandbox  # noqa: E402
from harness.transport.working_copy import WorkingCopy, inspect_working_copy  # noqa: E402
from tools.sdk_mutants import page  # noqa: E402
from tools.sdk_mutants.baseline import Subject, measured  # noqa: E402
from tools.sdk_mutants.campaign import campaign, drawn, mistakes  # noqa: E402


def main(words: Sequence[str] | None = None) -> int:
    """Prints the page; the exit status."""
    given = _parser().parse_args(words)
    try:
        with Sandbox() as sandbox:
            _run(given, sandbox)
    except ParityError as error:
        print(f"sdk_mutants: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return 130
    return 0


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number, found {text!r}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    description, _, note = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python -m tools.sdk_mutants",
        description=description,
        epilog=note,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--adapter",
        required=True,
        metavar="A",
        help="a shipped adapter in Python, or [LABEL=]COMMAND with a Python script",
    )
    parser.add_argument("--sdk", required=True, type=Path, metavar="DIR", help="the working copy of the SDK")
    parser.add_argument(
        "--corpus", type=Path, metavar="DIR", help="a folder with cases/ and schemas/ (default: the shipped one)"
    )
    parser.add_argument("--select", action="append", default=[], metavar="EXPR", help="which cases, as in `parity run`")
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        metavar="GLOB",
        help="only functions whose path and name match, such as '*/rrf.py *' or '* Index.*'; may be repeated",
    )
    parser.add_argument(
        "--max", type=_count, default=0, metavar="N", help="judge a sample of so many mutants (default: all)"
    )
    parser.add_argument("--seed", type=_count, default=0, metavar="S", help="another sample")
    parser.add_argument(
        "--timeout", type=float, default=5.0, metavar="S", help="seconds without a reply after which a mutant hangs"
    )
    parser.add_argument(
        "--jobs", type=_count, default=os.cpu_count() or 1, metavar="N", help="processes (default: cores)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the functions and the mutants here")
    return parser


def _run(given: argparse.Namespace, sandbox: Sandbox) -> None:
    if given.json:
        _check_writable(given.json)
    corpus = load_corpus(given.corpus, given.select)
    connection, root = _connected(given.adapter, given.sdk, sandbox)
    subject = Subject(connection, root, corpus, given.timeout)
    jobs, begun = max(given.jobs, 1), time.monotonic()
    _say(f"{len(corpus.cases):,} cases: asking the unchanged SDK twice, and recording its lines …")
    baseline = measured(subject)
    functions = [
        function
        for module in baseline.modules.values()
        for function in module.functions.values()
        if module.lines and (not given.function or any(fnmatchcase(str(function), glob) for glob in given.function))
    ]
    if not functions:
        raise UsageError(
            "--function: no function of a module that cases reach matches. Try '*': the table has all names."
        )
    _say(f"{len(functions)} functions of modules that cases reach; making mutants …")
    made = mistakes(subject, baseline, functions, jobs)
    chosen = drawn(subject, made.executed, given.max, given.seed)
    found = []
    for judged in campaign(subject, baseline, chosen, jobs):
        found.append(judged)
        if len(found) % 25 == 0 or len(found) == len(chosen):
            _say(f"{len(found)} of {len(chosen)} mutants judged, {time.monotonic() - begun:.0f} s")
    print(
        f"{made.total:,} changes, {len(made.executed):,} of them in executed lines; "
        f"{len(found):,} mutants judged{f', a sample (--seed {given.seed})' if given.max else ''}"
    )
    if baseline.unstable:
        print(f"{baseline.unstable:,} cases are not asked: they end the adapter, or have two results without a change.")
    for line in page.lines(functions, found, baseline):
        print(printable(line))
    if given.json:
        values = page.values(functions, found, baseline, corpus.corpus.digest)
        given.json.write_text(json.dumps(values, indent=1) + "\n", "utf-8")


def _connected(adapter: str, sdk: Path, sandbox: Sandbox) -> tuple[ProcessConnection, Path]:
    """The adapter, and the folder of the SDK that it imports: of a shipped adapter, the copy in its build."""
    manifests = shipped_manifests(shipped())
    [spec] = parse_specs([adapter], manifests)
    if not spec.is_shipped:
        if not sdk.is_dir():
            raise UsageError(f"--sdk {sdk}: this is not a folder. Name the folder of the SDK's modules.")
        connection = _connection(spec, manifests, sandbox)
        outside = {
            "PYTHONPYCACHEPREFIX": f"{sandbox.folder}/compiled"
        }  # Python compiles modules into the SDK otherwise
        return replace(connection, environment={**connection.environment, **outside}), sdk.resolve()
    manifest = manifests[spec.adapter]
    if manifest.language != "Python" or manifest.sdk is None:
        raise UsageError(f"--adapter {adapter}: this tool changes SDKs in Python alone. Use the adapter of one.")
    copy = inspect_working_copy(manifest, sdk)
    connection = _connection(spec, manifests, sandbox, copy)
    return connection, (connection.folder / "sdk" / copy.folder.relative_to(copy.root)).resolve()


def _connection(
    spec: AdapterSpec, manifests: Mapping[str, Manifest], sandbox: Sandbox, copy: WorkingCopy | None = None
) -> ProcessConnection:
    connection = connect(spec, manifests, cache(), sandbox, (), copy)
    assert isinstance(connection, ProcessConnection)
    return connection


def _check_writable(path: Path) -> None:
    """Raises `UsageError` before the work, not after it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        raise UsageError(f"--json {path}: {error.strerror}. Name a file that can be written.") from None


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
