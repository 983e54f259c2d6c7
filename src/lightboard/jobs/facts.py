"""What is recorded of a job at its start: command, directory, host, environment, git.

Environment variables are recorded but for secrets: by name, and by the look of the value. Passwords in addresses are
masked. A variable whose value was left out keeps its name.
"""

from __future__ import annotations

import math
import os
import re
import socket
from collections import Counter
from collections.abc import Mapping
from typing import Any

LONGEST_VALUE = 4000
MOST_VARIABLES = 1000
HIDDEN = "***"
# Set by `lightboard run` itself, or different for every process.
_OWN = frozenset({"_", "SHLVL", "PWD", "OLDPWD", "LS_COLORS"})
_SECRET_NAME = re.compile(
    r"pass(word|wd|phrase)?|secret|token|(api|access|private|account|storage|signing|encryption|license)_?key"
    r"|^key$|_key(_id)?$|credential|auth(?!or)|cookie|session(?!_id$|name|_manager|type)|sas$|_sas_|dsn|connection_?string"
    r"|_pat$|^pat$|jwt|kubeconfig|certificate|webhook|bearer",
    re.IGNORECASE,
)
# Beginnings of keys that services give out, and forms that only secrets have.
_SECRET_VALUE = re.compile(
    r"^(AKIA|ASIA|LTAI|ghp_|gho_|ghs_|ghu_|github_pat_|glpat-|xox[abpors]-|sk-|sk_live_|rk_live_|hf_|npm_|pypi-|lbt_"
    r"|AIza|ya29\.|eyJ[A-Za-z0-9_-]{10,}\.|-----BEGIN )"
    r"|[?&](sig|signature|token|key|password)=|(Bearer|Basic) [A-Za-z0-9+/=._-]{8,}",
)
_WORD = re.compile(r"[A-Za-z0-9+/=_-]{24,}")
_PASSWORD_IN_URL = re.compile(r"(?<=://)[^/@\s]+@")


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(variables):
        if name in _OWN or name.startswith("BASH_FUNC_"):
            continue
        value = variables[name]
        if is_secret(name, value):
            found[name] = HIDDEN
        else:
            found[name] = _PASSWORD_IN_URL.sub(f"{HIDDEN}@", value)[:LONGEST_VALUE].replace("\0", "")
        if len(found) >= MOST_VARIABLES:
            break
    return {name: value.encode("utf-8", "replace").decode() for name, value in found.items()}


def is_secret(name: str, value: str) -> bool:
    """By name, or by a value that looks like a key: its known beginning, or one long word as random as a key is."""
    if _SECRET_NAME.search(name) and not value.isdigit() and value.lower() not in ("", "true", "false", "none"):
        return True
    return _SECRET_VALUE.search(value) is not None or (_WORD.fullmatch(value) is not None and _is_random(value))


def _is_random(word: str) -> bool:
    """Bits per character: English and paths have less than 3.5, keys in base64 or hex with mixed letters more."""
    counts = Counter(word)
    bits = -sum(number / len(word) * math.log2(number / len(word)) for number in counts.values())
    kinds = sum(any(test(each) for each in word) for test in (str.islower, str.isupper, str.isdigit))
    return bits > 3.7 and kinds >= 2 and "/" not in word[:1]


def of_command(words: list[str], directory: str) -> dict[str, Any]:
    """Members of a registration, without git: that may take seconds."""
    from lightboard.sdk import run_metadata

    return {
        "command": [_plain(each) for each in run_metadata.masked_arguments(words)],
        "directory": _plain(directory)[:2000],
        "host": socket.gethostname()[:1000],
        "environment": environment(os.environ),
    }


def git(directory: str) -> dict[str, Any] | None:
    """Commit, branch, and what was not committed; None if there is no repository."""
    from lightboard.sdk import run_metadata

    found = run_metadata.git(directory)
    if not found:
        return None
    names = ("commit", "branch", "remote", "dirty", "diff", "diff_cut")
    return {name: _plain(found[name]) for name in names if name in found}


def _plain(value: Any) -> Any:
    """Texts as JSON can have them: surrogates of undecodable bytes and NUL become question marks."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8", "replace").decode().replace("\0", "?")
