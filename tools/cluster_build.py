"""Builds a Kubernetes for tests from Debian's source package: no registry, no Go proxy, only Debian's mirror.

    python tools/cluster_build.py DIRECTORY

Leaves kube-apiserver, kube-controller-manager, kube-scheduler, kubelet, kube-proxy and pause in DIRECTORY/bin, 240 MB.
Takes 5 minutes on two cores; with a full DIRECTORY it only sees to the packages.

Debian 12 has the whole source of 1.20.2 although it ships only kubectl from it. Three things of it do not build or run
as they are: the vendored reflect2 crashes with newer Go (Debian's own package of it is put in its place), the OpenAPI
definitions are not in the archive (they are generated), and Go modules would want the network (GOPATH is used).
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = "1.20.2"
STAMP = f"{VERSION} 1\n"  # another number builds anew
PROGRAMS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy")
TO_RUN = (
    "etcd-server",
    "containerd",
    "runc",
    "containernetworking-plugins",
    "iptables",
    "iproute2",
    "openssl",
    "procps",
)
TO_BUILD = ("golang-go", "dpkg-dev", "gcc", "libc6-dev", "golang-github-modern-go-reflect2-dev")
REFLECT = "github.com/modern-go/reflect2"


def run(*words: str | pathlib.Path, cwd: pathlib.Path | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run([*map(str, words)], cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"error: {' '.join(map(str, words[:4]))} …: {done.stderr[-2000:]}")
    return done.stdout


def install(*packages: str) -> None:
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f=${Package} ${db:Status-Status}\n", *packages], capture_output=True, text=True
    ).stdout
    there = {line.split()[0] for line in listed.splitlines() if line.endswith(" installed")}
    missing = [each for each in packages if each not in there]
    if missing:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run("apt-get", "update", "-qq", env=quiet)
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing, env=quiet)


def source(work: pathlib.Path) -> pathlib.Path:
    """Unpacks the source with a state of apt of our own: the machine's list need not have source packages."""
    parts = work / "apt" / "parts"
    for each in (parts, work / "apt" / "lists" / "partial", work / "apt" / "cache"):
        each.mkdir(parents=True)
    old, new = pathlib.Path("/etc/apt/sources.list"), pathlib.Path("/etc/apt/sources.list.d/debian.sources")
    if old.exists():
        lines = [line for line in old.read_text().splitlines() if line.startswith("deb ")]
        (parts / "ours.list").write_text("\n".join(f"deb-src {line[4:]}" for line in lines) + "\n")
    if new.exists():
        (parts / "ours.sources").write_text(re.sub(r"(?m)^Types:.*", "Types: deb-src", new.read_text()))
    options = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": parts,
        "Dir::State::lists": work / "apt" / "lists",
        "Dir::Cache": work / "apt" / "cache",
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", "-qq", *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]
    run(*apt, "update", cwd=work)
    run(*apt, "source", "kubernetes", cwd=work)
    return next(each for each in work.glob("kubernetes-*") if each.is_dir())


def build(directory: pathlib.Path) -> None:
    install(*TO_RUN, *([] if shutil.which("kubectl") else ["kubernetes-client"]))
    binaries = directory / "bin"
    stamp = binaries / "STAMP"
    if stamp.exists() and stamp.read_text() == STAMP:
        return
    install(*TO_BUILD)
    work = directory / "work"
    shutil.rmtree(work, ignore_errors=True)
    binaries.mkdir(parents=True, exist_ok=True)
    work.mkdir()
    unpacked = source(work)
    tree = work / "go" / "src" / "k8s.io" / "kubernetes"
    tree.parent.mkdir(parents=True)
    tree.symlink_to(unpacked)
    env = {
        **os.environ,
        "GOPATH": str(work / "go"),
        "GOCACHE": str(work / "cache"),
        "GO111MODULE": "off",
        "CGO_ENABLED": "0",
        "GOROOT": run("go", "env", "GOROOT").strip(),
        "PWD": str(tree),
    }
    replace_reflect(tree)
    generate(tree, work, env)
    vendor = "k8s.io/kubernetes/vendor/k8s.io"
    values = [
        f"{vendor}/component-base/version.gitVersion=v{VERSION}",
        f"{vendor}/client-go/pkg/version.gitVersion=v{VERSION}",
        f"{vendor}/component-base/version.gitMajor=1",
        f"{vendor}/component-base/version.gitMinor=20",
    ]
    flags = " ".join(["-s", "-w", *(f"-X {each}" for each in values)])
    commands = [f"k8s.io/kubernetes/cmd/{each}" for each in PROGRAMS]
    # without cloud providers and dockershim, by upstream's own tags: half the build
    tags = "providerless,dockerless"
    run(
        "go", "build", "-tags", tags, "-trimpath", "-ldflags", flags, "-o", f"{binaries}/", *commands, cwd=tree, env=env
    )
    pause = tree / "build" / "pause" / "linux" / "pause.c"
    run("gcc", "-Os", "-static", "-s", "-DVERSION=3.2", "-o", binaries / "pause", pause)
    shutil.rmtree(work)
    stamp.write_text(STAMP)


def replace_reflect(tree: pathlib.Path) -> None:
    target = tree / "vendor" / REFLECT
    for each in (*target.glob("*.go"), *target.glob("*.s")):
        each.unlink()
    found = pathlib.Path("/usr/share/gocode/src") / REFLECT
    for each in (*found.glob("*.go"), *found.glob("*.s")):
        shutil.copy(each, target)


def generate(tree: pathlib.Path, work: pathlib.Path, env: dict[str, str]) -> None:
    """The OpenAPI definitions of all packages that ask for them."""
    tool = work / "openapi-gen"
    run("go", "build", "-o", tool, "k8s.io/kubernetes/vendor/k8s.io/kube-openapi/cmd/openapi-gen", cwd=tree, env=env)
    skipped = re.compile(r"code-generator|sample-|/testdata/|_test\.go|kube-openapi|gengo")
    packages = set()
    for top in ("pkg", "cmd", *(f"vendor/k8s.io/{each.name}" for each in (tree / "vendor" / "k8s.io").iterdir())):
        for folder, _, files in os.walk(tree / top, followlinks=True):
            for file in files:
                path = pathlib.Path(folder) / file
                if file.endswith(".go") and not skipped.search(str(path)) and b"+k8s:openapi-gen=" in path.read_bytes():
                    packages.add(f"k8s.io/kubernetes/{path.parent.relative_to(tree)}")
    run(
        tool,
        "-h",
        "hack/boilerplate/boilerplate.generatego.txt",
        "-O",
        "zz_generated.openapi",
        "-r",
        work / "violations",
        "-p",
        "k8s.io/kubernetes/pkg/generated/openapi",
        "-i",
        ",".join(sorted(packages)),
        cwd=tree,
        env=env,
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build(pathlib.Path(sys.argv[1]).resolve())
