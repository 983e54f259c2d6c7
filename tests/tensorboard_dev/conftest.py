"""A hub with an open port for TensorBoard's uploader, and people who use it; one hub per file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hub import hubs
from tensorboard_dev import uploader


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hubs.Hub]:
    folder = tmp_path_factory.mktemp("hub")
    (folder / "hub.toml").write_text("[hub]\ntensorboard_dev_port = 0\n")
    with hubs.running(folder / "dir", "--config", str(folder / "hub.toml")) as running:
        yield running
        assert "Traceback" not in running.log()


@pytest.fixture(scope="module")
def ada(hub: hubs.Hub, tmp_path_factory: pytest.TempPathFactory) -> uploader.Person:
    return uploader.Person(hub, "ada", tmp_path_factory.mktemp("ada"))


@pytest.fixture(scope="module")
def bob(hub: hubs.Hub, tmp_path_factory: pytest.TempPathFactory) -> uploader.Person:
    return uploader.Person(hub, "bob", tmp_path_factory.mktemp("bob"))
