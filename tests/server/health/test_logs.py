"""The log as JSON: one object a line, whatever is quoted, of the server and of the processes it starts."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection

import pytest

from rasputitsa.server import logs
from rasputitsa.server.workers.process import OwnProcess

PROGRAM = """
import logging
from rasputitsa.server import logs
logs.log_to_terminal(2, "json")
for number in range(4):
    logging.getLogger("rasputitsa.test").warning("path %s", "/a\\n{\\"level\\": \\"FAKE\\"}\\u2028")
try:
    raise ValueError("in\\nlines")
except ValueError:
    logging.getLogger("rasputitsa.other").exception("failed")
"""


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.split("\n") if line]


def test_each_line_is_one_object_whatever_it_quotes() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    first, second, last = lines(done.stderr)
    assert first["message"] == second["message"] == 'path /a\n{"level": "FAKE"}\u2028'
    assert (first["level"], first["logger"]) == ("WARNING", "rasputitsa.test")
    assert str(first["time"]).endswith("+00:00")
    assert last["message"] == "failed", "what was left out is told when the minute is over"
    assert isinstance(last["traceback"], list) and last["traceback"][-1] == "lines"
    assert done.stderr.isascii()


def test_long_lines_and_tracebacks_have_an_end() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "a" * 10_000, None, None)
    try:
        raise ValueError("b\n" * 1000)
    except ValueError as problem:
        record.exc_info = (type(problem), problem, problem.__traceback__)
    found = json.loads(logs.JsonLines().format(record))
    assert len(found["message"]) < 2100
    assert len(found["traceback"]) == logs.MOST_LINES + 1


@pytest.fixture
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, chosen = list(root.handlers), root.level, list(logs._chosen)
    yield
    root.handlers[:], logs._chosen[:] = handlers, chosen
    root.setLevel(level)


def form(pipe: Connection) -> None:
    """Say in which form this process writes its log."""
    pipe.recv()
    pipe.send(logs.chosen())


@pytest.mark.usefixtures("as_before")
def test_processes_that_the_server_starts_write_in_the_same_form() -> None:
    logs.log_to_terminal(7, "json")
    process = OwnProcess("test")
    try:
        pipe = process.pipe(form)
        pipe.send("form?")
        assert pipe.recv() == (7, "json")
    finally:
        process.close()
