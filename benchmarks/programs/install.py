"""The least that Python needs to install a working copy: `install.py COPY ENVIRONMENT`.

It makes an environment without pip, lets it find the packages of this interpreter, and installs the copy there as editable.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

copy, environment = map(Path, sys.argv[1:])
subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
place = {"base": str(environment), "platbase": str(environment)}
(Path(sysconfig.get_path("purelib", "venv", place)) / "base.pth").write_text(
    f"{sysconfig.get_path('purelib')}\n", "utf-8"
)
options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--editable")
subprocess.run([environment / "bin" / "python", "-m", "pip", "install", *options, copy], check=True)
