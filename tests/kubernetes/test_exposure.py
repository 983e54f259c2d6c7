"""Routes of boards. The cluster has Ingress as a kind, but no controller; HTTPRoute and VirtualService are stand-ins
without a schema: what is checked is the object, its link and its end."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
from kubernetes import kube

ROUTES = {
    "ingress": ("ingresses.networking.k8s.io", None),
    "httproute": ("httproutes.gateway.networking.k8s.io", ("gateway.networking.k8s.io", "v1", "HTTPRoute")),
    "virtualservice": ("virtualservices.networking.istio.io", ("networking.istio.io", "v1beta1", "VirtualService")),
}


@pytest.mark.parametrize("exposure", ROUTES)
def test_a_board_has_a_route_and_takes_it_along(
    admin: kube.Kube, role: pathlib.Path, tmp_path: pathlib.Path, namespace: str, pvc: dict[str, Any], exposure: str
) -> None:
    plural, stand_in = ROUTES[exposure]
    if stand_in is not None:
        admin.apply(kube.crd(*stand_in))
        admin.run("wait", "--for=condition=Established", f"crd/{plural}", "--timeout=30s")
    flags = ("--no_election", f"--namespace={namespace}", f"--exposure={exposure}", "--gateway=infra/web")
    with kube.operating(role, tmp_path / "log", *flags, "--url=https://boards.example.org"):
        admin.apply(kube.board("one", namespace, pvc))
        status = admin.wait_phase("one", namespace, "Running")
        assert status["url"] == f"https://boards.example.org/boards/{namespace}/one/"
        found = admin.get(plural, "board-one", namespace)
        assert found is not None
        assert f"/boards/{namespace}/one" in str(found["spec"])
        assert "boards.example.org" in str(found["spec"])
        admin.run("delete", kube.BOARD, "one", "-n", namespace, "--wait=false")
        kube.wait(
            lambda: not admin.list(plural, namespace) and not admin.list(kube.BOARD, namespace), "the route is left"
        )
