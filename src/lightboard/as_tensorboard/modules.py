"""The substitute modules: their names, and their registration in `sys.modules`."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import sys
import types
from typing import Any

from lightboard.as_tensorboard import (
    event_files,
    gfile,
    hparams_api,
    mesh_metadata,
    messages,
    notebook,
    tensorflow_summaries,
)
from lightboard.sdk import hparams_messages

VERSION = "2.21.0+lightboard"  # PyTorch needs 1.15 or newer; these modules are like those of 2.21

# module below tensorboard → its messages and enumerations of the schema, `its name=name in the schema`
_PROTOS = {
    "compat.proto.event_pb2": "Event SessionLog TaggedRunMetadata LogMessage SourceMetadata",
    "compat.proto.summary_pb2": "Summary SummaryMetadata HistogramProto DataClass",
    "compat.proto.histogram_pb2": "HistogramProto",
    "compat.proto.tensor_pb2": "TensorProto",
    "compat.proto.tensor_shape_pb2": "TensorShapeProto",
    "compat.proto.types_pb2": "DataType",
    "compat.proto.graph_pb2": "GraphDef NodeDef VersionDef",
    "compat.proto.node_def_pb2": "NodeDef",
    "compat.proto.versions_pb2": "VersionDef",
    "compat.proto.attr_value_pb2": "AttrValue",
    "compat.proto.config_pb2": "RunMetadata",
    "compat.proto.step_stats_pb2": "StepStats DeviceStepStats",
    "plugins.custom_scalar.layout_pb2": "Layout Category Chart MultilineChartContent MarginChartContent",
    "plugins.pr_curve.plugin_data_pb2": "PrCurvePluginData",
    "plugins.text.plugin_data_pb2": "TextPluginData",
    "plugins.mesh.plugin_data_pb2": "MeshPluginData",
    "plugins.hparams.plugin_data_pb2": "HParamsPluginData SessionStartInfo SessionEndInfo",
    "plugins.hparams.api_pb2": "Experiment HParamInfo MetricInfo MetricName Interval Status DatasetType "
    "DataType=HParamsDataType",
    "plugins.projector.projector_config_pb2": "ProjectorConfig EmbeddingInfo SpriteMetadata",
}
_SUMMARIES = ("audio", "histogram", "image", "scalar", "text")


def is_installed(name: str) -> bool:
    """Whether a real package of this name can be imported."""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def is_registered() -> bool:
    return isinstance(sys.modules.get("tensorboard"), _StandIn)


def install() -> None:
    """Register the substitutes. The caller has checked that there is no real package."""
    if is_installed("google.protobuf"):
        from lightboard.as_tensorboard import protobuf_messages

        classes, enums = protobuf_messages.make()
    else:
        classes, enums = dict(messages.CLASSES), dict(messages.ENUMS)
        _install_protobuf()
    known: dict[str, Any] = {**classes, **enums}
    contents = {name: _chosen(words, known) for name, words in _PROTOS.items()}
    for name, names in contents.items():
        _register(f"tensorboard.{name}", names)
    for name, names in _others(contents).items():
        _register(f"tensorboard.{name}".rstrip("."), names)


def _chosen(words: str, known: dict[str, Any]) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for word in words.split():
        theirs, _, ours = word.partition("=")
        made = names[theirs] = known[ours or theirs]
        if hasattr(made, "Value") and hasattr(made, "Name"):  # values of an enumeration are names of the module, too
            names.update({each: made.Value(each) for each in _members(ours or theirs)})
    return names


def _members(enum: str) -> tuple[str, ...]:
    from lightboard.as_tensorboard import schema

    return schema.ENUMS.get(enum, ())


def _others(protos: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    files = gfile.tensorflow()
    summaries = {name: getattr(tensorflow_summaries, name) for name in _SUMMARIES}
    mesh = protos["plugins.mesh.plugin_data_pb2"]["MeshPluginData"]
    metadata = protos["compat.proto.summary_pb2"]["SummaryMetadata"]
    projector = protos["plugins.projector.projector_config_pb2"]
    return {
        "": {"__version__": VERSION, "load_ipython_extension": notebook.load_ipython_extension},
        "notebook": {name: getattr(notebook, name) for name in ("start", "display", "list")},
        "compat": {"tf": files, "tf2": files},
        "summary": dict(summaries),
        "summary.v2": dict(summaries),
        "summary.writer.event_file_writer": {"EventFileWriter": event_files.EventFileWriter},
        "summary.writer.record_writer": {"RecordWriter": event_files.RecordWriter},
        "plugins.mesh.metadata": mesh_metadata.names(mesh, metadata),
        "plugins.hparams.metadata": {
            "PLUGIN_NAME": hparams_messages.PLUGIN,
            "PLUGIN_DATA_VERSION": 0,
            "EXPERIMENT_TAG": hparams_messages.EXPERIMENT_TAG,
            "SESSION_START_INFO_TAG": hparams_messages.SESSION_START_TAG,
            "SESSION_END_INFO_TAG": hparams_messages.SESSION_END_TAG,
        },
        "plugins.hparams.api": hparams_api.names(),
        "plugins.projector": dict(projector),
    }


def _install_protobuf() -> None:
    """PyTorch's module imports three names of protobuf, which PyTorch does not install."""
    if not is_installed("google"):
        _register("google", {})
    values = {name: messages.CLASSES[name] for name in ("Value", "ListValue")}
    _register("google.protobuf.struct_pb2", {**values, "NullValue": messages.ENUMS["NullValue"]})
    _register("google.protobuf.text_format", {"MessageToString": lambda message: messages.to_text(message)})


def _register(name: str, names: dict[str, Any]) -> types.ModuleType:
    """Create module `name` and those above it, or add names to an existing one."""
    module = sys.modules.get(name)
    parent, _, last = name.rpartition(".")
    if module is None:
        if name == "google" and is_installed(name):
            return importlib.import_module(name)
        module = _StandIn(name)
        module.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
        module.__path__ = []  # imports below it find only registered modules
        sys.modules[name] = module
        if parent:
            setattr(_register(parent, {}), last, module)
    vars(module).update(names)
    return module


class _StandIn(types.ModuleType):
    """A module whose error for a missing name says that it is a substitute."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(
            f"`{self.__name__}` is Lightboard's stand-in and has no `{name}`; `pip install tensorboard` has it"
        )
