"""TensorBoard's core routes: facts about the board, its runs and its kinds."""

from __future__ import annotations

import dataclasses

import lightboard
from lightboard import errors, types
from lightboard.query import series
from lightboard.query.projector import config as projector_config
from lightboard.server import context, data, responses


@dataclasses.dataclass(frozen=True)
class Tab:
    """One entry of the listing of plugins; `kinds` are those whose presence enables it."""

    name: str
    kinds: tuple[types.Kind | str, ...] = ()
    element: str = ""
    title: str = ""
    module: str = ""  # for tabs in a frame of their own
    reloads: bool = True


# In the order of TensorBoard. Its pages know tabs without a kind, but they are not served here.
TABS = (
    Tab("timeseries", (types.Kind.SCALARS, types.Kind.HISTOGRAMS, types.Kind.IMAGES), title="Time Series"),
    Tab("scalars", (types.Kind.SCALARS,), "tf-scalar-dashboard"),
    Tab("custom_scalars", (types.Kind.CUSTOM_SCALARS,), "tf-custom-scalar-dashboard", "Custom Scalars"),
    Tab("images", (types.Kind.IMAGES,), "tf-image-dashboard"),
    Tab("audio", (types.Kind.AUDIO,), "tf-audio-dashboard"),
    Tab("debugger-v2", title="Debugger V2"),
    Tab("graphs", (types.Kind.GRAPHS,), "tf-graph-dashboard", reloads=False),
    Tab("distributions", (types.Kind.HISTOGRAMS,), "tf-distribution-dashboard"),
    Tab("histograms", (types.Kind.HISTOGRAMS,), "tf-histogram-dashboard"),
    Tab("text", (types.Kind.TEXT,), "tf-text-dashboard"),
    Tab("pr_curves", (types.Kind.PR_CURVES,), "tf-pr-curve-dashboard", "PR Curves"),
    Tab("hparams", (types.Kind.HPARAMS,), "tf-hparams-dashboard"),
    Tab("mesh", (types.Kind.MESH,), "mesh-dashboard"),
    Tab("projector", (projector_config.KIND,), module="/index.js", reloads=False),
)


# Addresses of pages that TensorBoard once had.
OLD_PAGES = ("audio", "events", "graphs", "histograms", "images")


def routes(context: context.Context) -> data.Routes:
    table = (
        data.Data("/data/environment", environment),
        data.Data("/data/logdir", logdir),
        data.Data("/data/window_properties", window_properties),
        data.Data("/data/runs", runs),
        data.Data("/data/experiments", nothing),
        data.Data("/data/experiment_runs", nothing),
        data.Data("/data/notifications", notifications),
        data.Data("/data/plugins_listing", plugins_listing),
        data.Data("/data/plugin_entry.html", plugin_entry),
        data.Data("/notifications_note.json", notifications_note),
        *(data.Data(f"/{name}", to_the_page) for name in OLD_PAGES),
    )
    return data.routes(context, table)


def environment(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.as_json(
        {
            "version": lightboard.__version__,
            "data_location": context.settings.logdir,
            "window_title": context.settings.window_title,
            "experiment_name": "",
            "experiment_description": "",
            "creation_time": 0,
            "debug": {"data_provider": "lightboard", "flags": _plain(context.settings.flags)},
        }
    )


def logdir(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.as_json({"logdir": context.settings.logdir})


def window_properties(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.as_json({"window_title": context.settings.window_title})


def runs(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.as_json(series.runs_by_start(context.store))


def nothing(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.as_json([])


def notifications(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return responses.Reply(b"", responses.TEXT, 302, (("Location", "../notifications_note.json"), *data.UNCACHED))


def notifications_note(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.as_json({"notifications": []})


def to_the_page(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    location = context.settings.path_prefix.rstrip("/") + "/"
    return responses.Reply(b"", responses.TEXT, 302, (("Location", location), *data.UNCACHED))


def plugins_listing(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    present: set[types.Kind | str] = {kind for kind in types.Kind if len(context.store.series_rows(kind))}
    if projector_config.names(context.store):
        present.add(projector_config.KIND)
    return data.as_json({tab.name: _listed(tab, present, context.settings.path_prefix.rstrip("/")) for tab in TABS})


def plugin_entry(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    """The page of a third-party plugin; not supported yet."""
    name = arguments.get("name")
    if name not in {tab.name for tab in TABS}:
        raise errors.NotFound(str(name))
    return data.as_text("Plugin is not module loadable", 400)


def _listed(tab: Tab, present: set[types.Kind | str], prefix: str) -> dict[str, object]:
    mechanism = {"type": "NG_COMPONENT"}
    if tab.element:
        mechanism = {"type": "CUSTOM_ELEMENT", "element_name": tab.element}
    elif tab.module:
        mechanism = {"type": "IFRAME", "module_path": f"{prefix}/data/plugin/{tab.name}{tab.module}"}
    return {
        "disable_reload": not tab.reloads,
        "enabled": not present.isdisjoint(tab.kinds),
        "remove_dom": False,
        "tab_name": tab.title or tab.name,
        "loading_mechanism": mechanism,
    }


def _plain(value: object) -> object:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if hasattr(value, "items"):
        return {str(name): _plain(each) for name, each in value.items()}
    return str(value)
