"""Pages that are shown instead of a board: it wakes, has failed, was stopped, a limit is reached, there is none.

Plain HTML in English and Chinese, light and dark. `assets/board.js` follows the progress and reloads the page when the
board answers; without scripts the page reloads itself. Everything in a page that people wrote is escaped.
"""

from __future__ import annotations

import html
import urllib.parse
from collections.abc import Sequence

from lightboard.hub import door
from lightboard.hub.server import answers

STYLE, SCRIPT = "/hub/board.css", "/hub/board.js"
SIGN_IN = "/hub/sign-in"
REFRESH_SECS = 2

_TEXTS = {
    "en": {
        "waking": "The board is starting",
        "waking.more": "This page opens the board as soon as it answers.",
        "absent": "Waiting to start…",
        "starting": "Starting…",
        "listing": "Looking for files…",
        "reading": "Reading {read} of {total} files ({percent} %)",
        "ready": "Opening…",
        "silent": "The board does not answer",
        "silent.more": "It is looked at now; this page tries again.",
        "failed": "The board could not be started",
        "stopped": "The board is stopped",
        "stopped.Admin": "An admin of the hub has stopped this board.",
        "stopped.closed": "This board does not start by itself when its link is opened.",
        "limit": "No more boards can run",
        "limit.more": "{used} of {limit} boards are active. Stop one of these, then reload this page:",
        "limit.none": "{used} of {limit} boards are active. Ask their owners to stop one, then reload this page.",
        "missing": "There is no such board",
        "missing.more": "It may have been deleted, or you may not see it.",
        "link": "This link has ended",
        "link.more": "It has expired, was revoked, or is incomplete. Ask for a new one.",
        "nowhere": "There is no such page",
        "sign_in": "Sign in to open this board",
        "start": "Start the board",
        "details": "Details of the board",
        "boards": "All boards",
        "hub": "Boards for a team. The page of this hub has not been built; its API is at",
    },
    "zh": {
        "waking": "看板正在启动",
        "waking.more": "看板就绪后会自动打开。",
        "absent": "等待启动…",
        "starting": "正在启动…",
        "listing": "正在查找文件…",
        "reading": "正在读取文件：{read} / {total}（{percent}%）",
        "ready": "正在打开…",
        "silent": "看板没有响应",
        "silent.more": "正在检查，页面会自动重试。",
        "failed": "看板启动失败",
        "stopped": "看板已停止",
        "stopped.Admin": "管理员停止了此看板。",
        "stopped.closed": "打开链接不会自动启动此看板。",
        "limit": "运行中的看板数量已达上限",
        "limit.more": "已有 {used} 个看板在运行（上限 {limit}）。请停止其中一个，然后刷新页面：",
        "limit.none": "已有 {used} 个看板在运行（上限 {limit}）。请联系其所有者停止一个，然后刷新页面。",
        "missing": "看板不存在",
        "missing.more": "看板可能已被删除，或者您没有查看权限。",
        "link": "链接已失效",
        "link.more": "链接已过期、被撤销或不完整，请重新获取。",
        "nowhere": "页面不存在",
        "sign_in": "登录后打开看板",
        "start": "启动看板",
        "details": "看板详情",
        "boards": "所有看板",
        "hub": "团队看板服务。此安装尚未构建页面，API 地址：",
    },
}
_REFRESH = f"<noscript><meta http-equiv=refresh content={REFRESH_SECS}></noscript>"
_PHASES = ("absent", "starting", "listing", "reading", "ready")


def sign_in(language: str, following: str) -> door.Reply:
    """Between the address of a board and the page that signs in, so that the script can add what is after `#`."""
    words = _TEXTS[language]
    address = _escaped(f"/#/sign-in?next={urllib.parse.quote(following, safe='')}")
    body = f'<p><a id=sign-in href="{address}" data-next="{_escaped(following)}">{_escaped(words["sign_in"])}</a></p>'
    refresh = f'<noscript><meta http-equiv=refresh content="0; url={address}"></noscript>'
    return _page(language, words["sign_in"], body, head=refresh)


def waking(language: str, name: str) -> door.Reply:
    words = _TEXTS[language]
    phases = "".join(f' data-{each}="{_escaped(words[each])}"' for each in _PHASES)
    body = (
        f"<p id=name>{_escaped(name)}</p>"
        f'<progress id=progress max=100 aria-label="{_escaped(words["waking"])}"></progress>'
        f'<p id=phase role=status aria-live=polite data-progress=".hub/progress"{phases}>'
        f"{_escaped(words['starting'])}</p><p class=more>{_escaped(words['waking.more'])}</p>"
    )
    return _page(language, words["waking"], body, head=_REFRESH)


def silent(language: str) -> door.Reply:
    """The board runs, but the connection to it failed."""
    words = _TEXTS[language]
    body = f"<p>{_escaped(words['silent.more'])}</p><p id=phase data-progress='.hub/progress' data-again></p>"
    return _page(language, words["silent"], body, status=502, head=_REFRESH)


def failed(language: str, board: str, name: str, *, reason: str, message: str, may_start: bool) -> door.Reply:
    """`message` has lines of the log: only for those who may read it."""
    words = _TEXTS[language]
    log = f"<pre tabindex=0>{_escaped(message)}</pre>" if message else ""
    body = f"<p id=name>{_escaped(name)}</p><p><code>{_escaped(reason)}</code></p>{log}"
    return _page(language, words["failed"], body + _ways(words, board, may_start=may_start), status=503)


def stopped(language: str, board: str, name: str, *, by_admin: bool, may_start: bool) -> door.Reply:
    words = _TEXTS[language]
    why = words["stopped.Admin" if by_admin else "stopped.closed"]
    body = f"<p id=name>{_escaped(name)}</p><p>{_escaped(why)}</p>"
    return _page(language, words["stopped"], body + _ways(words, board, may_start=may_start), status=503)


def limit(language: str, name: str, *, limit: int, used: int, boards: Sequence[tuple[str, str]]) -> door.Reply:
    """`boards`: (id, name) of active ones that the visitor may see."""
    words = _TEXTS[language]
    told = words["limit.more" if boards else "limit.none"].format(used=used, limit=limit)
    items = "".join(
        f'<li><a href="/#/boards/{urllib.parse.quote(each)}">{_escaped(title)}</a></li>' for each, title in boards
    )
    body = f"<p id=name>{_escaped(name)}</p><p>{_escaped(told)}</p>" + (f"<ul>{items}</ul>" if items else "")
    return _page(language, words["limit"], body + _ways(words, ""), status=403)


def missing(language: str) -> door.Reply:
    words = _TEXTS[language]
    return _page(language, words["missing"], f"<p>{_escaped(words['missing.more'])}</p>" + _ways(words, ""), status=404)


def ended_link(language: str) -> door.Reply:
    words = _TEXTS[language]
    return _page(language, words["link"], f"<p>{_escaped(words['link.more'])}</p>", status=404)


def nowhere(language: str) -> door.Reply:
    words = _TEXTS[language]
    return _page(language, words["nowhere"], _ways(words, ""), status=404)


def unbuilt(language: str) -> door.Reply:
    """In place of the page of the hub."""
    told = _escaped(_TEXTS[language]["hub"])
    return _page(language, "Lightboard", f'<p>{told} <a href="/api/v1/openapi.json">/api/v1</a>.</p>')


def refused(language: str, message: str, hint: str, status: int) -> door.Reply:
    """Any other refusal."""
    return _page(language, message, f"<p>{_escaped(hint)}</p>", status=status)


def _ways(words: dict[str, str], board: str, *, may_start: bool = False) -> str:
    """Where to go from here."""
    start = ""
    if may_start:
        address = f"/api/v1/boards/{urllib.parse.quote(board)}:start"
        start = f'<button id=start data-start="{address}" hidden>{_escaped(words["start"])}</button> '
    details = f'<a href="/#/boards/{urllib.parse.quote(board)}">{_escaped(words["details"])}</a> ' if board else ""
    return f'<p class=ways>{start}{details}<a href="/#/boards">{_escaped(words["boards"])}</a></p>'


def _page(language: str, title: str, body: str, *, status: int = 200, head: str = "") -> door.Reply:
    code = {"en": "en", "zh": "zh-Hans"}[language]
    document = (
        f"<!doctype html><html lang={code}><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        "<meta name=color-scheme content='light dark'>"
        f"<meta name=robots content=noindex><title>{_escaped(title)}</title>{head}"
        f"<link rel=stylesheet href={STYLE}><script src={SCRIPT} defer></script></head>"
        f"<body><main><h1>{_escaped(title)}</h1>{body}</main></body></html>"
    )
    return door.Reply(status, document.encode(), answers.HTML, (answers.NO_STORE, (b"vary", b"accept-language")))


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)
