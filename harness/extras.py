"""Optional parts of parity, and the command that installs the packages that one of them needs."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from collections.abc import Iterator

from .corpus.paths import shipped
from .errors import UsageError


def require_extra(extra: str, module: str, need: str) -> None:
    """Raises `UsageError` with the remedy if a module of the extra is not installed; `need` says who needs what."""
    if importlib.util.find_spec(module) is None:
        raise UsageError(f"{need}, which is not installed. Install it: {install_command(extra, module)}")


def install_command(extra: str, module: str) -> str:
    """The shell command that installs the packages of an extra: through the checkout that runs, else by their names, since
    the name `parity` on a package index is not this project."""
    root = shipped()
    is_checkout = (root / "pyproject.toml").is_file()
    words = ["-e", f"{root}[{extra}]"] if is_checkout else [*_missing(extra)] or [module]
    return shlex.join([sys.executable, "-m", "pip", "install", *words])


def _missing(extra: str) -> Iterator[str]:
    """The requirements of the extra that are not installed, as the metadata of the distribution has them."""
    from importlib.metadata import PackageNotFoundError, requires, version

    from packaging.requirements import Requirement

    try:
        found = requires("parity") or []
    except PackageNotFoundError:  # unpacked, and not installed
        found = []
    for requirement in map(Requirement, found):
        if requirement.marker is None or not requirement.marker.evaluate({"extra": extra}):
            continue
        try:
            version(requirement.name)
        except PackageNotFoundError:
            requirement.marker = None
            yield str(requirement)
