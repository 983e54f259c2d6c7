"""`lightboard dev VERB …`: uploads of logs to a hub, with verbs and flags of `tensorboard dev`. One module per verb.

Flags of `tensorboard dev` itself may stand before the verb, as there: `lightboard dev --origin URL upload …`.
"""

from __future__ import annotations

VERBS = {
    "upload": "send a log directory to a hub, print the link of its board, and follow its growth",
    "list": "list your uploads",
    "update-metadata": "change name or description of an upload",
    "delete": "delete uploads, with their files and boards",
    "export": "write uploads to a directory: event files as they were sent, and tensorboard.dev's JSON",
    "auth": "show or end the sign-in; write the credentials of TensorBoard 2.15's own uploader",
}
# of `tensorboard dev`; True: with a value
BEFORE_VERB = {
    "--origin": True,
    "--hub": True,
    "--api_endpoint": True,
    "--grpc_creds_type": True,
    "--auth_force_console": False,
    "--insecure": False,
}
