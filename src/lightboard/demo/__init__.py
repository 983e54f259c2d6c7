"""Sample logs of every kind, for `lightboard demo`, tests and pictures in the docs.

`events` encodes event files, `pictures`, `sounds` and `shapes` make what goes into them, `logs` decides which runs
there are. Nothing here needs TensorFlow or any other package.
"""
