"""Which Python versions Lightboard supports, and where this machine has them. Installs none."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

# The same list stands in the classifiers of pyproject.toml; tests/test_project_files.py compares them.
SUPPORTED = ("3.10", "3.11", "3.12", "3.13")


def find(version: str) -> pathlib.Path | None:
    """The interpreter of a version such as "3.12", or None if this machine has none that can make environments.

    A shim of pyenv is on PATH for every version that is installed, and starts it only if it is selected: PYENV_VERSION
    selects it, and means nothing to other interpreters.
    """
    command = shutil.which(f"python{version}")
    if command is None:
        return None
    probe = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2], sys.executable)"
    environment = {**os.environ, "PYENV_VERSION": version}
    done = subprocess.run([command, "-c", probe], env=environment, capture_output=True, text=True, check=False)
    reported, _, executable = done.stdout.strip().partition(" ")
    return pathlib.Path(executable) if done.returncode == 0 and reported == version else None


def make_environment(python: pathlib.Path, directory: pathlib.Path) -> pathlib.Path:
    """A new virtual environment; returns its interpreter."""
    subprocess.run([str(python), "-m", "venv", "--clear", str(directory)], check=True)
    return directory / "bin" / "python"
