"""The log of a server: on the terminal, each line what it seems, and no flood of lines from a flood of requests."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable

WINDOW_SECONDS = 60.0
LONGEST_LINE = 2000
MOST_LINES = 80
"""Of a traceback: the first and last half of these."""


class Summary(logging.Filter):
    """Lets the first few lines of each kind pass within a minute; the next line of any kind tells how many were not."""

    def __init__(self, most: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most = most
        self._clock = clock
        self._seen: dict[tuple[str, str], list[float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is to be written; perhaps with a count of those that were not."""
        if not self._most:
            return True
        now = self._clock()
        missed = self._close_windows(now)
        window = self._seen.setdefault((record.name, str(record.msg)[:200]), [now, 0])
        window[1] += 1
        if missed:
            record.msg, record.args = f"{record.getMessage()} [{missed:.0f} more lines were left out before]", None
        return bool(missed) or window[1] <= self._most

    def _close_windows(self, now: float) -> float:
        """Forget the kinds whose minute is over; gives how many lines of theirs were left out."""
        over = [kind for kind, (begun, _) in self._seen.items() if now - begun >= WINDOW_SECONDS]
        return sum(max(0, self._seen.pop(kind)[1] - self._most) for kind in over)


class OneLine(logging.Formatter):
    """A message is one line whatever it quotes; a traceback is set in, so that no line of it passes for a message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """The line, with control characters spelled out."""
        record.message = plain(record.message)
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        """The line and, set in below it, the traceback if there is one."""
        first, *rest = super().format(record).splitlines()
        if len(rest) > MOST_LINES:
            rest = [*rest[: MOST_LINES // 2], "...", *rest[-MOST_LINES // 2 :]]
        return "\n".join([first, *(f"    | {plain(line)}" for line in rest)])


def plain(text: str) -> str:
    """The text with everything spelled out that a terminal or a reader of lines might take for more than text."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)
    return shown if len(shown) <= LONGEST_LINE else f"{shown[:LONGEST_LINE]}..."


def log_to_terminal(most: float) -> None:
    """Send the log of this process to the terminal, no more than a number of lines of a kind in a minute (0: all)."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    handler.addFilter(Summary(most))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
