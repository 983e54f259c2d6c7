"""The projector's data as TensorBoard 2.21 serves them: configs, hashes of tensors, metadata, bookmarks and sprites.

TensorBoard finds a config without event files only at the root of the logs, so the sample projects were given to it one
by one; here they are found where they lie, too. Errors are not compared word for word.
"""

from __future__ import annotations

import gzip
import hashlib
import pathlib
import shutil
from typing import Any

import asking
import embedding_files
import numpy as np
import pytest
from compat import oracle

from lightboard import store

pytestmark = pytest.mark.anyio
PATH = "/data/plugin/projector"


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The sample projects with the vectors unpacked."""
    root = tmp_path_factory.mktemp("projector") / "logs"
    shutil.copytree(oracle.DATA / "projector", root)
    for packed in root.rglob("*.gz"):
        packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    return root


def recorded() -> list[tuple[str, str, dict[str, Any]]]:
    """(corpus, directory below it, what TensorBoard answers)."""
    found = [
        ("projector", name, each["projector"]) for name, each in oracle.load("projector")["http_subdirectories"].items()
    ]
    return [*found, ("torch_writer", "", oracle.load("torch_writer")["http"]["projector"])]


@pytest.mark.parametrize(
    ("corpus", "directory", "theirs"), recorded(), ids=lambda each: each if isinstance(each, str) else ""
)
async def test_everything_is_as_tensorboard_serves_it(
    projects: pathlib.Path, corpus: str, directory: str, theirs: dict[str, Any]
) -> None:
    root = projects / directory if corpus == "projector" else oracle.DATA / corpus
    source = embedding_files.opened(root)
    async with asking.board(source) as client:
        assert (await client.get(f"{PATH}/runs")).json() == theirs["runs"]
        for run, info in theirs["info"].items():
            assert (await client.get(f"{PATH}/info", params={"run": run})).json() == info
            for name, files in theirs["embeddings"][run].items():
                for route, wanted in files.items():
                    answer = await client.get(f"{PATH}/{route}", params={"run": run, "name": name})
                    if "http_status" in wanted:
                        assert answer.status_code == wanted["http_status"], (run, name, route)
                        continue
                    assert answer.status_code == 200, answer.text
                    assert answer.headers["content-type"] == wanted["content_type"]
                    assert hashlib.sha256(answer.content).hexdigest() == wanted["sha256"], (run, name, route)
                    if route == "tensor":
                        numbers = np.frombuffer(answer.content, "<f4")
                        assert numbers[:8].tolist() == wanted["first"] and len(numbers) == wanted["count"]


async def test_projects_are_found_below_the_root_too(projects: pathlib.Path) -> None:
    source: store.Store = embedding_files.opened(projects)
    async with asking.board(source) as client:
        assert (await client.get(f"{PATH}/runs")).json() == ["digits_5k", "from_checkpoint"]
        tensor = await client.get(f"{PATH}/tensor", params={"run": "digits_5k", "name": "digits"})
    wanted = oracle.load("projector")["http_subdirectories"]["digits_5k"]["projector"]["embeddings"]["."]["digits"]
    assert hashlib.sha256(tensor.content).hexdigest() == wanted["tensor"]["sha256"]
