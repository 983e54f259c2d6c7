"""Embeddings: their files, their metadata, and their layouts in two or three dimensions."""
