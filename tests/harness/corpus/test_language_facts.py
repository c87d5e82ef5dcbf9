"""The language facts in `traps.yaml` hold in the languages themselves; a missing toolchain is a skip with its reason."""

from __future__ import annotations

import datetime
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.corpus.paths import shipped
from harness.corpus.strict_yaml import parse_yaml

GO = """package main
import ("encoding/json"; "fmt"; "regexp"; "sort"; "strconv"; "strings"; "time"; "unicode")
var _, _, _, _, _, _ = json.Marshal, regexp.Compile, sort.Ints, strconv.Itoa, time.Now, unicode.IsSpace
func refused(_ any, wrong error) bool { return wrong != nil }
func main() {
    %s
    _ = strings.ToLower
}
"""
JAVA = """class Facts {
    interface Step { void run() throws Exception; }
    static boolean refused(Step step) { try { step.run(); return false; } catch (Exception wrong) { return true; } }
    public static void main(String[] names) {
        %s
    }
}
"""
CPP = """#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>
template <class Step>
bool refused(Step step) { try { step(); return false; } catch (const std::out_of_range&) { return true; } }
int main() {
    std::cout << std::boolalpha;
    %s
}
"""
CSHARP = """static bool refused(Func<object> step) { try { step(); return false; } catch (Exception) { return true; } }
%s
"""
KOTLIN = """fun refused(step: () -> Any?): Boolean = try { step(); false } catch (wrong: Exception) { true }
fun main() {
    %s
}
"""
RUBY = """require "date"
def refused = (yield; false) rescue true
%s
"""
PROGRAMS = {
    "cpp": (
        "facts.cpp",
        CPP,
        "std::cout << ({}) << '\\n';",
        (("c++", "-std=c++17", "facts.cpp", "-o", "facts"), ("./facts",)),
    ),
    "csharp": ("facts.cs", CSHARP, "Console.WriteLine({});", (("dotnet", "run", "facts.cs"),)),
    "go": ("facts.go", GO, "fmt.Println({})", (("go", "run", "facts.go"),)),
    "java": (
        "Facts.java",
        JAVA,
        "System.out.println((Object) switch (0) {{ default -> {} }});",
        (("java", "Facts.java"),),
    ),
    "javascript": ("facts.mjs", "%s\n", "console.log({});", (("node", "facts.mjs"),)),
    "kotlin": (
        "facts.kt",
        KOTLIN,
        "println({})",
        (("kotlinc", "facts.kt", "-include-runtime", "-d", "facts.jar"), ("java", "-jar", "facts.jar")),
    ),
    "php": ("facts.php", "<?php\n%s\n", 'echo json_encode({}), "\\n";', (("php", "facts.php"),)),
    "ruby": ("facts.rb", RUBY, "puts(({}).to_s)", (("ruby", "facts.rb"),)),
    "rust": ("facts.rs", "fn main() {\n%s\n}\n", 'println!("{{}}", {});', (("rustc", "facts.rs"), ("./facts",))),
}
"""File, frame, the line that prints one expression, and the commands, by language. Python's facts run in this process;
those of Swift have sources alone."""


def facts() -> list[tuple[str, str, dict[str, str]]]:
    """(language, id, fact) of every fact of every shipped system."""
    found = []
    for path in sorted(shipped().glob("cases/*/traps.yaml")):
        value, problems = parse_yaml(path.read_text("utf-8"), path.name)
        assert problems == []
        traps: list[dict[str, Any]] = value["traps"]  # type: ignore[index, call-overload, assignment]
        found += [(name, trap["id"], fact) for trap in traps for name, fact in trap["languages"].items()]
    return found


def runnable(language: str) -> dict[str, dict[str, str]]:
    return {id_: fact for name, id_, fact in facts() if name == language and "run" in fact}


def test_languages() -> None:
    """Every language has facts, and most facts run."""
    assert {name for name, _, _ in facts()} == {*PROGRAMS, "python", "swift"}
    assert sum("source" in fact for _, _, fact in facts()) < len(facts()) / 8


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted(PROGRAMS))
def test_facts_hold(language: str, tmp_path: Path) -> None:
    """Each expression prints what the table states."""
    file, frame, line, commands = PROGRAMS[language]
    tool = commands[0][0]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not on PATH: the facts of {language} were NOT compared with the language")
    wanted = runnable(language)
    blocks = [f"{fact['run']}{'' if language != 'java' or fact['run'][0] == '{' else ';'}" for fact in wanted.values()]
    (tmp_path / file).write_text(frame % "\n    ".join(map(line.format, blocks)), "utf-8")
    environment = {**os.environ, "GOFLAGS": "", "GO111MODULE": "off"}
    for command in commands:
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert dict(zip(wanted, done.stdout.splitlines(), strict=True)) == {
        id_: one["gives"] for id_, one in wanted.items()
    }


def test_facts_of_python_hold() -> None:
    """Each expression gives what the table states in the Python that runs the tests."""
    names = {"datetime": datetime, "re": re, "sys": sys, "raises": raises, "in_tokyo": in_tokyo}
    wanted = runnable("python")
    got = {id_: str(eval(fact["run"], dict(names))) for id_, fact in wanted.items()}
    assert got == {id_: fact["gives"] for id_, fact in wanted.items()}


def raises(error: type[Exception], function: Callable[..., object], *given: object, **named: object) -> bool:
    try:
        function(*given, **named)
    except error:
        return True
    return False


def in_tokyo(function: Callable[[], object]) -> object:
    """The value of the function where the zone of the machine is Asia/Tokyo, nine hours before UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        try:
            return function()
        finally:
            patch.undo()
            time.tzset()
