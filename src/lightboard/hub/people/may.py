"""The one function that decides who may do what: `may(identity, action, thing)`.

Pure. The caller looks up the identity and the thing, with the identity's role in the thing's workspace. Who may not see
a thing gets the same answer as if it did not exist: callers ask `sees` first.

    hub        admins of the hub only, but for what everybody signed in may do
    workspace  by role: viewer < editor < admin < owner
    board      by role and visibility; owners of a board may do everything with it
    job        by role; users may do everything with their jobs, and only they report about them
    own        sessions, tokens and the account of somebody: only themselves

Admins of the hub may do everything, except to act as somebody else. A token may do what its user may, within its
scopes. A share opens one board and nothing else.
"""

from __future__ import annotations

import dataclasses
import enum

from lightboard.hub.life import accounts, jobs, nouns

Role = accounts.Role


class Action(str, enum.Enum):
    # the hub
    HUB_READ = "hub.read"  # version, limits, who am I
    HUB_ADMIN = "hub.admin"  # users, settings, quotas, the audit log, all workspaces
    WORKSPACE_CREATE = "workspace.create"
    BOARD_LIST = "board.list"  # of all workspaces; the answer has only what `sees` allows
    WORKSPACE_LIST = "workspace.list"  # likewise
    PEOPLE_FIND = "people.find"  # names of others, to make them members
    # somebody's own
    OWN_READ = "own.read"
    OWN_EDIT = "own.edit"
    # a workspace
    WORKSPACE_READ = "workspace.read"
    WORKSPACE_EDIT = "workspace.edit"
    WORKSPACE_DELETE = "workspace.delete"
    MEMBERS_EDIT = "members.edit"
    MEMBERS_REMOVE = "members.remove"  # everybody may leave
    OWNERS_EDIT = "owners.edit"
    SECRETS_READ = "secrets.read"  # names and what may be shown, never the secret
    SECRETS_EDIT = "secrets.edit"
    BOARD_CREATE = "board.create"
    # a board
    BOARD_READ = "board.read"
    BOARD_OPEN = "board.open"  # its page and data; starts it if it was stopped
    BOARD_COMMAND = "board.command"  # start, stop, keep alive
    BOARD_EDIT = "board.edit"
    BOARD_DELETE = "board.delete"
    BOARD_SHARE = "board.share"
    BOARD_LOGS = "board.logs"
    # jobs
    JOB_LIST = "job.list"  # of all workspaces; the answer has only what `sees` allows
    JOB_CREATE = "job.create"  # in a workspace
    JOB_READ = "job.read"
    JOB_LOGS = "job.logs"  # its console, environment and uncommitted changes
    JOB_COMMAND = "job.command"  # stop it, change its labels, make its board
    JOB_REPORT = "job.report"  # as its runner
    JOB_DELETE = "job.delete"


@dataclasses.dataclass(frozen=True)
class Identity:
    """Who asks. Without a user: anonymous, or the bearer of a share."""

    user: accounts.User | None = None
    via: str = "nobody"  # session, token, key (a signature), frame, share, nobody
    scopes: tuple[str, ...] = ()  # of a token; empty: everything that the user may
    shared_board: str = ""  # of a share
    session: str = ""  # id of a session: writes need its CSRF token

    @property
    def name(self) -> str:
        return self.user.name if self.user is not None else "share" if self.shared_board else "nobody"


@dataclasses.dataclass(frozen=True)
class Hub:
    """The hub itself; `self_service`: everybody signed in may create workspaces."""

    self_service: bool = True


@dataclasses.dataclass(frozen=True)
class Own:
    """Something that belongs to a user: a session, a token, the account."""

    user: str


@dataclasses.dataclass(frozen=True)
class InWorkspace:
    """A workspace; `role` is the identity's role in it, None: no member. `member` is whom an action is about."""

    workspace: str
    role: Role | None
    member: str = ""


@dataclasses.dataclass(frozen=True)
class OneBoard:
    board: nouns.Board
    role: Role | None  # in the board's workspace


@dataclasses.dataclass(frozen=True)
class OneJob:
    job: jobs.Job
    role: Role | None  # in the job's workspace


Thing = Hub | Own | InWorkspace | OneBoard | OneJob

# The lowest role that may do it to any thing of the workspace.
_LEAST = {
    Action.WORKSPACE_READ: Role.VIEWER,
    Action.SECRETS_READ: Role.EDITOR,
    Action.BOARD_CREATE: Role.EDITOR,
    Action.JOB_CREATE: Role.EDITOR,
    Action.WORKSPACE_EDIT: Role.ADMIN,
    Action.MEMBERS_EDIT: Role.ADMIN,
    Action.MEMBERS_REMOVE: Role.ADMIN,
    Action.SECRETS_EDIT: Role.ADMIN,
    Action.OWNERS_EDIT: Role.OWNER,
    Action.WORKSPACE_DELETE: Role.OWNER,
}
# Of boards that others in the workspace own.
_LEAST_BOARD = {
    Action.BOARD_READ: Role.VIEWER,
    Action.BOARD_OPEN: Role.VIEWER,
    Action.BOARD_LOGS: Role.EDITOR,
    Action.BOARD_COMMAND: Role.EDITOR,
    Action.BOARD_EDIT: Role.ADMIN,
    Action.BOARD_DELETE: Role.ADMIN,
    Action.BOARD_SHARE: Role.ADMIN,
}
# Of jobs that others in the workspace run. Nobody else reports about them.
_LEAST_JOB = {
    Action.JOB_READ: Role.VIEWER,
    Action.JOB_LOGS: Role.EDITOR,
    Action.JOB_COMMAND: Role.EDITOR,
    Action.JOB_DELETE: Role.ADMIN,
}
_LISTS = frozenset({Action.BOARD_LIST, Action.WORKSPACE_LIST, Action.JOB_LIST})
_FOR_EVERYBODY = frozenset({Action.HUB_READ, Action.WORKSPACE_CREATE, Action.PEOPLE_FIND}) | _LISTS
_READING = _LISTS | {
    Action.BOARD_READ, Action.BOARD_OPEN, Action.BOARD_LOGS, Action.WORKSPACE_READ, Action.JOB_READ, Action.JOB_LOGS,
}  # fmt: skip
# What a scope of a token allows; `scope!workspace=ID` only there.
SCOPES = {
    "boards:read": _READING,
    "boards:write": _READING
    | {
        Action.BOARD_CREATE, Action.BOARD_COMMAND, Action.BOARD_EDIT, Action.BOARD_DELETE, Action.BOARD_SHARE,
        Action.SECRETS_READ, Action.JOB_CREATE, Action.JOB_COMMAND, Action.JOB_REPORT, Action.JOB_DELETE,
    },
    "workspaces:write": frozenset(_LEAST)
    | {Action.WORKSPACE_CREATE, Action.WORKSPACE_LIST, Action.PEOPLE_FIND},
    "own": frozenset({Action.OWN_READ, Action.OWN_EDIT}),
    "admin": frozenset(Action),
}  # fmt: skip


def may(identity: Identity, action: Action, thing: Thing) -> bool:
    if identity.user is not None and not identity.user.enabled:
        return False
    if not _in_scope(identity, action, thing):
        return False
    if isinstance(thing, OneBoard):
        return _may_with_board(identity, action, thing)
    if identity.user is None:
        return False
    if isinstance(thing, OneJob):
        return _may_with_job(identity.user, action, thing)
    if isinstance(thing, Hub):
        open_to_all = action in _FOR_EVERYBODY and (thing.self_service or action is not Action.WORKSPACE_CREATE)
        return identity.user.admin or open_to_all
    if isinstance(thing, Own):
        # a token that is only for the admin's own account does not reach the accounts of others
        theirs = thing.user == identity.user.id or may(identity, Action.HUB_ADMIN, Hub())
        return theirs and action in (Action.OWN_READ, Action.OWN_EDIT)
    least = _LEAST.get(action)
    if least is None:
        return False
    leaves = action is Action.MEMBERS_REMOVE and thing.member == identity.user.id and thing.role is not None
    return leaves or identity.user.admin or _has(thing.role, least)


def sees(identity: Identity, thing: Thing) -> bool:
    """Whether the thing exists for this identity: otherwise it is not found."""
    if isinstance(thing, OneBoard):
        return may(identity, Action.BOARD_READ, thing) or may(identity, Action.BOARD_OPEN, thing)
    if isinstance(thing, OneJob):
        return may(identity, Action.JOB_READ, thing)
    if isinstance(thing, InWorkspace):
        return may(identity, Action.WORKSPACE_READ, thing)
    if isinstance(thing, Own):
        return may(identity, Action.OWN_READ, thing)
    return may(identity, Action.HUB_READ, thing)


def workspace_of(thing: Thing) -> str:
    """ "" if it is in none."""
    if isinstance(thing, OneBoard):
        return thing.board.workspace
    if isinstance(thing, OneJob):
        return thing.job.workspace
    return thing.workspace if isinstance(thing, InWorkspace) else ""


def workspaces_of(identity: Identity) -> frozenset[str] | None:
    """The only workspaces whose boards a token may read; None: all of its user's."""
    if not identity.scopes:
        return None
    reading = [scope.partition("!workspace=") for scope in identity.scopes]
    named = {only for name, _, only in reading if Action.BOARD_READ in SCOPES.get(name, ())}
    return None if "" in named else frozenset(named)


def covers(scopes: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether a token with `scopes` may make one with `wanted`; without scopes: everything that its user may."""
    if not scopes:
        return True
    if not wanted:
        return "admin" in scopes
    return all(any(_covers(one, other) for one in scopes) for other in wanted)


def _covers(scope: str, wanted: str) -> bool:
    (name, _, only), (other, _, other_only) = scope.partition("!workspace="), wanted.partition("!workspace=")
    known = name in SCOPES and other in SCOPES
    return known and only in ("", other_only) and SCOPES[other] <= SCOPES[name]


def _may_with_board(identity: Identity, action: Action, thing: OneBoard) -> bool:
    board, user = thing.board, identity.user
    if board.state is nouns.State.DELETING and action is not Action.BOARD_READ:
        return False
    if user is None:
        shared = identity.shared_board == board.id or board.visibility is nouns.Visibility.PUBLIC
        return shared and action is Action.BOARD_OPEN
    if user.admin:
        return action in _LEAST_BOARD
    if user.id == board.owner and thing.role is not None:
        return action in _LEAST_BOARD
    least = _LEAST_BOARD.get(action)
    if least is None:
        return False
    if board.visibility in (nouns.Visibility.PRIVATE, nouns.Visibility.LINK):
        # others see it only if they manage the workspace, or have its link
        if _has(thing.role, Role.ADMIN):
            return True
        return identity.shared_board == board.id and action is Action.BOARD_OPEN
    if board.visibility is nouns.Visibility.PUBLIC and action in (Action.BOARD_READ, Action.BOARD_OPEN):
        return True
    return _has(thing.role, least)


def _may_with_job(user: accounts.User, action: Action, thing: OneJob) -> bool:
    if user.id == thing.job.user and thing.role is not None:
        return action in _LEAST_JOB or action is Action.JOB_REPORT
    least = _LEAST_JOB.get(action)
    return least is not None and (user.admin or _has(thing.role, least))


def _has(role: Role | None, least: Role) -> bool:
    return role is not None and role.rank >= least.rank


def _in_scope(identity: Identity, action: Action, thing: Thing) -> bool:
    if not identity.scopes:
        return True
    return any(_allows(scope, action, thing) for scope in identity.scopes)


def _allows(scope: str, action: Action, thing: Thing) -> bool:
    name, _, only = scope.partition("!workspace=")
    if action is Action.HUB_READ and not only:
        return True
    if only and action not in _LISTS and workspace_of(thing) != only:
        return False
    return action in SCOPES.get(name, frozenset())
