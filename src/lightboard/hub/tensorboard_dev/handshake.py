"""The answer of `POST /api/uploader`: where the gRPC port is, which plugins are accepted, how much may be sent at once.

`tensorboard dev --origin URL` asks it first, without an identity. What it says is the same for everybody.
"""

from __future__ import annotations

import re

from lightboard.hub.tensorboard_dev import blobs, messages

ADDRESS = "/api/uploader"
MEDIA_TYPE = "application/x-protobuf"
MOST_REQUEST_BYTES = 64 << 10
# Addresses of experiments, as tensorboard.dev had them.
EXPERIMENTS = "/experiment/"
_PLACEHOLDER = "{{EID}}"
_MOST_PLUGINS, _MOST_PLUGIN_LETTERS = 200, 200

# A tensor has to fit into a request together with the names of its run and tag, and a request into a message. Reading a
# message of tiny fields takes half a second per MiB, and one of scalars becomes many small objects.
MOST_MESSAGE_BYTES = 4 << 20
LIMITS = messages.Limits(
    scalar_request_bytes=1 << 20,
    tensor_request_bytes=MOST_MESSAGE_BYTES - (256 << 10),
    blob_request_bytes=1 << 20,
    blob_bytes=blobs.MOST_BLOB_BYTES,
    tensor_bytes=MOST_MESSAGE_BYTES - (1 << 20),
)
# Every kind of data that TensorBoard 2.15.0 can send. What a user names with `--plugins` is accepted, too.
PLUGINS = (
    "scalars",
    "images",
    "audio",
    "text",
    "histograms",
    "pr_curves",
    "mesh",
    "hparams",
    "custom_scalars",
    "graphs",
    "graph_run_metadata",
    "graph_run_metadata_graph",
    "graph_keras_model",
    "graph_tagged_run_metadata",
)


def answer(request: bytes, *, url: str, endpoint: str, trouble: str = "", notice: str = "") -> bytes:
    """`url` is the hub's, `endpoint` its gRPC port as HOST:PORT. The client prints `notice`, and `trouble`, which ends
    it."""
    version, named = messages.read_server_info(request)
    named = [each for each in named[:_MOST_PLUGINS] if len(each) <= _MOST_PLUGIN_LETTERS]
    return messages.server_info(
        verdict=messages.ERROR if trouble else messages.OK,
        details=trouble or " ".join(filter(None, (_old(version), notice))),
        endpoint=endpoint,
        template=f"{url}{EXPERIMENTS}{_PLACEHOLDER}/",
        placeholder=_PLACEHOLDER,
        plugins=dict.fromkeys((*PLUGINS, *named)),
        limits=LIMITS,
    )


def _old(version: str) -> str:
    """Printed by the client before it goes on."""
    known = re.match(r"(\d+)\.(\d+)", version)
    if known is None or (int(known[1]), int(known[2])) >= (2, 15):
        return ""
    return f"This hub was tried with TensorBoard 2.15.0; this is {version[:40]}."
