"""Runs: the list, filters and groups, and what each run says about itself, hparams included. Shared by all kinds."""
