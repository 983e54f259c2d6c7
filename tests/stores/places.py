"""The same logs on every kind of store: how each is filled, how it is named, which settings it needs."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import shutil
from collections.abc import Callable, Iterator
from typing import Protocol

import pytest
from stores import azure, corpora, juice, seaweed, signing, web_server

BUCKET = "logs"
PUBLIC = "public"  # the anonymous user of SeaweedFS reads it


@dataclasses.dataclass(frozen=True)
class Place:
    """Where logs lie: an address, and the settings (`storage.toml`) with which it is read."""

    uri: str
    storage: pathlib.Path
    hides: bool = False  # names that begin with a dot are not listed

    def below(self, name: str) -> str:
        return f"{self.uri}/{name}"


class Shelf(Protocol):
    """What a test puts somewhere and removes again."""

    def put(self, name: str, content: bytes) -> None: ...
    def delete(self, name: str) -> None: ...


@dataclasses.dataclass(frozen=True)
class BucketShelf:
    """Objects below a prefix."""

    client: signing.S3Client | signing.AzureClient
    bucket: str
    prefix: str

    def put(self, name: str, content: bytes) -> None:
        self.client.put(self.bucket, f"{self.prefix}/{name}", content)

    def delete(self, name: str) -> None:
        self.client.delete(self.bucket, f"{self.prefix}/{name}")


@dataclasses.dataclass(frozen=True)
class DirectoryShelf:
    """Files below a directory. Content that continues is appended, other content replaces the file."""

    directory: pathlib.Path

    def put(self, name: str, content: bytes) -> None:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_bytes() if path.exists() else None
        if old is not None and content.startswith(old):
            with path.open("ab") as file:
                file.write(content[len(old) :])
            return
        new = path.with_name("being written")
        new.write_bytes(content)
        new.replace(path)

    def delete(self, name: str) -> None:
        path = self.directory / name
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()


def settings(directory: pathlib.Path, **secret: str | bool | float) -> pathlib.Path:
    """Write a storage.toml with one secret, `store`; its members `retries`, `timeout_secs`, `parallel_reads` and
    `requests_per_second` are limits."""
    names = ("retries", "timeout_secs", "parallel_reads", "requests_per_second")
    limits = {name: secret.pop(name) for name in names if name in secret}
    lines = ["[secrets.store]", *(f"{name} = {json.dumps(value)}" for name, value in secret.items())]
    lines += ["[limits]", *(f"{name} = {json.dumps(value)}" for name, value in limits.items())]
    path = directory / "storage.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def s3_settings(directory: pathlib.Path, endpoint: str, **more: str | bool | float) -> pathlib.Path:
    return settings(directory, endpoint=endpoint, key=seaweed.KEY, secret=seaweed.SECRET, **more)


@contextlib.contextmanager
def on_s3(server: seaweed.Seaweed, logs: pathlib.Path, directory: pathlib.Path) -> Iterator[Place]:
    _fill(server, BUCKET, "corpora", logs)
    found = settings(directory, endpoint=server.endpoint, key=seaweed.READER_KEY, secret=seaweed.READER_SECRET)
    yield Place(f"s3://store@{BUCKET}/corpora", found)


@contextlib.contextmanager
def on_oss(server: seaweed.Seaweed, logs: pathlib.Path, directory: pathlib.Path) -> Iterator[Place]:
    """Virtual-hosted: the bucket is a part of the host, which only the proxy setting makes reachable."""
    _fill(server, "oss-logs", "corpora", logs)
    endpoint = f"http://{seaweed.DOMAIN}:{server.port}"
    found = s3_settings(directory, endpoint, style="virtual", region="cn-hangzhou", proxy=server.endpoint)
    yield Place("oss://store@oss-logs/corpora", found)


@contextlib.contextmanager
def on_gcs(server: seaweed.Seaweed, logs: pathlib.Path, directory: pathlib.Path) -> Iterator[Place]:
    _fill(server, PUBLIC, "corpora", logs)
    found = settings(directory, endpoint=server.endpoint, anonymous=True)
    yield Place(f"gs://store@{PUBLIC}/corpora", found)


@contextlib.contextmanager
def on_minio(server: juice.Juice, logs: pathlib.Path, directory: pathlib.Path) -> Iterator[Place]:
    _fill(server, BUCKET, "corpora", logs)
    found = settings(directory, endpoint=server.endpoint, key=juice.KEY, secret=juice.SECRET)
    yield Place(f"t9k://minio/store/{BUCKET}/corpora", found)


@contextlib.contextmanager
def on_azure(server: azure.Azurite, logs: pathlib.Path, directory: pathlib.Path) -> Iterator[Place]:
    _fill(server, BUCKET, "corpora", logs)
    found = settings(directory, endpoint=server.endpoint, account=azure.ACCOUNT, key=azure.KEY)
    yield Place(f"az://store@{BUCKET}/corpora", found)


def _fill(server: seaweed.Seaweed | juice.Juice | azure.Azurite, bucket: str, prefix: str, logs: pathlib.Path) -> None:
    with contextlib.closing(server.client()) as client:
        client.make_bucket(bucket)
        client.put_all(bucket, ((f"{prefix}/{name}", content) for name, content in corpora.files(logs)))


def on_web(style: str, index: str = "") -> Callable[..., contextlib.AbstractContextManager[Place]]:
    @contextlib.contextmanager
    def place(server: None, logs: pathlib.Path, directory: pathlib.Path) -> Iterator[Place]:
        served = directory / "served"
        shutil.copytree(logs, served / "logs dir")
        for corpus in sorted((served / "logs dir").iterdir()) if index else ():
            web_server.write_index(corpus, index)
        with web_server.running(served, style) as url:
            yield Place(f"{url}/logs%20dir", settings(directory), hides=style in web_server.HIDING)

    return place


# name → fixture of its server, and what fills it
ALL: dict[str, tuple[str, Callable[..., contextlib.AbstractContextManager[Place]]]] = {
    "s3": ("seaweed_server", on_s3),
    "oss": ("seaweed_server", on_oss),
    "gcs": ("seaweed_server", on_gcs),
    "minio": ("juice_server", on_minio),
    "azure": ("azurite_server", on_azure),
    "web-python": ("", on_web("python")),
    "web-nginx": ("", on_web("nginx")),
    "web-nginx-json": ("", on_web("nginx_json")),
    "web-apache": ("", on_web("apache")),
    "web-index-json": ("", on_web("none", "index.json")),
    "web-index-txt": ("", on_web("none", "index.txt")),
}


@contextlib.contextmanager
def made(name: str, request: pytest.FixtureRequest, logs: pathlib.Path, directory: pathlib.Path) -> Iterator[Place]:
    fixture, fill = ALL[name]
    server = request.getfixturevalue(fixture) if fixture else None
    with fill(server, logs, directory) as place:
        yield place
