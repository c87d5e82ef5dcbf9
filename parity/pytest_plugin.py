"""The pytest plugin under the one name that it has in every installation: this module is the harness's plugin."""

import sys
from importlib import import_module

from parity import IS_INSTALLED

sys.modules[__name__] = import_module("parity.harness.pytest_plugin" if IS_INSTALLED else "harness.pytest_plugin")
