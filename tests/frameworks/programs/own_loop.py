"""A training loop of one's own with `tf.GradientTape`: two writers, train and validation, a point after every batch
with the epoch as its step (so steps repeat), then learning rate and gradients."""

import digits
import keras
import tensorflow as tf

digits.seed_keras()
summary = digits.tf_summary()
data = digits.load(train=256, test=64)
model = digits.small_model()
optimizer = keras.optimizers.Adam(0.01)
losses = keras.losses.SparseCategoricalCrossentropy()
means = {name: keras.metrics.Mean() for name in ("train", "val")}
accuracies = {name: keras.metrics.SparseCategoricalAccuracy() for name in ("train", "val")}
writers = {name: summary.create_file_writer(f"logs/gradient_tape/{name}") for name in ("train", "val")}


def log(name: str, epoch: int) -> None:
    with writers[name].as_default():
        summary.scalar("loss", means[name].result(), step=epoch)
        summary.scalar("accuracy", accuracies[name].result(), step=epoch)


for epoch in range(3):
    for start in range(0, len(data.x_train), 64):
        images, labels = data.x_train[start : start + 64], data.y_train[start : start + 64]
        with tf.GradientTape() as tape:
            answers = model(images, training=True)
            loss = losses(labels, answers)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        means["train"](loss)
        accuracies["train"](labels, answers)
        log("train", epoch)
    answers = model(data.x_test, training=False)
    means["val"](losses(data.y_test, answers))
    accuracies["val"](data.y_test, answers)
    log("val", epoch)
    with writers["train"].as_default():
        summary.scalar("learning_rate", optimizer.learning_rate, step=epoch)
        summary.histogram("gradients", tf.concat([tf.reshape(each, [-1]) for each in gradients], 0), step=epoch)
for writer in writers.values():
    writer.close()
