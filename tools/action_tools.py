"""What the action needs before the gate: `python tools/action_tools.py ADAPTER [SDK]`.

`action.yml` runs it. It prints a line `cache=FOLDER` with parity's cache, and a line `NAME=VERSION` for each tool (`node`,
`go`, `bun`) of the adapter that is absent or too old, in the form of the action that installs it. It names no tool for a
user's own command and for an adapter or folder that the gate refuses. No other text of the working copy than a version
number reaches the output.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which

from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from harness.corpus.paths import cache  # noqa: E402
from harness.errors import UsageError  # noqa: E402
from harness.model import replace  # noqa: E402
from harness.transport.adapter_spec import parse_specs  # noqa: E402
from harness.transport.manifest import Manifest, missing_tool, missing_tools, shipped_manifests  # noqa: E402

_GO_LINE = re.compile(r"^go[ \t]+(\d{1,4}\.\d{1,4}(?:\.\d{1,4})?)\s*(?://.*)?$", re.MULTILINE | re.ASCII)
_BUN = re.compile(r"bun@(\d{1,4}\.\d{1,4}\.\d{1,4})(?:\+\S*)?", re.ASCII)
_BUN_LOCKS = ("bun.lock", "bun.lockb")
_OTHER_LOCKS = ("pnpm-lock.yaml", "yarn.lock", "npm-shrinkwrap.json", "package-lock.json")


def needed(adapter: str, sdk: str, manifests: Mapping[str, Manifest]) -> dict[str, str]:
    """The versions to install, by tool, for the action's inputs `adapter` and `sdk` (empty without a working copy)."""
    try:
        [spec] = parse_specs([adapter], manifests)
    except UsageError:
        return {}
    if spec.command:
        return {}
    manifest = manifests[spec.adapter]
    folder = spec.sdk or (Path(sdk).resolve() if sdk else None)
    if manifest.name == "go":
        return _go(manifest, folder)
    if manifest.name != "ts":
        return {}
    # npm comes with Node.js.
    tools = {"node": manifest.tools[0].minimum} if missing_tools(manifest) else {}
    if folder is not None and not which("bun") and (version := _bun(folder)):
        tools["bun"] = version
    return tools


def _go(manifest: Manifest, folder: Path | None) -> dict[str, str]:
    """The lowest Go that builds both the adapter and the working copy, since a build downloads no other Go."""
    [tool] = manifest.tools
    found = _GO_LINE.search(_text(folder / "go.mod")) if folder else None
    wanted = max(tool.minimum, found[1] if found else tool.minimum, key=Version)
    return {"go": f"~{wanted}"} if missing_tool(replace(tool, minimum=wanted)) else {}


def _bun(folder: Path) -> str:
    """The version of bun that the nearest lock file needs: `latest` without one in `package.json`; empty if not bun's."""
    for at in (folder, *folder.parents):
        if any((at / name).is_file() for name in _BUN_LOCKS):
            try:
                manifest = json.loads(_text(at / "package.json"))
            except (ValueError, RecursionError):
                manifest = None
            manager = manifest.get("packageManager") if isinstance(manifest, dict) else None
            found = _BUN.fullmatch(manager) if isinstance(manager, str) else None
            return found[1] if found else "latest"
        if (at / ".git").exists() or any((at / name).is_file() for name in _OTHER_LOCKS):
            break
    return ""


def _text(path: Path) -> str:
    """The text of a regular file; empty if there is none that can be read."""
    try:
        return path.read_text("utf-8", errors="replace") if path.is_file() else ""
    except OSError:
        return ""


def main(arguments: Sequence[str]) -> None:
    """Prints the cache and the tools, one a line."""
    adapter, sdk = [*arguments, ""][:2]
    print(f"cache={cache()}")
    for name, version in needed(adapter, sdk, shipped_manifests(ROOT)).items():
        print(f"{name}={version}")


if __name__ == "__main__":
    main(sys.argv[1:])
