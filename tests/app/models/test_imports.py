from __future__ import annotations

import pkgutil
import subprocess
import sys

import companion.app.models


def test_the_models_know_nothing_of_kivy() -> None:
    names = [f"companion.app.models.{module.name}" for module in pkgutil.iter_modules(companion.app.models.__path__)]
    assert len(names) > 10
    program = f"import sys, {', '.join(names)}; sys.exit(any(name.startswith('kivy') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
