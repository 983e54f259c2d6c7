"""Every integration without its library: a clear word instead of an import error. With them: tests/frameworks."""

from __future__ import annotations

import importlib
import pathlib
import subprocess
import sys

import pytest

from lightboard import errors, integrations
from lightboard.sdk import optional

PACKAGE = pathlib.Path(integrations.__file__).parent
MODULES = sorted(path.stem for path in PACKAGE.glob("*.py") if path.stem not in ("__init__", "attachment"))


def test_every_integration_is_listed() -> None:
    assert MODULES == ["accelerate", "keras", "lightgbm", "lightning", "transformers", "xgboost"]
    for name in MODULES:
        assert f"    {name} " in (integrations.__doc__ or "")


@pytest.mark.parametrize("name", MODULES)
def test_an_absent_library_is_told_with_the_command_that_brings_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("accelerate", "keras", "lightgbm", "lightning", "pytorch_lightning", "lightning_fabric",
                    "transformers", "xgboost"):  # fmt: skip
        monkeypatch.setitem(sys.modules, library, None)
    sys.modules.pop(f"lightboard.integrations.{name}", None)
    with pytest.raises(errors.Missing, match="pip install") as caught:
        importlib.import_module(f"lightboard.integrations.{name}")
    assert caught.value.hint.startswith("pip install ")


def test_a_library_that_is_broken_is_not_called_absent(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_library.py").write_text("import surely_not_there\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="surely_not_there"):
        optional.load("broken_library", "pip install broken", "a test")
    with pytest.raises(errors.Missing):
        optional.load("broken_library_2", "pip install broken", "a test")


def test_lightboard_alone_imports_no_integration() -> None:
    code = "import sys, lightboard; lightboard.init; assert not [m for m in sys.modules if 'integrations' in m]"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
