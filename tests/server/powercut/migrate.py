"""``python -m tests.server.powercut.migrate DATABASE``: a migration to be cut off, with the recorder preloaded."""

from __future__ import annotations

import sys
from pathlib import Path

from rasputitsa.server.store import Store

if __name__ == "__main__":
    Store(Path(sys.argv[1])).close()
