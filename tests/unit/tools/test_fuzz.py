"""What `make fuzz` calls a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import fuzz


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(fuzz, "FINDINGS", tmp_path)
    folder = tmp_path / "notation"
    folder.mkdir()
    for name in ("crash-1", "slow-unit-1", "timeout-1", "ValueError-notation.1"):
        (folder / name).write_bytes(b"move 39Pz")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_was_slow_because_the_machine_was_busy_is_no_finding(findings: Path) -> None:
    assert fuzz.acquit("notation"), "the fuzzer had stopped for one of them, and goes on"
    assert names(findings) == ["ValueError-notation.1", "crash-1"]
    assert not fuzz.acquit("notation")


@pytest.mark.parametrize("limit", ["SLOW_SECONDS", "SLOWEST_SECONDS", "STUCK_SECONDS"])
def test_what_is_slow_alone_is_one(findings: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """So is an input that waits for something instead of working, and one that never ends."""
    (findings / "timeout-1").unlink()
    monkeypatch.setattr(fuzz, limit, 0)
    before = names(findings)
    assert not fuzz.acquit("notation")
    assert names(findings) == before
