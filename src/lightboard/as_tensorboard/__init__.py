"""Lets PyTorch, TensorFlow and Keras log if the `tensorboard` package is not installed.

    import lightboard.as_tensorboard
    from torch.utils.tensorboard import SummaryWriter   # works; so do tf.summary and Keras's TensorBoard callback

They import modules of `tensorboard` only to write event files. Importing this registers substitutes for those modules,
backed by our writer: `tensorboard`, the modules below it that PyTorch and TensorFlow import, and, if protobuf is
missing too, the names of `google.protobuf` that PyTorch needs. A real `tensorboard` is never replaced: if there is one,
nothing is registered, `active` is False, and a line on stderr says so.
"""

from __future__ import annotations

import logging
import sys

from lightboard.as_tensorboard import modules

__all__ = ["active"]


def _start() -> bool:
    if modules.is_registered():
        return True  # this module was imported before, and removed from sys.modules
    if "tensorboard" in sys.modules or modules.is_installed("tensorboard"):
        logging.getLogger("lightboard").warning("the `tensorboard` package is installed: the stand-in is left out")
        return False
    modules.install()
    return True


# Whether the substitutes are registered.
active = _start()
