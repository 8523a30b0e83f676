"""The log of a server: on the terminal, each line what it seems, and no flood of lines from a flood of requests."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal, NamedTuple

LogForm = Literal["text", "json"]
"""Lines for people, or one JSON object a line for programs."""

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
        return "\n".join([first, *(f"    | {plain(line)}" for line in _middle_out(rest))])


def plain(text: str) -> str:
    """The text with everything spelled out that a terminal or a reader of lines might take for more than text."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)
    return _bounded(shown)


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}..."


def _middle_out(lines: list[str]) -> list[str]:
    """The first and last of many lines."""
    half = MOST_LINES // 2
    return lines if len(lines) <= MOST_LINES else [*lines[:half], "...", *lines[-half:]]


class JsonLines(logging.Formatter):
    """A message is one JSON object on one line, in ASCII: ``time`` (UTC), ``level``, ``logger``, ``message`` and, of an
    error inside the program, ``traceback`` as a list of lines."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _bounded(record.getMessage()),
        }
        if record.exc_info:
            entry["traceback"] = [
                _bounded(line) for line in _middle_out(self.formatException(record.exc_info).splitlines())
            ]
        return json.dumps(entry)


class Choice(NamedTuple):
    """How a process writes its log: lines of one kind in a minute at most (0: all), and in which form."""

    most: float
    form: LogForm


_chosen: list[Choice] = []


def chosen() -> Choice | None:
    """What ``log_to_terminal`` was called with in this process, for those that it starts; None where it was not."""
    return _chosen[-1] if _chosen else None


def log_to_terminal(most: float, form: LogForm = "text") -> None:
    """Send the log of this process to the terminal, no more than a number of lines of a kind in a minute (0: all)."""
    _chosen[:] = [Choice(most, form)]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else OneLine())
    handler.addFilter(Summary(most))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
