"""No test depends on the clock of the machine: what is awaited has ``PATIENCE``, planners have ``AMPLE`` time."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
SHORT = re.compile(
    r"\btimeout=\d[\d_]*\b|\basyncio\.timeout\(\d|\.(?:join|wait)\(\d|\bseconds: float = \d\d"
    r"|\bTimedClock\((?!0(?:\.0)?\))\d{0,3}(?:\.\d+)?\)|\braw\([^\n]*seconds=\d"
)
"""Deadlines of pages and connections, and times of thought on the clock of the wall, as numbers of their own."""
PERMITTED = {
    "e2e/trouble/test_browser.py": "a picture that never comes",
    "replay/test_compiled.py": "builds and whole games, which may take longer than patience",
    "server/secrecy/test_memories.py": "a plan that may be worse on a busy machine: it is not looked at",
    "unit/ai/test_analysis.py": "a question with one answer, and one that nobody plans for",
    "unit/ai/test_external.py": "a player that never answers",
}


def test_no_deadline_is_shorter_than_patience() -> None:
    found = {
        path.relative_to(TESTS).as_posix(): deadlines
        for path in sorted(TESTS.rglob("*.py"))
        if (deadlines := SHORT.findall(path.read_text(encoding="utf-8"))) and path != Path(__file__).resolve()
    }
    assert {name: deadlines for name, deadlines in found.items() if name not in PERMITTED} == {}
    assert set(PERMITTED) <= set(found), "no longer needed"


def test_short_deadlines_are_found() -> None:
    for line in (
        "wait(timeout=20_000)", "urlopen(request, timeout=60)", "asyncio.timeout(20)", "process.wait(20)",
        "thread.join(10)", "seconds: float = 30", "TimedClock(0.5)", "TimedClock(60)", 'served.raw(b"", seconds=10)',
    ):  # fmt: skip
        assert SHORT.search(line)
    for line in ("wait(timeout=PATIENCE)", "TimedClock(0.0)", "TimedClock(3600)", "TimedClock(AMPLE)"):
        assert not SHORT.search(line)
