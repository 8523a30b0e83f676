"""The Russian Portfolio behind the contract that all games keep."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rasputitsa.core.actions import Action, Event, Outcome
from rasputitsa.core.dice import Dice, ScriptedDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.game import Decision, Game, LessonInfo, OptionInfo, ScenarioInfo, SeatInfo
from rasputitsa.portfolio import lessons, notation, observe, position, queries, setup, static
from rasputitsa.portfolio.actions import VERBS
from rasputitsa.portfolio.describe import describe
from rasputitsa.portfolio.folder import DATA
from rasputitsa.portfolio.frames import Play, settle
from rasputitsa.portfolio.options import OPTIONS
from rasputitsa.portfolio.ruleset import ruleset, scenario, scenario_ids
from rasputitsa.portfolio.sequence import Sequence
from rasputitsa.portfolio.state import State
from rasputitsa.portfolio.theatre import SIDES


class PortfolioGame(Game[State]):
    """The Russian Portfolio (L. R. Coatney, 1999)."""

    id = "portfolio"
    title = "The Russian Portfolio"
    summary = "The German invasion of the Soviet Union, June 1941 to April 1942, in twenty-day turns."
    rules_version = 1
    verbs = VERBS
    secret_verbs = frozenset({"pick"})

    def __init__(self, data: Path | str | None = None) -> None:
        """With a folder, its map, counters, charts and scenarios take the place of those shipped."""
        self.data = DATA if data is None else Path(data).resolve()

    def scenarios(self) -> list[ScenarioInfo]:
        infos = []
        for name in scenario_ids(self.data):
            table = scenario(name, self.data)
            infos.append(ScenarioInfo(name, table["title"], table["summary"], table["title"]))
        return infos

    def lessons(self) -> list[LessonInfo]:
        return lessons.lessons(self.data)

    def lesson(self, lesson_id: str) -> dict[str, Any]:
        return lessons.lesson(lesson_id, self.data)

    def options(self) -> list[OptionInfo]:
        return list(OPTIONS)

    def seats(self, options: Mapping[str, str]) -> list[SeatInfo]:
        rules = ruleset("june22", options, self.data)
        return [SeatInfo(seat.id, SIDES[seat.side], seat.title) for seat in rules.seats]

    def setup(self, scenario: str, options: Mapping[str, str]) -> State:
        state = setup.initial_state(ruleset(scenario, options, self.data))
        state.stack = (Sequence(-1), *state.stack)
        settle(state, Play(ScriptedDice([])))  # nothing before the first decision casts a die
        return state

    def decision(self, state: State) -> Decision | None:
        if state.outcome is not None:
            return None
        options = self.legal(state)
        frame = state.stack[-1]
        seat = state.rules.seats[frame.seat(state)]
        units, hexes = frame.about(state)
        return Decision(
            seat.id, SIDES[seat.side], frame.kind, frame.rule, frame.prompt(state), options,
            tuple(state.rules.units[u].id for u in units), tuple(state.rules.grid.names[h] for h in hexes),
        )  # fmt: skip

    def legal(self, state: State) -> list[Action]:
        """The legal actions alone: the quick way for players that think ahead."""
        if state.legal is None:
            state.legal = state.stack[-1].options(state)
        return state.legal

    def apply(self, state: State, action: Action, dice: Dice) -> list[Event]:
        if state.outcome is not None:
            raise IllegalAction("the game is over", "XVI.A")
        if action not in self.legal(state):
            raise self.refusal(state, action)
        play = Play(dice)
        frame = state.stack[-1]
        state.legal = None
        frame.apply(state, action, play)
        settle(state, play)
        return play.events

    def refusal(self, state: State, action: Action) -> IllegalAction:
        """Why an action that is not among the options is refused."""
        kinds = VERBS.get(action.verb)
        if kinds is None or len(kinds) != len(action.args):
            return IllegalAction(f"{action.verb!r:.40} is no order of this game")
        limits = {"unit": len(state.rules.units), "hex": state.rules.grid.size, "number": 1000}
        for kind, number in zip(kinds, action.args, strict=True):
            if not 0 <= number < limits[kind]:
                return IllegalAction(f"there is no {kind} {number}")
        return state.stack[-1].refuse(state, action)

    def copy(self, state: State) -> State:
        return state.copy()

    def fingerprint(self, state: State) -> str:
        return blake2b(repr(state.key()).encode(), digest_size=12).hexdigest()

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def observe(self, state: State, seat: str | None) -> dict[str, Any]:
        return observe.observe(state, seat)

    def view_of(self, state: State, seat: str | None) -> State:
        return observe.view_of(state, seat)

    def parse(self, state: State, text: str) -> list[Action]:
        return notation.parse(state.rules, text)

    def format(self, state: State, action: Action) -> str:
        return notation.format_action(state.rules, action)

    def label(self, state: State, action: Action) -> str:
        return notation.label(state.rules, action)

    def describe(self, state: State, event: Event) -> str:
        return describe(state, event)

    def query(self, state: State, seat: str | None, kind: str, args: Mapping[str, Any]) -> dict[str, Any]:
        return queries.answer(self, observe.view_of(state, seat), kind, args)

    def static(self, scenario: str) -> dict[str, Any]:
        return static.static(scenario, self.data)

    def load_position(self, table: Mapping[str, Any]) -> State:
        return position.load(table, self.data)

    def dump_position(self, state: State) -> dict[str, Any]:
        return position.dump(state)
