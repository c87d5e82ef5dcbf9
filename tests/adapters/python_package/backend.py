"""A build backend that needs nothing: its wheel holds a path to the sources, and the project's dependencies."""

import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
INFO = "jeffs_brain_memory-0.0.1.dist-info"


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):  # noqa: ARG001
    name = "jeffs_brain_memory-0.0.1-py3-none-any.whl"
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = "".join(f"Requires-Dist: {one}\n" for one in project.get("dependencies", []))
    files = {
        "jeffs_brain_memory.pth": f"{HERE / 'src'}\n",
        f"{INFO}/METADATA": f"Metadata-Version: 2.1\nName: jeffs-brain-memory\nVersion: 0.0.1\n{wanted}",
        f"{INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},,\n" for file in [*files, f"{INFO}/RECORD"])
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        for file, text in {**files, f"{INFO}/RECORD": record}.items():
            wheel.writestr(file, text)
    return name
