"""`lightboard operator`: boards on Kubernetes, until SIGTERM. `lightboard operator doctor` tells what a cluster lacks.

lightboard operator --image registry.example.org/lightboard:0.1.0 --exposure ingress --url https://boards.example.org
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import stopping

if TYPE_CHECKING:
    from lightboard.operator import operating
    from lightboard.operator import options as options_

# From a signal to the end: the lease is given back.
STOP_SECS = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("run", "doctor"), default="run", metavar="ACTION",
        help="run (the default), or doctor: what is missing in the cluster",
    )  # fmt: skip
    group = parser.add_argument_group("cluster")
    group.add_argument(
        "--kubeconfig", metavar="FILE", default="", help="default: the pod's own, KUBECONFIG, ~/.kube/config"
    )
    group.add_argument("--context", metavar="NAME", default="", help="of the kubeconfig")
    group.add_argument("--namespace", metavar="NAME", default="", help="only boards of this namespace; default: all")
    group.add_argument(
        "--lease_namespace", metavar="NAME", default="", help="where the lease is; default: the operator's"
    )
    group.add_argument("--no_election", action="store_true", help="act without a lease: there is only one operator")
    group = parser.add_argument_group("boards")
    group.add_argument("--image", metavar="IMAGE", default="", help="of boards, unless a Board names another one")
    group.add_argument("--pull_policy", choices=("IfNotPresent", "Always", "Never"), default="IfNotPresent")
    group.add_argument("--pull_secret", metavar="NAME", action="append", default=[], help="for the image (repeatable)")
    group.add_argument("--idle_after", metavar="TIME", default="1h", help="without use a board is idle (default: 1h)")
    group.add_argument(
        "--reclaim_after", metavar="TIME", default="24h", help="idle boards are suspended (default: 24h)"
    )
    group.add_argument("--max_runtime", metavar="TIME", default="never", help="boards are suspended, used or not")
    group.add_argument("--cpu", metavar="QUANTITY", default="50m", help="request of a board (default: 50m)")
    group.add_argument("--memory", metavar="QUANTITY", default="128Mi", help="request of a board (default: 128Mi)")
    group.add_argument("--memory_limit", metavar="QUANTITY", default="2Gi", help="limit of a board (default: 2Gi)")
    group.add_argument(
        "--allow_network", metavar="NETWORK", action="append", default=None,
        help="boards connect to public servers and to this network or host only (repeatable); default: to all",
    )  # fmt: skip
    group.add_argument("--frame_ancestors", metavar="PAGES", default="", help="pages that may show boards in a frame")
    group = parser.add_argument_group("quota")
    group.add_argument(
        "--boards_per_account", metavar="N", type=int, default=5, help="active ones (default: 5); 0: no limit"
    )
    group.add_argument(
        "--boards_per_namespace", metavar="N", type=int, default=0, help="active ones; 0: no limit (default)"
    )
    group.add_argument(
        "--boards", metavar="N", type=int, default=0, help="active ones of the cluster; 0: no limit (default)"
    )
    group = parser.add_argument_group("how boards are reached")
    group.add_argument(
        "--exposure", choices=("none", "ingress", "httproute", "virtualservice"), default="none",
        help="what leads to boards from outside of the cluster (default: none)",
    )  # fmt: skip
    group.add_argument("--url", metavar="URL", default="", help="what stands before the path of a board")
    group.add_argument("--host", metavar="NAME", default="", help="of routes; default: that of --url")
    group.add_argument("--ingress_class", metavar="NAME", default="", help="of Ingresses; default: the cluster's")
    group.add_argument(
        "--ingress_annotation", metavar="NAME=VALUE", action="append", default=[], help="of Ingresses (repeatable)"
    )
    group.add_argument("--tls_secret", metavar="NAME", default="", help="of Ingresses")
    group.add_argument("--gateway", metavar="NAMESPACE/NAME", default="", help="of HTTPRoutes and VirtualServices")
    group = parser.add_argument_group("this process")
    group.add_argument("--metrics_host", metavar="ADDR", default="0.0.0.0", help="of /metrics and /healthz")
    group.add_argument("--metrics_port", metavar="PORT", type=int, default=8081, help="default: 8081; 0: any free one")
    group.add_argument("--log_level", choices=("debug", "info", "warning", "error"), default="info")


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    try:
        from lightboard.operator import operating
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "lightboard":
            raise
        hint = "`pip install 'lightboard[operator]'`"
        raise errors.Missing(f"the operator needs `{error.name}`", hint=hint) from error
    import asyncio
    import logging

    logging.basicConfig(
        level=args.log_level.upper(), stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    options = _options(args)
    running = operating.Running(
        kubeconfig=args.kubeconfig,
        context=args.context,
        lease_namespace=args.lease_namespace,
        elect=not args.no_election,
        host=args.metrics_host,
        port=args.metrics_port,
    )
    if args.action == "doctor":
        return asyncio.run(_doctor(options, running))
    asyncio.run(operating.operate(options, running, _ready, stops.hand_over(STOP_SECS)))
    return cli.OK


def _ready(port: int) -> None:
    import lightboard

    print(f"Lightboard operator {lightboard.__version__}, metrics on port {port}", flush=True)


def _options(args: argparse.Namespace) -> options_.Options:
    import urllib.parse

    import lightboard
    from lightboard.hub.life import durations, nouns, quota
    from lightboard.operator import options

    times = (durations.parse(each) for each in (args.idle_after, args.reclaim_after, args.max_runtime))
    if args.exposure in ("httproute", "virtualservice") and not args.gateway:
        raise errors.BadInput(f"`--exposure {args.exposure}` needs `--gateway NAMESPACE/NAME`")
    return options.Options(
        image=args.image or f"lightboard:{lightboard.__version__}",
        pull_policy=args.pull_policy,
        pull_secrets=tuple(args.pull_secret),
        namespace=args.namespace,
        exposure=args.exposure,
        url=args.url,
        host=args.host or urllib.parse.urlsplit(args.url).hostname or "",
        ingress_class=args.ingress_class,
        ingress_annotations=dict(_pair(each) for each in args.ingress_annotation),
        tls_secret=args.tls_secret,
        gateway=args.gateway,
        policy=nouns.Policy(*times),
        limits=quota.Limits(args.boards_per_account or None, args.boards_per_namespace or None, args.boards or None),
        resources={
            "requests": {"cpu": args.cpu, "memory": args.memory},
            "limits": {"memory": args.memory_limit},
        },
        allow_networks=None if args.allow_network is None else tuple(args.allow_network),
        frame_ancestors=args.frame_ancestors,
    )


def _pair(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name:
        raise errors.BadInput(f"`{text}` is not an annotation; write NAME=VALUE")
    return name, value


async def _doctor(options: options_.Options, running: operating.Running) -> int:
    from lightboard.operator import cluster, doctor

    connection = cluster.Cluster(kubeconfig=running.kubeconfig, context=running.context)
    try:
        findings = await doctor.examine(connection, options, running.lease_namespace)
    finally:
        await connection.close()
    for each in findings:
        print(f"{each.level:<8} {each.what}: {each.text}")
        if each.hint:
            print(f"         hint: {each.hint}")
    return cli.FAILED if any(each.level == doctor.PROBLEM for each in findings) else cli.OK
