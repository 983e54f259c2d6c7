"""Graphs: which there are, their nodes, and what was recorded of running them."""
