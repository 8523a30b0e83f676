"""What can be counted about a server, in the form of Prometheus: sums and times, and nothing about anybody."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rasputitsa.server.store.alarm import ALARM_SECONDS

TEXT_TYPE = "text/plain"
FORM = "; version=0.0.4; charset=utf-8"
"""The form of Prometheus's texts, of which ``generate_latest`` writes this one."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds; 0.3 is what 99 of 100 answers are to keep."""
_ACTIONS = re.compile(r"/api/matches/\d+/actions")


@dataclass(frozen=True, slots=True)
class Sample:
    """How the server stands at one moment.

    Attributes:
        playing, over: matches that are kept.
        in_memory: matches in memory.
        windows: open windows.
        bots: whether each process of the computer players runs.
        since_written: seconds since the last write.
        wanting: seconds for which what should have been written was not.
        free, kept: bytes that the disk has left and that the database takes.
    """

    playing: int
    over: int
    in_memory: int
    windows: int
    bots: list[bool]
    since_written: float
    wanting: float
    free: int
    kept: int


class Metrics:
    """The figures of one server, each with its own registry."""

    def __init__(self, version: str, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)

        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(f"rasputitsa_{name}", text, labels, registry=self.registry)

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"rasputitsa_{name}", text, labels, registry=self.registry)

        Info("rasputitsa", "The program", registry=self.registry).info({"version": version})
        self._matches = gauge("matches", "Matches that are kept", "state")
        self._in_memory = gauge("matches_in_memory", "Matches that are kept in memory")
        self._windows = gauge("windows", "Open windows")
        self._bots = gauge("bot_processes", "Processes of computer players; ended ones are replaced", "state")
        self._last = gauge("last_write_timestamp_seconds", "When something was last written to the database")
        self._wanting = gauge("write_wanting_seconds", "For how long writing has failed or stood still; 0 if it works")
        self._alarm = gauge("write_alarm", "1 when nothing could be written for five minutes although it was tried")
        self._free = gauge("disk_free_bytes", "Room that the disk of the database has left")
        self._kept = gauge("database_bytes", "What the database takes, with its newest changes")
        self._actions = counter("actions", "Orders of people that were accepted")
        self._refused = counter("refused", "Requests that were refused (4xx)", "status")
        self._errors = counter("errors", "Requests that failed for reasons of the server (5xx)", "status")
        self._seconds = Histogram(
            "rasputitsa_answer_seconds",
            "Time until an answer began: to an order, another change, a look, or a file of the client",
            ["kind"],
            registry=self.registry,
            buckets=BUCKETS,
        )

    def answered(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count an answer."""
        kind = kind_of(method, path)
        self._seconds.labels(kind).observe(seconds)
        if status >= 500:
            self._errors.labels(str(status)).inc()
        elif status >= 400:
            self._refused.labels(str(status)).inc()
        elif kind == "order":
            self._actions.inc()

    def text(self, sample: Sample) -> bytes:
        """All figures, as Prometheus reads them."""
        self._matches.labels("playing").set(sample.playing)
        self._matches.labels("over").set(sample.over)
        self._in_memory.set(sample.in_memory)
        self._windows.set(sample.windows)
        self._bots.labels("running").set(sum(sample.bots))
        self._bots.labels("ended").set(len(sample.bots) - sum(sample.bots))
        self._last.set(self._clock() - sample.since_written)
        self._wanting.set(sample.wanting)
        self._alarm.set(sample.wanting >= ALARM_SECONDS)
        self._free.set(sample.free)
        self._kept.set(sample.kept)
        return generate_latest(self.registry)


def kind_of(method: str, path: str) -> str:
    """Which of a few kinds a request is of; nothing that callers choose becomes a name of a figure."""
    if not path.startswith("/api/"):
        return "page"
    if method in ("GET", "HEAD"):
        return "look"
    return "order" if method == "POST" and _ACTIONS.fullmatch(path) else "change"


class Measured:
    """ASGI middleware, outside all others; counts each answer and the time until it began."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def counting(message: Message) -> None:
            if message["type"] == "http.response.start":
                seconds = time.perf_counter() - began
                self._metrics.answered(scope["method"], scope["path"], message["status"], seconds)
            await send(message)

        await self._app(scope, receive, counting)
