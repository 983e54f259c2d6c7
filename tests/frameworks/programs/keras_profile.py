"""Keras: a stretch of batches profiled, losses written after every few batches."""

import digits

digits.seed_keras()
data = digits.load()
callback = digits.keras_callback()(log_dir="logs", profile_batch="10,20", update_freq=5)
digits.small_model().fit(data.x_train, data.y_train, epochs=2, validation_split=0.2, callbacks=[callback], verbose=0)
