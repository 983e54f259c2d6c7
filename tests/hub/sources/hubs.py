"""A hub with a workspace, a root, a claim and secrets: everything that sources depend on."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

from hub.db import samples

from lightboard.hub import db, sources
from lightboard.hub.life import accounts
from lightboard.hub.people import vault

KEY = bytes(range(32))


@dataclasses.dataclass
class Hub:
    """`ada` is an admin of the hub, `ben` an editor of the workspace `team`."""

    database: db.Database
    vault: vault.Vault
    folder: pathlib.Path
    made: list[sources.Sources] = dataclasses.field(default_factory=list)

    @property
    def root(self) -> pathlib.Path:
        return self.folder / "logs"

    @property
    def claim(self) -> pathlib.Path:
        return self.folder / "models"

    def sources(self, **changes: Any) -> sources.Sources:
        values = {
            "roots": [str(self.root)],
            "claims": {"models": str(self.claim)},
            "closed": [str(self.folder / "hub")],
            **changes,
        }
        self.made.append(sources.Sources(self.database, self.vault, **values))
        return self.made[-1]

    def save(
        self, name: str, kind: str, members: Mapping[str, str], *, by: str = "ben", workspace: str = "team"
    ) -> None:
        locked = self.vault.lock(members, f"secret:{workspace}/{name}-id")
        assert self.database.workspaces.add_secret(
            accounts.Secret(
                id=f"{name}-id",
                workspace=workspace,
                name=name,
                kind=kind,
                ciphertext=locked,
                created=samples.T0,
                created_by=by,
                updated=samples.T0,
            )
        )


@contextlib.contextmanager
def opened(folder: pathlib.Path) -> Iterator[Hub]:
    for name in ("logs/a/train", "logs/hub", "models/runs", "private", "hub"):
        (folder / name).mkdir(parents=True)
    (folder / "logs" / "a" / "train" / "events.out.tfevents.1.h").write_bytes(b"")
    (folder / "logs" / "out").symlink_to(folder / "private")
    (folder / "logs" / "inside").symlink_to(folder / "logs" / "a")
    (folder / "models" / "out").symlink_to(folder / "private")
    database = db.Database(str(folder / "hub" / "hub.sqlite3"))
    samples.add_people(database, "ada", "ben")
    made = Hub(database, vault.Vault(KEY), folder)
    s3 = {"access_key": "id", "secret_key": "hidden", "region": "eu-west-1"}
    made.save("team-s3", "s3", s3)
    made.save("minio", "s3", {**s3, "endpoint": "http://10.1.2.3:9000"}, by="ada")
    made.save("inner", "s3", {**s3, "endpoint": "http://10.1.2.3:9000"}, by="ben")
    made.save("google", "gs", {"token": "hidden"})
    made.save("azure", "az", {"account": "logs", "account_key": "aGlkZGVu"})
    made.save("alibaba", "oss", {**s3, "region": "cn-hangzhou"})
    made.save("site", "web", {"endpoint": "https://203.0.113.9/runs", "username": "u", "password": "hidden"}, by="ada")
    made.save("foreign", "s3", s3, workspace="own-ben")
    yield made
    for each in made.made:
        each.close()
    database.close()
