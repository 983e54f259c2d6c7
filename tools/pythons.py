"""The Python versions that Lightboard supports, and where they are on this machine. Installs none."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

# The classifiers of pyproject.toml contain the same list; tests/test_project_files.py compares them.
SUPPORTED = ("3.10", "3.11", "3.12", "3.13")


def find(version: str) -> pathlib.Path | None:
    """Return the interpreter of a version such as "3.12", or None if none here can create virtual environments.

    pyenv puts a shim on PATH for every installed version; it works only if the version is selected. PYENV_VERSION
    selects it, and other interpreters ignore it.
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
    """Create a virtual environment and return its interpreter."""
    subprocess.run([str(python), "-m", "venv", "--clear", str(directory)], check=True)
    return directory / "bin" / "python"
