"""What a store refused, as one OSError: what was tried, as whom, what the store answered, and what to do.

obstore's errors have no fields: code and request id of the answer are only in its text, behind which follows a
debugging part with the reasons of lower layers (connection refused, unknown host, TLS). Both are searched for known
words; the text itself is never shown, because it may contain signed addresses.

The parameters of every explanation are `bucket`, `where` (the endpoint), `who`, `action`, `status` and `answer`, code
and request id of the store. The page shows `action`, `who`, `where` and `answer` below the sentence; an empty one not.
"""

from __future__ import annotations

import dataclasses
import errno
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lightboard import errors
from lightboard.storage import credentials, guard

if TYPE_CHECKING:
    from lightboard.storage.connections import Connection

_CODE = re.compile(r"<(?:Code|code)>([A-Za-z0-9._]{1,80})<")
_REQUEST = re.compile(r"<(?:RequestId|RequestID|requestId)>([A-Za-z0-9._:/=-]{1,80})<")
_REGION = re.compile(r"<Region>([a-z0-9-]{1,40})<|expecting '([a-z0-9-]{1,40})'|expecting &#39;([a-z0-9-]{1,40})&")
_STATUS = re.compile(r"status code: (\d{3})|status: (\d{3})")


class StorageError(OSError):
    """`explanation` is for the page; `passing`: trying again may help without anybody's doing."""

    def __init__(self, number: int, explanation: errors.Explanation, *, passing: bool) -> None:
        super().__init__(number, explanation.message + (f" ({explanation.hint})" if explanation.hint else ""))
        self.explanation = explanation
        self.passing = passing


class Absent(StorageError, FileNotFoundError):
    """No such object."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Case:
    """One kind of refusal. `answers` are codes of stores, `words` parts of obstore's texts that mean it."""

    code: str
    message: str
    hint: str
    answers: str = ""
    statuses: str = ""
    words: tuple[str, ...] = ()
    passing: bool = False
    number: int = errno.EIO


_ABSENT = _Case(
    code="storage.no_object",
    message="the object does not exist",
    hint="it may have been deleted",
    answers="NoSuchKey BlobNotFound",
    statuses="404",
    number=errno.ENOENT,
)
_NO_BUCKET = _Case(
    code="storage.no_bucket",
    message="the bucket `{bucket}` does not exist at {where}",
    hint="check its name, endpoint and region",
    answers="NoSuchBucket ContainerNotFound InvalidBucketName ResourceNotFound",
)
_DENIED = _Case(
    code="storage.denied",
    message="permission to {action} is denied to {who}",
    hint="reading logs needs the permissions to list the bucket and to get its objects",
    answers="AccessDenied AllAccessDisabled AuthorizationFailure AuthorizationPermissionMismatch Forbidden "
    "AccountProblem UserDisable",
    statuses="401 403",
    number=errno.EACCES,
)
_READ_ONLY = dataclasses.replace(_DENIED, hint="writing logs needs the permission to put objects")
_ANONYMOUS = _Case(
    code="storage.no_credentials",
    message="no credentials were found, and the store refuses requests without them",
    hint="set them in the environment, or name a secret: scheme://SECRET@bucket/path with `--storage storage.toml`",
    answers="NoAuthenticationInformation",
    number=errno.EACCES,
)
_CHANGED = _Case(
    code="storage.changed",
    message="the object was replaced while it was read",
    hint="it is read again",
    answers="PreconditionFailed ConditionNotMet",
    statuses="412",
    passing=True,
)
_SHORTER = _Case(
    code="storage.shorter",
    message="the object is shorter than it was",
    hint="it is read again",
    answers="InvalidRange",
    statuses="416",
    passing=True,
)
_SERVER = _Case(
    code="storage.server",
    message="the store has an internal fault (status {status})",
    hint="it is tried again",
    answers="InternalError ServiceUnavailable",
    statuses="500 502 504",
    passing=True,
)
_NEEDS_TLS = _Case(
    code="storage.needs_tls",
    message="the server at {where} expects https",
    hint="write https:// in the endpoint",
    words=("HTTP request to an HTTPS server",),
)
_OTHER = _Case(
    code="storage.other",
    message="the store refuses to {action} (status {status})",
    hint="`lightboard doctor` with this address tries step by step",
)
_OTHER_REGION = _Case(
    code="storage.region",
    message="the bucket `{bucket}` is in another region",
    hint="set the region of the bucket",
    answers="AuthorizationHeaderMalformed PermanentRedirect IllegalLocationConstraintException",
    statuses="301 307",
)
_NAMED_REGION = _Case(
    code="storage.named_region",
    message="the bucket `{bucket}` is in another region, {region}",
    hint="set AWS_REGION={region}, or region in the secret",
)
_CASES = (
    _Case(
        code="storage.inside",
        message="the server {where}, or one that it redirects to, is not allowed",
        hint="servers of private networks must be listed in `allow` of [networks]",
        answers=guard.INSIDE,
        words=(guard.INSIDE,),
        number=errno.EACCES,
    ),
    _ABSENT,
    _NO_BUCKET,
    _DENIED,
    _ANONYMOUS,
    _CHANGED,
    _SERVER,
    _Case(
        code="storage.wrong_key",
        message="the store does not know this key: {who}",
        hint="check the key, and whether it belongs to {where}",
        answers="InvalidAccessKeyId InvalidSecurity",
        number=errno.EACCES,
    ),
    _Case(
        code="storage.wrong_secret",
        message="the secret does not belong to the key: {who}",
        hint="check the secret; it may be cut off or contain a space",
        answers="SignatureDoesNotMatch AuthenticationFailed InvalidAuthenticationInfo",
        number=errno.EACCES,
    ),
    _Case(
        code="storage.expired",
        message="the credentials have expired: {who}",
        hint="sign in again; the board continues automatically when they are renewed",
        answers="ExpiredToken TokenRefreshRequired SecurityTokenExpired InvalidToken RequestExpired",
        number=errno.EACCES,
    ),
    _Case(
        code="storage.clock",
        message="the clock of this machine differs too much from the store's",
        hint="set the clock, for instance by NTP",
        answers="RequestTimeTooSkewed",
    ),
    _OTHER_REGION,
    _Case(
        code="storage.style",
        message="the store expects the bucket in the host name",
        hint='set style = "virtual" in the secret',
        answers="SecondLevelDomainForbidden",
    ),
    _Case(
        code="storage.slow_down",
        message="the store asks for fewer requests",
        hint="it is tried again; [limits] requests_per_second in `storage.toml` helps",
        answers="SlowDown Throttling TooManyRequests ServerBusy RequestLimitExceeded QpsLimitExceeded",
        statuses="429 503",
        passing=True,
    ),
    _SHORTER,
    _Case(
        code="storage.not_tls",
        message="the server at {where} does not speak https",
        hint="write http:// in the endpoint",
        words=("InvalidContentType", "WrongVersion", "received corrupt message"),
    ),
    _Case(
        code="storage.certificate",
        message="the certificate of {where} is not trusted",
        hint="name its authority: `ca` in the secret, or SSL_CERT_FILE",
        words=("InvalidCertificate", "UnknownIssuer", "invalid peer certificate", "CertificateError"),
    ),
    _NEEDS_TLS,
    _Case(
        code="storage.not_http",
        message="the answer of {where} is not HTTP",
        hint="it is tried again; if that does not help, write https:// in the endpoint, or check its port",
        words=("Parse(",),
        passing=True,
    ),
    _Case(
        code="storage.unknown_host",
        message="the host name is unknown: {where}",
        hint="check the spelling of endpoint and region",
        words=("dns error", "failed to lookup address"),
        passing=True,
    ),
    _Case(
        code="storage.refused",
        message="nothing answers at {where}",
        hint="check host and port of the endpoint; is the server running?",
        words=("Connection refused", "ConnectionRefused"),
        passing=True,
    ),
    _Case(
        code="storage.timeout",
        message="{where} does not answer in time",
        hint="it is tried again; check network and proxy",
        words=("kind: Timeout", "TimedOut", "operation timed out"),
        passing=True,
    ),
    _Case(
        code="storage.bad_listing",
        message="the answer of {where} is not a complete list of objects",
        hint="it is tried again; if that does not help, check that an object store listens at the endpoint",
        words=("Got invalid list response",),
        passing=True,
    ),
    _Case(
        code="storage.key_name",
        message="the bucket has an object whose key cannot be read, such as one with two slashes in a row",
        hint="name a directory that does not contain it",
        words=("Encountered object with invalid path", "Could not parse path"),
    ),
    _Case(
        code="storage.role",
        message="the credentials could not be fetched: {who}",
        hint="check the role, the profile or the command that gives them",
        words=("redential",),
        passing=True,
    ),
    _Case(
        code="storage.broken_off",
        message="the connection to {where} broke off",
        hint="it is tried again",
        words=(
            "connection reset",
            "ConnectionReset",
            "UnexpectedEof",
            "IncompleteMessage",
            "decoding response",
            "HTTP error",
        ),
        passing=True,
    ),
)
_READ = errors.Explanation("read an object", code="storage.action.read")
_ACTIONS = {
    "list": errors.Explanation("list objects", code="storage.action.list"),
    "head": _READ,
    "get": _READ,
    "put": errors.Explanation("write an object", code="storage.action.write"),
    "delete": errors.Explanation("delete an object", code="storage.action.delete"),
}


def explained(error: Exception, action: str, connection: Connection, key: str) -> StorageError:
    """Returns the error of a request as one of ours."""
    text = str(error)
    if connection.guard is not None and "unnel" in text:
        text = connection.guard.problem
    code, request, status = _first(_CODE, text), _first(_REQUEST, text), _first(_STATUS, text)
    case = _case(code, status, text, action)
    if case is _DENIED and credentials.is_nobody(connection.who):
        case = _ANONYMOUS
    if case is _DENIED and action in ("put", "delete"):
        case = _READ_ONLY
    region = _first(_REGION, text)
    if case is _OTHER_REGION and region:
        case = _NAMED_REGION
    names: dict[str, str | errors.Explanation] = {
        "bucket": connection.location.bucket, "where": connection.where, "who": connection.who,
        "action": _ACTIONS[action], "status": status or "unknown", "region": region,
    }  # fmt: skip
    return _error(case, names, code, request)


def changed() -> StorageError:
    """The object was replaced between listing and reading."""
    return _error(_CHANGED, {}, "", "")


def shorter() -> StorageError:
    """The object ends before the range that was asked for."""
    return _error(_SHORTER, {}, "", "")


def _case(code: str, status: str, text: str, action: str) -> _Case:
    for case in _CASES:
        if code and code in case.answers.split():
            return case
    if status == "404" and action in ("list", "put"):
        return _NO_BUCKET
    if status == "400" and "HTTPS" in text:
        return _NEEDS_TLS
    for case in _CASES:
        if status in case.statuses.split() if status else any(word in text for word in case.words):
            return case
    return _SERVER if status >= "500" else _OTHER


def _error(case: _Case, names: Mapping[str, str | errors.Explanation], code: str, request: str) -> StorageError:
    answer = ", ".join(part for part in (code, f"request {request}" if request else "") if part)
    words = {name: each.message if isinstance(each, errors.Explanation) else each for name, each in names.items()}
    message = case.message.format_map(words) + (f" [{answer}]" if answer else "")
    explanation = errors.Explanation(message, case.hint.format_map(words), case.code, {**names, "answer": answer})
    kind = Absent if case.number == errno.ENOENT else StorageError
    return kind(case.number, explanation, passing=case.passing)


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return next(filter(None, match.groups()), "") if match else ""


def first_line(error: Exception) -> str:
    """The first line of an error of the library, for settings that it refuses; it names fields, not values."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)[:200]


def plain_etag(etag: str | None) -> str:
    """Without quotes and the mark of weakness."""
    return (etag or "").removeprefix("W/").strip('"')
