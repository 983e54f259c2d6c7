"""Wrong keys with both clients: prints what they raise."""

from __future__ import annotations

import json
import os
import sys
import urllib.parse

import lightboard.hub

lightboard.hub.pai.use(os.environ["HUB"])

from alibabacloud_pai_dlc20201203 import models  # noqa: E402
from alibabacloud_pai_dlc20201203.client import Client  # noqa: E402
from alibabacloud_tea_openapi.models import Config  # noqa: E402
from pai.session import setup_default_session  # noqa: E402

hub = urllib.parse.urlsplit(os.environ["HUB"])
right = os.environ["ALIBABA_CLOUD_ACCESS_KEY_ID"]
seen = []
for key in (right, "LBAKnobody"):
    session = setup_default_session(
        access_key_id=key, access_key_secret="wrong", region_id="cn-hangzhou", workspace_id="lab"
    )
    config = Config(access_key_id=key, access_key_secret="wrong", endpoint=hub.netloc, protocol=hub.scheme)
    client = Client(config)
    for call in (
        session.tensorboard_api.list,
        lambda client=client: client.list_tensorboards(models.ListTensorboardsRequest()),
    ):
        try:
            call()
        except Exception as error:
            seen.append([error.code, error.status_code])
sys.stdout.write(json.dumps(seen) + "\n")
