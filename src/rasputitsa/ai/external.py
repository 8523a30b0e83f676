"""Computer players that are programs of their own and speak JSON lines: see ``docs/bots.md``."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from rasputitsa.ai.players import EXTERNAL, Clock, Player, player
from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction, NotationError, RasputitsaError
from rasputitsa.core.events import Event
from rasputitsa.core.game import Decision, Game

PROTOCOL = 1
HELLO_SECONDS = 20.0
"""How long a program may take to start and greet."""
GRACE_SECONDS = 3.0
"""How long it may take to answer after it was asked to stop."""
QUIT_SECONDS = 1.0
TICK = 0.05
LONGEST_LINE = 1_000_000
LINES_AHEAD = 64
"""How many lines a program may write before it has to wait for us to read them."""
MESSAGES_AHEAD = 1000
"""How many messages a program may leave unread."""
LONGEST_COMPLAINT = 1000
LONGEST_NAME = 80
MARK = "RASPUTITSA_BOT"
"""The variable by which the processes that a program has started are found again."""
STDERR_LINES = 20

Fault = Literal["crash", "timeout", "illegal", "protocol"]


class BotFaultError(RasputitsaError):
    """A computer player that did not give a legal action in time: by the rules of a contest it forfeits the game."""

    def __init__(self, kind: Fault, message: str) -> None:
        super().__init__(message)
        self.kind: Fault = kind


def any_player(name: str, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> Player:
    """A computer player by its name, or the program that ``external:COMMAND`` names.

    Only for names that the owner of this process has given: anyone who may choose the name may run any program.

    Raises:
        SetupError: the game has no such computer player.
    """
    if name.startswith(EXTERNAL):
        return ExternalPlayer(name.removeprefix(EXTERNAL), game, options, seed)
    return player(name, game, options, seed)


class ExternalPlayer:
    """Asks a program for every decision of one seat in one game. The program runs until ``close`` or the end."""

    def __init__(self, command: str, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> None:
        self._command, self._game, self._options, self._seed = command, game, dict(options), seed
        self._program: _Program | None = None
        self._number = 0
        self._wants: frozenset[str] = frozenset()
        """What it wished to be sent besides."""
        self._history: list[dict[str, Any]] = []
        """What its seat has been shown since the last question."""
        self.name = ""
        """What the program calls itself."""
        self.reasons: list[str] = []
        """Why it chose its last action, in its own words."""

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """The program's answer; raises ``BotFaultError``."""
        try:
            return self._ask(self._program or self._start(state, decision), state, decision, clock)
        except BotFaultError:
            self.close()
            raise
        except RecursionError as problem:
            self.close()
            raise BotFaultError("protocol", f"{self._label()} wrote a line that is nested too deep") from problem

    def _ask(self, program: _Program, state: Any, decision: Decision, clock: Clock) -> Action:
        self._number += 1
        options = {self._game.format(state, action): action for action in decision.options}
        message = {
            "type": "observe", "id": self._number, "seat": decision.seat,
            "observation": self._game.observe(state, decision.seat),
            "history": self._history,
            "decision": {
                "side": decision.side, "kind": decision.kind, "rule": decision.rule, "prompt": decision.prompt,
                "options": list(options),
            },
        }  # fmt: skip
        if "position" in self._wants:
            scenario, chosen = self._game.begun_with(state)
            message["position"] = {
                "scenario": scenario, "options": dict(chosen),
                "state": self._game.freeze(state),
            }  # fmt: skip
        program.send(message)
        self._history = []
        program.send({"type": "go", "id": self._number, "clock": {"left_ms": round(clock.left() * 1000)}})
        return self._read(state, self._wait(program, clock), options)

    def listen(self, state: Any, events: Sequence[Event]) -> None:
        """Keep for the next question what its seat is shown."""
        turn, phase = self._game.turn_and_phase(state)
        self._history += [
            {
                "turn": turn, "phase": phase, "kind": event.kind, "args": list(event.args),
                "text": self._game.describe(state, event),
            }
            for event in events
        ]  # fmt: skip

    def close(self) -> None:
        """End the program; a later decision would start it again."""
        if self._program is not None:
            self._program.end()
            self._program = None

    def _start(self, state: Any, decision: Decision) -> _Program:
        program = self._program = _Program(self._command)
        program.send({
            "type": "hello", "protocol": PROTOCOL, "program": "rasputitsa",
            "version": metadata.version("rasputitsa"), "game": {"id": self._game.id, "title": self._game.title},
        })  # fmt: skip
        greeting = program.receive("hello", time.monotonic() + HELLO_SECONDS)
        if greeting is None:
            raise BotFaultError("timeout", f"{self._command!r} did not say hello in {HELLO_SECONDS:.0f} s")
        if greeting.get("protocol", PROTOCOL) != PROTOCOL:
            raise BotFaultError(
                "protocol", f"{self._command!r} speaks protocol {greeting.get('protocol')!r:.20}, not {PROTOCOL}"
            )
        self.name = str(greeting.get("name", self._command))[:LONGEST_NAME]
        wants = greeting.get("wants", [])
        self._wants = frozenset(map(str, wants)) if isinstance(wants, list) else frozenset()
        program.send(self._new_game(state, decision))
        return program

    def _new_game(self, state: Any, decision: Decision) -> dict[str, Any]:
        message: dict[str, Any] = {
            "type": "newgame", "game": self._game.id, "options": self._options, "seat": decision.seat,
            "side": decision.side, "seed": self._seed,
            "verbs": {verb: list(kinds) for verb, kinds in self._game.verbs.items()},
        }  # fmt: skip
        if "static" in self._wants:
            scenario, _ = self._game.begun_with(state)
            message["static"] = self._game.static(scenario)
        return message

    def _wait(self, program: _Program, clock: Clock) -> dict[str, Any]:
        """The answer; when the clock has run out the program is asked to stop, and then given up."""
        given_up: float | None = None
        while True:
            message = program.receive(None, time.monotonic() + TICK)
            if message is not None and message.get("id") == self._number:
                if message.get("type") == "bestaction":
                    return message
                if message.get("type") == "progress":
                    with contextlib.suppress(TypeError, ValueError, OverflowError):
                        done, total = int(message.get("done", 0)), int(message.get("total", 0))
                        clock.report(done, total, str(message.get("text", "")))
            if given_up is None and clock.left() <= 0:
                program.send({"type": "stop", "id": self._number})
                given_up = time.monotonic() + GRACE_SECONDS
            if given_up is not None and time.monotonic() > given_up:
                raise BotFaultError("timeout", f"{self._label()} did not answer within {GRACE_SECONDS:.0f} s of 'stop'")

    def _read(self, state: Any, answer: dict[str, Any], options: Mapping[str, Action]) -> Action:
        text = answer.get("action")
        if not isinstance(text, str):
            raise BotFaultError("protocol", f"{self._label()} answered without an action: {answer!r:.200}")
        action = options.get(text)
        if action is None:
            try:
                read = self._game.parse(state, text)
            except (IllegalAction, NotationError) as problem:
                raise BotFaultError("illegal", f"{self._label()} chose {text!r:.80}: {problem}") from problem
            if len(read) != 1 or read[0] not in options.values():
                raise BotFaultError("illegal", f"{self._label()} chose {text!r:.80}, which is not legal")
            action = read[0]
        reasons = answer.get("reasons", [])
        self.reasons = [str(reason) for reason in reasons] if isinstance(reasons, list) else []
        return action

    def _label(self) -> str:
        return f"{self.name} ({self._command})"


class _Program:
    """A child process; threads serve its streams, so that nothing it does or fails to do can block us.

    It leads a process group of its own, which is killed as a whole: what it has started ends with it. What has left the
    group is found by a mark in its environment, where the system shows that (Linux).
    """

    def __init__(self, command: str) -> None:
        self._command = command
        try:
            words = shlex.split(command)
        except ValueError as problem:
            raise BotFaultError("crash", f"{command!r} cannot be read: {problem}") from problem
        if not words:
            raise BotFaultError("crash", "external: needs a command, such as 'external:node first.js'")
        mark = f"{MARK}={secrets.token_hex(16)}"
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                errors="replace", start_new_session=True, env={**os.environ, MARK: mark.partition("=")[2]},
            )  # fmt: skip
        except (OSError, ValueError) as problem:
            why = getattr(problem, "strerror", None) or problem
            raise BotFaultError("crash", f"{command!r} cannot be started: {why}") from problem
        self._lines: queue.Queue[str | None] = queue.Queue(LINES_AHEAD)
        self._ended = False
        self._complaints: deque[str] = deque(maxlen=STDERR_LINES)
        self._outgoing: queue.Queue[str | None] = queue.Queue()
        for target in (self._write_lines, self._read_lines, self._read_complaints):
            threading.Thread(target=target, daemon=True).start()
        self._finalizer = weakref.finalize(self, _kill, self._process, mark.encode())

    def _write_lines(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(ValueError, OSError):
            while (line := self._outgoing.get()) is not None:
                self._process.stdin.write(line)
                if self._outgoing.empty():
                    self._process.stdin.flush()
        with contextlib.suppress(ValueError, OSError):
            self._process.stdin.close()

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            while not self._ended and (line := self._process.stdout.readline(LONGEST_LINE)):
                self._lines.put(line)
        self._lines.put(None)

    def _read_complaints(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(ValueError, OSError):
            while line := self._process.stderr.readline(LONGEST_COMPLAINT):
                self._complaints.append(line.rstrip())

    def send(self, message: Mapping[str, Any]) -> None:
        """Write a line. A program that is gone is noticed when its answer is read, after all it still wrote.

        Raises:
            BotFaultError: it answers without reading what it is sent.
        """
        if self._outgoing.qsize() > MESSAGES_AHEAD:
            raise BotFaultError("protocol", f"{self._command!r} does not read what it is sent")
        self._outgoing.put(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")

    def receive(self, kind: str | None, until: float) -> dict[str, Any] | None:
        """The next message (of a kind), or None when none came in time; raises ``BotFaultError``."""
        while (left := until - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                raise self._gone()
            if not line.strip():
                continue
            try:
                message = json.loads(line)
                json.dumps(message, ensure_ascii=False).encode()  # halves of characters can be neither shown nor kept
            except (ValueError, RecursionError):
                message = None
            if not isinstance(message, dict):
                raise BotFaultError("protocol", f"{self._command!r} wrote a line that is no JSON object: {line!r:.120}")
            if kind is None or message.get("type") == kind:
                return message
        return None

    def _gone(self) -> BotFaultError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        last = f"; it said: {self._complaints[-1]}" if self._complaints else ""
        code = self._process.poll()
        how = "closed its standard output" if code is None else f"ended with code {code}"
        return BotFaultError("crash", f"{self._command!r} {how}{last}")

    def end(self) -> None:
        """Say goodbye, wait a moment, and kill."""
        with contextlib.suppress(BotFaultError):
            self.send({"type": "quit"})
        self._outgoing.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        self._finalizer()
        self._ended = True
        with contextlib.suppress(queue.Empty):  # a reader that waits for room goes on, and sees the end
            while True:
                self._lines.get_nowait()


def _kill(process: subprocess.Popen[str], mark: bytes) -> None:
    """Kill a program and all that it has started, also when it has ended itself."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in environment.read_bytes().split(b"\0"):
                os.kill(int(environment.parent.name), signal.SIGKILL)
    process.wait()
