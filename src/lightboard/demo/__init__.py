"""Sample logs of every kind, for `lightboard demo`, tests and pictures in the docs.

`events` encodes event files; `pictures`, `sounds`, `films` and `shapes` make their contents; `logs` and `showcase`
define the runs. Nothing here needs TensorFlow.
"""
