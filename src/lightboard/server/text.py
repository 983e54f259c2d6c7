"""Text rendered to safe HTML: as TensorBoard serves it, and for the page, one part at a time."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Literal

from lightboard import errors, types
from lightboard.query import series, text
from lightboard.server import context, data, endpoints, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/text"


def routes(context: context.Context) -> data.Routes:
    return data.routes(context, (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/text", texts)))


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    table: dict[str, list[str]] = {}
    for entry in series.listing(context.store, types.Kind.TEXT):
        table.setdefault(entry.run, []).append(entry.tag)
    return data.as_json(table)


def texts(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    run, tag = arguments.run_and_tag()
    markdown = arguments.get("markdown") != "false"
    limit = data.limit(context, "text")
    try:
        steps = text.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)
    except errors.NotFound:  # only this listing of TensorBoard returns an empty response instead of an error
        return data.as_json([])
    return data.as_pieces(_rendered(steps, markdown=markdown))


def _rendered(steps: Iterable[text.Text], *, markdown: bool) -> Iterator[bytes]:
    """Renders each text just before it is sent, because rendering may be slow."""
    between = b"["
    for each in steps:
        html = text.html(each, markdown=markdown)
        yield between + data.to_json({"wall_time": each.wall_time, "step": each.step, "text": html})
        between = b", "
    yield b"[]" if between == b"[" else b"]"


# ---- ours


@dataclasses.dataclass(frozen=True, kw_only=True)
class TextQuestion:
    run: str = param("name of the run")
    tag: str = param("name of the tag")
    at: tuple[int, ...] = param("places of texts among the points of the series, the oldest is 0; may be repeated", ())
    before: int | None = param("without `at`: texts before this place; the end when absent", None)
    limit: int = param("without `at`: at most so many", 20, lo=1, hi=500)
    form: text.Form = param("HTML of the Markdown, HTML of the text as written, or the text itself", "markdown")  # noqa: RUF009
    chars: int = param("at most so many characters of each text", 50_000, lo=1, hi=2_000_000)
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)


def page(context: context.Context, question: TextQuestion) -> text.Texts:
    steps = text.read(context.store, question.run, question.tag, rewinds=context.rewinds(question.rewinds))
    places = question.at[:500] or _newest(len(steps), question.before, question.limit)
    return text.page(steps, places, form=question.form, chars=question.chars)


def _newest(count: int, before: int | None, limit: int) -> range:
    end = count if before is None else max(0, min(before, count))
    return range(end - 1, max(-1, end - 1 - limit), -1)


@dataclasses.dataclass(frozen=True)
class TextSearchQuestion:
    run: str = param("name of the run")
    tag: str = param("name of the tag")
    words: str = param("what to look for, whatever its case, or /a regular expression/")
    before: int | None = param("only texts before this place; `next` of the answer before", None)
    limit: int = param("at most so many steps", 1000, lo=1, hi=10_000)
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)


def search(context: context.Context, question: TextSearchQuestion) -> text.TextHits:
    if not question.words:
        raise errors.BadQuestion("parameter `words` is empty", hint="give a word to look for")
    steps = text.read(context.store, question.run, question.tag, rewinds=context.rewinds(question.rewinds))
    return text.search(steps, question.words, before=question.before, limit=question.limit)


API = (
    endpoints.Api(
        "/api/text",
        page,
        question=TextQuestion,
        answer=text.Texts,
        methods=("GET", "POST"),
        about="Several texts of a series, the newest first, as safe HTML or as they were written.",
    ),
    endpoints.Api(
        "/api/text/search",
        search,
        question=TextSearchQuestion,
        answer=text.TextHits,
        methods=("GET", "POST"),
        about="Which steps of a series have a word, how often, and what stands around it.",
        heavy_bytes=endpoints.HEAVY_BYTES,
    ),
)
