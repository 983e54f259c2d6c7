"""Sample logs of every kind, for `lightboard demo`, tests and pictures in the docs.

`events` encodes event files, `pictures`, `sounds` and `shapes` make their contents, `logs` defines the runs.
Nothing here needs TensorFlow or any other package.
"""
