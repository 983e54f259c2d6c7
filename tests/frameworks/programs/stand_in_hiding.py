"""Makes packages look as if they were not installed."""

import sys


def hide(*names: str) -> None:
    class Hidden:
        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> None:
            if any(name == each or name.startswith(f"{each}.") for each in names):
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    sys.meta_path.insert(0, Hidden)
