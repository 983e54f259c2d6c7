"""Opens an address in the user's browser, if there is one with windows."""

from __future__ import annotations

import os
import signal
import sys
import threading


def show(url: str) -> None:
    """A program would inherit that SIGINT and SIGTERM are blocked here (`stopping`), so it is started from a thread in
    which they are not."""
    if not _has_windows():
        print("notice: there is no browser here; open the link elsewhere", file=sys.stderr)
        return
    thread = threading.Thread(target=_open, args=(url,))
    thread.start()
    thread.join()


def _open(url: str) -> None:
    import webbrowser

    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
    webbrowser.open(url)


def _has_windows() -> bool:
    """A browser in the terminal would take the terminal."""
    if os.environ.get("BROWSER") or sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
