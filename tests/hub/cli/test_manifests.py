"""`lightboard hub apply -f`, `get -o yaml`, `delete -f`: TensorStack's, Kubeflow's and our manifests.

manifests/tensorboard-example.yaml is the example of TensorStack's documentation, byte for byte.
"""

from __future__ import annotations

import io
import json
import pathlib
import textwrap

import pytest
from hub.cli.conftest import Shell

from lightboard import cli

EXAMPLE = pathlib.Path(__file__).parent / "manifests" / "tensorboard-example.yaml"
KUBEFLOW = """\
apiVersion: tensorboard.kubeflow.org/v1alpha1
kind: Tensorboard
metadata:
  name: mnist
spec:
  logspath: pvc://data/logs
"""


def ours(name: str, uri: str, **spec: str) -> str:
    more = "".join(f"  {key}: {value}\n" for key, value in spec.items())
    return (
        textwrap.dedent(f"""\
        apiVersion: boards.lightboard.dev/v1
        kind: Board
        metadata:
          name: {name}
        spec:
          sources:
          - uri: {uri}
        """)
        + more
    )


@pytest.fixture
def with_namespace(shell: Shell) -> Shell:
    """The user is a member of the workspace that the example names."""
    admin = shell.team.admin
    if "t9k-example" not in [each.id for each in admin.workspaces.list()]:
        admin.workspaces.create("t9k-example")
    admin.workspaces.add_member("t9k-example", shell.name, "editor")
    return shell


def test_the_example_of_tensorstack_unchanged(with_namespace: Shell) -> None:
    shell = with_namespace
    name, result, url = shell("hub", "apply", "-f", str(EXAMPLE), "--wait").split()
    assert (name, result) == ("pytorchtrainingjob-tensorboard", "created")
    assert shell.err == "notice: ignored outside a cluster: pytorchtrainingjob-tensorboard: document 1.spec.image\n"
    board = json.loads(shell("hub", "get", url, "-o", "json"))
    assert (board["state"], board["workspace"]) == ("Running", "t9k-example")
    assert [each["uri"] for each in board["sources"]] == ["t9k://pvc/pytorchtrainingjob-tensorboard-pvc/log"]
    assert shell("hub", "apply", "-f", str(EXAMPLE)).split()[1] == "unchanged"
    assert shell("hub", "delete", "-f", str(EXAMPLE)) == "pytorchtrainingjob-tensorboard  deleted\n"
    shell("hub", "wait", url, "--for", "deleted")
    shell("hub", "wait", url, "--for", "deleted")
    assert shell("hub", "delete", "-f", str(EXAMPLE)) == "pytorchtrainingjob-tensorboard  absent\n"


def test_several_in_a_file(shell: Shell, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "boards.yaml"
    file.write_text(f"---\n{KUBEFLOW}---\n{ours('all', shell.logs, displayName='All runs', idleAfter='30m')}---\n")
    assert [line.split()[:2] for line in shell("hub", "apply", "-f", str(file)).splitlines()] == [
        ["mnist", "created"],
        ["all", "created"],
    ]
    assert [line.split()[1] for line in shell("hub", "apply", "-f", str(file)).splitlines()] == ["unchanged"] * 2
    file.write_text(file.read_text().replace("30m", "45m"))
    assert [line.split()[1] for line in shell("hub", "apply", "-f", str(file)).splitlines()] == ["unchanged", "changed"]
    (board,) = [each for each in json.loads(shell("hub", "ls", "--json"))["items"] if each["name"] == "All runs"]
    assert board["idle_after"] == 2700
    assert [line.split()[1] for line in shell("hub", "delete", "-f", str(file)).splitlines()] == ["deleted"] * 2


def test_several_files_directories_and_stdin(
    shell: Shell, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "boards"
    folder.mkdir()
    (folder / "a.yaml").write_text(ours("a", shell.logs))
    (folder / "b.json").write_text(
        json.dumps(
            {
                "apiVersion": "boards.lightboard.dev/v1",
                "kind": "Board",
                "metadata": {"name": "b"},
                "spec": {"sources": [{"uri": shell.logs}], "suspend": True},
            }
        )
    )
    (folder / "notes.txt").write_text("not a manifest")
    monkeypatch.setattr("sys.stdin", io.StringIO(ours("c", shell.logs)))
    lines = shell("hub", "apply", "-f", str(folder), "-", "-f", str(folder / "a.yaml")).splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["a", "created"],
        ["b", "created"],
        ["c", "created"],
        ["a", "unchanged"],
    ]
    shell("hub", "apply", "-f", str(tmp_path), code=cli.FAILED)
    assert "no .yaml" in shell.err
    shell("hub", "apply", "-f", str(tmp_path / "absent.yaml"), code=cli.FAILED)


def test_what_get_prints_can_be_applied(shell: Shell, tmp_path: pathlib.Path) -> None:
    shell("hub", "create", shell.logs, "--name", "one", "--no_wait", "--idle_after", "2h")
    shell("hub", "create", shell.logs, "--name", "two", "--no_wait")
    file = tmp_path / "boards.yaml"
    file.write_text(shell("hub", "get", "-o", "yaml"))
    assert file.read_text().count("kind: Board") == 2
    assert [line.split()[1] for line in shell("hub", "apply", "-f", str(file)).splitlines()] == ["unchanged"] * 2


def test_pruning(shell: Shell, tmp_path: pathlib.Path) -> None:
    both, one = tmp_path / "both.yaml", tmp_path / "one.yaml"
    both.write_text(f"{ours('keep', shell.logs)}---\n{ours('drop', shell.logs)}")
    one.write_text(ours("keep", shell.logs))
    shell("hub", "apply", "-f", str(both))
    assert sorted(line.split()[:2] for line in shell("hub", "apply", "-f", str(one), "--prune").splitlines()) == [
        ["drop", "deleted"],
        ["keep", "unchanged"],
    ]


def test_manifests_that_are_wrong(shell: Shell, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "board.yaml"
    for text in ("", "a: [", "kind: Pod\napiVersion: v1\n", ours("x", shell.logs, colour="red")):
        file.write_text(text)
        shell("hub", "apply", "-f", str(file), code=cli.USAGE)
        assert shell.err.startswith("error: ")
    file.write_text(ours("x", "nonsense://x"))
    shell("hub", "apply", "-f", str(file), code=cli.USAGE)
    file.write_bytes(b"\xff\xfe")
    shell("hub", "apply", "-f", str(file), code=cli.FAILED)


def test_one_of_several_that_cannot_be_applied(shell: Shell, tmp_path: pathlib.Path) -> None:
    shell.team.admin.users.change(shell.name, boards_limit=1)
    file = tmp_path / "boards.yaml"
    file.write_text(f"{ours('one', shell.logs)}---\n{ours('two', shell.logs)}")
    lines = shell("hub", "apply", "-f", str(file), code=cli.LIMIT).splitlines()
    assert [line.split()[:2] for line in lines] == [["one", "created"], ["two", "failed"]]
    assert "error: two: 1 of 1 boards are active" in shell.err
