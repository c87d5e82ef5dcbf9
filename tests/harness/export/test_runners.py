"""The small runners for go test, vitest, cargo test and JUnit 5: each agrees with parity about every case of a corpus that
uses every comparison rule."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import parity
from echo_corpus import ACCEPTED, REFUSED, write_corpus

from harness.scaffolding.runners import RUNNERS

MAX_LINES = 155
"""Lines of a runner that are neither empty nor a comment."""

GO = """\
package conformance

import "errors"

func answer(operation string, request map[string]any) (any, error) {
	if kind, ok := request["error"].(string); ok {
		return nil, errors.New(kind)
	}
	if request["unsupported"] != nil {
		return nil, errUnsupported
	}
	return request["reply"], nil
}
"""
JAVASCRIPT = """\
export function answer(operation, request) {
  if (request.error) throw Object.assign(new Error('no'), { type: request.error });
  if (request.unsupported) throw Object.assign(new Error('out of reach'), { type: 'UNSUPPORTED' });
  return request.reply;
}
"""
RUST = """\
use serde_json::Value;

pub fn answer(_operation: &str, request: &Value) -> Result<Value, String> {
    if let Some(kind) = request["error"].as_str() {
        return Err(kind.into());
    }
    if request["unsupported"] == true {
        return Err("UNSUPPORTED".into());
    }
    Ok(request["reply"].clone())
}
"""
JAVA = """\
import com.fasterxml.jackson.databind.JsonNode;

class Answer {
    static Object answer(String operation, JsonNode request) {
        if (request.has("error")) {
            throw new ConformanceTest.Raised(request.get("error").asText());
        }
        if (request.has("unsupported")) {
            throw new UnsupportedOperationException();
        }
        return request.get("reply");
    }
}
"""
CARGO = """\
[package]
name = "standin"
version = "0.1.0"
edition = "2021"

[dev-dependencies]
serde_json = { version = "1", features = ["float_roundtrip"] }
"""
POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>standin</groupId>
  <artifactId>standin</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope>
    </dependency>
    <dependency>
      <groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-databind</artifactId><version>2.18.2</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version>
      </plugin>
    </plugins>
  </build>
</project>
"""

QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of a short process of Java: it optimises nothing."""

REFUSED_NAMES = {
    f"echo/refused/{name}"
    for name in (
        *REFUSED,
        "other-error",
        "error-for-an-answer",
        "answer-for-an-error",
        "no-reading",
        "beside-a-free-place",
        "no-part-of-a-text",
        "no-text",
        "too-long-a-text",
    )
}
ACCEPTED_COUNT = len(ACCEPTED) + 5


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """The folder of the export, with all four runners. A case whose text is one character too long is added: the answers
    come from the requests, so no text is longer than its request allows."""
    folder = tmp_path / "export"
    words = [word for name in RUNNERS for word in ("--runner", name)]
    done = parity("export", folder, "--corpus", write_corpus(tmp_path / "corpus"), *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    refused, accepted = folder / "suites/echo/refused.json", folder / "suites/echo/accepted.json"
    (long,) = (case for case in json.loads(accepted.read_text("utf-8"))["cases"] if "part-of-each" in case["name"])
    long["name"] = "echo/refused/too-long-a-text"
    long["readings"]["b"]["answer"]["hits"][0]["text"]["$maxLength"] = len("a zebra\U0001f993") - 1
    suite = json.loads(refused.read_text("utf-8"))
    refused.write_text(json.dumps({**suite, "cases": [*suite["cases"], long]}), "utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty folder beside the export."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder for installed and compiled packages; pytest's cache keeps it, so that the next session has them."""
    cache: pytest.Cache | None = getattr(request.config, "cache", None)
    return cache.mkdir(f"{request.function.__name__}_packages") if cache else tmp_path


def run(folder: Path, *command: str, exported: Path, needs: str, **variables: str) -> str:
    """The output of a test command that ends with failures."""
    if shutil.which(needs) is None:
        pytest.skip(f"{needs} is not on PATH")
    environment = {
        **os.environ,
        "CONFORMANCE_CORPUS": str(exported),
        "TZ": "UTC",
        "NO_COLOR": "1",
        "CI": "1",
        **variables,
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode != 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def write(folder: Path, exported: Path, runner: str, **texts: str) -> None:
    """A project: the runner and the other files."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    shutil.copy(exported / Path(runner).name, folder / runner)


@pytest.mark.parametrize("name", RUNNERS)
def test_a_runner_is_small(exported: Path, name: str) -> None:
    """A person can read it before copying it."""
    lines = (exported / RUNNERS[name]).read_text("utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.lstrip().startswith(("//", "/**")) for line in lines) <= MAX_LINES


@pytest.mark.slow
def test_go(project: Path, exported: Path) -> None:
    """`go test` fails for exactly the refused cases."""
    write(project, exported, "conformance_test.go", **{"go.mod": "module standin\n\ngo 1.23\n", "answer.go": GO})
    text = run(project, "go", "test", "-v", "./...", exported=exported, needs="go")
    assert set(re.findall(r"--- FAIL: TestConformance/(\S+)", text)) == REFUSED_NAMES
    assert len(re.findall(r"--- PASS: TestConformance/", text)) == ACCEPTED_COUNT
    assert len(re.findall(r"--- SKIP: TestConformance/", text)) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "corpus", ['{"format": 2, "files": [{"file": "x", "suite": "x"}]}', '{"format": 1, "files": []}']
)
def test_a_runner_refuses_another_format_and_an_empty_corpus(project: Path, exported: Path, corpus: str) -> None:
    """A corpus that the runner cannot read passes nothing."""
    (exported / "corpus.json").write_text(corpus, "utf-8")
    write(project, exported, "conformance_test.go", **{"go.mod": "module standin\n\ngo 1.23\n", "answer.go": GO})
    text = run(project, "go", "test", "./...", exported=exported, needs="go")
    assert "this runner needs format 1 and a case" in text


@pytest.mark.slow
def test_rust(project: Path, exported: Path, kept: Path) -> None:
    """`cargo test` fails and lists exactly the refused cases."""
    texts = {"Cargo.toml": CARGO, "src/lib.rs": "", "tests/answer/mod.rs": RUST}
    write(project, exported, "tests/conformance.rs", **texts)
    command = ("cargo", "test", "--quiet")
    text = run(project, *command, exported=exported, needs="cargo", CARGO_TARGET_DIR=str(kept))
    assert set(re.findall(r"^(echo/\S+)$", text, re.MULTILINE)) == REFUSED_NAMES
    assert f"{ACCEPTED_COUNT} passed, {len(REFUSED_NAMES)} failed, 2 skipped" in text


@pytest.mark.slow
def test_vitest(project: Path, exported: Path, kept: Path) -> None:
    """vitest fails for exactly the refused cases."""
    write(project, exported, "conformance.test.mjs", **{"package.json": '{"private": true}', "answer.mjs": JAVASCRIPT})
    if shutil.which("npm") and not (kept / "node_modules" / ".bin" / "vitest").exists():
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "vitest@3"]
        subprocess.run(npm, cwd=kept, check=True, capture_output=True, timeout=300)
    (project / "node_modules").symlink_to(kept / "node_modules")
    command = ("npx", "vitest", "run", "--reporter=tap-flat", "--pool=threads", "--no-file-parallelism")
    text = run(project, *command, exported=exported, needs="npx")
    assert set(re.findall(r"^not ok .*(echo/refused/[\w-]+)", text, re.MULTILINE)) == REFUSED_NAMES
    assert len(re.findall(r"^ok .*echo/accepted/", text, re.MULTILINE)) == ACCEPTED_COUNT


@pytest.mark.slow
def test_junit(project: Path, exported: Path) -> None:
    """JUnit 5 fails for exactly the refused cases."""
    tests = "src/test/java"
    write(project, exported, f"{tests}/ConformanceTest.java", **{"pom.xml": POM, f"{tests}/Answer.java": JAVA})
    command = ("mvn", "--batch-mode", "--no-transfer-progress", f"-DargLine={QUICK_JAVA}", "test")
    text = run(project, *command, exported=exported, needs="mvn", MAVEN_OPTS=QUICK_JAVA)
    (counts,) = set(re.findall(r"Tests run: (\d+), Failures: (\d+), Errors: 0, Skipped: (\d+)\n", text))
    total = ACCEPTED_COUNT + len(REFUSED_NAMES) + 2
    assert [*map(int, counts)] == [total, len(REFUSED_NAMES), 2], text
