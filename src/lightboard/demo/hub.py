"""Sample people, workspaces and boards of a hub: made through its client, as a team would make them.

vision      owner ann, editor ben, viewer dana: boards that run, one that is idle, one that ben stopped, one that
            everybody may open, one with a link
language    owner chen, admin ann, viewer ben: a board of a manifest, one over a web server with a password, one with
            two sources of which one does not answer, one whose secret was deleted, one that was reclaimed

Jobs and uploads are in `hub_jobs`.

No state is written by hand. Boards that are idle or reclaimed had short times, which admins may set, and nobody looked
at them; the reclaimed one gets the usual times back.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
import http.server
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from lightboard import client
from lightboard.demo import hub_jobs

PASSWORD = "demo password"
# (name, display name, admin of the hub)
PEOPLE = (
    ("ann", "Ann Miller", False),
    ("ben", "Ben Okafor", False),
    ("chen", "陈晨", False),
    ("dana", "Dana Novak", False),
)
WORKSPACES = (
    ("vision", "Vision", "Digits, and what can be seen in them", {"ann": "owner", "ben": "editor", "dana": "viewer"}),
    ("language", "语言模型", "翻译与评测", {"chen": "owner", "ann": "admin", "ben": "viewer"}),
)
WEB_USER, WEB_PASSWORD = "reader", "web password"
# Nothing listens there: a server that is down.
DOWN = "http://127.0.0.1:9"
CLAIM = "models"
MANIFEST = """\
apiVersion: boards.lightboard.dev/v1
kind: Board
metadata:
  name: pretraining
  namespace: language
  labels:
    team: language
spec:
  sources:
    - uri: pvc://models/live
  access:
    visibility: workspace
"""
SHORT_SECS = 2.0
WAIT_SECS = 120.0


@dataclasses.dataclass
class Team:
    """`hubs` has a client for each person, with a token of theirs; `link` opens one board for everybody."""

    admin: client.Hub
    hubs: dict[str, client.Hub]
    link: str = ""


def filling(hub: client.Hub, logs: Path, web: str) -> Iterator[str]:
    """Fills a new hub, to which `hub` connects as its admin. Yields what is done next, "" while it waits; the caller
    may stop there. The last text is a link to a board.

    `logs` are those of `lightboard demo`, and the claim `models` is the same directory; `web` is where `serving` serves
    them.
    """
    yield "people and workspaces"
    team = Team(hub, {})
    _people(team)
    yield from _boards(team, logs, web)
    yield "jobs and uploads"
    hub_jobs.jobs(team.hubs, logs)
    hub_jobs.uploads(team.hubs, logs)
    yield "waiting for boards that nobody uses"
    yield from _unused(team)
    _usual_times(team)
    _forget_tokens(team)
    yield team.link


def _people(team: Team) -> None:
    team.admin.users.change("admin", password=PASSWORD)
    for name, display_name, admin in PEOPLE:
        team.admin.users.create(name, password=PASSWORD, display_name=display_name, admin=admin)
        token = team.admin.tokens.create("set-up", user=name)
        team.hubs[name] = client.Hub(team.admin.url, token.token)
    for workspace, name, description, members in WORKSPACES:
        owner = next(each for each, role in members.items() if role == "owner")
        team.hubs[owner].workspaces.create(workspace, name=name, description=description)
        for member, role in members.items():
            if member != owner:
                team.hubs[owner].workspaces.add_member(workspace, member, role)
    team.hubs["ann"].tokens.create("ci", scopes=["boards:write!workspace=vision"], expires_in="90d")
    team.hubs["chen"].tokens.create("notebook", expires_in="30d")


def _boards(team: Team, logs: Path, web: str) -> Iterator[str]:
    yield "boards of vision"
    _create(team, "ann", "vision", "digits", str(logs / "digits"))
    public = _create(team, "ann", "vision", "showcase", str(logs / "showcase"))
    public.change(visibility="public", confirm_public=True)
    shared = _create(team, "ben", "vision", "sweep for the paper", {"uri": str(logs / "sweep"), "prefix": "sweep"})
    team.link = shared.share(expires_in="7d").url
    yield ""
    _create(team, "ben", "vision", "damaged files", str(logs / "damaged")).stop().wait(WAIT_SECS)
    _create(team, "ben", "vision", "old learning rates", str(logs / "digits"))
    yield "boards of language"
    # an admin of the hub may name servers inside of networks
    members = {"access_key": "lightboard", "secret_key": "not a secret", "endpoint": DOWN}
    for name in ("minio", "archive"):
        team.admin.secrets.create("language", name, "s3", members, check="s3://checkpoints", save_anyway=True)
    keys = {"endpoint": web, "username": WEB_USER, "password": WEB_PASSWORD}
    team.admin.secrets.create("language", "artifacts", "web", keys, check=f"{web}/sweep")
    yield ""
    team.hubs["chen"].apply(MANIFEST)
    _create(team, "chen", "language", "对齐", {"uri": f"{web}/digits", "secret": "artifacts"})
    bucket = {"uri": "s3://checkpoints/translation", "prefix": "bucket", "secret": "minio"}
    _create(team, "chen", "language", "翻译", {"uri": str(logs / "sweep"), "prefix": "cluster"}, bucket)
    _create(team, "chen", "language", "评测（旧）", {"uri": "s3://archive/2025", "secret": "archive"})
    _create(team, "ann", "language", "tokenizer", str(logs / "digits"))
    team.admin.secrets.delete("language", "archive", force=True)


def _create(team: Team, owner: str, workspace: str, name: str, *sources: str | Mapping[str, str]) -> client.Board:
    return team.hubs[owner].boards.create(
        sources, name=name, workspace=workspace, visibility="workspace", labels={"demo": workspace}, timeout=WAIT_SECS
    )


def _unused(team: Team) -> Iterator[str]:
    """Boards that nobody opens become idle, and one is reclaimed."""
    _named(team, "old learning rates").change(idle_after=SHORT_SECS)
    _named(team, "tokenizer").change(idle_after=SHORT_SECS, reclaim_after=SHORT_SECS)
    expected = {"old learning rates": "Idle", "tokenizer": "Stopped", "评测（旧）": "Failed"}
    yield from _until(team, expected)
    _named(team, "digits").keep_alive("8h")


def _usual_times(team: Team) -> None:
    """Only of the stopped board: with an hour the idle one would run again."""
    _named(team, "tokenizer").change(idle_after=None, reclaim_after=None)


def _until(team: Team, expected: Mapping[str, str]) -> Iterator[str]:
    ends = time.monotonic() + WAIT_SECS
    while True:
        states = {each.name: each.state for each in team.admin.boards.list()}
        if all(states.get(name) == state for name, state in expected.items()):
            return
        if time.monotonic() > ends:
            raise client.TimedOut(f"the boards of the demo are {states}, not {dict(expected)}")
        yield ""
        time.sleep(0.1)


def _named(team: Team, name: str) -> client.Board:
    return team.admin.boards.find(name)


def _forget_tokens(team: Team) -> None:
    for name, hub in team.hubs.items():
        hub.close()
        for token in team.admin.tokens.list(user=name):
            if token.name == "set-up":
                team.admin.tokens.delete(token.id)


@contextlib.contextmanager
def serving(logs: Path) -> Iterator[str]:
    """A web server over the logs, on this machine only, for who knows the password; yields its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=str(logs)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="demo web server", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Files(http.server.SimpleHTTPRequestHandler):
    expected = "Basic " + base64.b64encode(f"{WEB_USER}:{WEB_PASSWORD}".encode()).decode()

    def send_head(self):  # type: ignore[no-untyped-def] # as in the class above
        if self.headers.get("Authorization") == self.expected:
            return super().send_head()
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="logs"')
        self.send_header("Content-Length", "0")
        self.end_headers()
        return None

    def log_message(self, format: str, *args: object) -> None:
        pass
