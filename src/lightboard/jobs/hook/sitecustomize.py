"""Makes `SummaryWriter()` of torch and tensorboardX write to LIGHTBOARD_LOGDIR if the program names no directory.

`lightboard run` puts this directory before PYTHONPATH, and Python imports `sitecustomize` at its start, in any
environment. This file uses nothing but the standard library, does nothing without the variable, and then runs the
`sitecustomize` that it stands before. The writers are changed when a program imports them: only their default.
"""

# mypy: ignore-errors
# ruff: noqa
# (any Python 3 runs this file, also one that is older than ours)
import os
import sys

_WRITERS = ("torch.utils.tensorboard.writer", "tensorboardX.writer")


def _default_logdir(comment):
    logdir = os.environ.get("LIGHTBOARD_LOGDIR", "")
    name = "".join(letter if letter.isalnum() or letter in "-_.=" else "_" for letter in comment).strip("_-.")
    return logdir.rstrip("/") + "/" + name if name else logdir


def _changed(module):
    kind = getattr(module, "SummaryWriter", None)
    if kind is None or getattr(kind, "_lightboard_default", False):
        return
    before = kind.__init__

    def __init__(self, *args, **kwargs):
        named = bool(args and args[0]) or bool(kwargs.get("log_dir")) or bool(kwargs.get("logdir"))
        if not named and os.environ.get("LIGHTBOARD_LOGDIR"):
            comment = args[1] if len(args) > 1 else kwargs.get("comment", "")
            if args:
                args = (_default_logdir(str(comment or "")),) + tuple(args[1:])
            else:
                kwargs.pop("logdir", None)
                kwargs["log_dir" if "torch" in module.__name__ else "logdir"] = _default_logdir(str(comment or ""))
        before(self, *args, **kwargs)

    __init__.__doc__ = before.__doc__
    __init__.__wrapped__ = before
    kind.__init__ = __init__
    kind._lightboard_default = True


class _Loader:
    """The module's own loader; the class is changed after it has run."""

    def __init__(self, loader):
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        try:
            _changed(module)
        except Exception as error:  # a writer of another form keeps its default
            sys.stderr.write("lightboard: %s keeps its default log directory: %s\n" % (module.__name__, error))


class _Finder:
    """Finds only the modules of the table, by asking the other finders."""

    def find_spec(self, name, path=None, target=None):
        if name not in _WRITERS:
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


def _run_the_next_one():
    """The `sitecustomize` that Python would have found without us."""
    import importlib.machinery
    import importlib.util

    here = os.path.dirname(os.path.abspath(__file__))
    paths = [each for each in sys.path if os.path.abspath(each or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.environ.get("LIGHTBOARD_LOGDIR"):
    sys.meta_path.insert(0, _Finder())
_run_the_next_one()
