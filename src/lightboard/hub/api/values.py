"""Values in bodies and answers of several nouns: durations, policies, limits, texts, users."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

import msgspec

from lightboard.hub.api import problems, routes
from lightboard.hub.life import accounts, durations, names, nouns, policy

# In bodies: seconds, or a text such as "1h" or "never"; null: inherited. Members that are not there stay as they are.
Duration = float | str | None
MaybeDuration = float | str | None | msgspec.UnsetType
# Boards that may be active at once: null for no limit, "default" for that of the hub.
Limit = int | Literal["default"] | None
MaybeLimit = int | Literal["default"] | None | msgspec.UnsetType
MaybeText = str | msgspec.UnsetType
MaybeFlag = bool | msgspec.UnsetType
UNSET = msgspec.UNSET

MOST_BOARDS = 1_000_000
LONGEST_DESCRIPTION = 2000


class Policy(routes.Answer, frozen=True, kw_only=True):
    """Seconds; 0: never, null: inherited."""

    idle_after: float | None
    reclaim_after: float | None
    max_runtime: float | None


class SomePolicy(routes.Struct, frozen=True, kw_only=True):
    """Members of a policy to change."""

    idle_after: MaybeDuration = UNSET
    reclaim_after: MaybeDuration = UNSET
    max_runtime: MaybeDuration = UNSET


def policy_shown(value: nouns.Policy) -> Policy:
    return Policy(**{name.removesuffix("_secs"): getattr(value, name) for name in policy.MEMBERS})


def policy_changed(value: nouns.Policy, changes: Any) -> nouns.Policy:
    """`changes` has members of `SomePolicy`. Raises refusals.BadDuration."""
    members = {}
    for name in policy.MEMBERS:
        change = getattr(changes, name.removesuffix("_secs"))
        if change is not UNSET:
            members[name] = None if change is None else durations.parse(change)
    return dataclasses.replace(value, **members)


def effective(*policies: nouns.Policy) -> Policy:
    """What counts in the end, with 0 for never."""
    timing = policy.effective(*policies)
    values = {name: getattr(timing, name) for name in policy.MEMBERS}
    return Policy(
        **{name.removesuffix("_secs"): 0.0 if secs == float("inf") else secs for name, secs in values.items()}
    )


def checked_limit(limit: int | None, name: str) -> int | None:
    if limit is not None and not 0 <= limit <= MOST_BOARDS:
        raise problems.Problem(
            400, "BadRequest", f"`{name}` is a number from 0 to {MOST_BOARDS:,}", hint="null: no limit"
        )
    return limit


def put_limit(services: routes.Services, scope: str, limit: int | Literal["default"] | None) -> None:
    """Of an account or a workspace."""
    if limit == "default":
        services.database.settings.remove(scope, "quota")
    else:
        services.database.settings.put_limit(scope, checked_limit(limit, "boards_limit"))


def limit_of(services: routes.Services, scope: str) -> int | Literal["default"] | None:
    value = services.database.settings.get(scope, "quota")
    if value is None:
        return "default"
    limit: int | None = value["boards"]
    return limit


def checked_description(text: str) -> str:
    """Several lines are allowed."""
    if len(text) > LONGEST_DESCRIPTION:
        raise problems.Problem(400, "BadRequest", f"the description has more than {LONGEST_DESCRIPTION:,} characters")
    if any((ord(each) < 32 and each not in "\n\t") or 0xD800 <= ord(each) < 0xE000 for each in text):
        raise problems.Problem(400, "BadRequest", "the description has control characters")
    return text.strip()


def checked_display_name(text: str) -> str:
    return names.checked_name(text) if text.strip() else ""


def find_user(services: routes.Services, user: str) -> accounts.User:
    """By id or name. Raises NotFound."""
    people = services.database.people
    found = people.user(user) or people.user_named(user.strip().lower())
    if found is None:
        raise problems.not_found(f"user {user}")
    return found


def only_changed(before: nouns.Policy, after: nouns.Policy) -> nouns.Policy:
    """What an admin chose outside the bounds stays until it is changed."""
    members = {name: getattr(after, name) for name in policy.MEMBERS if getattr(after, name) != getattr(before, name)}
    return nouns.Policy(**members)
