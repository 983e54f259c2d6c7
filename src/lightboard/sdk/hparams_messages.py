"""Messages of the hparams kind, as bytes.

TensorBoard's HParams page needs three values; each is a Summary.Value whose metadata contains the message:

    _hparams_/experiment           the hyperparameters and metrics                usually in the run above
    _hparams_/session_start_info   the hyperparameters of this run                in the run itself
    _hparams_/session_end_info     how it ended

Metrics are ordinary scalars. Field numbers are those of tensorboard/plugins/hparams/{plugin_data,api}.proto.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lightboard import wire
from lightboard.sdk import summary_messages

PLUGIN = "hparams"
EXPERIMENT_TAG = "_hparams_/experiment"
SESSION_START_TAG = "_hparams_/session_start_info"
SESSION_END_TAG = "_hparams_/session_end_info"

TYPE_UNSET, TYPE_STRING, TYPE_BOOL, TYPE_FLOAT64 = 0, 1, 2, 3  # DataType
DATASET_UNKNOWN, DATASET_TRAINING, DATASET_VALIDATION = 0, 1, 2  # DatasetType
STATUS_UNKNOWN, STATUS_SUCCESS, STATUS_FAILURE, STATUS_RUNNING = 0, 1, 2, 3  # Status

# An empty tensor of floats: readers skip a summary without a value; the data is in the metadata.
_NOTHING = wire.integer(1, 1) + wire.message(2, summary_messages.shape([0]))

Scalar = bool | int | float | str


def protobuf_value(content: Scalar | None) -> bytes:
    """google.protobuf.Value. Members of a oneof are written even if they are zero or empty."""
    if content is None:
        return b"\x08\x00"
    if isinstance(content, bool):
        return b"\x20\x01" if content else b"\x20\x00"
    if isinstance(content, (int, float)):
        return wire.double(2, float(content))
    return wire.message(3, content.encode("utf-8", "surrogatepass"))


def hparam_info(
    name: str,
    *,
    display_name: str | None = None,
    description: str | None = None,
    type: int = TYPE_UNSET,
    discrete: Iterable[Scalar] | None = None,
    interval: tuple[float, float] | None = None,
) -> bytes:
    """HParamInfo: one hyperparameter of an experiment, with at most one of the two domains."""
    parts = [wire.text(1, name), wire.text(2, display_name), wire.text(3, description), wire.integer(4, type)]
    if discrete is not None:
        parts.append(wire.message(5, *(wire.message(1, protobuf_value(each)) for each in discrete)))
    if interval is not None:
        lowest, highest = interval
        parts.append(wire.message(6, _number(1, lowest), _number(2, highest)))
    return b"".join(parts)


def metric_info(
    tag: str,
    *,
    group: str | None = None,
    display_name: str | None = None,
    description: str | None = None,
    dataset_type: int | None = None,
) -> bytes:
    """MetricInfo: scalar `tag` of the run, or of its sub-run `group`."""
    return b"".join(
        (
            wire.message(1, wire.text(1, group), wire.text(2, tag)),
            wire.text(3, display_name),
            wire.text(4, description),
            wire.integer(5, dataset_type),
        )
    )


def experiment(
    hparam_infos: Iterable[bytes],
    metric_infos: Iterable[bytes],
    *,
    name: str | None = None,
    description: str | None = None,
    user: str | None = None,
    time_created_secs: float | None = None,
) -> bytes:
    """Summary.Value with the hyperparameters and metrics of an experiment."""
    return _summary_value(
        EXPERIMENT_TAG,
        wire.message(
            2,
            wire.text(1, description),
            wire.text(2, user),
            _number(3, time_created_secs),
            *(wire.message(4, each) for each in hparam_infos),
            *(wire.message(5, each) for each in metric_infos),
            wire.text(6, name),
        ),
    )


def session_start(
    hparams: Mapping[str, Scalar | None],
    *,
    group_name: str | None = None,
    start_time_secs: float | None = None,
    model_uri: str | None = None,
    monitor_url: str | None = None,
) -> bytes:
    """Summary.Value with the hyperparameters of a run. Runs with the same group name are repetitions of one trial."""
    entries = (
        wire.message(1, wire.text(1, name), wire.message(2, protobuf_value(hparams[name]))) for name in sorted(hparams)
    )
    return _summary_value(
        SESSION_START_TAG,
        wire.message(
            3,
            *entries,
            wire.text(2, model_uri),
            wire.text(3, monitor_url),
            wire.text(4, group_name),
            _number(5, start_time_secs),
        ),
    )


def session_end(status: int, end_time_secs: float | None = None) -> bytes:
    """Summary.Value that says how a run ended."""
    return _summary_value(SESSION_END_TAG, wire.message(4, wire.integer(1, status), _number(2, end_time_secs)))


def _number(field: int, number: float | None) -> bytes:
    return wire.double(field, float(number)) if number else b""


def _summary_value(tag: str, content: bytes) -> bytes:
    return summary_messages.tensor_value(tag, _NOTHING, summary_messages.metadata(PLUGIN, content=content))
