"""Run clang-format over native/: rewrite the files, or with --check list those that would change."""

from __future__ import annotations

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main() -> None:
    sources = sorted(str(path) for suffix in ("h", "cpp") for path in (ROOT / "native").rglob(f"*.{suffix}"))
    if not sources:
        return
    options = ["--dry-run", "--Werror"] if "--check" in sys.argv[1:] else ["-i"]
    program = pathlib.Path(sys.executable).with_name("clang-format")
    sys.exit(subprocess.run([str(program), *options, *sources], cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
