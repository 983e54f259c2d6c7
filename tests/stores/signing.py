"""Upload, delete and make buckets with the signatures of S3 and Azure, without the client library of the product.

Names of objects are sent exactly as they are, so that a test can say what lies in a store independently of how the
product reads it.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import email.utils
import hashlib
import hmac
import http.client
import urllib.parse
from collections.abc import Iterable, Mapping


@dataclasses.dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Refused(Exception):
    """The store answered with an error."""


def _quoted(text: str, safe: str = "") -> str:
    return urllib.parse.quote(text, safe=f"{safe}-_.~")


def _query(parameters: Mapping[str, str]) -> str:
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in sorted(parameters.items()))


class _Sender:
    """One kept connection to a server."""

    def __init__(self, endpoint: str) -> None:
        self.host = urllib.parse.urlsplit(endpoint).netloc
        self._connection = http.client.HTTPConnection(self.host, timeout=60)

    def send(self, method: str, target: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        try:
            return self._once(method, target, body, headers)
        except (http.client.HTTPException, ConnectionError):  # the server closed the kept connection
            self.close()
            return self._once(method, target, body, headers)

    def _once(self, method: str, target: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        self._connection.request(method, target, body, dict(headers))
        answer = self._connection.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())

    def close(self) -> None:
        self._connection.close()


def _accepted(answer: Answer, what: str, *, twice: bool = False) -> Answer:
    """With `twice`, something that exists already is fine."""
    if answer.status >= 300 and not (twice and answer.status == 409):
        raise Refused(f"{what}: {answer.status} {answer.body[:500]!r}")
    return answer


class S3Client:
    """SigV4 with the bucket in the path."""

    def __init__(self, endpoint: str, key: str, secret: str, region: str = "us-east-1") -> None:
        self._sender = _Sender(endpoint)
        self._key = key
        self._secret = secret
        self._region = region

    def make_bucket(self, bucket: str) -> None:
        self.request("PUT", bucket)

    def remove_bucket(self, bucket: str) -> None:
        self.request("DELETE", bucket)

    def put(self, bucket: str, name: str, data: bytes) -> str:
        """Return the ETag."""
        return self.request("PUT", bucket, name, body=data).headers["etag"].strip('"')

    def delete(self, bucket: str, name: str) -> None:
        self.request("DELETE", bucket, name)

    def get(self, bucket: str, name: str) -> bytes:
        return self.request("GET", bucket, name).body

    def put_all(self, bucket: str, objects: Iterable[tuple[str, bytes]]) -> None:
        for name, data in objects:
            self.put(bucket, name, data)

    def close(self) -> None:
        self._sender.close()

    def request(
        self, method: str, bucket: str, name: str = "", body: bytes = b"", parameters: Mapping[str, str] | None = None
    ) -> Answer:
        path = _quoted(f"/{bucket}/{name}" if name else f"/{bucket}", safe="/")
        query = _query(parameters or {})
        headers = self._signed(method, path, query, body)
        target = f"{path}?{query}" if query else path
        return _accepted(self._sender.send(method, target, body, headers), f"{method} {path}", twice=not name)

    def _signed(self, method: str, path: str, query: str, body: bytes) -> dict[str, str]:
        now = dt.datetime.now(dt.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        digest = hashlib.sha256(body).hexdigest()
        headers = {"host": self._sender.host, "x-amz-content-sha256": digest, "x-amz-date": now}
        names = ";".join(headers)
        lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
        canonical = f"{method}\n{path}\n{query}\n{lines}\n{names}\n{digest}"
        scope = f"{now[:8]}/{self._region}/s3/aws4_request"
        text = "\n".join(("AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()))
        key = f"AWS4{self._secret}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        credential = f"Credential={self._key}/{scope}"
        headers["authorization"] = f"AWS4-HMAC-SHA256 {credential}, SignedHeaders={names}, Signature={signature}"
        return headers


class AzureClient:
    """Azure's shared key, with the account in the path."""

    def __init__(self, endpoint: str, account: str, key: str) -> None:
        self._sender = _Sender(endpoint)
        self._account = account
        self._key = base64.b64decode(key)

    def make_bucket(self, container: str) -> None:
        self.request("PUT", container, parameters={"restype": "container"})

    def remove_bucket(self, container: str) -> None:
        self.request("DELETE", container, parameters={"restype": "container"})

    def put(self, container: str, name: str, data: bytes) -> str:
        """Return the ETag."""
        answer = self.request("PUT", container, name, data, {"x-ms-blob-type": "BlockBlob"})
        return answer.headers["etag"].strip('"')

    def delete(self, container: str, name: str) -> None:
        self.request("DELETE", container, name)

    def put_all(self, container: str, objects: Iterable[tuple[str, bytes]]) -> None:
        for name, data in objects:
            self.put(container, name, data)

    def close(self) -> None:
        self._sender.close()

    def request(
        self,
        method: str,
        container: str,
        name: str = "",
        body: bytes = b"",
        extra: Mapping[str, str] | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> Answer:
        path = _quoted(f"/{self._account}/{container}{'/' if name else ''}{name}", safe="/")
        parameters = parameters or {}
        headers = {"x-ms-date": email.utils.formatdate(usegmt=True), "x-ms-version": "2021-12-02", **(extra or {})}
        lines = [f"{name}:{value}" for name, value in sorted(headers.items())]
        resource = f"/{self._account}{path}"
        for name_, value in sorted(parameters.items()):
            resource += f"\n{name_}:{value}"
        length = str(len(body)) if body else ""
        kind = "application/octet-stream" if method == "PUT" else ""
        text = "\n".join((method, "", "", length, "", kind, "", "", "", "", "", "", *lines, resource))
        signature = base64.b64encode(hmac.digest(self._key, text.encode(), "sha256")).decode()
        headers |= {"authorization": f"SharedKey {self._account}:{signature}", "content-length": str(len(body))}
        if kind:
            headers["content-type"] = kind
        target = f"{path}?{_query(parameters)}" if parameters else path
        return _accepted(self._sender.send(method, target, body, headers), f"{method} {path}", twice=not name)
