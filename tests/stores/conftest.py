"""Real stores, one of each for all tests of this folder. Where one is not installed, its tests are skipped."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest
from stores import azure, juice, processes, proxy, seaweed

HOW = "`make test-object-store` installs it"


@pytest.fixture(scope="session", autouse=True)
def quiet() -> Iterator[None]:
    """Keys of this machine's user stay out, and nobody asks the metadata service of a cloud."""
    if importlib.util.find_spec("obstore") is None:
        pytest.skip(f"obstore is missing: {HOW}")
    with pytest.MonkeyPatch.context() as patch:
        for name in processes.foreign_variables():
            patch.delenv(name)
        for name, value in processes.QUIET.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def seaweed_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[seaweed.Seaweed]:
    with seaweed.running(tmp_path_factory.mktemp("seaweed")) as made:
        if made is None:
            pytest.skip(f"SeaweedFS is missing: {HOW}")
        yield made


@pytest.fixture(scope="session")
def juice_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[juice.Juice]:
    with juice.running(tmp_path_factory.mktemp("juice")) as made:
        if made is None:
            pytest.skip(f"JuiceFS is missing: {HOW}")
        yield made


@pytest.fixture(scope="session")
def azurite_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[azure.Azurite]:
    with azure.running(tmp_path_factory.mktemp("azurite")) as made:
        if made is None:
            pytest.skip(f"Azurite is missing: {HOW}")
        yield made


@pytest.fixture
def between(seaweed_server: seaweed.Seaweed) -> Iterator[proxy.Proxy]:
    """Between a test and SeaweedFS."""
    with proxy.Proxy(seaweed_server.endpoint) as made:
        yield made
