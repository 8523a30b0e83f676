"""How the command begins, before there is anything that could tell of trouble."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rasputitsa.cli.exit_codes import INTERRUPTED

INTERRUPT = """
import sys

class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[-1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from rasputitsa.cli.entry import main
main()
"""


@pytest.mark.parametrize("imported", ["rasputitsa.cli.main", "typer", "rich.console", "rasputitsa.cli.play"])
def test_interrupted_while_it_imports_it_says_so_in_one_line(imported: str) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPT, "games", imported], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (INTERRUPTED, "rasputitsa: interrupted\n")
    assert done.stdout == ""


@pytest.mark.parametrize("columns", ["0", "00", "\u00b2", "-1", "9" * 5000, "1", ""])
def test_whatever_width_a_window_claims_something_is_printed(columns: str) -> None:
    command = [sys.executable, "-m", "rasputitsa.cli", "games"]
    environment = {**os.environ, "COLUMNS": columns, "LINES": columns}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "portfolio" in done.stdout.replace("\n", "")
