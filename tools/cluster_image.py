"""An image of this working tree without a container engine: Debian's Python, our packages, one layer.

The compiled parts and the page are those of `.venv`, so its Python must have the minor version of Debian's.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEBIAN = ("python3", "libstdc++6", "ca-certificates")
# what boards, operator and hub import; exact versions are those of requirements/dev.txt
EXTRAS = "hub,operator"


def tree(folder: pathlib.Path) -> pathlib.Path:
    """The root directory of the image. Packages are unpacked once; our sources are copied each time."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    packages = folder / "usr/local/lib" / f"python{version}" / "dist-packages"
    mark = folder.with_suffix(".stamp")
    wanted = hashlib.sha256(f"{DEBIAN}{EXTRAS}{version}".encode() + (ROOT / "requirements/dev.txt").read_bytes())
    if not mark.exists() or mark.read_text() != wanted.hexdigest():
        shutil.rmtree(folder, ignore_errors=True)
        _debian(folder)
        if not (folder / "usr/bin" / f"python{version}").exists():
            raise SystemExit(f"error: Debian's Python is not {version}, that of this environment")
        _python(packages)
        mark.write_text(wanted.hexdigest())
    _ours(folder, packages)
    return folder


def _debian(folder: pathlib.Path) -> None:
    """Unpacks packages with all they depend on; their scripts are not run."""
    state = folder.with_suffix(".apt")
    shutil.rmtree(state, ignore_errors=True)
    (state / "archives" / "partial").mkdir(parents=True)
    (state / "status").write_text("")
    apt = [
        "apt-get",
        "-qq",
        "-y",
        "--no-install-recommends",
        "-o",
        f"Dir::State::status={state}/status",
        "-o",
        f"Dir::Cache::archives={state}/archives",
        "-o",
        "Debug::NoLocking=1",
        "-o",
        "APT::Sandbox::User=root",
    ]
    get = [*apt, "--download-only", "install", *DEBIAN]
    if subprocess.run(get, capture_output=True).returncode:
        subprocess.run(["apt-get", "-qq", "update"], check=True)
        subprocess.run(get, check=True, capture_output=True)
    for name in ("etc", "root", "run", "tmp", "var/tmp", "usr/bin", "usr/sbin", "usr/lib", "usr/lib64"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "tmp").chmod(0o1777)
    for name in ("bin", "sbin", "lib", "lib64"):
        (folder / name).symlink_to(f"usr/{name}")
    (folder / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\nlightboard:x:65532:65532::/tmp:/bin/sh\n")
    (folder / "etc/group").write_text("root:x:0:\nlightboard:x:65532:\n")
    for package in sorted((state / "archives").glob("*.deb")):
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as unpacked:
            subprocess.run(["tar", "-C", folder, "-xp", "--keep-directory-symlink"], stdin=unpacked.stdout, check=True)
    shutil.rmtree(state)
    # what the script of ca-certificates does; the client of S3 cannot be made without any certificate
    trusted = sorted((folder / "usr/share/ca-certificates/mozilla").glob("*.crt"))
    (folder / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
    (folder / "etc/ssl/certs/ca-certificates.crt").write_bytes(b"".join(each.read_bytes() for each in trusted))


def _python(packages: pathlib.Path) -> None:
    requirements = subprocess.run(
        [sys.executable, "-c", _REQUIREMENTS, EXTRAS], check=True, capture_output=True, text=True
    ).stdout.split("\n")
    pip: list[str | pathlib.Path] = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
        "--target",
        packages,
        "--constraint",
        ROOT / "requirements/dev.txt",
    ]
    subprocess.run([*pip, *(each for each in requirements if each)], check=True)


# the requirements of the installed Lightboard and of its extras, extras of itself resolved
_REQUIREMENTS = """
import importlib.metadata, re, sys
wanted, todo = set(), {"", *sys.argv[1].split(",")}
done = set()
while todo:
    extra = todo.pop()
    done.add(extra)
    for each in importlib.metadata.requires("lightboard") or []:
        name, _, marker = each.partition(";")
        match = re.search(r'extra == ["\\']([^"\\']+)', marker)
        if (match[1] if match else "") != extra:
            continue
        own = re.match(r"lightboard\\[([^]]+)\\]", name)
        if own:
            todo |= set(own[1].split(",")) - done
        else:
            rest = re.sub(r"\\s*(and\\s+)?extra == [\\"'][^\\"']+[\\"']", "", marker).strip()
            wanted.add(f"{name.strip()}; {rest}" if rest else name.strip())
print("\\n".join(sorted(wanted)))
"""


def _ours(folder: pathlib.Path, packages: pathlib.Path) -> None:
    import sysconfig

    target = packages / "lightboard"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "src/lightboard", target, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(pathlib.Path(sysconfig.get_path("platlib")) / "lightboard", target, dirs_exist_ok=True)
    command = folder / "usr/local/bin/lightboard"
    command.parent.mkdir(parents=True, exist_ok=True)
    command.write_text("#!/usr/bin/python3\nimport sys\nfrom lightboard.__main__ import main\nsys.exit(main())\n")
    command.chmod(0o755)


def archive(name: str, folder: pathlib.Path, command: list[str], target: pathlib.Path) -> pathlib.Path:
    """The directory as an image with one layer, all owned by root, in Docker's format."""
    layer = target.with_suffix(".layer")
    own = ["--numeric-owner", "--owner=0", "--group=0", "--sort=name"]
    subprocess.run(["tar", "-C", folder, *own, "-cf", layer, "."], check=True)
    digest = hashlib.sha256()
    with layer.open("rb") as stream:
        while piece := stream.read(1 << 20):
            digest.update(piece)
    architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout
    config = {
        "architecture": architecture.strip(),
        "os": "linux",
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest.hexdigest()}"]},
        "config": {"Cmd": command, "Env": ["PATH=/usr/local/bin:/usr/bin:/bin"]},
    }
    manifest = [{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]
    with tarfile.open(target, "w") as made:
        for inner, document in (("manifest.json", manifest), ("config.json", config)):
            text = target.with_suffix(".part")
            text.write_text(json.dumps(document))
            made.add(text, inner)
            text.unlink()
        made.add(layer, "layer.tar")
    layer.unlink()
    return target
