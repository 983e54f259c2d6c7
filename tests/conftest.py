"""What every test may use. Fixtures of one room live in that room's own conftest."""

from __future__ import annotations

import collections
import contextlib
import importlib.util
import os
import pathlib
import shutil
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright import sync_api

# Without --disable-gpu a software renderer draws everything, canvas included, many times slower.
CHROMIUM_FLAGS = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    # other sites of this machine, for tests of frames and origins
    "--host-resolver-rules=MAP *.example 127.0.0.1",
]


def pytest_configure() -> None:
    """Timings never decide a test, and neither does how the tests were started: a shell lets what it runs in the
    background ignore SIGINT, boards that a test starts included."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if importlib.util.find_spec("hypothesis") is None:  # beside the frameworks, where no test needs it
        return
    import hypothesis

    hypothesis.settings.register_profile("patient", deadline=None)
    hypothesis.settings.load_profile("patient")


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Processes tell each other in UTF-8 how tests went, and some tests are about names that are none."""
    return _speakable((yield))


def _speakable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_speakable(name): _speakable(value) for name, value in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_speakable(each) for each in value)
    return value


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: while Playwright has a browser open, no other test can run an event loop of its own. Files
    with slow tests first, then those with many: workers that take file after file then end at the same time."""
    slow = {item.path for item in items if item.get_closest_marker("slow") or item.get_closest_marker("whole_hub")}
    count = collections.Counter(item.path for item in items)

    def order(item: pytest.Item) -> tuple[bool, bool, int]:
        return item.get_closest_marker("browser") is not None, item.path not in slow, -count[item.path]

    items.sort(key=order)


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, the loop the server runs on."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def private_places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The same for what modules share, as the boards of browser tests: those are made before `private_home` is."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LIGHTBOARD_INDEX_DIR", "LIGHTBOARD_DATA_DIR", "XDG_RUNTIME_DIR"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the index or the settings of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(home))
    for name in (
        "LIGHTBOARD_INDEX_DIR",
        "LIGHTBOARD_DATA_DIR",
        "LIGHTBOARD_TOKEN",
        "LIGHTBOARD_CONFIG_DIR",
        "LIGHTBOARD_HUB",
        "LIGHTBOARD_HUB_TOKEN",
        "LIGHTBOARD_HUB_CA",
        "LIGHTBOARD_HUB_INSECURE",
        "LIGHTBOARD_PROXY_URL",
        "TENSORBOARD_PROXY_URL",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., sync_api.Browser]]:
    """Starts the first of these programs that is installed. One Playwright for all: it cannot be started twice."""
    from browser import patience
    from playwright import sync_api

    sync_api.expect.set_options(timeout=patience.PATIENCE_MS)
    with sync_api.sync_playwright() as playwright, contextlib.ExitStack() as stack:

        def start(*programs: str, flags: Sequence[str] = CHROMIUM_FLAGS) -> sync_api.Browser:
            found = os.environ.get("LIGHTBOARD_CHROMIUM") or next(filter(None, map(shutil.which, programs)), None)
            if found is None:
                pytest.fail("no Chromium; `make browser` installs it, or set LIGHTBOARD_CHROMIUM")
            browser = playwright.chromium.launch(executable_path=found, chromium_sandbox=False, args=[*flags])
            stack.callback(browser.close)
            return browser

        yield start


@pytest.fixture(scope="session")
def chromium(launch: Callable[..., sync_api.Browser]) -> sync_api.Browser:
    """The headless shell: no window, no toolbar, half the work."""
    return launch("chromium-headless-shell", "chromium")


@pytest.fixture(scope="session")
def whole_chromium(launch: Callable[..., sync_api.Browser]) -> sync_api.Browser:
    """The browser that people have: the shell knows neither focus nor everything that pages can do."""
    return launch("chromium", "chromium-headless-shell")


@pytest.fixture(scope="session")
def data_dir() -> pathlib.Path:
    """Small event files of real writers; each folder says which program and version made it."""
    return pathlib.Path(__file__).parent / "data"
