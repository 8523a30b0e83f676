"""Duel: the smallest game that has a secret, a die, free moves, several decisions a turn and an end.

Each turn Red hides a number, Blue guesses it, Blue rolls a die, then Red and Blue each walk their unit along
a row of hexes and say ``done``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, ClassVar

from rasputitsa.core.actions import Action, Outcome
from rasputitsa.core.dice import Dice
from rasputitsa.core.errors import IllegalAction, NotationError, SaveError, SetupError
from rasputitsa.core.events import Event, event
from rasputitsa.core.game import Choice, Decision, Game, OptionInfo, ScenarioInfo, SeatInfo
from rasputitsa.core.shapes import Shapes
from tests.duel.shapes import Observation, Static

HEXES = tuple(f"A{n}" for n in range(1, 10))
UNITS = ("red", "blue")
STAGES = ("hide", "guess", "roll", "red", "blue")
PROMPTS = {
    "hide": "Hide a number from 1 to 6",
    "guess": "Guess the hidden number",
    "roll": "Roll the die",
    "red": "Walk, then say done",
    "blue": "Walk, then say done",
}


@dataclass
class Table:
    """The position."""

    turns: int
    turn: int = 1
    stage: str = "hide"
    secret: int = 0
    score: int = 0
    places: tuple[int, int] = (0, 8)


@event("hidden", "II.A")
class Hidden(Event):
    """Red has chosen."""

    def words(self, s: Table) -> str:
        return "Red has hidden a number"


@event("guessed", "II.A", "number", "number", "flag")
class Guessed(Event):
    """Blue has guessed."""

    guess: int
    secret: int
    hit: bool

    def words(self, s: Table) -> str:
        return f"Blue guesses {self.guess}; Red had hidden {self.secret}"


@event("rolled", "II.A", "number")
class Rolled(Event):
    """Blue has cast a die."""

    die: int

    def words(self, s: Table) -> str:
        return f"Blue rolls {self.die}"


@event("stepped", "II.A", "unit", "hex")
class Stepped(Event):
    """A unit has gone one hex."""

    unit: int
    place: int

    def words(self, s: Table) -> str:
        return f"{{unit:{UNITS[self.unit]}}} walks to {{hex:{HEXES[self.place]}}}"


@event("done", "II.A")
class Done(Event):
    """A side has nothing more to do."""

    def words(self, s: Table) -> str:
        return "Done"


class Duel(Game[Table]):
    """See the module."""

    id = "duel"
    title = "Duel"
    summary = "A game for tests"
    rules_version = 1
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "hide": ("number",), "guess": ("number",), "roll": (), "step": ("unit", "hex"), "done": (),
    }  # fmt: skip
    plainest = ("done", "roll")

    def scenarios(self) -> list[ScenarioInfo]:
        return [
            ScenarioInfo("short", "Short", "Two turns", "1941-06-22"),
            ScenarioInfo("long", "Long", "Many turns", "1941-06-22"),
        ]

    def options(self) -> list[OptionInfo]:
        return [
            OptionInfo("luck", "Luck", "Whether dice count", "I.A", "on", (Choice("on", "On"), Choice("off", "Off")))
        ]

    def seats(self, options: Mapping[str, str]) -> list[SeatInfo]:
        return [SeatInfo("red", "red", "Red"), SeatInfo("blue", "blue", "Blue")]

    def secret_orders(self, options: Mapping[str, str]) -> frozenset[str]:
        return frozenset({"hide"})

    def setup(self, scenario: str, options: Mapping[str, str]) -> Table:
        if scenario not in ("short", "long"):
            raise SetupError(f"there is no scenario {scenario!r}")
        if any(key != "luck" or value not in ("on", "off") for key, value in options.items()):
            raise SetupError("the only option is luck, on or off")
        return Table(turns=2 if scenario == "short" else 10_000)

    def _actions(self, state: Table) -> list[Action]:
        match state.stage:
            case "hide" | "guess":
                return [Action(state.stage, (n,)) for n in range(1, 7)]
            case "roll":
                return [Action("roll")]
            case _:
                unit = UNITS.index(state.stage)
                near = (state.places[unit] - 1, state.places[unit] + 1)
                steps = [Action("step", (unit, to)) for to in near if 0 <= to < len(HEXES)]
                return [*steps, Action("done")]

    def decision(self, state: Table) -> Decision | None:
        if self.outcome(state):
            return None
        seat = "red" if state.stage in ("hide", "red") else "blue"
        return Decision(seat, seat, state.stage, "II.A", PROMPTS[state.stage], self._actions(state))

    def apply(self, state: Table, action: Action, dice: Dice) -> list[Event]:
        if self.outcome(state) or action not in self._actions(state):
            raise IllegalAction(f"{action.verb} is not possible now", "II.B")
        events: list[Event]
        match action.verb:
            case "hide":
                state.secret = action.args[0]
                events = [Hidden()]
            case "guess":
                hit = action.args[0] == state.secret
                state.score += hit
                events = [Guessed(action.args[0], state.secret, hit)]
            case "roll":
                value = dice.roll("luck")
                state.score += value
                events = [Rolled(value)]
            case "step":
                places = list(state.places)
                places[action.args[0]] = action.args[1]
                state.places = (places[0], places[1])
                return [Stepped(*action.args)]
            case _:
                events = [Done()]
        stage = STAGES.index(state.stage) + 1
        if stage == len(STAGES):
            state.turn, stage, state.secret = state.turn + 1, 0, 0
        state.stage = STAGES[stage]
        return events

    def copy(self, state: Table) -> Table:
        return replace(state)

    def begun_with(self, state: Table) -> tuple[str, Mapping[str, str]]:
        return ("short" if state.turns == 2 else "long"), {}

    def fingerprint(self, state: Table) -> str:
        return blake2b(repr(state).encode(), digest_size=12).hexdigest()

    def freeze(self, state: Table) -> dict[str, Any]:
        return {**vars(state), "places": list(state.places)}

    def thaw(self, frozen: Any, scenario: str, options: Mapping[str, str]) -> Table:
        try:
            return Table(**{**frozen, "places": tuple(frozen["places"])})
        except (KeyError, TypeError) as problem:
            raise SaveError("this is no table") from problem

    def outcome(self, state: Table) -> Outcome | None:
        return Outcome("blue", "marginal", "the turns are over", "III") if state.turn > state.turns else None

    def observe(self, state: Table, seat: str | None) -> dict[str, Any]:
        known = state.secret if seat == "red" else None
        return {
            "turn": {"number": state.turn, "label": f"Turn {state.turn}"},
            "phase": {"id": state.stage, "label": state.stage.title(), "rule": "II"},
            "units": [{"id": u, "hex": HEXES[p]} for u, p in zip(UNITS, state.places, strict=True)],
            "victory": {"score": state.score, "turns": state.turns},
            "score": state.score,
            "secret": known,
        }

    def observe_all(self, state: Table) -> dict[str, Any]:
        return self.observe(state, "red")

    def view_of(self, state: Table, seat: str | None) -> Table:
        return replace(state) if seat == "red" else replace(state, secret=0)

    def resample(self, state: Table, seat: str | None, rng: random.Random) -> Table:
        hidden = seat != "red" and state.stage == "guess"
        return replace(state, secret=rng.randint(1, 6) if hidden else self.view_of(state, seat).secret)

    def parse(self, state: Table, text: str) -> list[Action]:
        verb, *words = text.split()
        if verb == "walk":  # compound: walk A2-A3-A4
            names = words[0].split("-") if words else []
            if not names or any(name not in HEXES for name in names):
                raise NotationError("walk needs hexes such as A2-A3")
            return [Action("step", (UNITS.index(state.stage), HEXES.index(n))) for n in names]
        if verb not in self.verbs or len(words) != len(self.verbs[verb]):
            raise NotationError(f"{text!r} cannot be read")
        return [Action(verb, tuple(map(_number, self.verbs[verb], words)))]

    def format(self, state: Table, action: Action) -> str:
        names: Sequence[str] = [
            {"unit": lambda n: UNITS[n], "hex": lambda n: HEXES[n]}.get(kind, str)(value)
            for kind, value in zip(self.verbs[action.verb], action.args, strict=True)
        ]
        return " ".join([action.verb, *names])

    def label(self, state: Table, action: Action) -> str:
        return self.format(state, action).capitalize()

    def events(self) -> Mapping[str, type[Event]]:
        return {declared.kind: declared for declared in (Hidden, Guessed, Rolled, Stepped, Done)}

    def query(self, state: Table, seat: str | None, kind: str, args: Mapping[str, Any]) -> dict[str, Any]:
        if kind != "reach":
            raise NotationError(f"there is no question {kind!r}")
        return {"plain": [{"hex": name, "cost": 1} for name in HEXES], "asked": dict(args)}

    def static(self, scenario: str) -> dict[str, Any]:
        self.setup(scenario, {})
        hexes = [{"id": name, "x": n + 0.5, "y": 0.5, "terrain": "clear"} for n, name in enumerate(HEXES)]
        units = [{"id": u, "side": u, "nation": u, "type": "infantry", "size": "division"} for u in UNITS]
        return {
            "map": {"width": 9, "height": 1, "hexes": hexes, "sides": [], "places": []},
            "units": units,
            "charts": {"die": list(range(1, 7))},
        }

    def shapes(self) -> Shapes:
        return Shapes(observation=Observation, static=Static)

    def load_position(self, table: Mapping[str, Any]) -> Table:
        return self.thaw({key: value for key, value in table.items() if key != "game"}, "", {})

    def dump_position(self, state: Table) -> dict[str, Any]:
        return {"game": self.id, **self.freeze(state)}


def _number(kind: str, word: str) -> int:
    try:
        return {"unit": UNITS.index, "hex": HEXES.index}.get(kind, int)(word)
    except ValueError:
        raise NotationError(f"{word!r} is no {kind}") from None
