"""Clients of object stores, by obstore: one per bucket and identity, shared by everything that reads there.

A `Connection` lists, reads ranges and writes. It counts requests, keeps to the limits of the settings, and raises
`faults.StorageError`, an OSError that says which store refused what to whom.

Where an endpoint comes from, first match: the address, the secret, the environment of the service, the profile, the
service's own default. An IP address, `localhost` or a plain host as endpoint means path style.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import ipaddress
import os
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from lightboard import errors
from lightboard.storage import bodies, credentials, direct, faults, guard, networks, settings, uris

T = TypeVar("T")

PAGE = 1000  # keys of one LIST request
# Of objects that are written in parts. Stores accept 10,000 parts, each of at least 5 MiB.
PART_BYTES, MOST_PARTS, PARTS_AT_ONCE = 8 << 20, 9000, 3
# In a process that was forked from this one obstore's threads are missing, and requests never return.
IMPORTED_IN = os.getpid()
_DEFAULT_REGION = "us-east-1"
_CONNECT_SECS = 5
_RETRY_SECS = 60


@dataclasses.dataclass(frozen=True)
class Meta:
    """One object. `etag` has no quotes: the same object's differs in them between requests of Azure."""

    key: str
    size: int
    etag: str
    mtime_ns: int


Mark = Mapping[str, str]
"""The state of an object as obstore compares it: its ETag with quotes, its version."""


class Connection:
    """State: `requests` counts what was sent, by kind; the limiter spaces requests out. Any thread may call."""

    ranges: bool | None = None  # False: a server sends whole files only
    guard: guard.Guard | None = None  # between us and a server that is not trusted
    _large: direct.Direct | None = None

    def __init__(
        self,
        store: Any,
        location: uris.Location,
        who: errors.Explanation,
        where: str,
        limits: settings.Limits,
        large: direct.Direct | None = None,
    ) -> None:
        """`large` reads large ranges, if the store can sign addresses."""
        import obstore

        self._obstore = obstore
        self._store = store
        self._limiter = Limiter(limits.requests_per_second)
        self.location = location
        self.who = who
        self.where = where  # the endpoint
        self.limits = limits
        self._large = large

    def list(self, prefix: str = "") -> Iterator[list[Meta]]:
        """Yields pages of objects below a prefix, one request each."""
        pages = iter(self._asked("list", prefix, lambda: self._obstore.list(self._store, prefix, chunk_size=PAGE)))
        while True:
            page = self._asked("list", prefix, lambda: next(pages, None))
            if page is None:
                return
            yield [_meta(each) for each in page]

    def unlisted(self, prefix: str) -> Sequence[tuple[str, faults.StorageError]]:
        """Directories below a prefix that the last `list` could not read; an object store has none."""
        return ()

    def complete(self, found: Sequence[Meta]) -> Sequence[Meta | faults.StorageError]:
        """The objects with their sizes: listings of web servers do not tell them."""
        return found

    def head(self, key: str) -> Meta:
        try:
            return _meta(self._asked("head", key, lambda: self._obstore.head(self._store, key)))
        except faults.StorageError as error:
            if isinstance(error, FileNotFoundError) or error.explanation.parameters.get("answer"):
                raise
        # a HEAD has no body that says why; a read of one byte does
        return self.get(key, 0, 1)[1]

    def get(self, key: str, start: int = 0, end: int | None = None) -> tuple[Any, Meta]:
        """Returns the bytes from `start` to before `end`, as a buffer, and the object's state as of then."""
        options: dict[str, Any] = {}
        if end is not None:
            options["range"] = (start, end)
        elif start:
            options["range"] = {"offset": start}

        def fetch() -> tuple[Any, Meta]:
            answer = self._obstore.get(self._store, key, options=options)
            return answer.bytes(), _meta(answer.meta)

        return self._asked("get", key, fetch)

    def stream(self, key: str, start: int, end: int) -> tuple[Meta, Iterator[Any]]:
        """Like `get`, but the bytes come in pieces as they arrive."""
        options = {"range": (start, end)}
        answer = self._asked("get", key, lambda: self._obstore.get(self._store, key, options=options))
        return _meta(answer.meta), self._pieces(key, answer)

    def open(self, key: str, start: int, length: int, *, by_obstore: bool = False) -> tuple[Meta, bodies.Body]:
        """Like `stream`, for a range that is read into buffers: by our own client if it is large."""
        if not by_obstore and self._large is not None and length >= direct.LEAST_BYTES:
            self._limiter.wait()
            found = self._large.open(key, start, length)
            if found is not None:
                state, answer, count = found
                meta = Meta(key, state.size, state.etag, state.mtime_ns)
                return meta, bodies.Answered(answer, count, lambda error: faults.explained(error, "get", self, key))
        meta, pieces = self.stream(key, start, start + length)
        return meta, bodies.Pieces(pieces, min(length, meta.size - start))

    def fill(self, key: str, start: int, part: memoryview) -> tuple[Meta, int]:
        """Reads a range into a buffer. Returns the object's state as of then, and how many bytes came: fewer at the end
        of the object, or if the connection broke off."""
        meta, count, whole = self._filled(key, start, part, by_obstore=False)
        if not whole:
            meta, more, _ = self._filled(key, start + count, part[count:], by_obstore=True)
            count += more
        return meta, count

    def _filled(self, key: str, start: int, part: memoryview, *, by_obstore: bool) -> tuple[Meta, int, bool]:
        """Also returns False if our own client failed, and obstore should be asked."""
        meta, body = self.open(key, start, len(part), by_obstore=by_obstore)
        done = 0
        try:
            while done < len(part) and (count := body.read_into(part[done:])):
                done += count
        except faults.StorageError as error:
            if not body.direct and (not done or not error.passing):
                raise
        finally:
            body.close(done)
        return meta, done, done == body.length or not body.direct

    def _pieces(self, key: str, answer: Any) -> Iterator[Any]:
        try:
            yield from answer.stream(min_chunk_size=0)
        except Exception as error:
            raise faults.explained(error, "get", self, key) from error

    def put(self, key: str, content: bytes) -> None:
        self._asked("put", key, lambda: self._obstore.put(self._store, key, content))

    def put_pieces(self, key: str, pieces: Iterator[bytes], size: int) -> None:
        """Writes a large object in parts, so that a few of them are in memory. It appears when it is whole; an
        exception of `pieces` ends it, and what was there before stays."""
        part = max(PART_BYTES, -(-size // MOST_PARTS))
        options: dict[str, Any] = {"use_multipart": True, "chunk_size": part, "max_concurrency": PARTS_AT_ONCE}
        self._asked("put", key, lambda: self._obstore.put(self._store, key, pieces, **options))

    def fetch(self, key: str) -> tuple[bytes, Mark]:
        """All of a small object, and the mark with which `replace` recognizes it."""

        def fetch() -> tuple[bytes, Mark]:
            answer = self._obstore.get(self._store, key)
            return bytes(answer.bytes()), _mark(answer.meta)

        return self._asked("get", key, fetch)

    def replace(self, key: str, content: bytes, mark: Mark | None) -> Mark:
        """Writes an object if it is still the one of the mark, or if there is none yet (None). Raises the error
        `storage.changed` if it is another. A store that cannot check that writes it in any case."""
        import obstore.exceptions as refusals

        mode: Any = "create" if mark is None else dict(mark) or "overwrite"
        self._limiter.wait()
        try:
            return _mark(self._obstore.put(self._store, key, content, mode=mode))
        except (refusals.AlreadyExistsError, refusals.PreconditionError) as error:
            raise faults.changed() from error
        except (refusals.NotSupportedError, NotImplementedError):
            return self._asked("put", key, lambda: _mark(self._obstore.put(self._store, key, content)))
        except Exception as error:
            raise faults.explained(error, "put", self, key) from error

    def delete(self, key: str) -> None:
        self._asked("delete", key, lambda: self._obstore.delete(self._store, key))

    def _asked(self, action: str, key: str, request: Callable[[], T]) -> T:
        self._limiter.wait()
        try:
            return request()
        except Exception as error:
            raise faults.explained(error, action, self, key) from error


def _mark(found: Mapping[str, Any]) -> Mark:
    return {name: found[name] for name in ("e_tag", "version") if found.get(name)}


def _meta(found: Mapping[str, Any]) -> Meta:
    modified = found["last_modified"]
    nanoseconds = int(modified.timestamp()) * 1_000_000_000 + modified.microsecond * 1000
    return Meta(found["path"], found["size"], faults.plain_etag(found["e_tag"]), nanoseconds)


class Connections:
    """All connections of one board or writer. State: `_made`, by place of a location, under `_lock`."""

    def __init__(self, found: settings.Settings | None = None, environment: Mapping[str, str] | None = None) -> None:
        self.settings = found or settings.Settings()
        self._environment = os.environ if environment is None else environment
        self._lock = threading.Lock()
        self._made: dict[str, Connection] = {}

    def of(self, location: uris.Location) -> Connection:
        """Raises errors.LightboardError if the location cannot be connected to as the user described it."""
        with self._lock:
            if location.place not in self._made:
                self._made[location.place] = self._connect(location)
            return self._made[location.place]

    def _connect(self, location: uris.Location) -> Connection:
        if location.service is uris.Service.HTTP:
            from lightboard.storage import web

            return web.connect(location, self.settings)
        stores = _obstore_store(location)
        secret = self.settings.secret(location.secret) if location.secret else None
        checked = self._guard(location, secret)
        proxy = checked.url if checked else secret.proxy if secret else ""
        try:
            made = _BUILDERS[location.service](stores, location, secret, self.settings.limits, self._environment, proxy)
            made.guard = checked
            return made
        except errors.LightboardError:
            raise
        except Exception as error:  # obstore refuses a setting, with its own text
            raise errors.BadInput(
                f"no connection can be made with these settings ({faults.first_line(error)}): {location.place}",
                hint="check endpoint, region and credentials",
                code="storage.settings",
                reason=faults.first_line(error),
            ) from error

    def _guard(self, location: uris.Location, secret: settings.Secret | None) -> guard.Guard | None:
        """Needed for an endpoint that a secret or an address names. Those of the environment, names of clouds and what
        the settings allow are trusted; a proxy of the environment decides itself."""
        allowed = self.settings.networks
        endpoint = (secret.endpoint if secret else "") or location.endpoint
        if secret and secret.endpoint and secret.trusted:
            return None
        if allowed is None or not endpoint or any(self._environment.get(name) for name in _PROXIES):
            return None
        host = urllib.parse.urlsplit(endpoint).hostname or ""
        return None if networks.is_cloud_store(host) or allowed.trusts(host) else guard.Guard(allowed)


_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "all_proxy")


def _obstore_store(location: uris.Location) -> Any:
    if os.getpid() != IMPORTED_IN:
        raise errors.BadInput(
            f"a forked process cannot read from a store: {location.place}",
            hint='start processes with the method "spawn", or read in the first process',
            code="storage.forked",
        )
    try:
        import obstore.store
    except ImportError as error:
        command = "pip install 'lightboard[object-store]'"
        raise errors.Missing(
            f"logs on `{location.service.value}://` need the package `obstore`",
            hint=command,
            code="package.missing",
            package="obstore",
            command=command,
        ) from error
    return obstore.store


# ---- S3, OSS, MinIO


def _s3(
    stores: Any,
    location: uris.Location,
    secret: settings.Secret | None,
    limits: settings.Limits,
    environment: Mapping[str, str],
    proxy: str,
) -> Connection:
    found = credentials.find(location, secret, environment)
    endpoint = _endpoint(location, secret, found, {} if secret else environment)
    region = _region(location, secret, found, environment, endpoint)
    if not endpoint:
        endpoint = _default_endpoint(location, region)
    virtual = _is_virtual(location, secret, endpoint)
    if virtual:
        endpoint = _with_bucket(endpoint, location.bucket)
    config = {name: value for name, value in found.config.items() if name not in _KEYS}
    store = stores.S3Store(
        location.bucket,
        endpoint=endpoint,
        region=region,
        virtual_hosted_style_request=virtual,
        skip_signature=found.anonymous,
        client_options=_client(limits, secret, endpoint, proxy),
        retry_config=_retries(limits),
        # always, when there are keys: obstore would mix them with AWS_* of the environment
        **({"credential_provider": _provider(found)} if found.provider or "access_key_id" in found.config else {}),
        **config,
    )
    return Connection(
        store, location, found.who, endpoint, limits, None if found.anonymous else _direct(store, limits, secret, proxy)
    )


def _direct(store: Any, limits: settings.Limits, secret: settings.Secret | None, proxy: str) -> direct.Direct:
    import obstore

    ca = os.path.expanduser(secret.ca) if secret and secret.ca else ""  # noqa: PTH111
    return direct.Direct(lambda key, valid: obstore.sign(store, "GET", key, valid), limits, ca, proxy)


_KEYS = ("access_key_id", "secret_access_key", "session_token")


def _provider(found: credentials.Found) -> credentials.Provider:
    if found.provider is not None:
        return found.provider
    fixed = {
        "access_key_id": found.config["access_key_id"],
        "secret_access_key": found.config["secret_access_key"],
        "token": found.config.get("session_token"),
        "expires_at": None,
    }
    return lambda: fixed


_ENDPOINTS = {
    uris.Service.S3: ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
    uris.Service.OSS: ("OSS_ENDPOINT", "ALIBABA_CLOUD_OSS_ENDPOINT"),
    uris.Service.MINIO: ("MINIO_ENDPOINT", "MINIO_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
}


def _endpoint(
    location: uris.Location,
    secret: settings.Secret | None,
    found: credentials.Found,
    environment: Mapping[str, str],
) -> str:
    """Returns the configured endpoint with its scheme, "" if there is none."""
    configured = next(filter(None, (environment.get(name, "") for name in _ENDPOINTS[location.service])), "")
    endpoint = (secret.endpoint if secret else "") or location.endpoint or configured or found.endpoint
    if not endpoint:
        return ""
    if "://" not in endpoint:
        plain = _is_plain_host(endpoint.partition(":")[0]) or location.service is uris.Service.MINIO
        endpoint = f"{'http' if plain else 'https'}://{endpoint}"
    return _with_s3_side(endpoint.rstrip("/")) if location.service is uris.Service.OSS else endpoint.rstrip("/")


def _with_s3_side(endpoint: str) -> str:
    """OSS speaks S3's protocol at `s3.oss-<region>.aliyuncs.com`."""
    scheme, _, host = endpoint.partition("://")
    return f"{scheme}://s3.{host}" if host.startswith("oss-") and ".aliyuncs.com" in host else endpoint


def _default_endpoint(location: uris.Location, region: str) -> str:
    if location.service is uris.Service.OSS:
        if not region:
            raise errors.BadInput(
                f"the region of this bucket is unknown: {location.place}",
                hint="set OSS_REGION or OSS_ENDPOINT, or write oss://bucket.oss-cn-hangzhou.aliyuncs.com/path",
                code="storage.no_region",
            )
        return f"https://s3.oss-{region}.aliyuncs.com"
    if location.service is uris.Service.MINIO:
        raise errors.BadInput(
            f"the server of this bucket is unknown: {location.place}",
            hint="set MINIO_ENDPOINT, as http://minio:9000, or write minio://host:port/bucket/path",
            code="storage.no_endpoint",
        )
    return f"https://s3.{region}.amazonaws.com"


def _region(
    location: uris.Location,
    secret: settings.Secret | None,
    found: credentials.Found,
    environment: Mapping[str, str],
    endpoint: str,
) -> str:
    names = ("OSS_REGION", "ALIBABA_CLOUD_REGION_ID") if location.service is uris.Service.OSS else (
        "AWS_REGION", "AWS_DEFAULT_REGION",
    )  # fmt: skip
    configured = "" if secret else next(filter(None, (environment.get(name, "") for name in names)), "")
    region = (secret.region if secret else "") or configured or found.region
    if location.service is not uris.Service.OSS:
        return region or _DEFAULT_REGION
    region = region.removeprefix("oss-")
    host = urllib.parse.urlsplit(endpoint).hostname or ""
    if not region and "oss-" in host:
        region = host.partition("oss-")[2].partition(".")[0].removesuffix("-internal")
    return region or ("auto" if endpoint else "")


def _is_virtual(location: uris.Location, secret: settings.Secret | None, endpoint: str) -> bool:
    if secret and secret.style:
        return secret.style == "virtual"
    if location.service is uris.Service.OSS:
        return not _is_plain_host(urllib.parse.urlsplit(endpoint).hostname or "")
    return False


def _is_plain_host(host: str) -> bool:
    """An IP address, `localhost` or a name without dots: no bucket can be put before it."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return "." not in host
    return True


def _with_bucket(endpoint: str, bucket: str) -> str:
    scheme, _, host = endpoint.partition("://")
    return endpoint if host.startswith(f"{bucket}.") else f"{scheme}://{bucket}.{host}"


# ---- Google, Azure


def _gcs(
    stores: Any,
    location: uris.Location,
    secret: settings.Secret | None,
    limits: settings.Limits,
    environment: Mapping[str, str],
    proxy: str,
) -> Connection:
    endpoint = secret.endpoint if secret else environment.get("STORAGE_EMULATOR_HOST", "")
    if endpoint and "://" not in endpoint:
        endpoint = f"http://{endpoint}"
    who, config = _of_google(secret, environment) if secret else _google_variables(environment)
    if endpoint:
        config["base_url"] = endpoint.rstrip("/")
    client = _client(limits, secret, endpoint, proxy)
    store = stores.GCSStore(location.bucket, client_options=client, retry_config=_retries(limits), **config)
    return Connection(store, location, who, endpoint or "https://storage.googleapis.com", limits)


def _of_google(secret: settings.Secret, environment: Mapping[str, str]) -> tuple[errors.Explanation, dict[str, Any]]:
    if secret.anonymous:
        return credentials.of_anonymous_secret(secret.name), {"skip_signature": True}
    token = {"token": secret.token, "expires_at": None}
    if secret.token:
        config: dict[str, Any] = {"credential_provider": lambda: token}
    elif secret.credentials_file or secret.credentials:
        config = _google_key(secret, environment)
    else:
        raise credentials.empty(secret.name)
    return credentials.of_secret(secret.name), {"skip_signature": False, **config}


def _google_key(secret: settings.Secret, environment: Mapping[str, str]) -> dict[str, Any]:
    """obstore prefers a service account of the environment to `application_credentials`, and refuses a path beside a
    key: so the secret is given in the place of the variable that is set."""
    path = os.path.expanduser(secret.credentials_file)  # noqa: PTH111
    variables = [name for name in _GOOGLE_ACCOUNTS if environment.get(name)]
    by_path = bool(variables) and variables[0] != "GOOGLE_SERVICE_ACCOUNT_KEY"
    if not secret.credentials and not variables:
        return {"application_credentials": path}  # also keys of other types
    if secret.credentials and not by_path:
        return {"service_account_key": secret.credentials}
    if not secret.credentials and by_path:
        return {"service_account": path}
    if not secret.credentials:
        with open(path, encoding="utf-8") as file:
            return {"service_account_key": file.read(1 << 20)}
    raise errors.BadInput(
        f"the secret `{secret.name}` cannot be used while {variables[0]} is set",
        hint="unset the variable, or name the key by `credentials_file`",
        code="storage.settings",
        reason=f"{variables[0]} is set",
    )


_GOOGLE_ACCOUNTS = (
    "GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_PATH", "GOOGLE_SERVICE_ACCOUNT_KEY",
)  # fmt: skip


def _google_variables(environment: Mapping[str, str]) -> tuple[errors.Explanation, dict[str, Any]]:
    """obstore itself finds keys; this says which, and that an emulator wants none."""
    for name in ("GOOGLE_SKIP_SIGNATURE", "STORAGE_EMULATOR_HOST"):
        if environment.get(name, "").lower() not in ("", "0", "false"):
            return credentials.unsigned_by(name), {"skip_signature": True}
    named = ("GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_KEY", "GOOGLE_APPLICATION_CREDENTIALS")
    default = errors.Explanation("application default credentials", code="storage.who.google")
    return _first_variable(environment, named, default), {}


def _azure(
    stores: Any,
    location: uris.Location,
    secret: settings.Secret | None,
    limits: settings.Limits,
    environment: Mapping[str, str],
    proxy: str,
) -> Connection:
    names = ("AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT")
    configured = "" if secret else next(filter(None, (environment.get(name, "") for name in names)), "")
    account = location.account or (secret.account if secret else "") or configured
    if not account:
        raise errors.BadInput(
            f"the storage account of this container is unknown: {location.place}",
            hint="set AZURE_STORAGE_ACCOUNT_NAME, or write abfss://container@account.dfs.core.windows.net/path",
            code="storage.no_account",
        )
    endpoint = (secret.endpoint if secret else environment.get("AZURE_STORAGE_ENDPOINT", "")).rstrip("/")
    who, config = _of_azure(secret) if secret else _azure_variables(environment)
    if endpoint:
        config["endpoint"] = endpoint
    client = _client(limits, secret, endpoint, proxy)
    store = stores.AzureStore(
        location.bucket, account_name=account, client_options=client, retry_config=_retries(limits), **config
    )
    return Connection(store, location, who, endpoint or f"https://{account}.blob.core.windows.net", limits)


def _of_azure(secret: settings.Secret) -> tuple[errors.Explanation, dict[str, Any]]:
    """A provider, because obstore would prefer keys of the environment to those of the secret."""
    if secret.anonymous:
        return credentials.of_anonymous_secret(secret.name), {"skip_signature": True}
    if secret.key or secret.secret:
        given = {"access_key": secret.secret or secret.key, "expires_at": None}
    elif secret.token:
        given = {"sas_token": secret.token.removeprefix("?"), "expires_at": None}
    else:
        raise credentials.empty(secret.name)
    return credentials.of_secret(secret.name), {"skip_signature": False, "credential_provider": lambda: given}


def _azure_variables(environment: Mapping[str, str]) -> tuple[errors.Explanation, dict[str, Any]]:
    if environment.get("AZURE_SKIP_SIGNATURE", "").lower() in ("1", "true"):
        return credentials.unsigned_by("AZURE_SKIP_SIGNATURE"), {"skip_signature": True}
    named = ("AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "AZURE_CLIENT_ID")
    default = errors.Explanation("managed identity", code="storage.who.azure")
    config = {}
    if environment.get("AZURE_STORAGE_KEY") and not environment.get("AZURE_STORAGE_ACCOUNT_KEY"):
        config["account_key"] = environment["AZURE_STORAGE_KEY"]  # the name of Azure's own command line
    return _first_variable(environment, named, default), config


def _first_variable(
    environment: Mapping[str, str], names: tuple[str, ...], otherwise: errors.Explanation
) -> errors.Explanation:
    name = next((name for name in names if environment.get(name)), "")
    return credentials.of_variable(name) if name else otherwise


_BUILDERS: Mapping[uris.Service, Callable[..., Connection]] = {
    uris.Service.S3: _s3, uris.Service.OSS: _s3, uris.Service.MINIO: _s3, uris.Service.GCS: _gcs,
    uris.Service.AZURE: _azure,
}  # fmt: skip


# ---- HTTP


def _client(limits: settings.Limits, secret: settings.Secret | None, endpoint: str, proxy: str) -> dict[str, Any]:
    options: dict[str, Any] = {
        "connect_timeout": dt.timedelta(seconds=_CONNECT_SECS),
        "read_timeout": dt.timedelta(seconds=limits.timeout_secs),
        "timeout": dt.timedelta(seconds=limits.timeout_secs * 10),
        "user_agent": "lightboard",
    }
    if endpoint.startswith("http://"):
        options["allow_http"] = True  # the user wrote http
    if proxy:
        options["proxy_url"] = proxy
    if secret and secret.ca:
        with open(os.path.expanduser(secret.ca), "rb") as file:  # noqa: PTH111
            options["root_certificate"] = file.read()
    return options


def _retries(limits: settings.Limits) -> dict[str, Any]:
    return {"max_retries": limits.retries, "retry_timeout": dt.timedelta(seconds=_RETRY_SECS)}


class Limiter:
    """Lets at most `rate` requests a second begin. State: `_next`, when the next one may, under `_lock`."""

    def __init__(self, rate: float) -> None:
        self._space = 1 / rate if rate else 0.0
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        if not self._space:
            return
        with self._lock:
            now = time.monotonic()
            begin = max(now, self._next)
            self._next = begin + self._space
        if begin > now:
            time.sleep(begin - now)
