"""Hparams pages: trials with their metrics, and sessions and groups in TensorBoard's format."""
