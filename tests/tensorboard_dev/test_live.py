"""TensorBoard 2.15.0's uploader with logs that grow, and over TLS."""

from __future__ import annotations

import pathlib
import signal
import socket
import ssl

from hub import hubs
from tensorboard_dev import certificates, uploader
from tensorboard_dev.uploader import Person
from tensorboard_dev.written import files_of, logs_in, wait_for_points, write_scalars

import lightboard


def test_logs_that_grow_are_followed_until_the_experiment_is_deleted(
    hub: hubs.Hub, ada: Person, tmp_path: pathlib.Path
) -> None:
    with lightboard.SummaryWriter(tmp_path / "logs") as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.flush()
        with ada.tensorboard.start("upload", "--logdir", str(tmp_path / "logs")) as following:
            assert following.stdout is not None
            line = next(each for each in following.stdout if "/experiment/" in each)
            experiment = uploader.id_in(line)
            wait_for_points(files_of(hub, experiment), 1)
            writer.add_scalar("loss", 0.5, 1)
            writer.flush()
            wait_for_points(files_of(hub, experiment), 2)
            hub.ok("DELETE", f"/api/v1/uploads/{experiment}", token=ada.token)
            writer.add_scalar("loss", 0.25, 2)
            writer.flush()
            out, _ = following.communicate(timeout=60)
    assert "Experiment was deleted; uploading has been cancelled" in out
    assert not files_of(hub, experiment).exists()


def test_a_live_upload_ends_with_an_interrupt(hub: hubs.Hub, ada: Person, tmp_path: pathlib.Path) -> None:
    write_scalars(tmp_path / "logs", [1.0])
    with ada.tensorboard.start("upload", "--logdir", str(tmp_path / "logs")) as following:
        assert following.stdout is not None
        experiment = uploader.id_in(next(each for each in following.stdout if "/experiment/" in each))
        wait_for_points(files_of(hub, experiment), 1)
        following.send_signal(signal.SIGINT)
        out, _ = following.communicate(timeout=60)
    assert "Interrupted. View your TensorBoard at" in out


def test_an_upload_survives_a_hub_that_is_killed(tmp_path: pathlib.Path) -> None:
    ports = {"port": free_port(), "tensorboard_dev_port": free_port()}
    settings = tmp_path / "hub.toml"
    settings.write_text("[hub]\n" + "".join(f"{name} = {port}\n" for name, port in ports.items()))
    words = ("--config", str(settings), "--port", str(ports["port"]))
    with lightboard.SummaryWriter(tmp_path / "logs") as writer:
        with hubs.running(tmp_path / "dir", *words) as hub:
            ada = Person(hub, "ada", tmp_path)
            writer.add_scalar("loss", 1.0, 0)
            writer.flush()
            following = ada.tensorboard.start("upload", "--logdir", str(tmp_path / "logs"))
            assert following.stdout is not None
            experiment = uploader.id_in(next(each for each in following.stdout if "/experiment/" in each))
            wait_for_points(files_of(hub, experiment), 1)
            hub.stop(signal.SIGKILL)
        with hubs.running(tmp_path / "dir", *words) as hub, following:
            writer.add_scalar("loss", 0.5, 1)
            writer.flush()
            wait_for_points(files_of(hub, experiment), 2)
            following.send_signal(signal.SIGINT)
            following.communicate(timeout=60)
            assert logs_in(files_of(hub, experiment)).scalars(".", "loss").steps.tolist() == [0, 1]
            assert len(list(files_of(hub, experiment).iterdir())) == 2


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_with_a_certificate_the_port_speaks_tls(tmp_path: pathlib.Path) -> None:
    cert, key = certificates.make(tmp_path, "localhost")
    (tmp_path / "hub.toml").write_text(f'[hub]\ntensorboard_dev_port = 0\ntls_cert = "{cert}"\ntls_key = "{key}"\n')
    write_scalars(tmp_path / "logs", [1.0, 2.0])
    with hubs.running(tmp_path / "dir", "--config", str(tmp_path / "hub.toml")) as hub:
        hub.client = certificates.trusting(hub.url, ssl.create_default_context(cafile=str(cert)))
        token = hub.new_user("ada")
        origin = hub.url.replace("127.0.0.1", "localhost")
        trusted = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(cert), "REQUESTS_CA_BUNDLE": str(cert)}
        secure = uploader.Uploader(origin, tmp_path / "home", token, creds="ssl", **trusted)
        experiment = secure.upload(tmp_path / "logs")
        assert logs_in(files_of(hub, experiment)).scalars(".", "loss").values.tolist() == [1.0, 2.0]
