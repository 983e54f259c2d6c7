"""Keras: the callback with all its options: histograms, graph, weights as images, a profiled batch, embeddings."""

import digits
import keras

digits.seed_keras()
data = digits.load(train=320)
model = keras.Sequential(
    [
        keras.layers.Input((8, 8)),
        keras.layers.Flatten(),
        keras.layers.Rescaling(16.0),
        keras.layers.Embedding(17, 4, name="shades"),
        keras.layers.Flatten(),
        keras.layers.Dense(10, activation="softmax"),
    ]
)
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
callback = digits.keras_callback()(
    log_dir="logs",
    histogram_freq=1,
    write_graph=True,
    write_images=True,
    write_steps_per_second=False,
    update_freq="epoch",
    profile_batch=2,
    embeddings_freq=1,
)
model.fit(data.x_train, data.y_train, epochs=3, validation_split=0.2, callbacks=[callback], verbose=0)
