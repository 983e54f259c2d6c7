"""Finds the credentials of a location as the store's own tools find them.

    a named secret > environment > profile or configuration file > role of the container, the cluster, the machine

Nothing is mixed: the first source that has a key gives all of it. `Found.who` says which one it was, without the key;
errors show it, the page in its own language. Credentials of roles expire; `provider` is called again before that.

S3      AWS_*, ~/.aws/credentials and ~/.aws/config (AWS_PROFILE), web identity, container, instance role
OSS     OSS_*, ALIBABA_CLOUD_*, ~/.ossutilconfig, ~/.alibabacloud/credentials, RRSA (OIDC), instance role
MinIO   MINIO_*, else as S3
GCS, Azure: obstore reads GOOGLE_*, AZURE_* and the roles itself
"""

from __future__ import annotations

import configparser
import dataclasses
import datetime as dt
import json
import os
import shlex
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from lightboard import errors
from lightboard.storage import settings, uris

ROLE_TIMEOUT_SECS = 2.0  # a machine without roles does not answer at all
PROCESS_TIMEOUT_SECS = 60.0
_AWS_INSTANCE = "http://169.254.169.254/latest"
_ALIBABA_INSTANCE = "http://100.100.100.200/latest"

Provider = Callable[[], dict[str, Any]]
"""Returns obstore's `S3Credential`."""


@dataclasses.dataclass(frozen=True)
class Found:
    """`config` are arguments of the obstore client. Without keys and provider requests are not signed."""

    who: errors.Explanation
    config: Mapping[str, Any] = dataclasses.field(default_factory=dict, repr=False)
    provider: Provider | None = None
    region: str = ""
    endpoint: str = ""
    anonymous: bool = False


def find(location: uris.Location, secret: settings.Secret | None, environment: Mapping[str, str]) -> Found:
    """Raises errors.BadInput if the user named something that does not exist."""
    if secret is not None:
        return _of_secret(secret, environment)
    if location.service is uris.Service.OSS:
        return _first(_OSS, environment)
    if location.service is uris.Service.MINIO:
        return _first(_MINIO, environment)
    return _first(_S3, environment)


def _first(finders: tuple[Callable[[Mapping[str, str]], Found | None], ...], environment: Mapping[str, str]) -> Found:
    for finder in finders:
        found = finder(environment)
        if found is not None:
            return found
    return Found(
        errors.Explanation("nobody: no credentials were found, requests are not signed", code="storage.who.nobody"),
        anonymous=True,
    )


def of_secret(name: str) -> errors.Explanation:
    return errors.Explanation(f"secret `{name}`", code="storage.who.secret", parameters={"name": name})


def of_anonymous_secret(name: str) -> errors.Explanation:
    return errors.Explanation(
        f"nobody, secret `{name}` is anonymous", code="storage.who.nobody_secret", parameters={"name": name}
    )


def of_variable(name: str) -> errors.Explanation:
    return errors.Explanation(f"{name} of the environment", code="storage.who.variable", parameters={"name": name})


def unsigned_by(name: str) -> errors.Explanation:
    """A variable says that requests are not signed."""
    return errors.Explanation(f"nobody, as {name} says", code="storage.who.nobody_variable", parameters={"name": name})


def is_nobody(who: errors.Explanation) -> bool:
    return who.code.startswith(("storage.who.nobody", "storage.who.no_secret"))


def _of_profile(name: str, file: str) -> errors.Explanation:
    return errors.Explanation(
        f"profile `{name}` of {file}", code="storage.who.profile", parameters={"name": name, "file": file}
    )


def _of_machine(role: str) -> errors.Explanation:
    return errors.Explanation(f"role {role} of this machine", code="storage.who.machine", parameters={"name": role})


def _of_role(role: str, token: str) -> errors.Explanation:
    return errors.Explanation(f"role {role} ({token})", code="storage.who.role", parameters={"name": role})


def _of_secret(secret: settings.Secret, environment: Mapping[str, str]) -> Found:
    if secret.anonymous:
        return Found(of_anonymous_secret(secret.name), anonymous=True)
    if secret.profile:
        found = _profile({**environment, "AWS_PROFILE": secret.profile})
        if found is not None:
            return found
    if secret.key:
        return Found(of_secret(secret.name), _keys(secret.key, secret.secret, secret.token))
    raise empty(secret.name)


def empty(name: str) -> errors.BadInput:
    return errors.BadInput(
        f"the secret `{name}` has no credentials",
        hint=f"add `key` and `secret`, `token` or `profile` to [secrets.{name}], or `anonymous = true`",
        code="storage.empty_secret",
        name=name,
    )


def _keys(key: str, secret: str, token: str = "") -> dict[str, str]:
    keys = {"access_key_id": key, "secret_access_key": secret}
    return keys | {"session_token": token} if token else keys


def _variables(environment: Mapping[str, str], *names: tuple[str, str, str]) -> Found | None:
    for key, secret, token in names:
        if environment.get(key) and environment.get(secret):
            keys = _keys(environment[key], environment[secret], environment.get(token, ""))
            return Found(of_variable(key), keys)
    return None


# ---- S3


def _aws_variables(environment: Mapping[str, str]) -> Found | None:
    if environment.get("AWS_SKIP_SIGNATURE", "").lower() in ("1", "true"):
        return Found(unsigned_by("AWS_SKIP_SIGNATURE"), anonymous=True)
    return _variables(environment, ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"))


def aws_section(environment: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Returns the name of the profile and what both files say of it."""
    name = environment.get("AWS_PROFILE") or environment.get("AWS_DEFAULT_PROFILE") or "default"
    home = environment.get("HOME", os.path.expanduser("~"))  # noqa: PTH111
    shared = environment.get("AWS_SHARED_CREDENTIALS_FILE") or f"{home}/.aws/credentials"
    config = environment.get("AWS_CONFIG_FILE") or f"{home}/.aws/config"
    heading = name if name == "default" else f"profile {name}"
    return name, _section(config, heading) | _section(shared, name)


def _profile(environment: Mapping[str, str]) -> Found | None:
    name, section = aws_section(environment)
    who = _of_profile(name, "~/.aws")
    if not section:
        if environment.get("AWS_PROFILE"):
            raise errors.BadInput(
                f"the profile `{name}` does not exist in ~/.aws",
                hint="`aws configure list-profiles` lists them; AWS_PROFILE selects one",
                code="storage.no_profile",
                name=name,
            )
        return None
    place = {"region": section.get("region", ""), "endpoint": section.get("endpoint_url", "")}
    if section.get("aws_access_key_id") and section.get("aws_secret_access_key"):
        keys = _keys(
            section["aws_access_key_id"], section["aws_secret_access_key"], section.get("aws_session_token", "")
        )
        return Found(who, keys, **place)  # type: ignore[arg-type]
    if section.get("credential_process"):
        command = section["credential_process"]
        return Found(who, provider=lambda: _of_process(command), **place)  # type: ignore[arg-type]
    if "role_arn" in section or any(key.startswith("sso_") for key in section):
        return Found(who, provider=_boto3(name), **place)  # type: ignore[arg-type]
    return None


def _of_process(command: str) -> dict[str, Any]:
    done = subprocess.run(
        shlex.split(command), check=True, capture_output=True, timeout=PROCESS_TIMEOUT_SECS, stdin=subprocess.DEVNULL
    )
    return _credential(json.loads(done.stdout))


def _boto3(profile: str) -> Provider:
    """Roles and single sign-on of profiles are boto3's: they need several services of AWS."""
    try:
        import boto3  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise errors.Missing(
            f"the profile `{profile}` uses a role or single sign-on, which needs `boto3`",
            hint="pip install boto3",
            code="package.missing",
            package="boto3",
            command="pip install boto3",
        ) from error
    session = boto3.Session(profile_name=profile)

    def provide() -> dict[str, Any]:
        credentials = session.get_credentials()
        frozen = credentials.get_frozen_credentials()
        expires = getattr(credentials, "_expiry_time", None)
        return {
            "access_key_id": frozen.access_key,
            "secret_access_key": frozen.secret_key,
            "token": frozen.token,
            "expires_at": expires,
        }

    return provide


def _aws_roles(environment: Mapping[str, str]) -> Found | None:
    """Roles that obstore follows itself, by variables of the cluster or the container."""
    if environment.get("AWS_WEB_IDENTITY_TOKEN_FILE") and environment.get("AWS_ROLE_ARN"):
        names = ("AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN", "AWS_ROLE_SESSION_NAME", "AWS_STS_ENDPOINT")
        config = {name.removeprefix("AWS_").lower(): environment[name] for name in names if environment.get(name)}
        return Found(_of_role(environment["AWS_ROLE_ARN"], "web identity"), config)
    container = (
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    )
    config = {name.removeprefix("AWS_").lower(): environment[name] for name in container if environment.get(name)}
    who = errors.Explanation("the role of the container", code="storage.who.container")
    return Found(who, config) if config else None


def _aws_instance(environment: Mapping[str, str]) -> Found | None:
    if environment.get("AWS_EC2_METADATA_DISABLED", "").lower() == "true":
        return None
    base = environment.get("AWS_METADATA_ENDPOINT", "").rstrip("/")
    base = f"{base}/latest" if base else _AWS_INSTANCE
    try:
        role = _aws_metadata(base, "/meta-data/iam/security-credentials/").splitlines()[0]
    except (OSError, IndexError):
        return None
    where = f"/meta-data/iam/security-credentials/{role}"
    return Found(_of_machine(role), provider=lambda: _credential(json.loads(_aws_metadata(base, where))))


def _aws_metadata(base: str, path: str) -> str:
    headers = {"X-aws-ec2-metadata-token-ttl-seconds": "300"}
    token = _fetch(f"{base}/api/token", method="PUT", headers=headers)
    return _fetch(base + path, headers={"X-aws-ec2-metadata-token": token})


# ---- OSS


def _oss_variables(environment: Mapping[str, str]) -> Found | None:
    return _variables(
        environment,
        ("OSS_ACCESS_KEY_ID", "OSS_ACCESS_KEY_SECRET", "OSS_SESSION_TOKEN"),
        ("ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET", "ALIBABA_CLOUD_SECURITY_TOKEN"),
        ("ALICLOUD_ACCESS_KEY", "ALICLOUD_SECRET_KEY", "ALICLOUD_SECURITY_TOKEN"),
    )


def _oss_files(environment: Mapping[str, str]) -> Found | None:
    home = environment.get("HOME", os.path.expanduser("~"))  # noqa: PTH111
    util = _section(f"{home}/.ossutilconfig", "Credentials") or _section(f"{home}/.ossutilconfig", "default")
    if util.get("accesskeyid") and util.get("accesskeysecret"):
        keys = _keys(util["accesskeyid"], util["accesskeysecret"], util.get("ststoken", ""))
        return Found(
            _of_profile("Credentials", "~/.ossutilconfig"),
            keys,
            region=util.get("region", ""),
            endpoint=util.get("endpoint", ""),
        )
    file = environment.get("ALIBABA_CLOUD_CREDENTIALS_FILE") or f"{home}/.alibabacloud/credentials"
    name = environment.get("ALIBABA_CLOUD_PROFILE") or "default"
    section = _section(file, name)
    if section.get("access_key_id") and section.get("access_key_secret"):
        keys = _keys(section["access_key_id"], section["access_key_secret"], section.get("security_token", ""))
        return Found(_of_profile(name, "~/.alibabacloud"), keys)
    return None


def _oss_oidc(environment: Mapping[str, str]) -> Found | None:
    """RRSA: the token of a service account of Kubernetes, exchanged for keys of a role."""
    names = ("ALIBABA_CLOUD_ROLE_ARN", "ALIBABA_CLOUD_OIDC_PROVIDER_ARN", "ALIBABA_CLOUD_OIDC_TOKEN_FILE")
    role, issuer, file = (environment.get(name, "") for name in names)
    if not (role and issuer and file):
        return None
    host = environment.get("ALIBABA_CLOUD_STS_ENDPOINT") or "sts.aliyuncs.com"
    session = environment.get("ALIBABA_CLOUD_ROLE_SESSION_NAME") or "lightboard"

    def provide() -> dict[str, Any]:
        with open(file, encoding="utf-8") as stream:
            token = stream.read()
        fields = {
            "Action": "AssumeRoleWithOIDC", "Version": "2015-04-01", "Format": "JSON", "RoleArn": role,
            "OIDCProviderArn": issuer, "OIDCToken": token, "RoleSessionName": session,
            "Timestamp": dt.datetime.now(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "SignatureNonce": os.urandom(16).hex(),
        }  # fmt: skip
        url = host if "://" in host else f"https://{host}"
        answer = json.loads(
            _fetch(f"{url}/", method="POST", data=urllib.parse.urlencode(fields).encode(), timeout_secs=20.0)
        )
        return _credential(answer["Credentials"])

    return Found(_of_role(role, "OIDC"), provider=provide)


def _oss_instance(environment: Mapping[str, str]) -> Found | None:
    if environment.get("ALIBABA_CLOUD_ECS_METADATA_DISABLED", "").lower() == "true":
        return None
    base = f"{_ALIBABA_INSTANCE}/meta-data/ram/security-credentials/"
    try:
        role = environment.get("ALIBABA_CLOUD_ECS_METADATA") or _fetch(base).splitlines()[0]
    except (OSError, IndexError):
        return None
    return Found(_of_machine(role), provider=lambda: _credential(json.loads(_fetch(base + role))))


# ---- MinIO


def _minio_variables(environment: Mapping[str, str]) -> Found | None:
    return _variables(
        environment,
        ("MINIO_ACCESS_KEY", "MINIO_SECRET_KEY", "MINIO_SESSION_TOKEN"),
        ("MINIO_ROOT_USER", "MINIO_ROOT_PASSWORD", ""),
    )


_S3 = (_aws_variables, _profile, _aws_roles, _aws_instance)
_MINIO = (_minio_variables, _aws_variables, _profile, _aws_roles)
_OSS = (_oss_variables, _oss_files, _oss_oidc, _oss_instance)


# ---- what several use


def _section(file: str, name: str) -> dict[str, str]:
    """A section of an INI file; {} if there is none, or the file cannot be read."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        with open(file, encoding="utf-8") as stream:
            parser.read_file(stream)
    except (OSError, configparser.Error, UnicodeDecodeError):
        return {}
    return dict(parser.items(name)) if parser.has_section(name) else {}


def _credential(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Turns the JSON of a role into obstore's credential; both clouds use nearly the same names."""
    expires = answer.get("Expiration")
    return {
        "access_key_id": answer["AccessKeyId"],
        "secret_access_key": answer.get("SecretAccessKey") or answer["AccessKeySecret"],
        "token": answer.get("SessionToken") or answer.get("SecurityToken") or answer.get("Token"),
        "expires_at": dt.datetime.fromisoformat(expires.replace("Z", "+00:00")) if expires else None,
    }


def _fetch(
    url: str,
    *,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    data: bytes | None = None,
    timeout_secs: float = ROLE_TIMEOUT_SECS,
) -> str:
    """Metadata services are never asked through a proxy."""
    request = urllib.request.Request(url, data=data, headers=dict(headers or {}), method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=timeout_secs) as answer:
        return str(answer.read(1 << 20).decode())
