"""Embeddings: where they are, their metadata, and their layouts in two or three dimensions."""
