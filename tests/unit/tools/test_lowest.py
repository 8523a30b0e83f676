"""What is said and given where the lowest versions of packages could not be checked."""

from __future__ import annotations

import sys

import pytest

from tools import lowest


def unreachable() -> None:
    raise lowest.UnreachableError("dns error")


@pytest.mark.parametrize(("words", "code"), [(["--install"], 0), ([], 3)])
def test_an_index_that_cannot_be_asked_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], code: int
) -> None:
    monkeypatch.setattr(lowest, "install", unreachable)
    monkeypatch.setattr(sys, "argv", ["lowest", *words])
    assert lowest.main() == code
    said = capsys.readouterr().out.splitlines()
    assert said[-1].startswith("NOT CHECKED: ") and "dns error" in said[-1]
    assert not any("will do." in line and "NOT CHECKED" not in line for line in said)
