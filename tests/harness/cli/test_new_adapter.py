"""`parity new-adapter`: what it writes speaks the protocol, claims nothing, and takes one line to its first passing case."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from porters import PORTERS, Porter

from harness.corpus.loader import Corpus, load_corpus
from harness.scaffolding.languages import language_names, read_language
from harness.scaffolding.shapes import shapes_of
from harness.scaffolding.skeleton import build_and_command, skeleton

pytestmark = pytest.mark.slow

Parity = Callable[..., "subprocess.CompletedProcess[str]"]

OF_THE_SYSTEM = Path(__file__).resolve().parents[3] / "schemas" / "jeffs_brain"


@pytest.mark.parametrize("language", PORTERS)
def test_skeleton_from_the_first_command_to_the_first_passing_case(
    language: str, echo_corpus: Path, run_parity: Parity, tmp_path: Path
) -> None:
    """The printed commands work as they stand; nothing is answered until one line is written, and then a case passes."""
    if shutil.which(PORTERS[language].tool) is None:
        pytest.skip(f"{PORTERS[language].tool} is not on PATH: the {language} skeleton is not tried")
    written = run_parity("new-adapter", language, "mine", "--corpus", echo_corpus)
    assert written.returncode == 0, written.stderr
    here = tmp_path / "here"
    if language == "rust":
        _fetch_crates(here / "mine")

    probe, run, _ = next_commands(written.stdout)
    probed = shell(probe, here)
    assert probed.returncode == 0, probed.stdout + probed.stderr
    assert "follows the protocol: no findings." in probed.stdout
    assert "echo.say  out of reach: not written yet" in probed.stdout
    done = shell(run, here)
    assert done.returncode == 1, done.stderr
    assert "mine supports none of the 4 cases" in done.stdout
    assert ": 4 unsupported\n" in done.stdout

    write_the_first_operation(here / "mine", language)
    build = probe.rpartition(" && ")[0]
    assert shell(build or "true", here).returncode == 0
    done = shell(run, here)
    assert done.returncode == 0, done.stdout
    assert ": 2 pass, 2 unsupported\n" in done.stdout
    talks_properly(adapter_of(run), here, PORTERS[language])


@pytest.mark.parametrize("language", ["java", "python", "ruby", "typescript"])
def test_a_member_that_no_variable_can_be_called_after(language: str, echo_corpus: Path, run_parity: Parity) -> None:
    """A member whose name is a word of the language is read into a variable of another name."""
    if shutil.which(PORTERS[language].tool) is None:
        pytest.skip(f"{PORTERS[language].tool} is not on PATH: the {language} skeleton is not tried")
    for path in [*echo_corpus.rglob("*.json"), *echo_corpus.rglob("said.yaml"), *echo_corpus.rglob("shouted.yaml")]:
        path.write_text(path.read_text("utf-8").replace('"text"', '"class"').replace("{text:", "{class:"), "utf-8")
    written = run_parity("new-adapter", language, "mine", "--corpus", echo_corpus)
    assert written.returncode == 0, written.stderr
    _, command = build_and_command(read_language(language), Path("mine"))
    probed = run_parity("probe", "--corpus", echo_corpus, command)
    assert "follows the protocol: no findings." in probed.stdout, probed.stdout


def test_a_member_whose_kind_leads_round_in_a_circle(echo_corpus: Path, run_parity: Parity) -> None:
    """A reference to itself limits no kind, so the member is of any kind."""
    for path in echo_corpus.rglob("*.json"):
        schema = json.loads(path.read_text("utf-8"))
        schema["$defs"] |= {"one": {"$ref": "#/$defs/other"}, "other": {"anyOf": [{"$ref": "#/$defs/one"}]}}
        schema["$defs"]["request"]["properties"]["text"] = {"$ref": "#/$defs/one"}
        path.write_text(json.dumps(schema), "utf-8")
    corpus = load_corpus(echo_corpus)
    shapes = [str(shape) for shape in shapes_of("echo", corpus.operations, corpus.schemas)]
    assert shapes == ["{text: any} -> {text: text}"] * 2
    assert run_parity("new-adapter", "python", "mine", "--corpus", echo_corpus).returncode == 0


def test_skeleton_for_the_shipped_corpus(run_parity: Parity, tmp_path: Path) -> None:
    """A new adapter answers no case of the corpus, which is no success; with one line the first cases pass."""
    written = run_parity("new-adapter", "python", "mine")
    _, run, _ = next_commands(written.stdout)
    assert "\nnext: fill in query.normalise in mine/adapter.py, at its TODO; then\n" in written.stdout
    adapter = tmp_path / "here" / "mine" / "adapter.py"
    words = shlex.split(run)[1:]
    done = run_parity(*words)
    assert done.returncode == 1, done.stderr
    assert "mine supports none of the" in done.stdout
    assert re.search(r"verdicts in [^:]*: [\d,]+ unsupported$", done.stdout, re.MULTILINE), done.stdout
    adapter.write_text(
        adapter.read_text("utf-8").replace("raise OutOfReach(NOT_YET)", 'return {"text": query}'), "utf-8"
    )
    done = run_parity(*words, "--select", "jeffs_brain/query_dsl/normalise/plain-text-is-unchanged")
    assert done.returncode == 0, done.stdout
    assert ": 7 pass\n" in done.stdout


@pytest.fixture(autouse=True, scope="module")
def quick_compilers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Cargo and Java optimise nothing: no test here depends on the speed of an adapter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        if java := shutil.which("java"):
            programs = tmp_path_factory.mktemp("programs")
            (programs / "java").write_text(
                f'#!/bin/sh\nexec {shlex.quote(java)} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$@"\n', "utf-8"
            )
            (programs / "java").chmod(0o755)
            patch.setenv("PATH", str(programs), prepend=os.pathsep)
        yield


def _fetch_crates(folder: Path) -> None:
    """Skips where Cargo finds the project in order and still cannot fetch what it needs."""
    manifest = ["--quiet", "--manifest-path", str(folder / "Cargo.toml")]
    subprocess.run(
        ["cargo", "metadata", "--no-deps", "--format-version", "1", *manifest], capture_output=True, check=True
    )
    done = subprocess.run(["cargo", "fetch", *manifest], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"serde_json cannot be fetched: the rust skeleton is not tried. {done.stderr.strip()[-300:]}")


def next_commands(output: str) -> list[str]:
    """The commands that stand below `next:`."""
    return [line.strip() for line in output.partition("\nnext: ")[2].splitlines()[1:]]


def shell(command: str, here: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command as it would be pasted; only the programs named by path or installed are found."""
    return subprocess.run(
        ["bash", "-c", command], cwd=here, capture_output=True, encoding="utf-8", timeout=240, check=False
    )


def adapter_of(run: str) -> list[str]:
    """The words of the command that `parity run --adapter` was given."""
    words = shlex.split(run)
    return shlex.split(words[words.index("--adapter") + 1].removeprefix("mine="))


def write_the_first_operation(folder: Path, language: str) -> None:
    """Carries out the TODO."""
    porter, path = PORTERS[language], folder / read_language(language).edit
    text = path.read_text("utf-8")
    assert text.count(porter.refusing) == 1
    text = text.replace(porter.refusing, porter.answering)
    if language == "go":
        text = text.replace('import "runtime"', 'import (\n\t"os"\n\t"runtime"\n)')
    path.write_text(text, "utf-8")


def talks_properly(command: list[str], here: Path, porter: Porter) -> None:
    """What the SDK prints or raises costs nothing but its own answer, and the end of input is a good end."""
    requests = [
        ("initialize", {"protocolVersion": 1, "harness": {"name": "parity", "version": "0"}}),
        ("echo.say", {"text": "  two  words "}),
        ("echo.say", {"text": "raise"}),
        ("echo.say", {"text": "half"}),
        ("echo.say", {"text": 'é\u2028😀"\\\x00\x7f'}),
        ("echo.say", {}),
        ("echo.shout", {"text": "a"}),
    ]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 7 * number, "method": method, "params": params})
        for number, (method, params) in enumerate(requests)
    ]
    done = subprocess.run(
        command, cwd=here, input="\n\n".join(lines).encode(), capture_output=True, timeout=60, check=False
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert b"noise" in done.stderr
    assert [reply["id"] for reply in replies] == [0, 7, 14, 21, 28, 35, 42]
    assert all(reply["jsonrpc"] == "2.0" and len(reply) == 3 for reply in replies)
    got = [reply.get("result", reply.get("error", {}).get("code")) for reply in replies]
    assert got[0]["operations"] == ["echo.say"]
    assert got[1:] == [{"text": "  two  words "}, -32000, porter.half, {"text": 'é\u2028😀"\\\x00\x7f'}, -32602, -32601]
    raised = replies[2]["error"]["data"]
    assert (raised["type"], raised["message"]) == ("unclassified", porter.raised)
    assert porter.place in raised.get("stack", "")


def test_every_language_is_tried() -> None:
    """A skeleton without a porter here is noticed."""
    assert language_names() == sorted(PORTERS)


@pytest.fixture(scope="module")
def corpus(shipped_corpus: Corpus) -> Corpus:
    """The shipped one."""
    return shipped_corpus


@pytest.mark.parametrize("name", PORTERS)
def test_every_operation_of_the_system_is_listed_once(name: str, corpus: Corpus) -> None:
    """Each operation of the schemas stands in the file to edit with its shape; no placeholder is left."""
    language = read_language(name)
    files = skeleton(language, shapes_of("jeffs_brain", corpus.operations, corpus.schemas), [], "mine")
    operations = [path.stem for path in OF_THE_SYSTEM.glob("*.*.json")]
    assert len(operations) > 20
    for operation in operations:
        assert len(re.findall(rf"""["']{re.escape(operation)}["']""", files[language.edit])) == 1, operation
    assert "{lists: list, k?: number} -> {results: list}" in files[language.edit]
    assert not [path for path, text in files.items() if re.search(r"\{\{[a-z_]+\}\}", text)]


def test_readme_has_ten_lines_and_the_next_commands(run_parity: Parity, tmp_path: Path) -> None:
    """It names what to edit and the commands for its own folder."""
    run_parity("new-adapter", "go", "mine")
    lines = (tmp_path / "here" / "mine" / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 10
    assert lines[-3:] == [
        "    go build -C . -o adapter . && parity probe mine=./adapter",
        "    parity run --adapter mine=./adapter",
        '    pytest "$(parity cases --path)/jeffs_brain/query_dsl/normalise.yaml" --adapter mine=./adapter -x',
    ]


def test_commands_can_be_pasted_whatever_the_folder_is_called(
    echo_corpus: Path, run_parity: Parity, tmp_path: Path
) -> None:
    """Spaces and both kinds of quotes in names do no harm, in the printed commands and in those that repeat a failure."""
    here, folder, corpus = tmp_path / "here", 'it\'s "mine"', tmp_path / "the corpus"
    echo_corpus.rename(corpus)
    written = run_parity("new-adapter", "python", folder, "--corpus", corpus)
    adapter = here / folder / "adapter.py"
    adapter.write_text(
        adapter.read_text("utf-8").replace("raise OutOfReach(NOT_YET)", 'return {"text": "hello"}'), "utf-8"
    )
    probe, run, pytest_ = next_commands(written.stdout)
    assert shell(probe, here).returncode == 0
    done = shell(f"{run} --timeout 7", here)
    assert "echo/said" in done.stdout
    again = re.findall(r"^repeat: +parity (run .*)$", done.stdout, re.MULTILINE)
    assert len(again) == 1, done.stdout
    repeated = shell(f"{run.partition(' run ')[0]} {again[0]}", here)
    assert repeated.returncode == 1
    assert '$.text   wanted ""   got "hello"' in repeated.stdout
    assert "1 case, 1 implementation, 1 verdict" in repeated.stdout
    walked = shell(pytest_, here)
    assert "1 failed" in walked.stdout, walked.stdout + walked.stderr


def test_javascript_is_the_skeleton_of_typescript_under_its_own_name(run_parity: Parity, tmp_path: Path) -> None:
    """JavaScript has the same files, and its adapter reports JavaScript as its language."""
    for language in ("javascript", "typescript"):
        assert run_parity("new-adapter", language, language).returncode == 0
    ours, theirs = (tmp_path / "here" / language for language in ("javascript", "typescript"))
    assert "  language: 'JavaScript'," in (ours / "adapter.mjs").read_text("utf-8")
    assert "  language: 'TypeScript'," in (theirs / "adapter.mjs").read_text("utf-8")
    assert (ours / "protocol.mjs").read_bytes() == (theirs / "protocol.mjs").read_bytes()
    assert (ours / "README.md").read_text("utf-8").startswith("# An adapter in JavaScript\n")


def test_system_is_the_one_that_is_named(run_parity: Parity, tmp_path: Path) -> None:
    """`--system` lists that system's operations and no others."""
    done = run_parity("new-adapter", "python", "mine", "--system", "nexus")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "here" / "mine" / "adapter.py").read_text("utf-8")
    assert '"nexus.fuse": NOT_YET' in text
    assert "query.normalise" not in text


def test_unknown_system_is_refused(run_parity: Parity, tmp_path: Path) -> None:
    """The error lists the systems, and nothing is written."""
    done = run_parity("new-adapter", "python", "mine", "--system", "jeffs")
    assert done.returncode == 2
    assert re.fullmatch(
        r"parity: --system jeffs: not a system of the corpus \(.*\bjeffs_brain, .*\)\. Correct the name\.\n",
        done.stderr,
    )
    assert not (tmp_path / "here" / "mine").exists()


def test_unknown_language_is_refused(run_parity: Parity) -> None:
    """The error lists the languages, and the page for any other one."""
    done = run_parity("new-adapter", "cobol", "mine")
    assert done.returncode == 2
    assert f"cobol has no skeleton; expected one of {', '.join(sorted(PORTERS))}." in done.stderr
    assert "in any language: docs/porting-an-sdk.md" in done.stderr


def test_nothing_is_written_over(run_parity: Parity, tmp_path: Path) -> None:
    """A folder with anything in it is refused in a sentence and stays as it was; so is a file."""
    mine = tmp_path / "here" / "mine"
    mine.mkdir()
    (mine / "adapter.py").write_text("precious", "utf-8")
    done = run_parity("new-adapter", "python", "mine")
    assert done.returncode == 2
    assert done.stderr == "parity: mine is not empty; no file in it is overwritten. Name a new folder.\n"
    assert [path.read_text("utf-8") for path in mine.iterdir()] == ["precious"]
    done = run_parity("new-adapter", "python", "mine/adapter.py")
    assert done.returncode == 2
    assert done.stderr == "parity: mine/adapter.py cannot be used: Not a directory. Name a new folder.\n"


@pytest.mark.parametrize("folder", ["empty", "new/and/deep"])
def test_empty_folder_and_new_parents_are_welcome(
    folder: str, echo_corpus: Path, run_parity: Parity, tmp_path: Path
) -> None:
    """An empty folder is filled, and folders above a new one are made."""
    (tmp_path / "here" / "empty").mkdir()
    assert run_parity("new-adapter", "typescript", folder, "--corpus", echo_corpus).returncode == 0
    assert (tmp_path / "here" / folder / "adapter.mjs").is_file()


def test_folder_that_cannot_be_made(echo_corpus: Path, run_parity: Parity) -> None:
    """A place where nobody can write is a sentence, not a fault."""
    done = run_parity("new-adapter", "python", "/proc/mine", "--corpus", echo_corpus)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_sources_keep_to_the_language_s_own_layout(run_parity: Parity, tmp_path: Path) -> None:
    """gofmt has nothing to change."""
    if shutil.which("gofmt") is None:
        pytest.skip("gofmt is not on PATH: the layout of the Go skeleton is not checked")
    run_parity("new-adapter", "go", "mine")
    done = subprocess.run(["gofmt", "-l", tmp_path / "here" / "mine"], capture_output=True, text=True, check=True)
    assert done.stdout == ""
