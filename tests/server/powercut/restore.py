"""``python -m tests.server.powercut.restore BACKUP DATABASE``: a restore to be cut off, with the recorder preloaded."""

from __future__ import annotations

import sys
from pathlib import Path

from rasputitsa.server.store import restoring

if __name__ == "__main__":
    restoring.restore(Path(sys.argv[1]), Path(sys.argv[2]))
