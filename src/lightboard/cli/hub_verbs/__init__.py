"""`lightboard hub VERB …`: commands for boards of a hub. One module per verb, as in `cli/`.

`lightboard hub` without a verb serves (`cli/hub.py`). All verbs but `backup` and `restore` are clients: they talk to
the hub of `--hub`, of `LIGHTBOARD_HUB`, or of the last `lightboard login`.
"""

from __future__ import annotations

VERBS = {
    "create": "create a board over logs and print its link",
    "ls": "list boards",
    "open": "print the link of a board and open it in the browser",
    "stop": "stop boards; definition and index are kept",
    "resume": "start boards again",
    "rm": "delete boards; logs are never deleted",
    "share": "create a link to a board, list or revoke links, or change who sees the board",
    "logs": "print the last lines of a board's log",
    "events": "print what happened to a board",
    "jobs": "list jobs, print what they print, stop or delete them, open their boards",
    "quota": "print how many boards are active, and how many may be",
    "apply": "create or change boards as manifests describe them",
    "get": "print boards, also as manifests",
    "delete": "delete the boards of manifests",
    "check": "print what is found at an address of logs, without creating a board",
    "wait": "wait until boards run, are stopped or are deleted",
    "keepalive": "keep boards running, however long nobody uses them",
    "backup": "write a copy of the hub's database, also while the hub runs",
    "restore": "replace the database of a stopped hub by a backup",
    "demo": "start a hub with sample people, workspaces and boards, in a temporary directory",
}
