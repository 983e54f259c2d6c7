"""Both pages in the same Chromium on the same files: measures what the screen shows, and when."""
