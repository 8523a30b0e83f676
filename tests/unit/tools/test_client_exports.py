"""What a file of the browser client exports, another one imports."""

from __future__ import annotations

import re
from pathlib import Path

WEB = Path(__file__).resolve().parents[3] / "web"
EXPORTED = re.compile(
    r"^export (?:async )?(?:const|let|function|class|interface|type) (\w+)|^ {2}(?:\w+ as )?(\w+),$(?=[^;{]*\} from )",
    re.MULTILINE,
)
OF_TESTS = {"partsMet", "SavedSource", "keptWord", "endOfLastWeek", "spokenEntries"}
"""What only tests of the client import: parts of a file that are tested by themselves."""


def test_nothing_is_exported_for_nobody() -> None:
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in (WEB / "src").rglob("*")
        if path.suffix in (".ts", ".svelte") and path.name != "schema.d.ts"
    }
    words = {path: set(re.findall(r"\w+", text)) for path, text in texts.items()}
    unused = {
        name
        for path, text in texts.items()
        if path.suffix == ".ts"
        for block in re.split(r"^import (?:type )?\{[^}]*\} from .*$", text, flags=re.MULTILINE)
        for found in EXPORTED.finditer(block)
        if (name := found[1] or found[2]) and not any(name in words[other] for other in texts if other != path)
    }
    assert unused == OF_TESTS
