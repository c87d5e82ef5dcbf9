"""Runs the reference as an adapter on standard input and output, for asking it by hand."""

from __future__ import annotations

import argparse
import os
import sys

from harness.connections.manifest import shipped_manifests
from harness.places import shipped
from harness.reporting.summary import REFERENCE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has no options."""


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001
    manifest = shipped_manifests(shipped())[REFERENCE]
    command = [sys.executable if word == "{python}" else word for word in manifest.command]
    os.chdir(manifest.folder)
    os.execv(command[0], command)
