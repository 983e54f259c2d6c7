"""`/api/activity`: pages say that they are visible; whoever manages boards asks when this one was last used."""

from __future__ import annotations

import dataclasses

from lightboard.server import context, endpoints
from lightboard.server.parameters import param

# A request of a browser comes from a page, which reports itself; everything else is a program.
BROWSER = b"sec-fetch-site"
PATH = "/api/activity"


@dataclasses.dataclass(frozen=True)
class ActivityQuestion:
    untouched_secs: float | None = param("POST: seconds since somebody touched the page, which is visible", None)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ActivityAnswer:
    """Times in seconds since 1970."""

    last_look: float  # a page was visible, or a program asked for data
    last_use: float  # … and the page had been touched within half an hour
    by: str  # "start", "page" or "request"


def answer(context: context.Context, question: ActivityQuestion, request: endpoints.Request) -> ActivityAnswer:
    if request.method == "POST" and question.untouched_secs is not None:
        context.activity.visible(question.untouched_secs)
    last = context.activity.last()
    return ActivityAnswer(last_look=last.looked, last_use=last.used, by=last.by)


def is_program(path: str, headers: dict[bytes, bytes], query: bytes) -> bool:
    """Whether a request is a look at the board by a program; `?activity=0` says that it is not meant as one."""
    data = path.startswith(("/api/", "/data/")) and path != PATH
    return data and BROWSER not in headers and b"activity=0" not in query.split(b"&")


API = (
    endpoints.Api(
        PATH,
        answer,
        question=ActivityQuestion,
        answer=ActivityAnswer,
        methods=("GET", "POST"),
        about="When somebody last looked at the board and used it; POST: a page is visible.",
        wants_request=True,
        first=True,
    ),
)
