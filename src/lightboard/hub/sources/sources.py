"""The sources of boards: whether they may be used, what is found there, and what a board process gets for them.

    check    refuses a source with a code of the REST API
    look     lists a source in a process of its own (`probing`)
    launch   everything that the runtime needs to start a board, with the secrets that its sources use

A board gets less than the hub has: local sources are paths with links followed, below the roots or of a claim; a
secret is one of the board's workspace; servers outside public networks are only those that the admin allows, or that
an admin of the hub named in a secret (`storage.networks`, enforced by the board at each connection).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import dataclasses
import pathlib
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lightboard import errors, storage
from lightboard.hub import db, runtimes
from lightboard.hub.life import accounts, nouns
from lightboard.hub.life import uploads as upload_
from lightboard.hub.people import vault
from lightboard.hub.runtimes import command
from lightboard.hub.sources import places, probing, refusals, secrets
from lightboard.storage import networks, uris

MOST_SOURCES = 50
MOST_BYTES = 30_000  # of all addresses together: they become one argument of a command
RESOLVE_SECS = 3.0
_TRIED = "tried"  # the name of a secret that is not saved yet
_STORE = "uploads--store"  # of the hub's own secret, in a board that reads an upload from the bucket
# Without a secret buckets are read anonymously: a machine's own role belongs to the hub.
_UNSIGNED = {"GOOGLE_": "GOOGLE_SKIP_SIGNATURE", "AZURE_": "AZURE_SKIP_SIGNATURE"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    """Sources as a board process gets them, and its storage document."""

    sources: tuple[nouns.Source, ...]
    storage: Mapping[str, Any] = dataclasses.field(repr=False)
    types: tuple[str, ...] = ()


class Sources:
    """State: the threads that look up names."""

    def __init__(
        self,
        database: db.Database,
        keys: vault.Vault,
        *,
        roots: Sequence[str] = (),
        claims: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        limits: runtimes.Limits | None = None,
        allow_networks: Sequence[str] = (),
        closed: Sequence[str] = (),
        look_secs: float = probing.LOOK_SECS,
        uploads: Callable[[str, str], upload_.Place | None] = lambda uri, board: None,
    ) -> None:
        """`environment` has the variables that the admin gives to boards, `closed` directories that no board reads.
        `uploads` says where an upload is (its address, the id of a board), None if it is not for that board."""
        self._database = database
        self._vault = keys
        self._uploads = uploads
        self._places = places.Places(roots, claims, closed=closed)
        self._environment = _with_unsigned(environment or {})
        self._limits = limits or runtimes.Limits()
        self._networks = networks.entries(allow_networks)
        self._prober = probing.Prober(secs=look_secs)
        self._resolving = concurrent.futures.ThreadPoolExecutor(4, thread_name_prefix="resolve")

    def close(self) -> None:
        self._resolving.shutdown(wait=False, cancel_futures=True)

    # -- what the API and the keeper call

    def check(self, workspace: str, sources: Sequence[nouns.Source], *, admin: bool) -> None:
        """Raises a refusal for a source that cannot be used. Blocks: names are looked up."""
        plan = self.plan(workspace, sources, admin=admin)
        _check_words(plan)

    async def launch(self, board: nouns.Board) -> runtimes.Launch:
        """Raises errors.LightboardError if the definition is wrong, OSError if trying again may help."""
        plan = await asyncio.to_thread(self.plan, board.workspace, board.sources, admin=False, board=board.id)
        return runtimes.Launch(
            id=board.id,
            name=board.name,
            sources=plan.sources,
            storage=plan.storage,
            limits=self._limits,
            environment=self._environment,
            attempt=board.attempt,
            revision=board.revision,
        )

    async def look(self, workspace: str, source: nouns.Source, *, admin: bool = False, user: str = "") -> probing.Found:
        """What is found at a source within a few seconds, or why nothing is. `user` has a limit of looks at once."""
        try:
            plan = await asyncio.to_thread(self.plan, workspace, [source], admin=admin)
            launch = self._probe(plan)
            return await self._prober.look(launch, user=user or workspace, type=plan.types[0], uri=source.uri)
        except errors.LightboardError as error:
            return probing.Found(uri=source.uri, ok=False, code=error.code, message=error.message, hint=error.hint)

    async def try_secret(
        self, kind: str, members: Mapping[str, str], place: str, *, admin: bool = False, user: str = ""
    ) -> str:
        """Lists a place with credentials; returns "lists 3 objects". Raises errors.LightboardError.

        `admin`: an admin of the hub saves them, so the endpoint is trusted."""
        table = secrets.table(_TRIED, kind, members, trusted=admin)
        place = place.strip() or (table.get("endpoint", "") if kind == "web" else "")
        if not place:
            raise refusals.InvalidUri("a place to try is needed", hint=f"write {secrets.SCHEMES[kind][0]}://bucket")
        plan = await asyncio.to_thread(self._planned_trial, kind, _Secret(_TRIED, table), place)
        found = await self._prober.look(self._probe(plan), user=user, type=kind, uri=place)
        if not found.ok:
            raise refusals.Unreadable(found.message, hint=found.hint, code=found.code)
        if found.code == "TimedOut":
            raise refusals.Unreadable(found.message, hint="check endpoint and network", code=found.code)
        more = "more than " if found.more else ""
        return f"lists {more}{found.objects:,} object{'' if found.objects == 1 else 's'}"

    def _planned_trial(self, kind: str, secret: _Secret, place: str) -> Plan:
        source = nouns.Source(place)
        location = located(source)
        if location.secret:
            raise refusals.InvalidUri(f"the place names another secret: {place}", hint="write it without a secret")
        _check_kind(secret.name, kind, location)
        source = dataclasses.replace(source, secret=_secret_name(nouns.Source(place, secret=_TRIED), location))
        self._check_servers(_servers(location, secret))
        planned = self._planned(source, location, secret, admin=False)
        return Plan(sources=(planned,), storage=self._document({_TRIED: secret.table}))

    def _probe(self, plan: Plan) -> runtimes.Launch:
        return runtimes.Launch(
            id="look",
            name="look",
            sources=tuple(dataclasses.replace(each, prefix="") for each in plan.sources),
            storage=plan.storage,
            limits=probing.LIMITS,
            environment=self._environment,
        )

    # -- plans

    def plan(self, workspace: str, sources: Sequence[nouns.Source], *, admin: bool, board: str = "") -> Plan:
        """`board`: its id, when it starts. Only then uploads are found, and only its own."""
        _check_list(sources)
        planned: list[nouns.Source] = []
        tables: dict[str, dict[str, Any]] = {}
        kinds: list[str] = []
        servers: list[str] = []
        for source in sources:
            if upload_.id_in(source.uri):
                place = self._of_upload(source, board)
                kinds.append("bucket" if place.secret else "upload")
                if place.secret:
                    tables[_STORE] = dict(place.secret)
                planned.append(dataclasses.replace(source, uri=place.uri, secret=_STORE if place.secret else ""))
                continue
            location = located(source)
            kinds.append(type_of(location))
            name = _secret_name(source, location)
            if name == _STORE:  # the hub's own
                raise refusals.SecretNotFound(f"`{name}` is no secret of a workspace", hint="use another name")
            secret = self._secret(workspace, name, location) if name else None
            if secret is not None:
                tables[name] = secret.table
            servers += _servers(location, secret)
            planned.append(self._planned(source, location, secret, admin=admin))
        _check_twice(planned)
        self._check_servers(servers)
        local = set(kinds) <= {"local", "claim", "upload"}
        document = {} if local else self._document(tables)
        return Plan(sources=tuple(planned), storage=document, types=tuple(kinds))

    def _document(self, tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        return {"networks": {"allow": list(self._networks.allow)}, **({"secrets": dict(tables)} if tables else {})}

    def _of_upload(self, source: nouns.Source, board: str) -> upload_.Place:
        """Others than its own board would show a private upload to whoever may create boards."""
        found = self._uploads(source.uri, board) if board and not source.secret else None
        if found is None:
            raise refusals.InvalidUri(
                f"only the board of an upload can read it: {source.uri}",
                hint="share that board, or upload the files again",
            )
        return found

    def _planned(
        self, source: nouns.Source, location: uris.Location, secret: _Secret | None, *, admin: bool
    ) -> nouns.Source:
        if location.service is uris.Service.FILE:
            return dataclasses.replace(source, uri=self._places.real(location.key, admin=admin))
        if location.service is uris.Service.CLAIM:
            return dataclasses.replace(source, uri=self._places.of_claim(location.bucket, location.key))
        if location.service is uris.Service.HTTP and secret is not None:
            _check_below(location, secret)
            return dataclasses.replace(source, secret="")  # found by its endpoint
        return source

    # -- secrets

    def _secret(self, workspace: str, name: str, location: uris.Location) -> _Secret:
        found = self._database.workspaces.secret(workspace, name)
        if found is None:
            raise refusals.SecretNotFound(
                f"the workspace has no secret `{name}`", hint="save it in the workspace, or check the spelling"
            )
        _check_kind(name, found.kind, location)
        members = self._vault.open(found.ciphertext, purpose(found))
        return _Secret(name, secrets.table(name, found.kind, members, trusted=self._trusts(found)))

    def _trusts(self, secret: accounts.Secret) -> bool:
        """Endpoints that an admin of the hub saved."""
        user = self._database.people.user(secret.created_by)
        return user is not None and user.admin and user.enabled

    # -- networks

    def _check_servers(self, urls: Sequence[str]) -> None:
        """Refuses early, with a sentence; the board checks at each connection. Names are looked up side by side."""
        hosts = {urllib.parse.urlsplit(url).hostname or "" for url in urls}
        unknown = []
        for host in sorted(hosts):
            if networks.is_cloud_store(host) or self._networks.names(host):
                continue
            try:
                if not self._networks.permits(host):
                    raise _inside(host)
            except ValueError:  # a name
                unknown.append(host)
        inside = self._inside(unknown)
        if inside:
            raise _inside(inside)

    def _inside(self, hosts: Sequence[str]) -> str:
        """The first of these names that leads inside. One that nobody knows, or that is not answered in time, does
        not: the board reports it."""
        looks = {self._resolving.submit(self._networks.resolved, host, 443): host for host in hosts}
        done, late = concurrent.futures.wait(looks, RESOLVE_SECS)
        for each in late:
            each.cancel()
        return min((looks[each] for each in done if isinstance(each.exception(), networks.Inside)), default="")


@dataclasses.dataclass(frozen=True)
class _Secret:
    name: str
    table: dict[str, Any] = dataclasses.field(repr=False)

    @property
    def endpoint(self) -> str:
        return str(self.table.get("endpoint", ""))

    @property
    def trusted(self) -> bool:
        """An admin of the hub named its endpoint."""
        return bool(self.table.get("trusted"))


def _servers(location: uris.Location, secret: _Secret | None) -> list[str]:
    """The servers that people named: in the address, or in a secret that nobody of the hub is responsible for."""
    own = secret.endpoint if secret else ""
    if secret is not None and own:
        return [] if secret.trusted else [own]  # it comes before that of the address; a web address is below it
    return [location.place] if location.service is uris.Service.HTTP else [*filter(None, [location.endpoint])]


def _inside(host: str) -> refusals.NetworkRefused:
    return refusals.NetworkRefused(
        f"the server is inside a private network, which boards do not reach: {host}",
        hint="the admin of the hub allows networks and hosts with `allow_networks` in [boards] of hub.toml",
    )


def purpose(secret: accounts.Secret) -> str:
    """With what a secret was locked in the vault."""
    return f"secret:{secret.workspace}/{secret.id}"


def located(source: nouns.Source) -> uris.Location:
    """The parsed address. Raises a refusal."""
    uri = source.uri.strip()
    if not uri:
        raise refusals.InvalidUri("the address of the logs is empty", hint=f"write {uris.SUPPORTED}")
    try:
        uri.encode()
    except UnicodeError as error:
        raise refusals.InvalidUri("the address is not valid text", hint="write it again") from error
    if any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in uri):
        raise refusals.InvalidUri(f"the address contains a control character: {uri!r}", hint="remove it")
    try:
        location = storage.parse(uri)
    except errors.LightboardError as error:
        raise refusals.of_address(error) from error
    return location


def type_of(location: uris.Location) -> str:
    """`local`, `claim`, `s3`, `oss`, `gs`, `az` or `web`."""
    return {
        uris.Service.FILE: "local", uris.Service.CLAIM: "claim", uris.Service.HTTP: "web", uris.Service.MINIO: "s3",
    }.get(location.service, location.service.value)  # fmt: skip


def _secret_name(source: nouns.Source, location: uris.Location) -> str:
    name = source.secret.strip()
    if not name or not location.secret:
        name = name or location.secret
    else:
        raise refusals.InvalidUri(
            f"two secrets are named, `{name}` and `{location.secret}`: {location.place}", hint="name one of them"
        )
    if name and location.service in (uris.Service.FILE, uris.Service.CLAIM):
        raise refusals.SecretUnfit(f"a directory needs no secret: {location.address}", hint="leave it out")
    if name and location.account:
        raise refusals.SecretUnfit(
            f"a secret cannot be used with this address: {location.place}",
            hint=f"write az://{location.bucket}/path; the account belongs to the secret",
        )
    return name


def _check_kind(name: str, kind: str, location: uris.Location) -> None:
    schemes = secrets.SCHEMES.get(kind, ())
    if uris.scheme(location.place) not in schemes:
        raise refusals.SecretUnfit(
            f"the secret `{name}` is of the kind {kind} and cannot be used with {location.place or location.key}",
            hint=f"it is for {', '.join(f'{each}://' for each in schemes if each != 't9k')}",
        )


def _check_list(sources: Sequence[nouns.Source]) -> None:
    if not sources:
        raise refusals.InvalidUri("a board needs a source", hint="name a directory or a bucket")
    size = sum(len(f"{each.uri}{each.prefix}{each.secret}".encode("utf-8", "replace")) for each in sources)
    if len(sources) > MOST_SOURCES or size > MOST_BYTES:
        raise refusals.InvalidUri(
            f"a board has at most {MOST_SOURCES} sources, with {MOST_BYTES:,} bytes of addresses",
            hint="name a directory above them, or make several boards",
        )
    prefixes = [each.prefix.strip().strip("/") for each in sources if each.prefix.strip()]
    twice = next((each for each in prefixes if prefixes.count(each) > 1), "")
    if twice:
        raise refusals.InvalidUri(f"two sources have the prefix `{twice}`", hint="give each another one")


def _check_twice(planned: Sequence[nouns.Source]) -> None:
    seen: set[tuple[str, str]] = set()
    for each in planned:
        key = (each.uri.strip().rstrip("/"), each.secret)
        if key in seen:
            raise refusals.InvalidUri(f"a source is named twice: {each.uri}", hint="leave one of them out")
        seen.add(key)


def _check_words(plan: Plan) -> None:
    """The sources as a command: what the runtime refuses is refused now."""
    try:
        made = runtimes.Launch(id="check", name="check", sources=plan.sources)
        command.words(made, folder=pathlib.Path("/check"), socket="socket", storage="")
    except errors.LightboardError as error:
        raise refusals.InvalidUri(error.message, hint=error.hint) from error


def _check_below(location: uris.Location, secret: _Secret) -> None:
    own = urllib.parse.urlsplit(secret.table["endpoint"])
    asked = urllib.parse.urlsplit(location.address)
    top = urllib.parse.unquote(own.path).strip("/")
    path = urllib.parse.unquote(asked.path).strip("/")
    same = (own.scheme, own.hostname, _port(own)) == (asked.scheme, asked.hostname, _port(asked))
    if not same or not (not top or path == top or path.startswith(f"{top}/")):
        raise refusals.SecretUnfit(
            f"the secret `{secret.name}` is for another address than {location.address}",
            hint=f"it is for addresses below {own.scheme}://{own.netloc}{own.path}",
        )


def _port(parts: urllib.parse.SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _with_unsigned(environment: Mapping[str, str]) -> dict[str, str]:
    given = dict(environment)
    for prefix, variable in _UNSIGNED.items():
        if not any(name.startswith(prefix) for name in given):
            given[variable] = "true"
    return given
