"""`make dev`: a board and Vite together. Edit web/src and the page changes; edit src/lightboard and press Enter.

Vite serves the page and forwards every data request to the board (see web/vite.config.ts).
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# the port to which web/vite.config.ts forwards requests
BOARD_PORT = 6006


def start_board(logdir: str) -> subprocess.Popen[bytes]:
    program = pathlib.Path(sys.executable).with_name("lightboard")
    return subprocess.Popen([str(program), "--logdir", logdir, "--port", str(BOARD_PORT)])


def start_vite() -> subprocess.Popen[bytes]:
    npx = shutil.which("npx")
    if npx is None:
        sys.exit("error: `make dev` needs Node\nhint: install Node 20.19+ or 22.12+")
    return subprocess.Popen([npx, "vite", "--clearScreen", "false"], cwd=ROOT / "web", stdin=subprocess.DEVNULL)


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description="Run a board and Vite together.")
    parser.add_argument("--logdir", default="demo_logs")
    logdir = parser.parse_args().logdir
    pathlib.Path(logdir).mkdir(parents=True, exist_ok=True)
    vite, board = start_vite(), start_board(logdir)
    try:
        while input("") is not None:
            stop(board)
            board = start_board(logdir)
    except (EOFError, KeyboardInterrupt):
        pass
    finally:
        stop(board)
        stop(vite)


if __name__ == "__main__":
    main()
