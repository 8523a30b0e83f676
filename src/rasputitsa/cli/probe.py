"""``probe``: whether a server is ready, and takes a real move."""

from __future__ import annotations

import contextlib
import http.client
import json
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode, urlsplit

import typer

from rasputitsa.cli.console import CommandError, out, shown
from rasputitsa.core import files

MOST_ANSWER = 32 * 1024 * 1024
TITLE = "Probe"
GONE = ("unknown_match", "bad_key", "broken_match")
"""Refusals after which a kept match is of no use any more."""


def probe(
    url: Annotated[str, typer.Argument(help="Address of the server, such as https://games.example.")],
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            metavar="FILE",
            help="Play on in one match, whose keys are kept in this file. Without it a match is begun, and deleted "
            "after the move; a server for others allows that only some times an hour.",
        ),
    ] = None,
    ready: Annotated[bool, typer.Option("--ready", help="Only ask whether the server is ready; no move.")] = False,
    timeout: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds to wait for each answer.")] = 10.0,
) -> None:
    """Ask a server whether it is ready, and play a real move on it. The exit code is 0 where all is well, else 1."""
    with _Line(url, timeout) as line:
        line.ask("GET", "/api/ready")
        if ready:
            out.print(f"{shown(url)} is ready", soft_wrap=True)
            return
        table = _kept(line, url, keep) or _begun(line, url, keep)
        milliseconds = _move(line, table)
        if keep is None:
            _delete(line, table)
    text = f"{shown(url)} is well: a move was accepted in {milliseconds:.0f} ms, and found in the log"
    out.print(f"{text} of match {shown(table.match)}", soft_wrap=True)


class RefusedError(CommandError):
    """The server refused something; ``code`` is its own word for why."""

    def __init__(self, text: str, code: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class _Table:
    """A match of which the probe has all keys."""

    match: str
    keys: dict[str, str]


class _Line:
    """A connection to the server."""

    def __init__(self, url: str, timeout: float) -> None:
        parts = urlsplit(url)
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        try:
            port = parts.port
        except ValueError as problem:
            raise CommandError(f"{url!r}: {problem}") from problem
        if parts.scheme not in kinds or not parts.hostname or parts.query or parts.fragment:
            raise CommandError(f"{url!r} is no address of a server, such as https://games.example")
        self._url, self._base = url, parts.path.rstrip("/")
        self._connection = kinds[parts.scheme](parts.hostname, port, timeout=timeout)

    def __enter__(self) -> _Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """One request; raises ``RefusedError``, and ``CommandError`` where nothing that makes sense comes back."""
        content = None if body is None else json.dumps(body)
        headers = {} if body is None else {"content-type": "application/json"}
        try:
            self._connection.request(method, self._base + path, content, headers)
            answer = self._connection.getresponse()
            text = answer.read(MOST_ANSWER)
        except (OSError, http.client.HTTPException) as problem:
            raise CommandError(f"{self._url} does not answer: {problem or type(problem).__name__}") from problem
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as problem:
            raise CommandError(f"{self._url} answers {answer.status}, and nothing that this program reads") from problem
        if answer.status not in (200, 201):
            error = found.get("error", {}) if isinstance(found, dict) else {}
            said, code = str(error.get("message", "")), str(error.get("code", ""))
            raise RefusedError(f"{self._url} refuses {method} {path.partition('?')[0]}: {answer.status} {said}", code)
        return found

    def view(self, table: _Table, seat: str) -> Any:
        """What a seat sees."""
        return self.ask("GET", f"/api/matches/{table.match}/view?{urlencode({'seat': seat, 'key': table.keys[seat]})}")


def _kept(line: _Line, url: str, keep: Path | None) -> _Table | None:
    """The match of the last time, where it can go on; one that is over is deleted."""
    if keep is None or not keep.exists():
        return None
    try:
        found = json.loads(files.as_text(files.read_bytes(keep), keep))
        table = _Table(str(int(found["match"])), {str(seat): str(key) for seat, key in found["keys"].items()})
        same = found["url"] == url
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise CommandError(f"{keep} was not written by this command; name another file") from problem
    if not same or not table.keys:
        return None
    try:
        if line.view(table, next(iter(table.keys)))["decision"] is not None:
            return table
        _delete(line, table)
    except RefusedError as problem:
        if problem.code not in GONE:
            raise
    return None


def _begun(line: _Line, url: str, keep: Path | None) -> _Table:
    """A new match of the first game there is, at one screen."""
    game = line.ask("GET", "/api/games")[0]
    body = {"game": game["id"], "scenario": game["scenarios"][0]["id"], "title": TITLE}
    made = line.ask("POST", "/api/matches", body)
    table = _Table(str(made["id"]), dict(made["keys"]))
    if keep is not None:
        keep.touch(mode=0o600)
        kept = {"url": url, "match": table.match, "keys": table.keys}
        files.write_bytes(keep, json.dumps(kept).encode())
    return table


def _move(line: _Line, table: _Table) -> float:
    """Play a legal move, and find it in the log; gives the milliseconds until it was accepted."""
    view = line.view(table, next(iter(table.keys)))
    seat = view["decision"]["seat"]
    view = line.view(table, seat)
    action = secrets.choice(view["decision"]["options"])["action"]
    body = {"seat": seat, "key": table.keys[seat], "version": view["version"], "action": action,
            "request_id": secrets.token_hex(16), "have": view.get("tag")}  # fmt: skip
    began = time.perf_counter()
    line.ask("POST", f"/api/matches/{table.match}/actions", body)
    took = 1000 * (time.perf_counter() - began)
    asked = urlencode({"from": view["ply"], "seat": seat, "key": table.keys[seat]})
    log = line.ask("GET", f"/api/matches/{table.match}/log?{asked}")
    if not any(entry["seat"] == seat and entry["action"] == action for entry in log):
        raise CommandError(f"the move {action!r} was accepted in match {table.match}, and is not in its log")
    return took


def _delete(line: _Line, table: _Table) -> None:
    seat, key = next(iter(table.keys.items()))
    with contextlib.suppress(RefusedError):
        line.ask("DELETE", f"/api/matches/{table.match}?{urlencode({'seat': seat, 'key': key})}")
