"""Callbacks and loggers for training libraries. Each module imports its library, so import only the one you use.

    keras          LightboardCallback(log_dir, …)          as keras.callbacks.TensorBoard, on any backend
    transformers   LightboardCallback(), report_to="lightboard"
    lightning      LightboardLogger(save_dir, …)           as TensorBoardLogger
    xgboost        LightboardCallback(log_dir)
    lightgbm       LightboardCallback(log_dir)
    accelerate     LightboardTracker(run_name, logging_dir), log_with="lightboard"

None needs TensorFlow or the `tensorboard` package. A library that is absent raises `errors.Missing` at import.
"""
