"""What is fed with anything: each target takes bytes and raises only if the program does what it never may.

A target knows its first seeds, and how to change an input so that something of it is still read.
"""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction, NotationError, SaveError, SetupError
from rasputitsa.core.game import Game
from rasputitsa.core.record.new import new_session
from rasputitsa.core.registry import get_game
from tests.fuzz.mutate import mutated, pieces, written

GAMES = ("portfolio", "wir")
MOST_BYTES = 20_000
STEPS = 12


class Target(ABC):
    """Something that reads what comes from outside."""

    name: ClassVar[str]
    rounds: ClassVar[int] = 40
    """How many changes of each seed are tried where no fuzzer is at hand."""

    @abstractmethod
    def run(self, data: bytes) -> None:
        """Read it; any exception is a finding."""

    @abstractmethod
    def seeds(self) -> Iterator[bytes]:
        """Inputs to begin with."""

    def mutate(self, data: bytes, chooser: random.Random) -> bytes | None:
        """The input with a change that keeps its form; None if it has none."""
        lines = data.split(b"\n")
        number = chooser.randrange(len(lines))
        try:
            value = json.loads(lines[number])
            others = pieces(json.loads(lines[chooser.randrange(len(lines))]))
        except (ValueError, RecursionError):
            return None
        lines[number] = written(mutated(value, chooser, others)).encode("utf-8", "surrogatepass")
        if chooser.random() < 0.1:
            lines.insert(number, lines[chooser.randrange(len(lines))])
        return b"\n".join(lines)


def text_of(data: bytes) -> str | None:
    """The text, if it is one."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


class Positions(Target):
    """Position files: refused with the field that is wrong, or a position in which one can play."""

    name = "positions"

    def run(self, data: bytes) -> None:
        try:
            table = json.loads(data)
        except (ValueError, RecursionError):
            return
        if not isinstance(table, dict):
            return
        game = get_game("wir" if table.get("game") == "wir" else "portfolio")
        try:
            state = game.load_position(table)
        except SetupError as problem:
            assert str(problem), "a refusal says why"
            return
        exercise(game, state)
        try:
            dumped = json.loads(json.dumps(game.dump_position(state)))
        except SetupError as problem:
            assert "passes through" in str(problem), "any other position has a file"
            return
        game.dump_position(game.load_position(dumped))

    def seeds(self) -> Iterator[bytes]:
        for game_id in GAMES:
            game = get_game(game_id)
            yield written({"game": game_id}).encode()
            for info in game.lessons():
                table = game.lesson(info.id)
                yield written({"game": game_id, **table}).encode()
                yield written(game.dump_position(game.load_position(table))).encode()


def exercise(game: Game[Any], state: Any, seed: int = 1) -> None:
    """Look at a position from everywhere and play on a little."""
    chooser, dice = random.Random(seed), SeededDice(seed)
    for _ in range(STEPS):
        decision = game.decision(state)
        for seat in (None, "axis", "soviet"):
            json.dumps(game.observe(state, seat), allow_nan=False).encode()
        if decision is None:
            assert game.outcome(state) is not None
            return
        assert decision.options, f"nothing can be answered to {decision.prompt!r}"
        game.fingerprint(game.view_of(state, decision.seat))
        action = chooser.choice(list(decision.options))
        game.label(state, action)
        assert game.parse(state, game.format(state, action))
        for event in game.apply(state, action, dice):
            game.describe(state, event).encode()
    game.turn_and_phase(state)


class Frozen(Target):
    """Stored positions, as they stand in saved games too: refused, or one can look at them and play on."""

    name = "frozen"

    def run(self, data: bytes) -> None:
        try:
            table = json.loads(data)
        except (ValueError, RecursionError):
            return
        if not isinstance(table, dict):
            return
        game = get_game("wir" if table.get("game") == "wir" else "portfolio")
        try:
            state = game.thaw(table.get("state"), game.scenarios()[0].id, {})
        except SaveError as problem:
            assert str(problem).encode(), "a refusal says why"
            return
        exercise(game, state)
        json.dumps(game.freeze(state))

    def seeds(self) -> Iterator[bytes]:
        for game_id in GAMES:
            game = get_game(game_id)
            chooser, dice = random.Random(1), SeededDice(1)
            for info in game.lessons()[:3]:
                state = game.load_position(game.lesson(info.id))
                for _ in range(4):
                    yield written({"game": game_id, "state": game.freeze(state)}).encode()
                    for _ in range(STEPS):
                        decision = game.decision(state)
                        if decision is not None:
                            game.apply(state, chooser.choice(list(decision.options)), dice)


class Notation(Target):
    """Lines of notation and questions to the engine, in some positions of both games."""

    name = "notation"

    def __init__(self) -> None:
        self._starts: list[tuple[Game[Any], Any]] = []
        for game_id in GAMES:
            game = get_game(game_id)
            self._starts.append((game, game.setup(game.scenarios()[0].id, {})))
            for info in game.lessons():
                self._starts.append((game, game.load_position(game.lesson(info.id))))

    def run(self, data: bytes) -> None:
        text = text_of(data[1:])
        if not data or text is None:
            return
        game, start = self._starts[data[0] % len(self._starts)]
        state, dice = game.copy(start), SeededDice(1)
        for line in text.split("\n")[:STEPS]:
            if line.startswith("?"):
                self._ask(game, state, line[1:])
            else:
                self._play(game, state, line, dice)
        json.dumps(game.observe(state, "axis")).encode()

    def _play(self, game: Game[Any], state: Any, line: str, dice: SeededDice) -> None:
        before = game.fingerprint(state)
        try:
            for action in game.parse(state, line):
                before = game.fingerprint(state)
                game.apply(state, action, dice)
        except (NotationError, IllegalAction) as problem:
            assert str(problem).encode("utf-8", "replace")
            assert game.fingerprint(state) == before, "what is refused changes nothing"

    def _ask(self, game: Game[Any], state: Any, line: str) -> None:
        kind, *words = line.split("&")
        args: dict[str, Any] = {}
        for word in words:
            name, _, value = word.partition("=")
            args[name] = [args[name], value] if name in args else value
        before = game.fingerprint(state)
        try:
            answer = game.query(state, "axis", kind, args)
            json.dumps(answer, allow_nan=False).encode("utf-8", "replace")
        except (NotationError, IllegalAction) as problem:
            assert str(problem)
        assert game.fingerprint(state) == before, "a question changes nothing"

    def mutate(self, data: bytes, chooser: random.Random) -> bytes | None:
        text = text_of(data[1:])
        if not data or text is None:
            return None
        game, state = self._starts[data[0] % len(self._starts)]
        lines = text.split("\n")
        legal = [game.format(state, action) for action in list(game.decision(state).options)[:200]]  # type: ignore[union-attr]
        words = " ".join(lines).replace("&", " ").replace("=", " ").split() or [""]
        number = chooser.randrange(len(lines))
        kind = chooser.random()
        if kind < 0.3 and legal:
            lines[number] = chooser.choice(legal)
        elif kind < 0.5:
            lines.insert(number, chooser.choice([*lines, *legal]))
        else:
            lines[number] = str(mutated(lines[number].split(" "), chooser, [*words, *" ".join(legal).split()]))
            parts = mutated(text.split("\n")[number].split(" "), chooser, [*words, *" ".join(legal).split()])
            lines[number] = " ".join(map(str, parts)) if isinstance(parts, list) else str(parts)
        return data[:1] + "\n".join(lines).encode("utf-8", "replace")

    def seeds(self) -> Iterator[bytes]:
        for number, (game, state) in enumerate(self._starts):
            decision = game.decision(state)
            assert decision is not None
            first = [game.format(state, action) for action in list(decision.options)[:3]]
            asked = [f"?{kind}&units={decision.units[0] if decision.units else 1}" for kind in ("reach", "supply")]
            yield bytes([number]) + "\n".join([*first, *asked]).encode()
        yield from (
            b"\x00move 39Pz+56Pz N4-N5-N6\nattack N7+N8: 39Pz,56Pz\nresolve 1\nto N6\n?odds&targets=N7&units=39Pz,56Pz",
            b"\x00?why&action=to N6\n?route&units=39Pz&to=N7\n?overlay&name=zoc&side=axis",
            b"\x08transfer 12 13: 2 4\ndivide 12 inf: 1 3\naircraft 52 53 20\nbuild Moscow inf RIFLE 50\nauto all",
            b"\x08move 12 2 3\nplot 12 2S\nrail 12 1814\nstrike 53 1814 bomb\n?reach&group=12\n?why&action=step 2",
        )


class Saves(Target):
    """Saved games: refused in plain words, or a match that can be kept, shown, saved and read again."""

    name = "saves"

    def __init__(self) -> None:
        import tempfile
        from pathlib import Path

        from rasputitsa.server.store import Store

        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._store = Store(Path(self._folder.name) / "matches.db")

    def run(self, data: bytes) -> None:
        from rasputitsa.core.record.session import Session
        from rasputitsa.server.matches.archive import keep
        from rasputitsa.server.matches.match import Match
        from rasputitsa.server.matches.reading import packed_of

        try:
            packed = packed_of(data, 20)
        except SaveError as problem:
            assert str(problem).encode() and len(str(problem)) < 1000
            return
        number = keep(self._store, packed).number
        try:
            match = Match(self._store, number)
            for seat in (None, *match.seats):
                json.dumps(match.view(seat), allow_nan=False, ensure_ascii=False).encode("utf-8")
            (row,) = self._store.matches()
            assert len(json.dumps(row.summary)) + len(row.title) < 4000, "a row of the list is short"
            again = Session.load(match.export())
            assert again.game.fingerprint(again.state) == again.game.fingerprint(match.session.state)
        finally:
            self._store.delete(number)

    def seeds(self) -> Iterator[bytes]:
        for game_id in GAMES:
            game = get_game(game_id)
            for info in game.lessons()[:3]:
                table = game.lesson(info.id)
                session = new_session(
                    game_id, str(table["scenario"]), dict(table.get("options", {})), seed=1, title="A", position=table
                )
                self._play(session)
                session.set_controller("axis", "bot planner")
                session.set_controller("axis", "human Anna")
                self._play(session)
                yield session.save().encode()
            session = new_session(game_id, game.scenarios()[0].id, seed=1)
            self._play(session)
            yield session.save().encode()

    @staticmethod
    def _play(session: Any) -> None:
        chooser = random.Random(1)
        for _ in range(STEPS):
            decision = session.decision()
            if decision is None:
                return
            session.play(session.game.format(session.state, chooser.choice(list(decision.options))))
