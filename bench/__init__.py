"""Benchmarks: TensorBoard and Lightboard in turn, on the same files, in the same run (`python -m bench --help`)."""
