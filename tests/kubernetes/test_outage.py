"""An API server that is away. It is away for everybody: this file does not run side by side with others."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import time
from typing import Any

import pytest
from kubernetes import kube


def test_an_api_server_that_is_away_for_30_s_stops_nothing_and_is_followed_again(
    admin: kube.Kube, role: pathlib.Path, tmp_path: pathlib.Path, namespace: str, pvc: dict[str, Any]
) -> None:
    """Frozen, so that requests hang and watches fall silent, which is worse than a refusal."""
    tool = [sys.executable, str(kube.ROOT / "tools" / "cluster.py"), "exec", "sh", "-c"]

    def signal_api(name: str) -> None:
        subprocess.run([*tool, f"kill -{name} $(pgrep -x kube-apiserver)"], check=True, timeout=20)

    if subprocess.run([*tool, "pgrep -x kube-apiserver"], capture_output=True).returncode:
        pytest.skip("the cluster is not that of tools/cluster.py")
    flags = ("--no_election", f"--namespace={namespace}")
    with kube.operating(role, tmp_path / "log", *flags) as made:
        admin.apply(kube.board("one", namespace, pvc))
        status = admin.wait_phase("one", namespace, "Running")
        url = kube.base_url(admin, status, namespace, "board-one")
        signal_api("STOP")
        try:
            time.sleep(30)
            assert kube.get(f"{url}data/runs")
        finally:
            signal_api("CONT")
        admin.patch(kube.BOARD, "one", namespace, {"spec": {"displayName": "after"}})
        admin.wait_status("one", namespace, lambda status: status.get("observedGeneration") == 2)
        admin.wait_phase("one", namespace, "Running")
        assert made.process is not None
        assert made.process.poll() is None
        assert len(admin.list("deployments", namespace)) == 1
