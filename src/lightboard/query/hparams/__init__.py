"""Hparams pages: trials with their metrics, and sessions and groups as TensorBoard has them."""
