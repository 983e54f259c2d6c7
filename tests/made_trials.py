"""Sessions made by hand, for tests of trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lightboard import query, types, wire
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.sdk import hparams_messages

_NOTHING = types.Tensor((), strings=(b"",))


class Sessions:
    """A builder of runs with hparams."""

    def __init__(self) -> None:
        self.builder = query.Builder()

    def session(
        self,
        run: str,
        hparams: Mapping[str, Any] | None = None,
        *,
        group: str = "",
        status: int | None = None,
        **more: Any,
    ) -> Sessions:
        """A run with a session start, and an end where a status is given. Keywords are scalars: a value or a list."""
        if hparams is not None:
            value = hparams_messages.session_start(hparams, group_name=group or None, start_time_secs=100.0)
            self.metadata(run, hparams_metadata.START_TAG, content_of(value))
        if status is not None:
            value = hparams_messages.session_end(status, 200.0)
            self.metadata(run, hparams_metadata.END_TAG, content_of(value))
        for tag, values in more.items():
            self.builder.scalars(run, tag, values if isinstance(values, list) else [values])
        return self

    def experiment(self, run: str, hparams: list[bytes], metrics: list[bytes]) -> Sessions:
        return self.metadata(
            run, hparams_metadata.EXPERIMENT_TAG, content_of(hparams_messages.experiment(hparams, metrics))
        )

    def metadata(self, run: str, tag: str, content: bytes) -> Sessions:
        metadata = types.Metadata("hparams", content)
        self.builder.tensors(run, tag, types.Kind.HPARAMS, [_NOTHING], metadata=metadata)
        return self

    def text(self, run: str, tag: str, text: str) -> Sessions:
        self.builder.tensors(run, tag, types.Kind.TEXT, [types.Tensor((1,), strings=(text.encode(),))])
        return self

    def build(self) -> query.Store:
        return self.builder.build()


def content_of(summary_value: bytes) -> bytes:
    """The plugin's content inside a Summary.Value."""
    (metadata,) = wire.parse(summary_value).messages(9)
    (plugin,) = metadata.messages(1)
    (content,) = plugin[2]
    assert isinstance(content, bytes)
    return content
