"""A Kubernetes cluster with one node for tests, which runs pods: `make test-kubernetes`.

    cluster.py build           programs and packages (tools/cluster_build.py), 5 minutes the first time
    cluster.py start           from nothing to a node that is Ready; the last line is the path of the kubeconfig
    cluster.py stop            ends all of it
    cluster.py image NAME      an image of this working tree (tools/cluster_image.py), put onto the node
    cluster.py load NAME DIR   any directory as an image
    cluster.py exec WORD…      runs a command inside the node
    cluster.py with WORD…      starts it, loads the image lightboard:test, runs a command, stops it

etcd, API server, controller manager, scheduler, containerd, kubelet and kube-proxy run in namespaces of their own (PID,
mount, network): ports, mounts and firewall rules are the node's alone, and the end of its first process ends them all.
Needs root, overlayfs and cgroup v1. Images are never pulled. No DNS, no NetworkPolicy, no Ingress controller.

LIGHTBOARD_CLUSTER is the directory (default: build/cluster), LIGHTBOARD_CLUSTER_NET the first two numbers of the
addresses (default: 10.214), LIGHTBOARD_CLUSTER_NAME the node (default: lbk8s): with all three different, two clusters
run at once. NET.0.1 is this machine, NET.0.2 the node, NET.64.0/24 are pods, NET.128.0/18 Services.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIRECTORY = pathlib.Path(os.environ.get("LIGHTBOARD_CLUSTER", ROOT / "build" / "cluster")).resolve()
NET = os.environ.get("LIGHTBOARD_CLUSTER_NET", "10.214")
# of the node, its link on this side (15 letters at most) and its control group
NAME = os.environ.get("LIGHTBOARD_CLUSTER_NAME", "lbk8s")
BIN, STATE = DIRECTORY / "bin", DIRECTORY / "state"
PKI, LOGS = STATE / "pki", DIRECTORY / "log"
HOST, NODE, PODS, SERVICES = f"{NET}.0.1", f"{NET}.0.2", f"{NET}.64.0/24", f"{NET}.128.0/18"
API = f"https://{NODE}:6443"
PAUSE = "localhost/pause:3.2"
# directories that the node's programs expect at these places
PLACES = ("/var/lib/kubelet", "/var/lib/cni", "/var/log/pods", "/var/log/containers", "/tmp/hostpath_pv")
CGROUPS = pathlib.Path("/sys/fs/cgroup")


def run(*words: object, check: bool = True, stdin: bytes | None = None) -> str:
    done = subprocess.run([str(each) for each in words], input=stdin, capture_output=True)
    if check and done.returncode:
        raise SystemExit(f"error: {' '.join(map(str, words))}: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout.decode()


# -- certificates and files


def certificate(name: str, subject: str, names: str = "") -> None:
    key, request, made = PKI / f"{name}.key", PKI / f"{name}.csr", PKI / f"{name}.crt"
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    if name == "ca":
        run("openssl", "req", "-x509", *curve, "-keyout", key, "-out", made, "-subj", subject, "-days", 30)
        return
    run("openssl", "req", *curve, "-keyout", key, "-out", request, "-subj", subject)
    extra = PKI / f"{name}.ext"
    extra.write_text("extendedKeyUsage=clientAuth,serverAuth\n" + (f"subjectAltName={names}\n" if names else ""))
    serial = f"0x{os.urandom(8).hex()}"
    run(
        "openssl",
        "x509",
        "-req",
        "-in",
        request,
        "-CA",
        PKI / "ca.crt",
        "-CAkey",
        PKI / "ca.key",
        "-set_serial",
        serial,
        "-days",
        30,
        "-extfile",
        extra,
        "-out",
        made,
    )


def kubeconfig(name: str) -> pathlib.Path:
    def data(file: str) -> str:
        return base64.b64encode((PKI / file).read_bytes()).decode()

    cluster = {"server": API, "certificate-authority-data": data("ca.crt")}
    user = {"client-certificate-data": data(f"{name}.crt"), "client-key-data": data(f"{name}.key")}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "test",
        "clusters": [{"name": "test", "cluster": cluster}],
        "users": [{"name": name, "user": user}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": name}}],
    }
    file = STATE / f"{name}.kubeconfig"
    file.write_text(json.dumps(document))
    file.chmod(0o600)
    return file


def configure() -> None:
    for each in (PKI, LOGS, STATE / "cni", STATE / "places"):
        each.mkdir(parents=True, exist_ok=True)
    certificate("ca", f"/CN={NAME}")
    run("openssl", "genrsa", "-out", PKI / "accounts.key", 2048)
    run("openssl", "rsa", "-in", PKI / "accounts.key", "-pubout", "-out", PKI / "accounts.pub")
    own = f"IP:{NODE},IP:127.0.0.1,IP:{NET}.128.1,DNS:localhost,DNS:kubernetes.default.svc"
    certificate("apiserver", "/CN=kube-apiserver", own)
    certificate("kubelet-client", "/O=system:masters/CN=kube-apiserver-kubelet")
    certificate("kubelet", f"/O=system:nodes/CN=system:node:{NAME}", f"IP:{NODE},DNS:{NAME}")
    for name, subject in (
        ("admin", "/O=system:masters/CN=admin"),
        ("controllers", "/CN=system:kube-controller-manager"),
        ("scheduler", "/CN=system:kube-scheduler"),
        ("proxy", "/CN=system:kube-proxy"),
    ):
        certificate(name, subject)
    for name in ("admin", "controllers", "scheduler", "proxy", "kubelet"):
        kubeconfig(name)
    bridge = {
        "type": "bridge",
        "bridge": "cni0",
        "isGateway": True,
        "hairpinMode": True,
        "ipam": {"type": "host-local", "ranges": [[{"subnet": PODS}]], "routes": [{"dst": "0.0.0.0/0"}]},
    }
    network = {"cniVersion": "0.4.0", "name": "bridge", "plugins": [bridge]}
    (STATE / "cni" / "10-bridge.conflist").write_text(json.dumps(network))
    (STATE / "resolv.conf").write_text("")
    (STATE / "containerd.toml").write_text(CONTAINERD)
    (STATE / "kubelet.json").write_text(json.dumps(KUBELET))
    # kubelet and kube-proxy would set these for the whole machine: they find what they want in files of their own
    for path, value in SYSCTLS.items():
        file = STATE / "sysctl" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{value}\n")


SYSCTLS = {
    "vm/overcommit_memory": 1,
    "vm/panic_on_oom": 0,
    "kernel/panic": 10,
    "kernel/panic_on_oops": 1,
    "kernel/keys/root_maxkeys": 1000000,
    "kernel/keys/root_maxbytes": 25000000,
}
# restrict_oom_score_adj: without CAP_SYS_RESOURCE root may not lower it, and runc would fail
CONTAINERD = f"""version = 2
root = "{STATE}/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.btrfs"]
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{PAUSE}"
disable_apparmor = true
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "{STATE}/cni"
"""
# No eviction for a full disk and no collection of images: what was loaded cannot be pulled again. Frequent reports: the
# first one is always "not ready".
KUBELET = {
    "apiVersion": "kubelet.config.k8s.io/v1beta1",
    "kind": "KubeletConfiguration",
    "authentication": {"anonymous": {"enabled": False}, "x509": {"clientCAFile": f"{PKI}/ca.crt"}},
    "authorization": {"mode": "Webhook"},
    "tlsCertFile": f"{PKI}/kubelet.crt",
    "tlsPrivateKeyFile": f"{PKI}/kubelet.key",
    "cgroupDriver": "cgroupfs",
    "cgroupRoot": f"/{NAME}",
    "nodeStatusUpdateFrequency": "1s",
    "nodeStatusReportFrequency": "1m",
    "failSwapOn": False,
    "evictionHard": {"memory.available": "50Mi", "nodefs.available": "0%", "imagefs.available": "0%"},
    "imageGCHighThresholdPercent": 100,
    "resolvConf": f"{STATE}/resolv.conf",
    "clusterDNS": [NODE],
    "volumePluginDir": f"{STATE}/volume-plugins",
}


# -- inside the node


def node() -> None:
    """The first process in the namespaces: mounts, starts the programs, reaps what they leave."""
    run("mount", "--make-rslave", "/")
    run("mount", "--make-rshared", "/")
    run("mount", "-t", "proc", "proc", "/proc")
    for number, place in enumerate(PLACES):
        own = STATE / "places" / str(number)
        own.mkdir(exist_ok=True)
        pathlib.Path(place).mkdir(parents=True, exist_ok=True)
        run("mount", "--bind", own, place)
    for place in ("/run/containerd", "/run/netns"):
        pathlib.Path(place).mkdir(exist_ok=True)
        run("mount", "-t", "tmpfs", "tmpfs", place)
    for path in SYSCTLS:
        run("mount", "--bind", STATE / "sysctl" / path, f"/proc/sys/{path}")
    run("hostname", NAME)
    run("ip", "link", "set", "lo", "up")
    until(30, "the link", lambda: pathlib.Path("/proc/net/dev").read_text().find("eth0:") >= 0)
    run("ip", "addr", "add", f"{NODE}/30", "dev", "eth0")
    run("ip", "link", "set", "eth0", "up")
    # the node has no default route: its own programs reach Services by this one
    run("ip", "rule", "add", "iif", "lo", "to", SERVICES, "lookup", "128")
    run("ip", "route", "add", SERVICES, "dev", "eth0", "table", "128")
    pathlib.Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
    with contextlib.suppress(OSError):
        pathlib.Path("/proc/sys/net/bridge/bridge-nf-call-iptables").write_text("1")
    for program, words in programs().items():
        with (LOGS / f"{program}.log").open("ab") as log:
            process = subprocess.Popen([shutil.which(program) or str(BIN / program), *words], stdout=log, stderr=log)
        (STATE / f"{program}.pid").write_text(str(process.pid))
        if program == "kube-apiserver":
            until(120, "the API server", lambda: api("/readyz") == "ok")
    while True:
        with contextlib.suppress(ChildProcessError):
            os.wait()
        time.sleep(0.1)


def programs() -> dict[str, list[str]]:
    client = "http://127.0.0.1:2379"
    peer = "http://127.0.0.1:2380"
    gates = "--feature-gates=TTLAfterFinished=true"
    return {
        "etcd": [
            f"--data-dir={STATE}/etcd",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
            "--unsafe-no-fsync",
        ],
        "containerd": [f"--config={STATE}/containerd.toml"],
        "kube-apiserver": [
            f"--etcd-servers={client}",
            "--bind-address=0.0.0.0",
            f"--advertise-address={NODE}",
            f"--tls-cert-file={PKI}/apiserver.crt",
            f"--tls-private-key-file={PKI}/apiserver.key",
            f"--client-ca-file={PKI}/ca.crt",
            f"--kubelet-client-certificate={PKI}/kubelet-client.crt",
            f"--kubelet-client-key={PKI}/kubelet-client.key",
            f"--kubelet-certificate-authority={PKI}/ca.crt",
            "--kubelet-preferred-address-types=InternalIP",
            "--authorization-mode=Node,RBAC",
            "--enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement",
            f"--service-cluster-ip-range={SERVICES}",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-signing-key-file={PKI}/accounts.key",
            f"--service-account-key-file={PKI}/accounts.pub",
            gates,
        ],
        "kube-controller-manager": [
            f"--kubeconfig={STATE}/controllers.kubeconfig",
            "--use-service-account-credentials=true",
            "--leader-elect=false",
            f"--service-account-private-key-file={PKI}/accounts.key",
            f"--root-ca-file={PKI}/ca.crt",
            "--bind-address=127.0.0.1",
            "--port=0",
            "--kube-api-qps=200",
            "--kube-api-burst=400",
            "--pvclaimbinder-sync-period=1s",
            "--enable-hostpath-provisioner=true",
            f"--flex-volume-plugin-dir={STATE}/volume-plugins",
            gates,
        ],
        "kube-scheduler": [
            f"--kubeconfig={STATE}/scheduler.kubeconfig",
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
            "--port=0",
        ],
        "kubelet": [
            f"--config={STATE}/kubelet.json",
            f"--kubeconfig={STATE}/kubelet.kubeconfig",
            f"--hostname-override={NAME}",
            f"--node-ip={NODE}",
            "--container-runtime=remote",
            f"--pod-infra-container-image={PAUSE}",
            "--container-runtime-endpoint=unix:///run/containerd/containerd.sock",
        ],
        "kube-proxy": [
            f"--kubeconfig={STATE}/proxy.kubeconfig",
            f"--hostname-override={NAME}",
            "--proxy-mode=iptables",
            f"--cluster-cidr={PODS}",
            "--conntrack-max-per-core=0",
            "--conntrack-min=0",
            "--conntrack-tcp-timeout-established=0",
            "--conntrack-tcp-timeout-close-wait=0",
        ],
    }


# -- outside


def api(path: str, body: object = None) -> str:
    """An answer of the API server, "" without one."""
    words = [
        "curl",
        "-sS",
        "--fail",
        "--max-time",
        "10",
        "--cacert",
        PKI / "ca.crt",
        "--cert",
        PKI / "admin.crt",
        "--key",
        PKI / "admin.key",
    ]
    if body is not None:
        words += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
    return run(*words, API + path, check=False)


def until(limit_secs: float, what: str, holds: Callable[[], object]) -> None:
    end = time.monotonic() + limit_secs
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"error: no {what} within {limit_secs:.0f} s; see {LOGS}")
        time.sleep(0.1)


def first_process() -> int:
    """0 if the node does not run. A reused process id is told by its start time."""
    try:
        pid, start = (STATE / "pid").read_text().split()
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(pid) if stat[19] == start and stat[0] != "Z" else 0
    except (OSError, ValueError):
        return 0


def inside(*words: object) -> list[object]:
    pid = first_process()
    if not pid:
        raise SystemExit("error: the cluster does not run; `python tools/cluster.py start`")
    return ["nsenter", "-t", pid, "-m", "-u", "-i", "-n", "-p", "--", *words]


def unfit() -> str:
    """Why the cluster cannot run on this machine; "" if it can."""
    if os.geteuid() != 0:
        return "the cluster needs root"
    if not (CGROUPS / "memory").is_dir():
        return "the cluster needs the controllers of cgroup v1 below /sys/fs/cgroup"
    return ""


def start() -> None:
    if reason := unfit():
        raise SystemExit(f"error: {reason}")
    if first_process():
        print(STATE / "admin.kubeconfig")
        return
    stop()
    try:
        _start()
    except BaseException:
        stop()
        raise
    print(STATE / "admin.kubeconfig")


def _start() -> None:
    configure()
    for controller in _controllers():
        (controller / NAME).mkdir(exist_ok=True)
    cpus = CGROUPS / "cpuset"
    for file in ("cpuset.cpus", "cpuset.mems"):
        (cpus / NAME / file).write_text((cpus / file).read_text())
    (cpus / NAME / "cgroup.clone_children").write_text("1")
    with (LOGS / "node.log").open("wb") as log:
        apart = ["unshare", "--mount", "--net", "--pid", "--uts", "--ipc", "--fork", "--"]
        starter = subprocess.Popen(
            [*apart, sys.executable, __file__, "_node"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    children = pathlib.Path(f"/proc/{starter.pid}/task/{starter.pid}/children")
    until(10, "node", lambda: children.exists() and children.read_text().split())
    pid = children.read_text().split()[0]
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    (STATE / "pid").write_text(f"{pid} {fields[19]}")
    until(5, "network", lambda: _network(pid) != _network("self"))
    # these addresses must never take the default route, out of this machine
    run("ip", "route", "add", "unreachable", f"{NET}.0.0/16", "metric", 9999)
    run("ip", "link", "add", NAME, "type", "veth", "peer", "name", "eth0", "netns", pid)
    run("ip", "addr", "add", f"{HOST}/30", "dev", NAME)
    run("ip", "link", "set", NAME, "up")
    for network in (PODS, SERVICES):
        run("ip", "route", "add", network, "via", NODE)
    until(120, "API server", lambda: api("/readyz") == "ok")
    socket = ["nsenter", "-t", pid, "-m", "test", "-S", "/run/containerd/containerd.sock"]
    until(30, "containerd", lambda: subprocess.run(socket).returncode == 0)
    with _pause() as folder:
        load(PAUSE, folder, ["/pause"])
    until(120, "node", _ready)
    until(60, "service account", lambda: api("/api/v1/namespaces/default/serviceaccounts/default"))
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"}
    body = {"provisioner": "kubernetes.io/host-path", "metadata": {"name": "standard", "annotations": annotations}}
    api("/apis/storage.k8s.io/v1/storageclasses", body)


def _network(pid: str) -> pathlib.Path:
    return pathlib.Path(f"/proc/{pid}/ns/net").readlink()


def _controllers() -> Iterator[pathlib.Path]:
    return (each for each in CGROUPS.iterdir() if each.is_dir() and not each.is_symlink())


def _ready() -> bool:
    text = api(f"/api/v1/nodes/{NAME}")
    conditions = json.loads(text)["status"].get("conditions", []) if text else []
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


@contextlib.contextmanager
def _pause() -> Iterator[pathlib.Path]:
    folder = STATE / "pause"
    folder.mkdir(exist_ok=True)
    shutil.copy(BIN / "pause", folder / "pause")
    yield folder
    shutil.rmtree(folder)


def load(name: str, folder: pathlib.Path, command: list[str]) -> None:
    import cluster_image

    archive = cluster_image.archive(name, folder, command, DIRECTORY / "image.tar")
    with archive.open("rb") as stream:
        done = subprocess.run(
            [*map(str, inside("ctr", "-n", "k8s.io", "images", "import", "-"))], stdin=stream, capture_output=True
        )
    archive.unlink()
    if done.returncode:
        raise SystemExit(f"error: the image could not be loaded: {done.stderr.decode()[-1000:]}")


def stop() -> None:
    """Also takes away what a killed start left."""
    if pid := first_process():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        until(30, "end of the node", lambda: not first_process())
    run("ip", "link", "del", NAME, check=False)
    run("ip", "route", "del", "unreachable", f"{NET}.0.0/16", "metric", 9999, check=False)
    for controller in _controllers():
        for _ in range(50):
            if not (controller / NAME).is_dir():
                break
            run("find", controller / NAME, "-depth", "-type", "d", "-exec", "rmdir", "{}", "+", check=False)
            time.sleep(0.05)
    for _ in range(20):
        shutil.rmtree(STATE, ignore_errors=True)
        if not STATE.exists():
            break
        time.sleep(0.2)


def during(command: list[str]) -> int:
    """The command has the cluster in LIGHTBOARD_KUBECONFIG. Without a machine that fits, it runs without one."""
    import cluster_image

    if reason := unfit():
        print(f"no cluster is started: {reason}", file=sys.stderr)
        return subprocess.run(command).returncode
    start()
    try:
        load("lightboard:test", cluster_image.tree(DIRECTORY / "image"), ["lightboard"])
        kubeconfig = {"LIGHTBOARD_KUBECONFIG": str(STATE / "admin.kubeconfig")}
        return subprocess.run(command, env={**os.environ, **kubeconfig}).returncode
    finally:
        stop()


def main(words: list[str]) -> None:
    match words:
        case ["build"]:
            import cluster_build

            if reason := unfit():
                print(f"nothing is built: {reason}", file=sys.stderr)
            else:
                cluster_build.build(DIRECTORY)
        case ["start"]:
            start()
        case ["stop"]:
            stop()
        case ["image", name]:
            import cluster_image

            load(name, cluster_image.tree(DIRECTORY / "image"), ["lightboard"])
        case ["load", name, folder]:
            load(name, pathlib.Path(folder), ["lightboard"])
        case ["with", *command] if command:
            raise SystemExit(during(command))
        case ["exec", *command] if command:
            raise SystemExit(subprocess.run([*map(str, inside(*command))]).returncode)
        case ["_node"]:
            node()
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
