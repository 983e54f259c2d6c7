"""Keras: `Model.fit` of a subclassed model with the callback, histograms each epoch, no profile."""

import digits
import keras


class Classifier(keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.flatten = keras.layers.Flatten()
        self.hidden = keras.layers.Dense(16, activation="relu")
        self.answer = keras.layers.Dense(10, activation="softmax")

    def call(self, images: object) -> object:
        return self.answer(self.hidden(self.flatten(images)))


digits.seed_keras()
data = digits.load()
model = Classifier()
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
# a batch that never comes: nothing is profiled
callback = digits.keras_callback()(log_dir="keras_logv1", histogram_freq=1, profile_batch=100000800)
model.fit(
    data.x_train, data.y_train, epochs=2, validation_data=(data.x_test, data.y_test), callbacks=[callback], verbose=0
)
