"""Which rooms of the hub may import which: the table of docs/design/0030-the-hub.md.

`tests/test_imports.py` checks the hub as a whole.
"""

from __future__ import annotations

import test_imports

MAY_IMPORT = {
    "life": set(),
    "db": {"life"},
    "runtimes": {"life"},
    "keeper": {"life", "db", "runtimes"},
    "people": {"life", "db"},
    "door": {"people", "life"},
    "sources": {"people", "db", "life", "runtimes"},
    "uploads": {"people", "db", "life"},
    "jobs": {"people", "db", "life"},
    "api": {"people", "db", "life", "keeper", "runtimes", "sources", "jobs", "uploads"},
    "tensorboard_dev": {"api", "uploads", "people", "life", "runtimes"},
    "server": {
        "life",
        "db",
        "runtimes",
        "keeper",
        "people",
        "door",
        "sources",
        "api",
        "jobs",
        "uploads",
        "tensorboard_dev",
    },
}


def room(dotted: str) -> str:
    return dotted.split(".")[1] if dotted.startswith("hub.") else ""


def test_rooms_of_the_hub_import_as_the_table_says() -> None:
    arrows = [each for each in test_imports.all_arrows() if room(each.module) and room(each.target)]
    wrong = [each for each in arrows if room(each.target) not in MAY_IMPORT[room(each.module)] | {room(each.module)}]
    assert [str(each) for each in wrong] == []
    assert {"life", "db", "keeper"} <= {room(each.module) for each in arrows}


def test_life_imports_nothing_that_does_input_or_output() -> None:
    loaded = test_imports.modules_loaded_by("import lightboard.hub.life, lightboard.hub.life.commands")
    assert loaded & {"sqlalchemy", "asyncio", "socket", "numpy", "uvicorn", "psycopg"} == set()
