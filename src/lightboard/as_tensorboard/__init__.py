"""Lets PyTorch, TensorFlow and Keras log where the `tensorboard` package is not installed.

    import lightboard.as_tensorboard
    from torch.utils.tensorboard import SummaryWriter   # works; so do tf.summary and Keras's TensorBoard callback

They import modules of `tensorboard` only to write event files. Importing this registers stand-ins for those modules,
backed by our writer: `tensorboard`, what PyTorch and TensorFlow import below it, and, where protobuf is missing too,
the names of `google.protobuf` that PyTorch wants. A real `tensorboard` is never shadowed: if there is one, nothing is
done, `active` is False, and a line on stderr says so.
"""

from __future__ import annotations

import logging
import sys

from lightboard.as_tensorboard import modules

__all__ = ["active"]


def _start() -> bool:
    if modules.is_registered():
        return True  # this module has been imported before, and forgotten
    if "tensorboard" in sys.modules or modules.is_installed("tensorboard"):
        logging.getLogger("lightboard").warning("the `tensorboard` package is installed: the stand-in is left out")
        return False
    modules.install()
    return True


# Whether the stand-ins are registered.
active = _start()
