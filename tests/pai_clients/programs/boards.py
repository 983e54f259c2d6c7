"""A program for PAI as people write it, with one line before it; prints what it saw as JSON."""

from __future__ import annotations

import json
import os
import sys
import time

import lightboard.hub

lightboard.hub.pai.use(os.environ["HUB"])

from pai.session import setup_default_session  # noqa: E402
from pai.tensorboard import TensorBoard  # noqa: E402

session = setup_default_session(region_id="cn-hangzhou", workspace_id="lab")
seen: dict[str, object] = {"workspace": session.workspace_name, "account": session.provider}

began = time.monotonic()
board = TensorBoard.create("oss://volume/runs/", display_name="exp é", max_runtime_in_minutes=30)
seen["secs_to_running"] = round(time.monotonic() - began, 2)
seen["created"] = [board.status, board.display_name, board.app_uri]

found = session.tensorboard_api.list(page_size=10)
seen["listed"] = [found.total_count, [each["DisplayName"] for each in found.items]]

board.stop()
began = time.monotonic()
while board.status != "Stopped" and time.monotonic() - began < 30:
    time.sleep(0.05)
seen["stopped"] = board.status
began = time.monotonic()
board.start()
seen["secs_to_running_again"] = round(time.monotonic() - began, 2)
seen["started"] = TensorBoard(board.tensorboard_id).status

others = []
try:
    for number in range(3):
        others.append(TensorBoard.create("oss://volume/runs/", display_name=f"more {number}", wait=False))
except Exception as error:
    seen["limit"] = [type(error).__name__, error.code, error.status_code, error.data["limit"], error.data["used"]]
for each in (board, *others):
    each.delete()
seen["left"] = session.tensorboard_api.list().total_count
try:
    TensorBoard("b-none")
except Exception as error:
    seen["missing"] = [error.code, error.status_code]
sys.stdout.write(json.dumps(seen) + "\n")
