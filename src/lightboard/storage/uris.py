"""The grammar of addresses: one parser, one style of errors.

    runs, /data/runs, file:///data/runs            this machine
    s3://[SECRET@]bucket[/path]                    Amazon S3 and stores with its protocol (also s3a://)
    oss://[SECRET@]bucket[.endpoint][/path]        Alibaba Cloud OSS
    minio://[SECRET@]bucket[/path]                 MinIO; also minio://host:port/bucket[/path]
    gs://[SECRET@]bucket[/path]                    Google Cloud Storage (also gcs://)
    az://[SECRET@]container[/path]                 Azure Blob Storage (also azure://)
    abfss://container@account.dfs.core.windows.net[/path]   (also abfs://, wasb://, wasbs://)
    http(s)://host[:port]/path                     a web server with listings or an index file
    pvc://claim[/path], t9k://pvc/claim[/path]     a claim of Kubernetes, a directory in `storage.toml`
    t9k://minio/SECRET/bucket[/path]               TensorStack: a bucket with a named secret

SECRET names a section of `storage.toml`; keys themselves never stand in an address. Everything after the bucket is a
key as the store knows it, without percent-encoding.
"""

from __future__ import annotations

import dataclasses
import enum
import re
import urllib.parse

from lightboard import errors

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_ONE_SLASH = re.compile(r"(s3a?|oss|minio|gc?s|az|abfss?|pvc|t9k|https?):/?(?!/)(.*)", re.IGNORECASE)
_PASSWORD = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:/{0,2})[^@]*:[^@]*@")
_SIGNED = re.compile(
    r"\?(?:[^#]*&)?(?:sig|signature|sv|se|sp|token|access_token|x-amz-[a-z-]+|x-goog-[a-z-]+|x-oss-[a-z-]+|"
    r"awsaccesskeyid|ossaccesskeyid|googleaccessid|security-token|password|key|secret)=.*",
    re.IGNORECASE | re.DOTALL,
)
_PORT = re.compile(r"(?:minio|https?)://[^/@:]+:\d+/", re.IGNORECASE)
_WEB_FILE = re.compile(r"(https?://[^/@?#]+)(?:/(.*))?\Z", re.DOTALL)
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,254}")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")  # of a claim or a secret
_AZURE_HOST = re.compile(r"([a-z0-9-]+)\.(?:dfs|blob)\.(?:core\.[a-z.]+|fabric\.microsoft\.com)")


class Service(enum.Enum):
    """What answers at a location."""

    FILE = "file"
    S3 = "s3"
    OSS = "oss"
    MINIO = "minio"
    GCS = "gs"
    AZURE = "az"
    HTTP = "http"
    CLAIM = "pvc"


_SCHEMES = {
    "file": Service.FILE, "s3": Service.S3, "s3a": Service.S3, "s3n": Service.S3, "oss": Service.OSS,
    "minio": Service.MINIO, "gs": Service.GCS, "gcs": Service.GCS, "az": Service.AZURE, "azure": Service.AZURE,
    "abfs": Service.AZURE, "abfss": Service.AZURE, "wasb": Service.AZURE, "wasbs": Service.AZURE,
    "http": Service.HTTP, "https": Service.HTTP, "pvc": Service.CLAIM, "t9k": Service.CLAIM,
}  # fmt: skip
_HADOOP = ("abfs", "abfss", "wasb", "wasbs")

SUPPORTED = "a path, file://, s3://, oss://, minio://, gs://, az://, abfss://, http(s)://, pvc:// or t9k://"


@dataclasses.dataclass(frozen=True)
class Location:
    """A parsed address. `place` is its part up to the bucket, as written: `f"{place}/{key}"` is an address again."""

    service: Service
    place: str
    bucket: str  # bucket, container, claim; the origin of a web server
    key: str = ""  # without slashes at its ends
    secret: str = ""  # a name in the settings
    endpoint: str = ""
    account: str = ""  # of Azure

    @property
    def address(self) -> str:
        return f"{self.place}/{self.key}" if self.key else self.place


def scheme(text: str) -> str:
    """`s3` of `s3://bucket/runs`, "" for a plain path."""
    match = _SCHEME.match(text)
    return match[1].lower() if match else ""


def is_elsewhere(text: str) -> bool:
    """Whether a user means an address, even a wrong one, and not a path of this machine."""
    return scheme(text.strip()) not in ("", "file") or _ONE_SLASH.fullmatch(text.strip()) is not None


def shown(text: str) -> str:
    """The address for messages: without a password, which does not belong there and may contain slashes, and without
    a signature after `?`."""
    if is_elsewhere(text):
        text = _SIGNED.sub("?…", text, count=1)
    return text if _PORT.match(text) else _PASSWORD.sub(r"\1…@", text, count=1)


def parse(text: str) -> Location:
    """Raises errors.BadInput, which says what is wrong and what to write instead."""
    text = text.strip()
    name = scheme(text)
    if not name:
        _check_slashes(text)
        return Location(Service.FILE, "", "", text)
    if name != "file" and _SIGNED.search(text):
        raise _bad(
            f"a signature or token after `?` does not belong in an address, where others can read it: {shown(text)}",
            "uri.signed",
            "leave it out; put it into a secret of `--storage storage.toml` (`token` of Azure is a SAS token)",
        )
    if shown(text) != text:
        raise _credentials(shown(text))
    if name not in _SCHEMES:
        raise _bad(f"`{name}://` is not supported: {text}", "uri.scheme", f"write {SUPPORTED}", scheme=name)
    if any(ord(letter) < 32 for letter in text):
        raise _bad(f"the address contains a control character: {text!r}", "uri.control", "remove it")
    rest = text[len(name) + 3 :]
    parts = _PARSERS.get(name, _parse_bucket)
    return parts(_SCHEMES[name], name, rest, text)


def parse_file(address: str) -> Location:
    """Like `parse`, for an address of a place and a key that was listed: names on web servers contain any sign."""
    match = _WEB_FILE.match(address)
    return Location(Service.HTTP, match[1], match[1], (match[2] or "").strip("/")) if match else parse(address)


def _check_slashes(text: str) -> None:
    """`s3:/bucket` and `s3:bucket` are a forgotten slash, not a file."""
    match = _ONE_SLASH.fullmatch(text)
    if match is not None:
        meant = shown(f"{match[1].lower()}://{match[2]}")
        raise _bad(
            f"an address has two slashes after its scheme: {shown(text)}",
            "uri.slashes",
            f"did you mean {meant}",
            meant=meant,
        )


def _parse_file(service: Service, name: str, rest: str, text: str) -> Location:
    parsed = urllib.parse.urlsplit(text)
    if parsed.netloc not in ("", "localhost"):
        raise _bad(
            f"`file://` names files of this machine, not of `{parsed.netloc}`: {text}",
            "uri.file_host",
            f"three slashes begin a path: file:///{parsed.netloc}{parsed.path}",
            host=parsed.netloc,
        )
    return Location(service, "", "", urllib.parse.unquote(parsed.path) or "/")


def _parse_bucket(service: Service, name: str, rest: str, text: str) -> Location:
    head, _, key = rest.partition("/")
    secret, head = _split_secret(head, text)
    endpoint = ""
    if service is Service.MINIO and re.search(r":\d+$", head):
        endpoint = f"http://{head}"
        bucket, _, key = key.partition("/")
        place = f"{text[: len(name) + 3]}{rest.partition('/')[0]}/{bucket}"
    else:
        bucket, place = head, f"{text[: len(name) + 3]}{rest.partition('/')[0]}"
    if service is Service.OSS and "." in bucket:
        bucket, _, host = bucket.partition(".")
        endpoint = f"https://{host}"
    _check_bucket(bucket, service, text)
    return Location(service, place, bucket, _key(key, text), secret, endpoint)


def _parse_hadoop(service: Service, name: str, rest: str, text: str) -> Location:
    head, _, key = rest.partition("/")
    container, at, host = head.partition("@")
    match = _AZURE_HOST.fullmatch(host.lower())
    if not at or match is None:
        raise _bad(
            f"`{name}://` needs a container and an account: {text}",
            "uri.azure_host",
            f"write {name}://container@account.dfs.core.windows.net/path, or az://container/path",
            scheme=name,
        )
    _check_bucket(container, service, text)
    return Location(service, f"{text[: len(name) + 3]}{head}", container, _key(key, text), account=match[1])


def _parse_web(service: Service, name: str, rest: str, text: str) -> Location:
    try:
        parsed = urllib.parse.urlsplit(text)
        port = parsed.port
    except ValueError as error:
        raise _bad(
            f"this is not the address of a web server ({error}): {text}", "uri.web", "check host and port"
        ) from error
    if not parsed.hostname:
        raise _bad(f"the address names no server: {text}", "uri.no_host", f"write {name}://server/directory/")
    if parsed.username is not None:
        raise _credentials(f"{name}://{parsed.hostname}")
    if parsed.query or parsed.fragment:
        raise _bad(
            f"the address of a directory has no `?` or `#`: {name}://{parsed.netloc}{parsed.path}",
            "uri.query",
            "give the address of the directory itself",
        )
    instead = _bucket_of_web(parsed.hostname, parsed.path)
    if instead:
        raise _bad(
            f"this is the web address of a bucket: {text}",
            "uri.bucket_web",
            f"write {instead}, so that it is listed and signed",
            instead=instead,
        )
    host = f"[{parsed.hostname}]" if ":" in parsed.hostname else parsed.hostname
    origin = f"{name}://{host}" + (f":{port}" if port else "")
    return Location(service, origin, origin, _key(parsed.path, text))


def _bucket_of_web(host: str, path: str) -> str:
    """Returns the address of the bucket whose web address this is; "" if it is another server."""
    first, _, rest = path.strip("/").partition("/")
    for pattern, name in (
        (r"s3[.-][a-z0-9.-]*amazonaws\.com", "s3"),
        (r"storage\.(?:googleapis|cloud\.google)\.com", "gs"),
    ):
        if re.fullmatch(rf"{pattern}|{pattern.replace('[.-][a-z0-9.-]*', '.')}", host):
            return f"{name}://{first or 'bucket'}/{rest}".rstrip("/")
        if match := re.fullmatch(rf"([a-z0-9.-]+?)\.{pattern}", host):
            return f"{name}://{match[1]}/{path.strip('/')}".rstrip("/")
    if match := re.fullmatch(r"([a-z0-9-]+)\.(oss-[a-z0-9-]+\.aliyuncs\.com)", host):
        return f"oss://{match[1]}.{match[2]}/{path.strip('/')}".rstrip("/")
    if match := re.fullmatch(r"([a-z0-9-]+)\.blob\.core\.windows\.net", host):
        return f"abfss://{first or 'container'}@{match[1]}.dfs.core.windows.net/{rest}".rstrip("/")
    return ""


def _parse_claim(service: Service, name: str, rest: str, text: str) -> Location:
    claim, _, key = rest.partition("/")
    if not claim:
        raise _bad(f"the address names no claim: {text}", "uri.no_claim", "write pvc://claim/path")
    return _claim(f"{text[: len(name) + 3]}{claim}", claim, key, text)


def _parse_t9k(service: Service, name: str, rest: str, text: str) -> Location:
    kind, _, below = rest.partition("/")
    begin = text[: len(name) + 3]
    if kind == "pvc" and below.strip("/"):
        claim, _, key = below.partition("/")
        return _claim(f"{begin}pvc/{claim}", claim, key, text)
    secret, _, below = below.partition("/")
    bucket, _, key = below.partition("/")
    if kind != "minio" or not secret or not bucket:
        raise _bad(
            f"this is not an address of TensorStack: {text}",
            "uri.t9k",
            "write t9k://pvc/claim/path or t9k://minio/secret/bucket/path",
        )
    _check_name(secret, "secret", text)
    _check_bucket(bucket, Service.MINIO, text)
    return Location(Service.MINIO, f"{begin}minio/{secret}/{bucket}", bucket, _key(key, text), secret)


_PARSERS = {
    "file": _parse_file, "http": _parse_web, "https": _parse_web, "pvc": _parse_claim, "t9k": _parse_t9k,
    **dict.fromkeys(_HADOOP, _parse_hadoop),
}  # fmt: skip


def _claim(place: str, claim: str, key: str, text: str) -> Location:
    _check_name(claim, "claim", text)
    return Location(Service.CLAIM, place, claim, _key(key, text))


def _split_secret(head: str, text: str) -> tuple[str, str]:
    secret, at, bucket = head.rpartition("@")
    if not at:
        return "", bucket
    if ":" in secret:
        raise _credentials(f"{scheme(text)}://{bucket}")
    _check_name(secret, "secret", f"{scheme(text)}://…@{bucket}")
    return secret, bucket


def _check_name(name: str, what: str, text: str) -> None:
    if not _NAME.fullmatch(name):
        raise _bad(
            f"`{name}` cannot be the name of a {what}: {text}",
            "uri.name",
            "names have letters, digits, `-`, `_` and `.`",
            name=name,
        )


def _check_bucket(bucket: str, service: Service, text: str) -> None:
    what = "container" if service is Service.AZURE else "bucket"
    if not bucket:
        raise _bad(f"the address names no {what}: {text}", "uri.no_bucket", f"write {service.value}://{what}/path")
    if not _BUCKET.fullmatch(bucket):
        raise _bad(
            f"`{bucket}` cannot be the name of a {what}: {text}",
            "uri.bucket",
            "names have letters, digits, `-`, `_` and `.`; the path comes after a slash",
            bucket=bucket,
        )


def _key(key: str, text: str) -> str:
    parts = key.strip("/").split("/")
    if len(parts) > 1 and "" in parts:
        raise _bad(f"the path has two slashes in a row: {text}", "uri.empty_part", "write one slash between its parts")
    if ".." in parts or "." in parts:
        raise _bad(f"the path contains `.` or `..`: {text}", "uri.dots", "write the path itself")
    return "/".join(parts)


def _credentials(shown: str) -> errors.BadInput:
    if _SCHEMES.get(scheme(shown)) is Service.HTTP:
        return _bad(
            f"user and password do not belong in an address, where others can read them: {shown}",
            "uri.web_credentials",
            "put them into a secret of `--storage storage.toml` whose `endpoint` is this address without them",
        )
    return _bad(
        f"keys and passwords do not belong in an address, where others can read them: {shown}",
        "uri.credentials",
        "put them into the environment or into a secret of `--storage storage.toml`, as scheme://SECRET@bucket/path",
    )


def _bad(message: str, code: str, hint: str, **parameters: str) -> errors.BadInput:
    return errors.BadInput(message, hint=hint, code=code, **parameters)
