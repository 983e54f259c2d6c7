"""Writes the figures of the page benchmarks into the documentation."""

from __future__ import annotations

from pathlib import Path

HEADING = "### Results in the browser"


def put_into(page: Path, table: str) -> None:
    """Replace the text under the heading, up to the next heading."""
    before, found, after = page.read_text().partition(f"\n{HEADING}\n")
    if not found:
        raise ValueError(f"no heading `{HEADING}` in {page}")
    at = after.find("\n#")
    page.write_text(f"{before}{found}\n{table}\n{after[at:] if at >= 0 else ''}")
