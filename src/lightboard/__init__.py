"""Lightboard: see how training goes.

    import lightboard
    logs = lightboard.open("runs")
    logs.scalars("train", "loss").values

Importing it is quick and loads neither the server nor NumPy: public names are imported when they are first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # True for type checkers; importing `typing` would take most of our import time
if TYPE_CHECKING:
    from lightboard import hparams, notebook, summary
    from lightboard.notebook import enable, load_ipython_extension
    from lightboard.reading import Logs, open
    from lightboard.sdk.media import Audio, Histogram, Image, Text, Video
    from lightboard.sdk.runs import Run, finish, init, log
    from lightboard.sdk.writer import SummaryWriter

__version__ = "0.1.0"
__all__ = [
    "Audio",
    "Histogram",
    "Image",
    "Logs",
    "Run",
    "SummaryWriter",
    "Text",
    "Video",
    "__version__",
    "enable",
    "finish",
    "hparams",
    "init",
    "load_ipython_extension",
    "log",
    "notebook",
    "open",
    "summary",
]

# public name → module that holds it
_PUBLIC = {
    "SummaryWriter": "lightboard.sdk.writer",
    "open": "lightboard.reading",
    "Logs": "lightboard.reading",
    "summary": "lightboard.summary",
    "hparams": "lightboard.hparams",
    "notebook": "lightboard.notebook",
    "load_ipython_extension": "lightboard.notebook",
    "enable": "lightboard.notebook",
    **dict.fromkeys(("init", "log", "finish", "Run"), "lightboard.sdk.runs"),
    **dict.fromkeys(("Image", "Audio", "Histogram", "Video", "Text"), "lightboard.sdk.media"),
}


if not TYPE_CHECKING:  # type checkers must not see `__getattr__`: they would accept any name

    def __getattr__(name: str) -> object:
        module = _PUBLIC.get(name)
        if module is None:
            raise AttributeError(f"module 'lightboard' has no attribute {name!r}")
        import importlib

        found: object = importlib.import_module(module)
        value = found if module == f"lightboard.{name}" else getattr(found, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
