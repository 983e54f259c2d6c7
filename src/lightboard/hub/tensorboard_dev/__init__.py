"""The services of tensorboard.dev, for `tensorboard dev` of TensorBoard 2.15.0, which works without a change.

docs/design/0033-tensorboard-dev.md has the table of modules. `server` and `calls`, and what imports them, need grpcio.
"""
