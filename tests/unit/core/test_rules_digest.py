"""The digest of the rules counts every module that carries them out, in whatever folder it lies."""

from __future__ import annotations

from inspect import unwrap
from pathlib import Path

import pytest

from rasputitsa.core import registry


@pytest.mark.parametrize(
    "module", ["core/frames.py", "core/record/session.py", "core/data/folder.py", "hexes/grid.py", "wir/model/state.py"]
)
def test_an_edited_module_makes_other_rules(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    read = Path.read_bytes

    def edited(path: Path) -> bytes:
        return read(path) + (b"# edited\n" if path.as_posix().endswith(f"rasputitsa/{module}") else b"")

    digest = unwrap(registry.rules_digest)
    before = digest("wir")
    monkeypatch.setattr(Path, "read_bytes", edited)
    assert digest("wir") != before
