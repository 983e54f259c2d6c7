"""`deploy/`: the systemd unit as systemd reads it, and a hub behind a real nginx with our configuration.

Both need programs of the system; without them the tests are skipped. Left out: that systemd runs the unit.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import ipaddress
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hub import hubs

from lightboard.demo import logs as demo_logs

pytestmark = pytest.mark.whole_hub

DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"
UNIT = DEPLOY / "systemd" / "lightboard-hub.service"
SITE = DEPLOY / "nginx" / "lightboard.conf"
NAME = "boards.example.org"
MAIN = """
{user} daemon off; worker_processes 1; pid {folder}/pid; error_log stderr warn;
events {{ worker_connections 256; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/site.conf;
}}
"""


def program(name: str) -> str:
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"there is no {name}")
    return found


# -- systemd


def test_systemd_understands_the_unit(tmp_path: pathlib.Path) -> None:
    # the program and the user of an installation are not here
    text = re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", UNIT.read_text(), flags=re.MULTILINE)
    (tmp_path / UNIT.name).write_text(text)
    command = [program("systemd-analyze"), "verify", "--man=no", str(tmp_path / UNIT.name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    complaints = [line for line in done.stderr.splitlines() if UNIT.name in line]
    assert (done.returncode, complaints) == (0, []), done.stderr


def test_a_restart_of_the_service_interrupts_no_board() -> None:
    assert "\nKillMode=process\n" in UNIT.read_text()


def test_the_unit_is_closed_as_far_as_a_hub_can_be() -> None:
    command = [program("systemd-analyze"), "security", "--offline=true", "--threshold=25", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "unrecognized option" in done.stderr:
        pytest.skip("systemd is older than 250")
    assert done.returncode == 0, done.stdout[-400:]


# -- nginx


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def write_certificate(folder: pathlib.Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = dt.datetime.now(dt.timezone.utc)
    names = x509.SubjectAlternativeName([x509.DNSName(NAME), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=now - dt.timedelta(days=1),
        not_valid_after=now + dt.timedelta(days=1),
        extensions=[x509.Extension(names.oid, False, names)],
    )
    plain = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(pem))
    (folder / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))


class Proxied:
    """`plain` and `secure` are ports of nginx."""

    def __init__(self, hub: hubs.Hub, folder: pathlib.Path, plain: int, secure: int) -> None:
        self.hub, self.folder, self.plain, self.secure = hub, folder, plain, secure
        context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
        url, headers = f"https://127.0.0.1:{secure}", {"Authorization": f"Bearer {hub.admin_token}", "Host": NAME}
        self.client = httpx.Client(base_url=url, verify=context, headers=headers, trust_env=False, timeout=60)
        # sends no identity
        self.nobody = httpx.Client(base_url=url, verify=context, headers={"Host": NAME}, trust_env=False, timeout=60)


def site(folder: pathlib.Path, hub: str, plain: int, secure: int) -> str:
    """Our file with the ports, the certificate and the hub of this test."""
    text = SITE.read_text()
    text = re.sub(r"listen \[::\].*?;\n", "", text)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{plain};").replace(
        "listen 443 ", f"listen 127.0.0.1:{secure} "
    )
    text = re.sub(r"/etc/ssl/certs/\S+;", f"{folder}/cert.pem;", text)
    text = re.sub(r"/etc/ssl/private/\S+;", f"{folder}/key.pem;", text)
    return text.replace("server 127.0.0.1:8080;", f"server {hub};")


@contextlib.contextmanager
def nginx(folder: pathlib.Path, hub: hubs.Hub) -> Iterator[Proxied]:
    found = program("nginx")
    folder.mkdir()
    write_certificate(folder)
    plain, secure = free_port(), free_port()
    (folder / "site.conf").write_text(site(folder, hub.url.removeprefix("http://"), plain, secure))
    user = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(user=user, folder=folder))
    command = [found, "-c", str(folder / "nginx.conf"), "-p", str(folder), "-e", "stderr"]
    tested = subprocess.run([*command, "-t"], capture_output=True, text=True, timeout=60, check=False)
    assert tested.returncode == 0, tested.stderr
    assert "warn" not in tested.stderr
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log)
    try:
        made = Proxied(hub, folder, plain, secure)
        hubs.until(lambda: is_open(secure), what="nginx answers")
        with made.client, made.nobody:
            yield made
    finally:
        process.terminate()
        process.wait(timeout=60)


def is_open(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    program("nginx")
    folder = tmp_path_factory.mktemp("deploy")
    for _ in zip(range(3), demo_logs.writing(folder / "logs"), strict=False):
        pass
    config = folder / "hub.toml"
    config.write_text(f'[hub]\nurl = "https://{NAME}"\ntrusted_proxies = ["127.0.0.1", "::1"]\n')
    words = ("--config", str(config), "--allow_root", str(folder / "logs"))
    with hubs.running(folder / "hub", *words) as hub, nginx(folder / "nginx", hub) as made:
        yield made


def test_links_have_the_address_that_people_open(proxied: Proxied) -> None:
    assert proxied.client.get("/api/v1/me").json()["hub"]["url"] == f"https://{NAME}"
    answer = httpx.get(f"http://127.0.0.1:{proxied.plain}/#x", headers={"Host": NAME}, trust_env=False)
    assert (answer.status_code, answer.headers["location"]) == (308, f"https://{NAME}/")


def test_a_session_of_the_proxy_is_secure_and_may_write(proxied: Proxied) -> None:
    proxied.hub.ok("PATCH", "/api/v1/users/admin", json={"password": "a long password"}, headers={"Host": NAME})
    sign_in = {"name": "admin", "password": "a long password"}
    answer = proxied.nobody.post("/api/v1/session", json=sign_in)
    assert answer.status_code == 201
    assert all("Secure" in each for each in answer.headers.get_list("set-cookie"))
    proxied.nobody.cookies.clear()
    cookies = "; ".join(each.partition(";")[0] for each in answer.headers.get_list("set-cookie"))
    headers = {"Cookie": cookies, "Origin": f"https://{NAME}", "X-Lightboard-CSRF": answer.json()["csrf"]}
    made = proxied.nobody.post("/api/v1/workspaces", json={"id": "proxied"}, headers=headers)
    assert made.status_code == 201, made.text
    # invented addresses of a client do not reach the hub
    forged = {**headers, "X-Forwarded-For": "203.0.113.9"}
    proxied.nobody.patch("/api/v1/workspaces/proxied", json={"name": "Proxied"}, headers=forged)
    entries = proxied.client.get("/api/v1/audit").json()["items"]
    assert {each["address"] for each in entries} == {"127.0.0.1"}


def test_a_board_answers_through_the_proxy_with_ranges(proxied: Proxied) -> None:
    logs = proxied.folder.parent / "logs"
    made = proxied.client.post("/api/v1/boards", json={"name": "proxied", "uri": str(logs)})
    assert made.status_code == 202, made.text
    board = made.json()
    assert board["url"] == f"https://{NAME}/boards/{board['id']}/"
    query = {"wait": 60, "generation": board["generation"]}
    assert proxied.client.get(f"/api/v1/boards/{board['id']}", params=query).json()["state"] == "Running"
    path = f"/boards/{board['id']}/"
    page = proxied.client.get(path)
    assert page.status_code == 200
    assert page.headers["strict-transport-security"]
    script = re.search(r'src="(?:\./)?(assets/[^"]+\.js)"', page.text)
    assert script is not None
    part = proxied.client.get(path + script[1], headers={"Range": "bytes=10-19", "Accept-Encoding": "identity"})
    whole = proxied.client.get(path + script[1], headers={"Accept-Encoding": "identity"})
    assert part.status_code in (200, 206)
    assert part.content == (whole.content[10:20] if part.status_code == 206 else whole.content)
    link = proxied.client.post(f"/api/v1/boards/{board['id']}/shares", json={}).json()["url"]
    assert link.startswith(f"https://{NAME}/s/")
    opened = proxied.nobody.get(link.removeprefix(f"https://{NAME}"))
    assert (opened.status_code, opened.headers["location"]) == (303, path)
    logged = (proxied.folder / "access.log").read_text()
    assert path in logged
    assert "/s/" not in logged


def test_events_are_not_held_back(proxied: Proxied) -> None:
    with proxied.client.stream("GET", "/api/v1/changes") as stream:
        assert stream.status_code == 200
        lines = stream.iter_lines()
        assert next(lines) is not None  # without a buffer the first line comes at once
        logs = proxied.folder.parent / "logs"
        proxied.hub.ok("POST", "/api/v1/boards", json={"name": "told", "uri": str(logs)}, headers={"Host": NAME})
        assert any(line.startswith("data:") and '"told"' in line for line in lines)


def test_numbers_are_for_this_machine(proxied: Proxied) -> None:
    assert "lightboard_hub_boards" in proxied.client.get("/metrics").text
