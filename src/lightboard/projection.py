"""The typed face of the projector's native kernels: tables as text, neighbours, UMAP and t-SNE.

NumPy arrays in and out, the work done natively without the GIL. What takes long is an object that goes on for a while
when asked, so that whoever drives it can show what there is so far, pause, shake it, or drop it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lightboard import _native

F32 = NDArray[np.float32]


def parse_matrix(text: bytes, separator: str, *, columns: int = 0, first_line: int = 1) -> tuple[F32, int]:
    """Whole lines of numbers → (rows × columns, lines read); ValueError names the line that is wrong.

    `columns` and `first_line` go on from what was read before.
    """
    return _native.parse_matrix(text, separator, columns, first_line)
