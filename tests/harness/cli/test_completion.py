"""`parity completion`: the script completes verbs, options and files in a shell."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from commands import Parity

pytestmark = pytest.mark.slow

_COMPLETE = """
source completion
COMP_WORDS=({words}) COMP_CWORD={last}
$(complete -p parity | sed 's/.* -F \\([^ ]*\\) .*/\\1/') parity
echo "${{COMPREPLY[@]}}"
"""


def test_bash_completes_verbs_options_and_files(run_parity: Parity, tmp_path: Path) -> None:
    """The words that bash offers behind an unfinished command."""
    done = run_parity("completion", "bash")
    assert done.returncode == 0, done.stderr
    (tmp_path / "completion").write_text(done.stdout, "utf-8")
    (tmp_path / "recorded.jsonl").touch()
    offered = {
        "parity ex": ["explain", "export"],
        "parity new-": ["new-adapter"],
        "parity run --adapter 'mine=./run me' --sy": ["--system"],
        "parity completion ": ["bash", "fish", "zsh"],
        "parity merge --record all rec": ["recorded.jsonl"],
        "parity gate --known rec": ["recorded.jsonl"],
    }
    for command, wanted in offered.items():
        words = shlex.split(command) + ([""] if command.endswith(" ") else [])
        script = _COMPLETE.format(words=shlex.join(words), last=len(words) - 1)
        shell = subprocess.run(
            ["bash", "--norc", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (shell.stdout.split(), shell.stderr) == (wanted, ""), command


def test_other_shells(run_parity: Parity) -> None:
    """The scripts of zsh and fish have the names under which these shells find them."""
    assert run_parity("completion", "zsh").stdout.startswith("#compdef parity\n")
    assert "complete -c parity " in run_parity("completion", "fish").stdout
