"""Benchmarks: TensorBoard and Lightboard alternate on the same files, in the same run (`python -m bench --help`)."""
