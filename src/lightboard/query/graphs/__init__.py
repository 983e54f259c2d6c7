"""Graphs: the list of graphs, their nodes, and statistics recorded while they ran."""
