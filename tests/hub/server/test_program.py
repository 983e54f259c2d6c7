"""The program `lightboard hub`: first start, second hub, stop, restart, two hubs on PostgreSQL."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest
from hub import hubs, postgres

LOGS = pathlib.Path(__file__).parent.parent.parent / "data" / "keras_fit"


def refused(folder: pathlib.Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}
    return subprocess.run(
        [sys.executable, "-m", "lightboard", "hub", "--dir", str(folder), "--port", "0", *words],
        env={**own, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=hubs.PATIENCE_SECS,
    )


def test_the_link_of_the_first_start_makes_the_admin_once(tmp_path: pathlib.Path) -> None:
    with hubs.running(tmp_path / "hub", admin_token="") as hub:
        match = hubs.until(lambda: re.search(r"(http\S+)/#/link/(lbl_\S+)", hub.log()))
        assert match[1] == hub.url
        body = {"link": match[2], "name": "root", "password": "a long password"}
        checked = hub.ok("GET", "/api/v1/links:check", params={"link": match[2]})
        assert checked["purpose"] == "first-admin"
        made = hub.request("POST", "/api/v1/links:use", token="", json=body)
        assert made.status_code == 201, made.text
        assert (made.json()["user"]["name"], made.json()["user"]["admin"]) == ("root", True)
        again = hub.request("POST", "/api/v1/links:use", token="", json={**body, "name": "evil"})
        assert again.status_code in (404, 410)
        sign_in = {"name": "root", "password": "a long password"}
        assert hub.request("POST", "/api/v1/session", token="", json=sign_in).status_code == 201
    with hubs.running(tmp_path / "hub", admin_token="") as hub:
        assert hub.log().count("/#/link/") == 1  # no new one


def test_a_link_that_nobody_used_is_replaced_at_the_next_start(tmp_path: pathlib.Path) -> None:
    links = []
    for _ in range(2):
        with hubs.running(tmp_path / "hub", admin_token="") as hub:
            links.append(hubs.until(lambda: re.findall(r"/#/link/(lbl_\S+)", hub.log()))[-1])
            if len(links) == 2:
                old, new = (hub.request("GET", "/api/v1/links:check", params={"link": each}) for each in links)
                assert (old.status_code, new.status_code) == (410, 200)
    assert links[0] != links[1]


def test_a_short_admin_token_is_refused(tmp_path: pathlib.Path) -> None:
    done = refused(tmp_path / "hub", LIGHTBOARD_HUB_ADMIN_TOKEN="short")
    assert (done.returncode, done.stdout) == (2, "")
    assert "has 5 characters" in done.stderr and "hint: " in done.stderr and "short" not in done.stderr
    assert not (tmp_path / "hub").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[hub]\nport = 8080\nprot = 1\n", "hub.toml:3: [hub] has no `prot`"),
        ('[hub]\nurl = "https://x/y"\n', "hub.toml:2: `url` wants an address"),
    ],
)
def test_a_wrong_configuration_is_refused_with_its_line(tmp_path: pathlib.Path, text: str, told: str) -> None:
    (tmp_path / "hub.toml").write_text(text)
    done = refused(tmp_path / "hub", "--config", str(tmp_path / "hub.toml"))
    assert done.returncode == 2 and told in done.stderr


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['sqlalchemy'] = None; from lightboard import cli; sys.exit(cli.main(['hub']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == "error: the hub needs `sqlalchemy`\nhint: `pip install 'lightboard[hub]'`\n"


def test_a_database_that_cannot_be_used_is_told_in_one_line(tmp_path: pathlib.Path) -> None:
    done = refused(tmp_path / "hub", "--database", "postgresql://me:secret@127.0.0.1:1/x")
    assert done.returncode == 1 and done.stderr.startswith("error: the hub's database cannot be used: ")
    assert "Traceback" not in done.stderr and "secret" not in done.stderr
    (tmp_path / "hub" / "hub.sqlite3").write_text("this is no database")
    done = refused(tmp_path / "hub")
    assert done.returncode == 1 and "file is not a database" in done.stderr and "Traceback" not in done.stderr


def test_one_hub_per_folder_stop_restart_and_boards_that_run_on(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "hub"
    with hubs.running(folder, "--allow_root", str(LOGS), "--log_format", "json", keep_boards=True) as hub:
        second = refused(folder)
        assert second.returncode == 1 and "another hub uses this directory" in second.stderr
        board = hub.new_board(LOGS)
        process = _process(folder, board["id"])
        with hub.client.stream("GET", "/api/v1/changes", headers=_as(hub)) as stream:
            assert stream.status_code == 200
            assert hub.stop() == 0  # it does not wait for the stream
        lines = [json.loads(line) for line in hub.log().splitlines()]
        assert {"time", "level", "logger", "message"} <= lines[0].keys()
    os.kill(process, 0)  # it runs
    with hubs.running(folder, "--allow_root", str(LOGS), admin_token="") as hub:
        hub.admin_token = hubs.ADMIN_TOKEN
        assert hub.ok("GET", f"/api/v1/boards/{board['id']}")["state"] == "Running"
        assert hub.request("GET", f"/boards/{board['id']}/api/board").status_code == 200
        assert _process(folder, board["id"]) == process
        stopped = hub.settled(hub.ok("POST", f"/api/v1/boards/{board['id']}:stop"))
        assert stopped["state"] == "Stopped"
        # a killed hub leaves nothing that keeps the next one from starting
        assert hub.stop(signal.SIGKILL) == -signal.SIGKILL
    with hubs.running(folder) as hub:
        assert hub.ok("GET", "/api/v1/boards")["total"] == 1
        assert hub.request("GET", "/readyz", token="").text == "ok\n"


def test_settings_of_the_file_count_until_an_admin_changes_them(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "hub.toml"
    file.write_text('[boards]\nidle_after = "2h"\nper_account = 7\n')
    words = ("--config", str(file))
    with hubs.running(tmp_path / "hub", *words) as hub:
        told = hub.ok("GET", "/api/v1/settings")
        assert (told["idle_after"], told["per_account"]) == (7200.0, 7)
        hub.ok("PATCH", "/api/v1/settings", json={"idle_after": "3h"})
    with hubs.running(tmp_path / "hub", *words) as hub:
        assert hub.ok("GET", "/api/v1/settings")["idle_after"] == 10800.0
    file.write_text('[boards]\nidle_after = "4h"\nper_account = 7\n')
    with hubs.running(tmp_path / "hub", *words) as hub:
        assert hub.ok("GET", "/api/v1/settings")["idle_after"] == 14400.0


def test_two_hubs_on_one_database_share_boards_and_one_leads(
    tmp_path: pathlib.Path, postgres_server: postgres.Server
) -> None:
    dsn = postgres_server.new_database()
    words = ("--database", dsn, "--allow_root", str(LOGS))
    with hubs.running(tmp_path / "hub", *words) as one, hubs.running(tmp_path / "hub", *words) as two:
        board = one.new_board(LOGS)
        for hub in (one, two):
            assert hub.request("GET", f"/boards/{board['id']}/api/board").status_code == 200
        leads = [float(re.findall(r"^lightboard_hub_keeper_leads (\S+)", _metrics(hub), re.M)[0]) for hub in (one, two)]
        assert sorted(leads) == [0.0, 1.0]
        leader, other = (one, two) if leads[0] else (two, one)
        # what one hub decides, the other follows
        assert other.settled(other.ok("POST", f"/api/v1/boards/{board['id']}:stop"))["state"] == "Stopped"
        assert leader.request("GET", f"/boards/{board['id']}/api/board").status_code == 503
        # the lease is given back: the other leads without waiting for its end
        assert leader.stop() == 0
        hubs.until(lambda: "lightboard_hub_keeper_leads 1.0" in _metrics(other), what="the other hub leads")
        assert other.settled(other.ok("POST", f"/api/v1/boards/{board['id']}:start"))["state"] == "Running"


def _metrics(hub: hubs.Hub) -> str:
    return hub.request("GET", "/metrics", token="").text


def _as(hub: hubs.Hub) -> dict[str, str]:
    return {"authorization": f"Bearer {hub.admin_token}"}


def _process(folder: pathlib.Path, board: str) -> int:
    return int(json.loads((folder / "boards" / board / "process.json").read_text())["identity"]["pid"])
