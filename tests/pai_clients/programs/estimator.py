"""`estimator.tensorboard()`: makes a board for a job, named after it; the second time it starts the same board."""

from __future__ import annotations

import json
import os
import sys
import webbrowser

import lightboard.hub

lightboard.hub.pai.use(os.environ["HUB"])

from pai.estimator import Estimator  # noqa: E402
from pai.session import setup_default_session  # noqa: E402

opened: list[str] = []


def note(url: str, new: int = 0, autoraise: bool = True) -> bool:
    opened.append(url)
    return True


webbrowser.open = note

session = setup_default_session(region_id="cn-hangzhou", workspace_id="lab", oss_bucket_name="volume")
estimator = Estimator(
    image_uri="registry.example/train:1",
    command="python train.py",
    instance_type="ecs.c6.large",
    base_job_name="resnet",
    output_path="oss://volume/jobs/",
)
estimator.fit(wait=False)
first = estimator.tensorboard()
first.stop()
second = estimator.tensorboard()
seen = {
    "job": estimator.latest_job.training_job_name,
    "logs": estimator.tensorboard_data(),
    "board": second.tensorboard_id,
    "same": first.tensorboard_id == second.tensorboard_id,
    "name": second.display_name,
    "status": second.status,
    "opened": opened,
}
sys.stdout.write(json.dumps(seen) + "\n")
