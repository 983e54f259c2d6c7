"""Both pages in the same Chromium on the same files: what is seen on the screen, and when."""
