"""Write requirements/*.txt: exact versions of the packages that `make setup`, `make bench` and other tests install.

uv resolves them for all supported Python versions at once (lines have markers), in a temporary environment. The files
contain only packages and versions, no index, so that they work with any mirror.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
OLDEST_PYTHON = "3.10"
# What `make docs` uses: builds the site and its search (BSD), reads the Markdown (MIT), is the theme (MIT).
DOCS = ("sphinx>=8.1", "myst-parser>=4", "furo>=2025.7")


def resolve(uv: pathlib.Path, source: str, target: pathlib.Path, *options: str) -> None:
    command = [str(uv), "pip", "compile", "--quiet", "--universal", "--upgrade", "--python-version", OLDEST_PYTHON]
    command += ["--no-annotate", "--no-header", "--no-emit-index-url", "--no-emit-find-links", *options, source]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    target.write_text(f"# Written by `make lock`; edit pyproject.toml instead.\n{done.stdout}", encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: {len(done.stdout.splitlines())} packages")


def _extra(name: str) -> list[str]:
    """Return the requirements of an extra in pyproject.toml, found as text: Python 3.10 has no TOML parser."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = text.partition(f"\n{name} = [")[2].partition("\n]")[0]
    return re.findall(r'^\s*"([^"]+)"', listed, re.MULTILINE)


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        venv.create(scratch, with_pip=True)
        tools = pathlib.Path(scratch) / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([str(tools / "python"), "-m", "pip", "install", "--quiet", "uv"], check=True)
        resolve(tools / "uv", "pyproject.toml", ROOT / "requirements/dev.txt", "--extra", "dev")
        bench_only = pathlib.Path(scratch) / "bench.in"
        bench_only.write_text("\n".join(_extra("bench")) + "\n", encoding="utf-8")
        resolve(tools / "uv", str(bench_only), ROOT / "requirements/bench.txt")
        object_store = pathlib.Path(scratch) / "object-store.in"
        packages = [each for each in _extra("object-store-test") if not each.startswith("lightboard[")]
        object_store.write_text("\n".join(("obstore>=0.6", *packages)) + "\n", encoding="utf-8")
        resolve(tools / "uv", str(object_store), ROOT / "requirements/object-store.txt")
        notebook = pathlib.Path(scratch) / "notebook.in"
        notebook.write_text("\n".join(_extra("notebook-test")) + "\n", encoding="utf-8")
        resolve(tools / "uv", str(notebook), ROOT / "requirements/notebook.txt")
        pai = pathlib.Path(scratch) / "pai.in"
        pai.write_text("\n".join(_extra("pai-test")) + "\n", encoding="utf-8")
        resolve(tools / "uv", str(pai), ROOT / "requirements/pai.txt")
        tensorboard_dev = pathlib.Path(scratch) / "tensorboard-dev.in"
        tensorboard_dev.write_text("\n".join(_extra("tensorboard-dev-test")) + "\n", encoding="utf-8")
        resolve(tools / "uv", str(tensorboard_dev), ROOT / "requirements/tensorboard-dev.txt")
        kubernetes = pathlib.Path(scratch) / "kubernetes.in"
        kubernetes.write_text("\n".join(_extra("kubernetes-test")) + "\n", encoding="utf-8")
        resolve(tools / "uv", str(kubernetes), ROOT / "requirements/kubernetes.txt")
        docs = pathlib.Path(scratch) / "docs.in"
        docs.write_text("\n".join(DOCS) + "\n", encoding="utf-8")
        resolve(tools / "uv", str(docs), ROOT / "requirements/docs.txt")
        dist = pathlib.Path(scratch) / "dist.in"
        dist.write_text("\n".join(_extra("dist")) + "\n", encoding="utf-8")
        resolve(tools / "uv", str(dist), ROOT / "requirements/dist.txt")


if __name__ == "__main__":
    main()
