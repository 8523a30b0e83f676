"""What is said and given where the lowest versions of packages could not be checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import lowest

ROOT = Path(__file__).resolve().parents[3]


def unreachable() -> None:
    raise lowest.UnreachableError("dns error")


@pytest.mark.parametrize(("words", "code"), [(["--install"], 3), ([], 3)])
def test_an_index_that_cannot_be_asked_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], code: int
) -> None:
    monkeypatch.setattr(lowest, "install", unreachable)
    monkeypatch.setattr(sys, "argv", ["lowest", *words])
    assert lowest.main() == code
    said = capsys.readouterr().out.splitlines()
    assert said[-1].startswith("NOT CHECKED: ") and "dns error" in said[-1]
    assert not any("will do." in line and "NOT CHECKED" not in line for line in said)


@pytest.mark.parametrize(
    ("code", "status", "last"),
    [
        (0, 0, "All is checked."),
        (3, 0, "NOT CHECKED, for want of the network: whether the lowest versions of packages will do"),
        (1, 2, ""),
    ],
)
def test_a_whole_run_ends_with_what_it_has_not_checked(tmp_path: Path, code: int, status: int, last: str) -> None:
    stub = tmp_path / "run"
    stub.write_text(f'case "$*" in *tools.lowest*) exit {code};; esac\n')
    done = [word for name in ("setup", "browser", "client", "client-check", "lint", "docs", "wheel-check")
            for word in ("-o", name)]  # fmt: skip
    line = ["make", *done, "test", f"RUN=sh {stub}", f"UNCHECKED={tmp_path / 'unchecked'}"]
    apart = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    made = subprocess.run(line, cwd=ROOT, env=apart, capture_output=True, text=True, check=False)
    assert made.returncode == status, made.stderr
    assert "".join(made.stdout.splitlines()[-1:]) == last
    assert (tmp_path / "unchecked").exists() == (code == 3)
