"""``rasputitsa`` run in the process of the tests."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

import pytest

from rasputitsa.cli.main import main


@dataclass
class Result:
    code: int
    out: str
    err: str


class Command:
    """Runs ``rasputitsa`` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *args: object) -> Result:
        self._monkeypatch.setattr(sys, "argv", ["rasputitsa", *map(str, args)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = self._capsys.readouterr()
        code = left.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)

    def fails(self, *args: object, says: str) -> None:
        """The command ends with code 1 and one line that says why."""
        result = self(*args)
        assert result.code == 1, result
        assert re.search(says, result.err), result.err
        assert "Traceback" not in result.err
