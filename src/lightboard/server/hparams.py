"""`/api/hparams`: hparams of runs as columns; and TensorBoard's routes of the HParams page.

TensorBoard's routes accept protobuf's JSON, as the body of a POST or as the parameter `request` of a GET: names in
camel case or with underscores, enums by name or number; unknown fields are refused.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from lightboard import errors
from lightboard.formats import csv_text
from lightboard.query import rows
from lightboard.query.hparams import experiments as hparams_experiments
from lightboard.query.hparams import groups as hparams_groups
from lightboard.query.hparams import hparams
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.query.runs import runs
from lightboard.query.scalars import scalars
from lightboard.server import bodies, context, data, endpoints, parameters, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/hparams"


@dataclasses.dataclass(frozen=True)
class HparamsQuestion:
    run: tuple[str, ...] | None = param("only these runs; repeatable", None)
    filter: str = param("a run filter; see the filter language", "")
    name: tuple[str, ...] | None = param("only these hparams; repeatable", None)
    limit: int = param("at most so many hparams", 1000, lo=0, hi=100_000)


def answer(context: context.Context, question: HparamsQuestion) -> hparams.Hparams:
    rows = runs.chosen(context.store, question.run, question.filter)
    return hparams.table(context.store, rows, names=question.name, limit=question.limit)


API = (
    endpoints.Api(
        "/api/hparams",
        answer,
        question=HparamsQuestion,
        answer=hparams.Hparams,
        methods=("GET", "POST"),
        about="Hyperparameters of runs as parallel columns.",
    ),
)


# ---- as TensorBoard serves them

STATUSES = tuple(f"STATUS_{word.upper()}" for word in hparams_metadata.STATUSES)
ORDERS = ("ORDER_UNSPECIFIED", "ORDER_ASC", "ORDER_DESC")
AGGREGATIONS = ("AGGREGATION_UNSET", "AGGREGATION_AVG", "AGGREGATION_MEDIAN", "AGGREGATION_MIN", "AGGREGATION_MAX")
FORMATS = {"json": responses.JSON, "csv": "text/csv; charset=utf-8", "latex": "application/x-latex"}

Handler = Callable[[context.Context, Mapping[str, Any], data.Arguments], responses.Reply]


class Endpoint:
    """A route whose request is JSON: the body of a POST, or the parameter `request`."""

    def __init__(self, context: context.Context, handle: Handler) -> None:
        self._context, self._handle = context, handle

    async def __call__(self, scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send) -> None:
        method = scope["method"]
        if method not in ("GET", "HEAD", "POST"):
            raise responses.MethodNotAllowed(method, ("GET", "POST"))
        headers = dict(scope["headers"])
        lanes = self._context.threads
        body = await bodies.read(headers, receive, lanes) if method == "POST" else None
        cost = 0 if body is None else endpoints.cost_of_fields(body)
        await endpoints.answer(
            self._context,
            cost,
            answering=lambda: self._answer(scope, body),
            headers=headers,
            scope=scope,
            receive=receive,
            send=send,
        )

    def _answer(self, scope: endpoints.Scope, body: bodies.Body | None) -> responses.Reply:
        arguments = data.Arguments(parameters.from_query(scope["query_string"]))
        text = arguments.get("request") if body is None else body.to_bytes()
        try:
            question = json.loads(text or "")
        except (ValueError, RecursionError):
            question = None
        if not isinstance(question, dict):
            shown = (text or b"")[:200]
            raise errors.BadInput(f"Expected JSON-formatted request data, but got {shown!r}")
        return self._handle(self._context, question, arguments)


def routes(context: context.Context) -> data.Routes:
    table: dict[str, Handler] = {
        "experiment": experiment,
        "session_groups": session_groups,
        "metric_evals": metric_evals,
        "download_data": download,
    }
    return {f"{PATH}/{name}": Endpoint(context, handle) for name, handle in table.items()}


def experiment(context: context.Context, question: Mapping[str, Any], arguments: data.Arguments) -> responses.Reply:
    members = _members(question, "experimentName", "includeMetrics", "hparamsLimit")
    limit = _whole(members.get("hparamsLimit", 0), "hparamsLimit")
    found = hparams_groups.experiment(context.store, metrics=_truth(members, "includeMetrics", True), limit=limit)
    return data.as_json(
        {
            "name": found.experiment.name,
            "description": found.experiment.description,
            "user": found.experiment.user,
            "timeCreatedSecs": found.experiment.time_created,
            "hparamInfos": [_hparam(each) for each in found.hparams],
            "metricInfos": [_metric(each) for each in found.experiment.metrics],
        }
    )


def _hparam(hparam: hparams_groups.HparamEntry) -> dict[str, object]:
    info = hparam.info
    shape: dict[str, object] = {
        "name": info.name,
        "displayName": info.display,
        "description": info.description,
        "type": f"DATA_TYPE_{info.type.upper()}",
        "differs": hparam.differs,
    }
    if info.values is not None:
        shape["domainDiscrete"] = list(info.values)
    if info.interval is not None:
        shape["domainInterval"] = {"minValue": info.interval[0], "maxValue": info.interval[1]}
    return shape


def _metric(info: hparams_experiments.MetricInfo) -> dict[str, object]:
    return {
        "name": {"group": info.group, "tag": info.tag},
        "displayName": info.display,
        "description": info.description,
        "datasetType": f"DATASET_{info.dataset.upper()}",
    }


def session_groups(context: context.Context, question: Mapping[str, Any], arguments: data.Arguments) -> responses.Reply:
    groups = hparams_groups.groups(context.store, asked(question))
    messages = [_group(group) for group in groups.groups]
    return data.as_json({"sessionGroups": messages, "totalSize": groups.total})


def _group(group: hparams_groups.Group) -> dict[str, object]:
    return {
        "name": group.name,
        "hparams": group.hparams,
        "metricValues": [_value(each) for each in group.metrics],
        "sessions": [
            {
                "name": session.name,
                "startTimeSecs": session.start_time,
                "endTimeSecs": session.end_time,
                "status": STATUSES[session.status],
                "modelUri": session.model_uri,
                "metricValues": [_value(each) for each in session.metrics],
                "monitorUrl": session.monitor_url,
            }
            for session in group.sessions
        ],
        "monitorUrl": group.monitor_url,
    }


def _value(metric: hparams_groups.MetricValue) -> dict[str, object]:
    name = {"group": metric.group, "tag": metric.tag}
    return {"name": name, "value": metric.value, "trainingStep": metric.step, "wallTimeSecs": metric.wall_time}


def metric_evals(context: context.Context, question: Mapping[str, Any], arguments: data.Arguments) -> responses.Reply:
    members = _members(question, "experimentName", "sessionName", "metricName")
    group, tag = _metric_name(members.get("metricName", {}))
    run = hparams_groups.run_of(_text(members.get("sessionName", ""), "sessionName"), group)
    row = context.store.run_row(run)
    found = [] if row is None else scalars.find(context.store, [tag], runs.select(context.store, (run,), ""))
    if not found:
        raise errors.NotFound(f"No scalar data for run={run!r}, tag={tag!r}")
    return data.as_bytes(rows.json_rows(found[0].points(context.settings.rewinds)), responses.JSON)


def download(context: context.Context, question: Mapping[str, Any], arguments: data.Arguments) -> responses.Reply:
    format_ = arguments.get("format") or ""
    if format_ not in FORMATS:
        raise errors.BadInput(f"Invalid response format: {format_}", hint="one of json, csv, latex")
    try:
        visible = json.loads(arguments.need("columnsVisibility"))
    except (ValueError, RecursionError):
        visible = None
    if not isinstance(visible, list):
        raise errors.BadInput("'columnsVisibility' must be a JSON list of true and false")
    wanted = asked(question)
    declared = hparams_groups.experiment(context.store, metrics=wanted.metrics)
    groups = hparams_groups.groups(context.store, wanted)
    header = [each.info.display or each.info.name for each in declared.hparams]
    header += [metric.display or metric.tag for metric in declared.experiment.metrics]
    table = []
    for group in groups.groups:
        values = {(each.group, each.tag): each.value for each in group.metrics}
        cells: list[Any] = [
            "" if (cell := group.hparams.get(each.info.name)) is None else cell for each in declared.hparams
        ]
        table.append([*cells, *(values.get((metric.group, metric.tag)) for metric in declared.experiment.metrics)])
    keep = [place for place, shown in enumerate(visible[: len(header)]) if shown]
    body = _WRITERS[format_]([header[place] for place in keep], [[row[place] for place in keep] for row in table])
    return data.as_bytes(body, FORMATS[format_])


def _json_file(header: list[str], table: list[list[Any]]) -> bytes:
    return data.to_json({"header": header, "rows": table})


def _csv_file(header: list[str], table: list[list[Any]]) -> bytes:
    return csv_text.lines([header, *table]).encode("utf-8", "replace")


def _latex_file(header: list[str], table: list[list[Any]]) -> bytes:
    top = f"\\begin{{table}}[tbp]\n\\begin{{tabular}}{{{'l' * len(header)}}}\n"
    head = " & ".join(map(_latex, header)) + " \\\\ \\hline\n"
    body = "".join(" & ".join(map(_latex, row)) + " \\\\\n" for row in table)
    return f"{top}{head}{body}\\hline\n\\end{{tabular}}\n\\end{{table}}\n".encode("utf-8", "replace")


def _latex(cell: Any) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, int):
        return f"${int(cell)}$"
    if not isinstance(cell, float):
        return str(cell).replace("_", "\\_").replace("%", "\\%")
    if not math.isfinite(cell):
        return r"$\mathrm{NaN}$" if math.isnan(cell) else rf"${'-' if cell < 0 else '+'}\infty$"
    mantissa, _, exponent = f"{cell:.3g}".partition("e")
    return rf"${mantissa}\cdot 10^{{{int(exponent)}}}$" if exponent else f"${mantissa}$"


_WRITERS = {"json": _json_file, "csv": _csv_file, "latex": _latex_file}


# ---- protobuf's JSON


def asked(question: Mapping[str, Any]) -> hparams_groups.Asked:
    """Parses a ListSessionGroupsRequest."""
    members = _members(
        question, "experimentName", "allowedStatuses", "colParams", "aggregationType", "aggregationMetric",
        "startIndex", "sliceSize", "includeMetrics",
    )  # fmt: skip
    how = _enum(members.get("aggregationType", 0), AGGREGATIONS, "aggregationType")
    columns = _list(members.get("colParams", []), "colParams")
    return hparams_groups.Asked(
        frozenset(
            _enum(each, STATUSES, "allowedStatuses")
            for each in _list(members.get("allowedStatuses", []), "allowedStatuses")
        ),
        tuple(map(_column, columns)),
        ("avg", "avg", "median", "min", "max")[how],
        _metric_name(members.get("aggregationMetric", {})),
        max(0, _whole(members.get("startIndex", 0), "startIndex")),
        _whole(members.get("sliceSize", 0), "sliceSize"),
        _truth(members, "includeMetrics", True),
    )


def _column(parsed: Any) -> hparams_groups.Column:
    members = _members(
        parsed, "metric", "hparam", "order", "missingValuesFirst", "filterRegexp", "filterInterval", "filterDiscrete",
        "excludeMissingValues", "includeInResult",
    )  # fmt: skip
    if "metric" not in members and "hparam" not in members:
        raise errors.BadInput(f'Got ColParam with both "metric" and "hparam" fields unset: {json.dumps(parsed)[:200]}')
    interval = None
    if "filterInterval" in members:
        ends = _members(members["filterInterval"], "minValue", "maxValue")
        lo, hi = (_number(ends.get(name, 0.0), name) for name in ("minValue", "maxValue"))
        interval = hparams_groups.Interval(lo, hi)
    return hparams_groups.Column(
        hparam=_text(members["hparam"], "hparam") if "hparam" in members else None,
        metric=_metric_name(members["metric"]) if "metric" in members else None,
        order=("", "asc", "desc")[_enum(members.get("order", 0), ORDERS, "order")],
        missing_first=_truth(members, "missingValuesFirst", False),
        regexp=_text(members["filterRegexp"], "filterRegexp") if "filterRegexp" in members else None,
        interval=interval,
        discrete=tuple(_list(members["filterDiscrete"], "filterDiscrete")) if "filterDiscrete" in members else None,
        exclude_missing=_truth(members, "excludeMissingValues", False),
        include=_truth(members, "includeInResult", False) if "includeInResult" in members else None,
    )


def _metric_name(parsed: Any) -> tuple[str, str]:
    members = _members(parsed, "group", "tag")
    return _text(members.get("group", ""), "group"), _text(members.get("tag", ""), "tag")


def _members(parsed: Any, *known: str) -> dict[str, Any]:
    """By their names in camel case; null is the same as absent."""
    if not isinstance(parsed, dict):
        raise errors.BadInput(f"Expected a JSON object, but got {json.dumps(parsed)[:200]}")
    members = {}
    for name, value in parsed.items():
        camel = re.sub(r"_([a-z])", lambda match: match[1].upper(), name)
        if camel not in known:
            raise errors.BadInput(f"the request has no field {name[:60]!r}", hint="one of " + ", ".join(known))
        if value is not None:
            members[camel] = value
    return members


def _list(parsed: Any, name: str) -> list[Any]:
    if not isinstance(parsed, list):
        raise errors.BadInput(f"{name!r} must be a list")
    return parsed


def _enum(value: Any, words: tuple[str, ...], name: str) -> int:
    if isinstance(value, str) and value in words:
        return words.index(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(words):
        return value
    raise errors.BadInput(f"{name!r} must be one of {', '.join(words)}, not {json.dumps(value)[:60]}")


def _whole(value: Any, name: str) -> int:
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,10}", value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise errors.BadInput(f"{name!r} must be a whole number, not {json.dumps(value)[:60]}")
    return value


def _number(value: Any, name: str) -> float:
    words = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
    if isinstance(value, str) and value in words:
        return words[value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise errors.BadInput(f"{name!r} must be a number, not {json.dumps(value)[:60]}")


def _truth(members: Mapping[str, Any], name: str, default: bool) -> bool:
    value = members.get(name, default)
    if not isinstance(value, bool):
        raise errors.BadInput(f"{name!r} must be true or false, not {json.dumps(value)[:60]}")
    return value


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise errors.BadInput(f"{name!r} must be text, not {json.dumps(value)[:60]}")
    return value
