"""Runs: the list, filters and groups, and the records of each run, including hparams. Shared by all kinds."""
