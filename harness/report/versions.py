"""The versions of an implementation, and their order. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from packaging.version import InvalidVersion, Version

from ..model import RecordedImplementation

ZERO = Version("0")


def families(entries: Iterable[RecordedImplementation]) -> Sequence[Sequence[RecordedImplementation]]:
    """The versions of each implementation in one run, the newest first: one without a number, which is a working copy, else
    the one with the highest number."""
    by_name: dict[str, list[RecordedImplementation]] = {}
    for entry in entries:
        by_name.setdefault(entry.name.partition("@")[0], []).append(entry)

    def key(entry: RecordedImplementation) -> tuple[bool, Version]:
        number = number_of(version_text(entry))
        return number is None, number or ZERO

    return [sorted(versions, key=key, reverse=True) for versions in by_name.values()]


def number_of(version: str) -> Version | None:
    """A version as a number; None if it is none."""
    try:
        return Version(version)
    except (InvalidVersion, ValueError):  # also a number of more digits than Python converts
        return None


def version_text(entry: RecordedImplementation) -> str:
    """The version of an implementation. What stands behind `@` in its name is the version if it is a number; else it comes
    first: `main-0123456789`."""
    own, mark = _own_version(entry), entry.name.partition("@")[2]
    if not mark or mark.removeprefix("v") == own.removeprefix("v"):
        return own
    return mark if number_of(mark) else f"{mark}-{own}"


def _own_version(entry: RecordedImplementation) -> str:
    """`0.2.0`; of a working copy its tag, its commit with `changed`, or the digest of its files."""
    sdk, own = entry.sdk, entry.identity
    if sdk is None:
        return own.version if own and own.version else "unknown"
    if sdk.tag and not sdk.changed:
        return sdk.tag.rpartition("/")[2]
    if sdk.revision:
        return f"{sdk.revision[:10]}{f'-changed-{sdk.digest[:6]}' if sdk.changed else ''}"
    return f"files-{sdk.digest[:10]}"
