"""Shared by the programs: which writer to use, and data that needs no download.

scikit-learn brings 1,797 handwritten digits of 8 × 8 pixels. The same seed in every program, so that a program run with
the framework's writer and run again with Lightboard's must log the same numbers.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

OURS = os.environ.get("WRITER") == "lightboard"
NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


class Digits(NamedTuple):
    x_train: np.ndarray[Any, Any]  # [n, 8, 8], 0 to 1
    y_train: np.ndarray[Any, Any]
    x_test: np.ndarray[Any, Any]
    y_test: np.ndarray[Any, Any]


def load(train: int = 640, test: int = 160) -> Digits:
    from sklearn import datasets

    found = datasets.load_digits()
    images, labels = (found.images / 16).astype("float32"), found.target.astype("int64")
    return Digits(images[:train], labels[:train], images[train : train + test], labels[train : train + test])


def seed_keras() -> None:
    import keras
    import tensorflow as tf

    keras.utils.set_random_seed(7)
    tf.config.experimental.enable_op_determinism()


def small_model(units: int = 32, dropout: float = 0.2, optimizer: str = "sgd") -> Any:
    """The network of nearly every introduction: flatten, dense, dropout, softmax."""
    import keras

    model = keras.Sequential(
        [
            keras.layers.Input((8, 8)),
            keras.layers.Flatten(),
            keras.layers.Dense(units, activation="relu"),
            keras.layers.Dropout(dropout, seed=7),
            keras.layers.Dense(10, activation="softmax"),
        ]
    )
    model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def keras_callback() -> Any:
    """Keras's own class `TensorBoard`, or ours with the same arguments."""
    if OURS:
        from lightboard.integrations import keras as ours

        return ours.LightboardCallback
    import keras

    return keras.callbacks.TensorBoard


def tf_summary() -> Any:
    """The module `tf.summary`, or ours of the same shape."""
    if OURS:
        from lightboard import summary

        return summary
    import tensorflow as tf

    return tf.summary


def torch_writer() -> Any:
    """The class `SummaryWriter`."""
    if OURS:
        import lightboard

        return lightboard.SummaryWriter
    from torch.utils import tensorboard

    return tensorboard.SummaryWriter
