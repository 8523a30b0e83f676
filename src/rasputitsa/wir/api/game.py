"""War in Russia behind the contract that all games keep."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from rasputitsa.core.actions import MAX_NUMBER, Action
from rasputitsa.core.data.checks import made_of_data
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, EventData
from rasputitsa.core.game import Details, OptionInfo, ScenarioInfo, SeatInfo, SecretRound, StandingOrder
from rasputitsa.core.lessons import lessons
from rasputitsa.core.lessons.lessons import LessonInfo
from rasputitsa.core.scenarios import in_order, scenario_info
from rasputitsa.core.shapes import Shapes
from rasputitsa.core.stack_game import StackGame
from rasputitsa.wir.api import (
    known,
    labels,
    notation,
    observe,
    position,
    queries,
    resample,
    standing,
    state_codec,
    static,
    veil,
)
from rasputitsa.wir.api.shapes import SHAPES, Observation, PublicFace, StaticParts
from rasputitsa.wir.api.text import event_data, events
from rasputitsa.wir.api.validate import unsound
from rasputitsa.wir.model.actions import VERBS
from rasputitsa.wir.model.data_folder import DATA, DATA_FOLDER
from rasputitsa.wir.model.indices import Group
from rasputitsa.wir.model.options import OPTIONS, complete
from rasputitsa.wir.model.ruleset import date_words, ruleset, scenario, scenario_ids
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import GROUPS
from rasputitsa.wir.model.theatre import SIDES
from rasputitsa.wir.rules.turn.sequence import TITLES, of_other_phase, phase_of
from rasputitsa.wir.rules.victory import victory

T = TypeVar("T")
HOURS_A_TURN = 0.35
"""About how long two players sit over a week on the whole map."""
ANSWERS = {"agree", "decline"}
"""What is said aloud to the other player (4.11, 10.0)."""


class WirGame(StackGame[State]):
    """War in Russia (SSI, 1984): 1.0 a game of operations, 3.0 for two."""

    id = "wir"
    title = "War in Russia"
    summary = "The whole war on the Eastern Front, 1941 to 1945, in weekly turns with hidden orders."
    rules_version = 3
    former_readings: ClassVar[Mapping[int, Mapping[str, str]]] = {
        2: {"depot_stops": "allowed", "recruits": "mean"},
        3: {"staff_guns": "all"},
    }
    verbs = VERBS
    plainest = ("done", "halt", "skip")
    early_ends = frozenset({"end_game", "level", "agree"})
    secret_words = ("Orders are being given in secret", "3.3")
    sides = SIDES
    data_folder = DATA_FOLDER
    order_rule = "3.3"
    end_rule = "9.0"

    def __init__(self, data: Path | str | None = None) -> None:
        """With a folder, its map, armies, figures and scenarios take the place of those shipped."""
        self.data = DATA if data is None else Path(data).resolve()

    def _made(self, make: Callable[[], T]) -> T:
        return made_of_data(make, DATA_FOLDER, self.data, unsound)

    def scenarios(self) -> list[ScenarioInfo]:
        return self._made(self._scenarios)

    def _scenarios(self) -> list[ScenarioInfo]:
        found = []
        for name in scenario_ids(self.data):
            table = scenario(name, self.data)
            found.append(scenario_info(name, table, date_words(table["start"]), table["turns"], HOURS_A_TURN))
        return in_order(found)

    def lessons(self) -> list[LessonInfo]:
        return lessons.lessons(DATA_FOLDER, self.data)

    def lesson(self, lesson_id: str) -> dict[str, Any]:
        return lessons.lesson(DATA_FOLDER, lesson_id, self.data)

    def options(self) -> list[OptionInfo]:
        return list(OPTIONS)

    def seats(self, options: Mapping[str, str]) -> list[SeatInfo]:
        rules = self._made(lambda: ruleset(scenario_ids(self.data)[0], complete(options), self.data))
        return [SeatInfo(seat.id, SIDES[seat.side], seat.title, f"the {seat.title}") for seat in rules.seats]

    def secret_orders(self, options: Mapping[str, str]) -> frozenset[str]:
        return frozenset() if options.get("fog") == "open" else frozenset(VERBS.keys() - ANSWERS)

    def secret_round(self, state: State) -> SecretRound | None:
        return veil.secret_round(state)

    def face(self, state: State, side: str) -> PublicFace:
        return veil.face(state, SIDES.index(side))

    def veiled(self, state: State, face: object) -> State:
        return veil.veiled(state, face)

    def standing_orders(self) -> Sequence[StandingOrder]:
        return standing.ORDERS

    def standing_order(self, state: State) -> str:
        return standing.order_of(state)

    def standing_answer(self, state: State, policy: str) -> Action | None:
        return standing.answer(state)

    def setup(self, scenario: str, options: Mapping[str, str]) -> State:
        return self._made(lambda: position.start(ruleset(scenario, options, self.data)))

    def freeze(self, state: State) -> dict[str, Any]:
        return state_codec.layout(state.rules).freeze(state)

    def revive(self, raw: Any, scenario: str, options: Mapping[str, str]) -> State:
        return state_codec.thaw(ruleset(scenario, options, self.data), raw)

    def unit_name(self, state: State, unit: Group) -> str:
        return str(unit)  # a question is about groups, and they are numbers

    def limits(self, state: State) -> Mapping[str, int]:
        return {"unit": GROUPS, "hex": state.rules.grid.size, "number": MAX_NUMBER}

    def refusal(self, state: State, action: Action) -> IllegalAction:
        return of_other_phase(state, action.verb) or super().refusal(state, action)

    def observe(self, state: State, seat: str | None) -> Observation:
        return observe.observe(state, seat)

    def observe_all(self, state: State) -> Observation:
        return observe.observe(state, None, everything=True)

    def turn_and_phase(self, state: State) -> tuple[str, str]:
        phase, _ = phase_of(state)
        return state.rules.date_text(state.turn), TITLES[phase][1]

    def view_of(self, state: State, seat: str | None) -> State:
        return known.view_of(state, seat)

    def resample(self, state: State, seat: str | None, rng: random.Random) -> State:
        return resample.resampled(state, seat, rng)

    def is_visible(self, state: State, event: Event, seat: str | None) -> bool:
        """Whether a seat may read an event: orders are hidden until they are carried out."""
        return observe.is_visible(state, event, seat)

    def parse(self, state: State, text: str) -> list[Action]:
        return notation.parse(state, text)

    def read(self, state: State, text: str) -> Action:
        return notation.read_action(state, text)

    def format(self, state: State, action: Action) -> str:
        return notation.format_action(state.rules, action)

    def label(self, state: State, action: Action) -> str:
        return labels.label(state, action)

    def details(self, state: State, action: Action) -> Details:
        return labels.details(state, action)

    def ending(self, state: State) -> str:
        return victory.ending(state)

    def events(self) -> Mapping[str, type[Event]]:
        return events()

    def event_data(self, state: State, event: Event) -> EventData:
        return event_data(state, event)

    def query(self, state: State, seat: str | None, kind: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        return queries.answer(self, state, seat, kind, args)

    def shapes(self) -> Shapes:
        return SHAPES

    def static(self, scenario: str) -> StaticParts:
        return static.static(scenario, self.data)

    def load_position(self, table: Mapping[str, Any]) -> State:
        return position.load(table, self.data)

    def dump_position(self, state: State) -> dict[str, Any]:
        return position.dump(state)
