"""The origin of a run: command line, versions, git, machine. Collected once; errors here never fail the run.

Environment variables are taken from a list of names that contain no secrets; all others are ignored.
Passwords and tokens in arguments and URLs are masked.
"""

from __future__ import annotations

import getpass
import os
import pathlib
import platform
import re
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

GIT_TIMEOUT_SECS = 3.0
# A diff records what was tried; generated files of megabytes do not help.
MAX_DIFF_BYTES = 256 << 10
PACKAGES = (
    "numpy", "torch", "tensorflow", "keras", "jax", "flax", "transformers", "accelerate", "lightning",
    "pytorch_lightning", "xgboost", "lightgbm", "sklearn", "datasets", "diffusers", "pandas", "lightboard",
)  # fmt: skip
# Variables of schedulers, launchers and CUDA about a job. Exact names: a pattern such as `SLURM_*` might match secrets
# that a cluster adds.
VARIABLES = (
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "HIP_VISIBLE_DEVICES", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
    "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "NODE_RANK", "GROUP_RANK", "MASTER_ADDR", "MASTER_PORT",
    "SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_PROCID", "SLURM_NTASKS",
    "SLURM_NNODES", "SLURM_NODELIST", "SLURM_JOB_PARTITION", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "NCCL_DEBUG",
    "TF_CONFIG", "KERAS_BACKEND", "XLA_FLAGS", "PYTORCH_CUDA_ALLOC_CONF", "CONDA_DEFAULT_ENV", "VIRTUAL_ENV",
    "PYTHONHASHSEED", "LANG", "TZ", "GITHUB_RUN_ID", "GITHUB_SHA", "GITHUB_REF_NAME", "CI_JOB_ID", "CI_COMMIT_SHA",
)  # fmt: skip
_SECRET = re.compile(
    r"(pass(word|wd|phrase)?|secret|token|api[-_]?key|access[-_]?key|credential|private[-_]?key|auth)", re.I
)
_URL_USER = re.compile(r"(?<=://)[^/@\s]+@")
MASK = "***"


def collect(*, with_diff: bool = True) -> dict[str, Any]:
    """Returns everything as plain values. Parts that cannot be determined are left out."""
    facts: dict[str, Any] = {
        "command": masked_arguments(list(getattr(sys, "orig_argv", None) or sys.argv)),
        "program": _or_none(lambda: sys.argv[0]),
        "directory": _or_none(lambda: str(pathlib.Path.cwd())),
        "python": {
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
            "executable": sys.executable,
        },
        "packages": packages(),
        "git": git(with_diff=with_diff),
        "environment": environment(os.environ),
        "host": _or_none(socket.gethostname),
        "user": _or_none(getpass.getuser),
        "system": _or_none(platform.platform),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "pid": os.getpid(),
        "start_time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    return {name: each for name, each in facts.items() if each not in (None, {}, [])}


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: _masked_url(variables[name])[:2000] for name in VARIABLES if name in variables}


def masked_arguments(arguments: list[str]) -> list[str]:
    """Masks the secrets in `--token=abc` and `--token abc`."""
    masked: list[str] = []
    hide_next = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if hide_next and not argument.startswith("-"):
            masked.append(MASK)
            hide_next = False
        elif _SECRET.search(name) and (name.startswith("-") or equals) and len(name) < 100:
            masked.append(f"{name}={MASK}" if equals else argument)
            hide_next = not equals
        else:
            masked.append(_masked_url(argument)[:10_000])
            hide_next = False
    return masked


def packages() -> dict[str, str]:
    """Returns versions of the frameworks that are imported; importing one would cost seconds."""
    versions = {}
    for name in PACKAGES:
        version = getattr(sys.modules.get(name), "__version__", None)
        if version is not None:
            versions[name] = str(version)
    return versions


def git(directory: str | None = None, *, with_diff: bool = True) -> dict[str, Any]:
    """Returns commit, branch, and uncommitted changes. Empty if there is no git or no repository."""
    commit = _git(["rev-parse", "HEAD"], directory)
    if commit is None:
        return {}
    facts: dict[str, Any] = {"commit": commit.strip()}
    for name, arguments in (
        ("branch", ["rev-parse", "--abbrev-ref", "HEAD"]),
        ("remote", ["remote", "get-url", "origin"]),
        ("root", ["rev-parse", "--show-toplevel"]),
    ):
        answer = _git(arguments, directory)
        if answer is not None and answer.strip():
            facts[name] = _masked_url(answer.strip())
    status = _git(["status", "--porcelain", "--untracked-files=no"], directory)
    facts["dirty"] = bool(status)
    if status and with_diff:
        diff = _git(["diff", "HEAD", "--no-color", "--no-ext-diff", "--submodule=short"], directory)
        if diff is not None:
            facts["diff"] = diff[:MAX_DIFF_BYTES]
            facts["diff_cut"] = len(diff) > MAX_DIFF_BYTES
    return facts


def _git(arguments: list[str], directory: str | None) -> str | None:
    """Runs git so that it neither prompts, nor takes locks, nor starts background processes."""
    variables = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=directory,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GIT_TIMEOUT_SECS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def _masked_url(text: str) -> str:
    return _URL_USER.sub(MASK + "@", text)


def _or_none(ask: Any) -> Any:
    """Returns None on errors: in a container the user may be unknown, or the working directory may be deleted."""
    try:
        return ask()
    except Exception:
        return None
