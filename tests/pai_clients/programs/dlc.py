"""The standalone client of DLC, by its option for the endpoint."""

from __future__ import annotations

import json
import os
import sys
import urllib.parse

from alibabacloud_pai_dlc20201203 import models
from alibabacloud_pai_dlc20201203.client import Client
from alibabacloud_tea_openapi.models import Config

hub = urllib.parse.urlsplit(os.environ["HUB"])
client = Client(
    Config(
        access_key_id=os.environ["ALIBABA_CLOUD_ACCESS_KEY_ID"],
        access_key_secret=os.environ["ALIBABA_CLOUD_ACCESS_KEY_SECRET"],
        endpoint=hub.netloc,
        protocol=hub.scheme,
        region_id="cn-hangzhou",
    )
)
new = models.CreateTensorboardRequest(
    display_name="from dlc ü",
    uri="oss://volume/runs/",
    workspace_id="lab",
    source_id="a b/ü",
    source_type="TrainingJob",
)
board = client.create_tensorboard(new).body.tensorboard_id
seen: dict[str, object] = {}
shown = client.get_tensorboard(board, models.GetTensorboardRequest(workspace_id="lab")).body
seen["created"] = [shown.status, shown.display_name, shown.tensorboard_url]
query = models.ListTensorboardsRequest(
    page_number=1, page_size=10, source_id="a b/ü", source_type="TrainingJob", workspace_id="lab"
)
listed = client.list_tensorboards(query).body
seen["listed"] = [listed.total_count, [each.tensorboard_id == board for each in listed.tensorboards]]
change = models.UpdateTensorboardRequest(accessibility="PUBLIC", max_running_time_minutes=45, workspace_id="lab")
client.update_tensorboard(board, change)
changed = client.get_tensorboard(board, models.GetTensorboardRequest(workspace_id="lab")).body
seen["changed"] = [changed.accessibility, changed.max_running_time_minutes]
shared = client.get_tensorboard_shared_url(board, models.GetTensorboardSharedUrlRequest(expire_time_seconds=60))
seen["shared"] = shared.body.tensorboard_shared_url
client.stop_tensorboard(board, models.StopTensorboardRequest(workspace_id="lab"))
client.start_tensorboard(board, models.StartTensorboardRequest(workspace_id="lab"))
seen["started"] = client.get_tensorboard(board, models.GetTensorboardRequest(workspace_id="lab")).body.status
client.delete_tensorboard(board, models.DeleteTensorboardRequest(workspace_id="lab"))
seen["left"] = client.list_tensorboards(query).body.total_count
sys.stdout.write(json.dumps(seen) + "\n")
