"""``python -m rasputitsa.cli``."""

from __future__ import annotations

from rasputitsa.cli.entry import main

if __name__ == "__main__":
    main()
