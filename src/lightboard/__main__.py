"""`python -m lightboard` is the same as `lightboard`."""

from __future__ import annotations

import sys

from lightboard import cli

if __name__ == "__main__":
    sys.exit(cli.main())
