"""The Russian Portfolio behind the contract that all games keep."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from rasputitsa.core.actions import MAX_NUMBER, Action
from rasputitsa.core.data.checks import made_of_data
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, EventData
from rasputitsa.core.game import Details, OptionInfo, ScenarioInfo, SeatInfo, StandingOrder, completed
from rasputitsa.core.lessons import lessons
from rasputitsa.core.lessons.lessons import LessonInfo
from rasputitsa.core.scenarios import in_order, scenario_info
from rasputitsa.core.shapes import Shapes
from rasputitsa.core.stack_game import StackGame
from rasputitsa.portfolio.api import (
    known,
    notation,
    observe,
    position,
    queries,
    resample,
    standing,
    state_codec,
    static,
    whole_orders,
)
from rasputitsa.portfolio.api.shapes import SHAPES, Observation, StaticParts
from rasputitsa.portfolio.api.text import event_data, events
from rasputitsa.portfolio.api.validate import unsound
from rasputitsa.portfolio.model.actions import VERBS
from rasputitsa.portfolio.model.data_folder import DATA, DATA_FOLDER
from rasputitsa.portfolio.model.frames import Context
from rasputitsa.portfolio.model.indices import Unit
from rasputitsa.portfolio.model.options import OPTIONS
from rasputitsa.portfolio.model.ruleset import OPENING, Ruleset, ruleset, scenario, scenario_ids
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.rules.logistics import reduction
from rasputitsa.portfolio.rules.turn import sequence, victory

T = TypeVar("T")
HOURS_A_TURN = 0.8
"""About how long two players sit over a turn on the whole map."""


def _seat_number(s: State, seat: str) -> int | None:
    return next((number for number, at in enumerate(s.rules.seats) if at.id == seat), None)


class PortfolioGame(StackGame[State]):
    """The Russian Portfolio (L. R. Coatney, 1999)."""

    id = "portfolio"
    title = "The Russian Portfolio"
    summary = "The German invasion of the Soviet Union, June 1941 to April 1942, in twenty-day turns."
    rules_version = 2
    former_readings: ClassVar[Mapping[int, Mapping[str, str]]] = {2: {"overrun": "others"}}
    verbs = VERBS
    plainest = ("resolve", "done", "stand", "ready", "cast", "halt", "continue", "pass")
    early_ends = frozenset({"stop", "siberia"})
    aside_verbs = frozenset(reduction.ASIDES)
    secret_words = ("Siberian roulette: the Axis picks a number in secret", "IX.B.3")
    sides = SIDES
    data_folder = DATA_FOLDER
    order_rule = ""
    end_rule = "XVI.A"

    def __init__(self, data: Path | str | None = None) -> None:
        """With a folder, its map, counters, charts and scenarios take the place of those shipped."""
        self.data = DATA if data is None else Path(data).resolve()

    def _made(self, make: Callable[[], T]) -> T:
        return made_of_data(make, DATA_FOLDER, self.data, unsound)

    def scenarios(self) -> list[ScenarioInfo]:
        return self._made(self._scenarios)

    def _scenarios(self) -> list[ScenarioInfo]:
        infos = []
        for name in scenario_ids(self.data):
            table = scenario(name, self.data)
            rules = ruleset(name, completed(OPTIONS, {}), self.data)
            first, last = rules.span
            date = rules.turns[first].date if OPENING in table else table["title"]
            infos.append(scenario_info(name, table, date, last - first + 1, HOURS_A_TURN))
        return in_order(infos)

    def lessons(self) -> list[LessonInfo]:
        return lessons.lessons(DATA_FOLDER, self.data)

    def lesson(self, lesson_id: str) -> dict[str, Any]:
        return lessons.lesson(DATA_FOLDER, lesson_id, self.data)

    def options(self) -> list[OptionInfo]:
        return list(OPTIONS)

    def seats(self, options: Mapping[str, str]) -> list[SeatInfo]:
        rules = self._made(lambda: ruleset("june22", options, self.data))
        named = "the {}" if len(rules.seats) == len(SIDES) else "{}"
        return [SeatInfo(seat.id, SIDES[seat.side], seat.title, named.format(seat.title)) for seat in rules.seats]

    def secret_orders(self, options: Mapping[str, str]) -> frozenset[str]:
        return frozenset({"pick"})

    def standing_orders(self) -> Sequence[StandingOrder]:
        return standing.ORDERS

    def standing_order(self, state: State) -> str:
        return standing.order_of(state)

    def standing_answer(self, state: State, policy: str) -> Action | None:
        return standing.answer(state, policy)

    def setup(self, scenario: str, options: Mapping[str, str]) -> State:
        return self._made(lambda: position.start(ruleset(scenario, options, self.data)))

    def freeze(self, state: State) -> dict[str, Any]:
        return state_codec.layout(state.rules).freeze(state)

    def revive(self, raw: Any, scenario: str, options: Mapping[str, str]) -> State:
        return state_codec.thaw(ruleset(scenario, options, self.data), raw)

    def asides(self, state: State, seat: str) -> list[Action]:
        """XIV.C: reducing fronts, and giving up units."""
        number = _seat_number(state, seat)
        return [] if number is None else reduction.asides(state, number)

    def why_not_aside(self, state: State, action: Action, seat: str) -> IllegalAction | None:
        number = _seat_number(state, seat)
        return None if number is None else reduction.why_not_aside(state, action, number)

    def begin_aside(self, state: State, action: Action, context: Context) -> bool:
        return reduction.begin_aside(state, action, context)

    def refusal(self, state: State, action: Action) -> IllegalAction:
        return reduction.why_not_answered(state, action) or super().refusal(state, action)

    def unit_name(self, state: State, unit: Unit) -> str:
        return state.rules.units[unit].id

    def limits(self, state: State) -> Mapping[str, int]:
        return {"unit": len(state.rules.units), "hex": state.rules.grid.size, "number": MAX_NUMBER}

    def observe(self, state: State, seat: str | None) -> Observation:
        return observe.observe(state, seat)

    def observe_all(self, state: State) -> Observation:
        return observe.observe(state, None, everything=True)

    def peek(self, state: State, seat: str | None, *, everything: bool = False) -> Observation:
        return observe.peek(state, seat, everything=everything)

    def turn_and_phase(self, state: State) -> tuple[str, str]:
        phase, _ = sequence.phase_of(state)
        return state.rules.turns[state.turn].date, sequence.TITLES[phase][1]

    def view_of(self, state: State, seat: str | None) -> State:
        return known.view_of(state, seat)

    def resample(self, state: State, seat: str | None, rng: random.Random) -> State:
        return resample.resampled(state, seat, rng)

    def parse(self, state: State, text: str) -> list[Action]:
        return whole_orders.parse(state, text)

    def format(self, state: State, action: Action) -> str:
        return notation.format_action(state.rules, action)

    def label(self, state: State, action: Action) -> str:
        return notation.label(state.rules, action)

    def details(self, state: State, action: Action) -> Details:
        return notation.details(state.rules, action)

    def worded_by(self, state: State) -> Ruleset:
        return state.rules

    def ending(self, state: State) -> str:
        return victory.ending(state)

    def events(self) -> Mapping[str, type[Event]]:
        return events()

    def event_data(self, state: State, event: Event) -> EventData:
        return event_data(state, event)

    def query(self, state: State, seat: str | None, kind: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        return queries.answer(self, known.view_of(state, seat), kind, args)

    def shapes(self) -> Shapes:
        return SHAPES

    def static(self, scenario: str) -> StaticParts:
        return static.static(scenario, self.data)

    def load_position(self, table: Mapping[str, Any]) -> State:
        return position.load(table, self.data)

    def dump_position(self, state: State) -> dict[str, Any]:
        return position.dump(state)
