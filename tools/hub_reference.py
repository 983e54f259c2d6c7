"""Write docs/reference/hub-api.md from the table of routes of the hub. A test fails if it is out of date.

python tools/hub_reference.py          write it
python tools/hub_reference.py --check  only report whether it is up to date
"""

from __future__ import annotations

import inspect
import itertools
import json
import pathlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lightboard.client import hub_errors
from lightboard.hub.api import openapi, table
from lightboard.hub.api.routes import Route
from lightboard.hub.people import may

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "reference" / "hub-api.md"

INTRODUCTION = """\
# REST API of the hub

*Generated from the table of routes by `tools/hub_reference.py`; do not edit.*

Everything that the page, `lightboard hub …` and `lightboard.hub` do goes through this API, below `/api/v1`. A hub
describes it itself as OpenAPI 3.1: `GET /api/v1/openapi.json`.

```
curl -H "Authorization: Bearer $LIGHTBOARD_HUB_TOKEN" "$LIGHTBOARD_HUB/api/v1/boards?state=Running"
```

- **Identity**: `Authorization: Bearer TOKEN`, or the cookie of a browser that has signed in. Requests with a cookie
  that change something need the header `X-Lightboard-CSRF` (member `csrf` of `GET /me`) and come from a page of the
  hub.
- **What one may not see is not found**: the answer is 404, as if it did not exist. 403 is for what one sees, but may
  not do.
- **Times** are ISO 8601 in UTC (`2026-11-18T06:10:00.123Z`), `null` for never. **Durations** are seconds or texts
  (`"90s"`, `"1h30m"`, `"7d"`, `"never"`); in answers they are seconds, 0 is never, `null` is inherited.
- **Lists** are `{"items": [], "next_page_token": ""}`; `limit` and `page_token` page through them.
- **Users** are named by their name or id, **workspaces** by their id.
- **Repeating**: commands (`:start`, `:stop`, `:keepalive`, `DELETE`) may be repeated. `POST /boards` with the header
  `Idempotency-Key` makes one board, however often it is sent. `PATCH /boards/{board}` with `If-Match: GENERATION` fails
  with 412 if somebody changed the board meanwhile.
- **Waiting**: commands return at once, with the board's `generation`. `GET /boards/{board}?wait=60&generation=G` is
  held until that command is done, or the time is over.
- **Bodies** are JSON of at most 1 MB. A member that does not exist is refused.
"""

ROLES = """\
## Who may do what

Each route has an action; the hub decides by the action and the thing it is about. Roles are viewer, editor, admin and
owner of a workspace, each with all that the one before may do. Admins of the hub may do everything.

A private board, or one that is shared by link, is seen by its owner and by admins of its workspace only. A public board
is opened by everybody, also without an account.

| action | who may |
|---|---|
"""

OUTSIDE = """\
## Addresses outside `/api/v1`

| address | |
|---|---|
| `/` | the page of the hub |
| `/boards/{board}/…` | the board itself; opening it starts a stopped one. Until it answers, programs get 503 |
| `/s/{link}` | a shared link: sets a cookie for one board, then redirects to it |
| `/healthz` | 200 while the process lives |
| `/readyz` | 200 if database and keeper work, otherwise 503 |
| `/metrics` | numbers for Prometheus ([monitor a hub](../howto/hub-monitor.md)) |
"""

ERRORS = """\
## Errors

Errors are `application/problem+json` (RFC 9457):

```json
{"type": "about:blank", "title": "…", "status": 422, "code": "SecretNotFound", "message": "…", "hint": "…"}
```

`code` is for programs and does not change; `message` says what is wrong, `hint` what to do.

| code | status | meaning |
|---|---|---|
"""

# Members of a board in answers; a test compares it with the code.
BOARD = {
    "id": "`b-…`, part of its address",
    "name": "for people; several boards may have the same",
    "workspace": "id of its workspace",
    "owner": "name of a user",
    "state": "Pending, Starting, Running, Idle, Stopping, Stopped, Failed or Deleting",
    "reason": "of Stopped: User, IdleReclaimed, MaxRuntime or Admin; of Failed: a code",
    "message": "of Failed: what went wrong, with the last lines of the log",
    "desired": "Run, Stop or Delete",
    "url": "the board itself",
    "sources": "list of {`uri`, `prefix`, `secret`}",
    "type": "local, claim, s3, oss, gs, az, web, or mixed",
    "visibility": "private, workspace, link or public",
    "labels": "table of texts",
    "source_type": "what the board was made for, such as TrainingJob",
    "source_id": "the id of that",
    "wake_on_open": "whether opening the link starts it",
    "created": "time",
    "last_activity": "when somebody last used it",
    "state_since": "time",
    "started": "when it answered after its last start",
    "idle_at": "when it becomes Idle if nobody uses it",
    "reclaim_at": "when it is stopped if nobody uses it",
    "runtime_ends_at": "when it is stopped, used or not",
    "keep_alive_until": "until then it neither becomes idle nor is reclaimed",
    "generation": "grows with each command and change",
    "observed_generation": "the last one that was carried out",
    "idle_after": "as chosen for this board; `null`: inherited",
    "reclaim_after": "the same",
    "max_runtime": "the same",
    "effective": "the times that count: {`idle_after`, `reclaim_after`, `max_runtime`}",
    "problems": "sources that cannot be read: list of {`uri`, `code`, `message`}",
    "may": "what the client may: read, open, command, edit, delete, share, logs",
}

# Every code of an answer; a test compares it with the code.
CODES = {
    "BadRequest": ("400", "the request is not as the route wants it; the message names the member"),
    "InvalidUri": ("400", "not the address of logs, or one that this hub does not read"),
    "UnsupportedScheme": ("400", "nothing reads this kind of address"),
    "InvalidName": ("400", "a name that cannot be used"),
    "InvalidPassword": ("400", "too short or too long"),
    "InvalidPath": ("400", "not the name of a file of logs, or one that leaves the upload"),
    "InvalidPart": ("400", "a body of an upload that is not made of parts"),
    "InvalidDuration": ("400", "not a duration, or outside of what an admin allows"),
    "InvalidScope": ("400", "not a scope of tokens, or one of a workspace that the user does not reach"),
    "InvalidManifest": ("400", "not a manifest of a board; the message names the field"),
    "Unauthenticated": ("401", "no token or session, or one that has ended"),
    "WrongPassword": ("401, 403", "at signing in, or the old password at a change"),
    "SignatureDoesNotMatch": ("403", "a signed request with a wrong key, secret, time, nonce or body"),
    "InsecureTransport": ("403", "a signed request that came over http from another machine"),
    "Forbidden": ("403", "seen, but not allowed; also a write without `X-Lightboard-CSRF`"),
    "UploadQuotaExceeded": ("403", "more bytes or files than may be uploaded; the message says whose quota it is"),
    "TensorboardLimitExceeded": (
        "403",
        "as many boards are active as may be: `limit`, `used`, `scope`, and `boards` that could be stopped",
    ),
    "NotFound": ("404", "does not exist, or is not for the eyes of the client"),
    "MethodNotAllowed": ("405", "the address has other methods: header `Allow`"),
    "RequestTimeout": ("408", "the request came too slowly"),
    "Conflict": ("409", "something else first: the last admin, a workspace with boards, a secret in use"),
    "NameConflict": ("409", "the name is taken"),
    "BoardActive": ("409", "only a stopped board gets another owner"),
    "TooManyShares": ("409", "the board has as many links as it may have: revoke some"),
    "JobRuns": ("409", "the job runs: stop it, then delete it"),
    "NoBoard": ("409", "the job cannot have a board: it has no log directory, or its user may not create boards"),
    "UploadBusy": ("409", "another client sends this upload: wait until it is silent, or take over"),
    "SessionEnded": ("409", "another client took over: begin again"),
    "OffsetMismatch": ("409", "the part does not follow what the hub has: `path`, `size`, `checksum`"),
    "ChecksumMismatch": ("409", "the bytes do not have the checksum that was sent: send them again"),
    "FileBusy": ("409", "another request writes this file"),
    "PathConflict": ("409", "a file is where a directory is wanted, or the other way round"),
    "BoardNotRunning": ("409", "the command needs a running board"),
    "Gone": ("410", "a one-time link that was used or has expired"),
    "LengthRequired": ("411", "a body without a length"),
    "GenerationConflict": ("412", "somebody changed it meanwhile: read it again"),
    "BodyTooLarge": ("413", "more than 1 MB"),
    "UnsupportedMediaType": ("415", "the body is not JSON"),
    "MisdirectedRequest": ("421", "the hub is not known by the name in the header `Host`: set `url` in hub.toml"),
    "UserNotFound": ("422", "no user has this name"),
    "NotAMember": ("422", "the user is not a member of the workspace"),
    "PublicNotConfirmed": ("422", '`visibility` "public" needs `confirm_public`: true'),
    "Unprocessable": ("422", "understood, but not possible"),
    "SecretNotFound": ("422", "the workspace has no secret of this name"),
    "SecretUnfit": ("422", "the secret is of another kind, or is for another server"),
    "SecretKeyMissing": ("422", "the secret lacks what its kind needs"),
    "SecretUnreadable": ("422", "the secret was saved with another key of the hub"),
    "PvcNotFound": ("422", "no directory is named for the claim"),
    "NetworkRefused": ("422", "the server is inside a private network that the admin does not allow"),
    "SourceUnreadable": ("422", "the source was tried and cannot be read; other codes say more"),
    "IdempotencyKeyReused": ("422", "the key came before, with another request"),
    "RateLimited": ("429", "too many attempts or looks at once: header `Retry-After`"),
    "InternalError": ("500", "a mistake of the hub, which is in its log"),
    "NotImplemented": ("501", "this hub cannot do it"),
    "StorageFull": ("507", "the disk of the hub is full; what was acknowledged is stored"),
    "StorageUnavailable": ("503", "the bucket of uploads refuses; the message has its reason"),
    "Unavailable": ("503", "the hub or the board is not ready: header `Retry-After`"),
}

EXITS = """\
## Exit codes

Of `lightboard hub VERB` and `lightboard login`; for scripts.

| code | meaning |
|---|---|
| 0 | done |
"""
EXIT_MEANINGS = {
    1: "anything else: no connection, a mistake of the hub, too many attempts",
    2: "the command line or the request is wrong, or a name is ambiguous",
    3: "not found",
    4: "not signed in, or not allowed",
    5: "the limit of active boards is reached",
    6: "the board did not start",
    7: "it took longer than `--timeout`",
}


def page() -> str:
    """The whole text."""
    routes = table.all_routes()
    document = openapi.document(routes)
    parts = [INTRODUCTION, ROLES + "\n".join(_roles()) + "\n"]
    by_noun = itertools.groupby(sorted(routes, key=lambda each: _order(routes, each)), key=_noun)
    parts.append("## A board\n\n| member | meaning |\n|---|---|")
    parts += [f"| `{name}` | {text} |" for name, text in BOARD.items()]
    parts.append("")
    for noun, found in by_noun:
        parts.append(f"## {noun}\n")
        parts += [_route(each, document) for each in found]
    errors = [f"| `{code}` | {status} | {text} |" for code, (status, text) in CODES.items()]
    exits = [f"| {code} | {text} |" for code, text in EXIT_MEANINGS.items()]
    parts += [OUTSIDE, ERRORS + "\n".join(errors) + "\n", EXITS + "\n".join(exits) + "\n"]
    return "\n".join(parts)


def _noun(route: Route) -> str:
    return re.split(r"[/:{.]", route.path.strip("/"))[0]


def _order(routes: Sequence[Route], route: Route) -> tuple[int, int]:
    """Nouns in the order of their first route."""
    nouns = list(dict.fromkeys(map(_noun, routes)))
    return nouns.index(_noun(route)), routes.index(route)


def _roles() -> Iterator[str]:
    for action in may.Action:
        yield f"| `{action.value}` | {_who(action)} |"


def _who(action: may.Action) -> str:
    """From the tables of `hub/people/may.py`."""
    if action in may._LEAST_BOARD:
        return f"the owner of the board, {may._LEAST_BOARD[action].value}s of its workspace and above"
    if action in may._LEAST_JOB:
        return f"the user of the job, {may._LEAST_JOB[action].value}s of its workspace and above"
    if action is may.Action.JOB_REPORT:
        return "the user of the job"
    if action in may._LEAST:
        more = "; everybody may leave" if action is may.Action.MEMBERS_REMOVE else ""
        above = "" if may._LEAST[action] is may.Role.OWNER else " and above"
        return f"{may._LEAST[action].value}s of the workspace{above}{more}"
    if action is may.Action.WORKSPACE_CREATE:
        return "everybody signed in, if `self_service` is on"
    if action in may._FOR_EVERYBODY:
        return "everybody signed in"
    if action in (may.Action.OWN_READ, may.Action.OWN_EDIT):
        return "everybody, for their own account"
    return "admins of the hub"


def _route(route: Route, document: Mapping[str, Any]) -> str:
    operation = document["paths"][openapi.PREFIX + route.path][route.method.lower()]
    who = f"`{route.action.value}`" if route.action is not None else "everybody, also without an account"
    about = route.about.rstrip(".")
    lines = [f"### `{route.method} {route.path}`", "", f"{about}. Action: {who}." if about else f"Action: {who}.", ""]
    query = [each for each in operation["parameters"] if each["in"] in ("query", "header")]
    if query:
        lines += ["| parameter | type |", "|---|---|"]
        lines += [
            f"| `{each['name']}`{_star(each['required'])} | {_type(each['schema'], document)} |" for each in query
        ]
        lines.append("")
    body = operation.get("requestBody")
    if body is not None:
        if "application/json" in body["content"]:
            lines += _members(body["content"]["application/json"]["schema"], document)
        else:
            lines += [f"The body is `{next(iter(body['content']))}`.", ""]
    success = [code for code in operation["responses"] if code < "400"]
    told = next((text for code in success if (text := _answered(operation, code, document))), "")
    lines += [f"Answer: {' or '.join(success)}{told}.", ""]
    return "\n".join(lines)


def _members(schema: Mapping[str, Any], document: Mapping[str, Any]) -> list[str]:
    found = _resolved(schema, document)
    if not found.get("properties"):
        return []
    required = found.get("required", ())
    lines = ["| member of the body | type |", "|---|---|"]
    for name, kind in found["properties"].items():
        lines.append(f"| `{name}`{_star(name in required)} | {_type(kind, document)} |")
    return [*lines, ""]


def _answered(operation: Mapping[str, Any], code: str, document: Mapping[str, Any]) -> str:
    content = operation["responses"][code].get("content", {})
    for media_type, each in content.items():
        if media_type != "application/json":
            return f" `{media_type}`"
        shown = _resolved(each["schema"], document)
        if set(shown.get("properties", ())) == set(BOARD):
            return " with a [board](#a-board)"
        names = ", ".join(f"`{name}`" for name in shown.get("properties", {}))
        return f" with {names}" if names else ""
    return ""


def _resolved(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _star(required: bool) -> str:
    return " (required)" if required else ""


def _type(schema: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(each, document) for each in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f"`{each}`" for each in schema["enum"])
    if "$ref" in schema:
        found = _resolved(schema, document)
        if "enum" in found:
            return _type(found, document)
        return "{" + ", ".join(f"`{name}`" for name in found.get("properties", {})) + "}"
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items') or {}, document)}"
    if schema.get("type") == "object":
        return "table"
    word = {"integer": "number", "boolean": "true or false", "string": "text", "null": "null"}
    default = schema.get("default")
    text = word.get(str(schema.get("type", "")), str(schema.get("type", "any")))
    return f"{text}, default `{json.dumps(default)}`" if default not in (None, "", False) else text


def exit_codes() -> set[int]:
    """Of the errors of the client."""
    found = (
        each for _, each in inspect.getmembers(hub_errors, inspect.isclass) if issubclass(each, hub_errors.HubError)
    )
    return {each.exit_code for each in found}


def main() -> int:
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print("docs/reference/hub-api.md is out of date: run `make generate`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
