"""Keras: one log directory per training, named for its time, so that several can be compared."""

import datetime as dt

import digits

digits.seed_keras()
data = digits.load()
# the tests run this twice and compare, so the time is a given one
started = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.timezone.utc)
callback = digits.keras_callback()(log_dir="logs/fit/" + started.strftime("%Y%m%d-%H%M%S"), histogram_freq=1)
model = digits.small_model(optimizer="adam")
model.fit(
    data.x_train, data.y_train, epochs=3, validation_data=(data.x_test, data.y_test), callbacks=[callback], verbose=0
)
