"""Write every picture of every run into a directory.

python examples/save_images.py runs pictures
"""

from __future__ import annotations

import pathlib
import re
import sys

import lightboard


def main(path: str, target: str) -> None:
    directory = pathlib.Path(target)
    directory.mkdir(parents=True, exist_ok=True)
    count = 0
    with lightboard.open(path) as logs:
        for entry in logs.series("images"):
            name = re.sub(r"[^\w=.-]+", "_", f"{entry.run}_{entry.tag}")
            for value in logs.images(entry.run, entry.tag):
                for number, picture in enumerate(value.blobs):
                    ending = "png" if picture.startswith(b"\x89PNG") else "img"
                    (directory / f"{name}_{value.step}_{number}.{ending}").write_bytes(picture)
                    count += 1
    print(f"{count} pictures in {directory}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
