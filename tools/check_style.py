"""Style check: words of conversation in the code of the harness, nominal relatives in its documents and messages.

Programs send, read and report; they hold no conversation. A sentence names its subject first, without "of which" or
"those that". Prints both rates; exits with 1 if one is above its limit. `--list` prints every place first.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

MAX_CONVERSATION = 3.0
"""Words of conversation per 1,000 lines of code."""

MAX_RELATIVES = 1.0
"""Nominal relatives per 1,000 words of documents and messages."""

_VERBS = {
    "ask": "ask asks asked asking asker askers",
    "hear": "hear hears heard hearing unheard",
    "say": "say says said saying unsaid",
    "tell": "tell tells told telling teller untold",
}
CONVERSATION = frozenset(form for forms in _VERBS.values() for form in forms.split())

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PROSE_WORD = re.compile(r"\S*[^\W_]\S*")
_FENCED = re.compile(r"^(?P<fence>[ \t]*(?:```|~~~)).*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
_RELATIVE = re.compile(
    r"\b(?:(?:of|in|by)\s+which|of\s+whom|those\s+(?:that|of)|that\s+which|none\s+that|there\s+is\s+none"
    r"|what\s+(?:is|are|was|were|has|had|stands|lies|follows|remains|comes|came|goes|went))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A word or phrase at a line (from 1) of a file."""

    path: Path
    line: int
    word: str


def conversation(path: Path) -> Iterator[Hit]:
    """Words of conversation in a module: in names, comments, docstrings and messages."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        for match in _WORD.finditer(line):
            if match[0].lower() in CONVERSATION:
                yield Hit(path, number, match[0])


def relatives(path: Path, text: str, first_line: int = 1) -> Iterator[Hit]:
    """Nominal relatives in a text that begins at `first_line` of the file."""
    for match in _RELATIVE.finditer(text):
        yield Hit(path, first_line + text.count("\n", 0, match.start()), " ".join(match[0].split()))


def prose(page: Path) -> str:
    """The text of a Markdown page, its fenced blocks emptied."""
    return _FENCED.sub(lambda block: "\n" * block[0].count("\n"), page.read_text("utf-8"))


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a module that are no docstrings and have a space, each with its line."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node in docstrings:
            continue
        if " " in node.value.strip():
            yield node.lineno, node.value


def word_count(text: str) -> int:
    """The words of a text; a mark that stands alone is none."""
    return len(_PROSE_WORD.findall(text))


@dataclass(frozen=True, slots=True)
class Style:
    """What one checkout holds."""

    conversation: list[Hit]
    relatives: list[Hit]
    lines: int
    words: int

    @property
    def conversation_rate(self) -> float:
        """Words of conversation per 1,000 lines."""
        return 1000 * len(self.conversation) / max(1, self.lines)

    @property
    def relative_rate(self) -> float:
        """Nominal relatives per 1,000 words."""
        return 1000 * len(self.relatives) / max(1, self.words)

    @property
    def is_within_limits(self) -> bool:
        """Whether both rates are low enough."""
        return self.conversation_rate <= MAX_CONVERSATION and self.relative_rate <= MAX_RELATIVES


def measure(root: Path) -> Style:
    """Reads `harness/`, `docs/`, the README and the changelog below `root`."""
    modules = sorted((root / "harness").rglob("*.py"))
    pages = [page for page in (root / "README.md", root / "CHANGELOG.md") if page.exists()]
    pages += sorted((root / "docs").glob("*.md"))
    texts = [(page, 1, prose(page)) for page in pages]
    texts += [(module, line, text) for module in modules for line, text in messages(module)]
    return Style(
        conversation=[hit for module in modules for hit in conversation(module)],
        relatives=[hit for path, line, text in texts for hit in relatives(path, text, line)],
        lines=sum(len(module.read_text("utf-8").splitlines()) for module in modules),
        words=sum(word_count(text) for _, _, text in texts),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the rates and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print every place as FILE:LINE: WORD")
    parser.add_argument("root", nargs="?", type=Path, default=ROOT, help="the checkout (default: this one)")
    given = parser.parse_args(arguments)
    style = measure(given.root)
    if given.list:
        for hit in [*style.conversation, *style.relatives]:
            print(f"{hit.path.relative_to(given.root)}:{hit.line}: {hit.word}")
    print(f"conversation words per 1,000 lines of harness: {style.conversation_rate:.1f} (limit {MAX_CONVERSATION:g})")
    print(
        f"nominal relatives per 1,000 words of docs and messages: {style.relative_rate:.1f} (limit {MAX_RELATIVES:g})"
    )
    return 0 if style.is_within_limits else 1


if __name__ == "__main__":
    sys.exit(main())
