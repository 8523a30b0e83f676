"""Where the command begins: the rest takes a second to import, and may be interrupted while it does."""

from __future__ import annotations

import os
import re
import sys

from rasputitsa.cli.exit_codes import INTERRUPTED

_SIZE = re.compile(r"[1-9][0-9]{0,3}")


def main() -> None:
    """Run the command; interrupted at whatever moment it ends with one line and exit code 130."""
    for measure in ("COLUMNS", "LINES"):
        if not _SIZE.fullmatch(os.environ.get(measure, "1")):
            del os.environ[measure]  # in a window of no width rich shows nothing at all
    try:
        from rasputitsa.cli.main import main as run

        run()
    except KeyboardInterrupt:
        print("rasputitsa: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
