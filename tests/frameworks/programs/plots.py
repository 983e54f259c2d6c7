"""Matplotlib pictures, saved as PNG, decoded and logged: a grid of examples, a confusion matrix after each epoch."""

import io
import itertools
from typing import Any

import digits
import keras
import matplotlib as mpl
import numpy as np
import tensorflow as tf
from sklearn import metrics

mpl.use("Agg")
from matplotlib import pyplot as plt

summary = digits.tf_summary()
digits.seed_keras()
data = digits.load(train=320)


def as_image(figure: Any) -> Any:
    """The figure as a batch of one picture with four channels."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=40)
    plt.close(figure)
    return tf.expand_dims(tf.image.decode_png(buffer.getvalue(), channels=4), 0)


def examples() -> Any:
    figure, axes = plt.subplots(6, 6, figsize=(6, 4))
    for at, place in enumerate(axes.flat):
        place.set(xlabel=digits.NAMES[data.y_train[at]], xticks=[], yticks=[])
        place.imshow(data.x_train[at], cmap="coolwarm")
    return figure


def confusion(counts: np.ndarray[Any, Any]) -> Any:
    figure, place = plt.subplots(figsize=(6, 6))
    figure.colorbar(place.imshow(counts, cmap="Accent"))
    place.set(title="Confusion matrix", xlabel="predicted", ylabel="true")
    place.set_xticks(range(10), digits.NAMES, rotation=45)
    place.set_yticks(range(10), digits.NAMES)
    shares = counts / counts.sum(axis=1, keepdims=True)
    for row, column in itertools.product(range(10), range(10)):
        colour = "white" if shares[row, column] > shares.max() / 2 else "black"
        place.text(column, row, f"{shares[row, column]:.2f}", ha="center", color=colour)
    return figure


pictures = summary.create_file_writer("logs/plots/")
with pictures.as_default():
    summary.image("MNIST Digits", as_image(examples()), step=0)
matrices = summary.create_file_writer("logs/cm")
model = digits.small_model(optimizer="adam")


def log_confusion(epoch: int, logs: object) -> None:
    answers = np.argmax(model.predict(data.x_test, verbose=0), axis=1)
    with matrices.as_default():
        summary.image(
            "Confusion Matrix", as_image(confusion(metrics.confusion_matrix(data.y_test, answers))), step=epoch
        )


callbacks = [
    digits.keras_callback()(log_dir="logs", histogram_freq=1, write_images=True, update_freq="epoch", profile_batch=0),
    keras.callbacks.LambdaCallback(on_epoch_end=log_confusion),
]
model.fit(data.x_train, data.y_train, epochs=2, validation_split=0.2, callbacks=callbacks, verbose=0)
for writer in (pictures, matrices):
    writer.close()
