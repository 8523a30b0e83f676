"""War in Russia behind the contract that all games keep."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from rasputitsa.core.actions import Action, Event, Outcome
from rasputitsa.core.dice import Dice, ScriptedDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.game import Decision, Game, OptionInfo, ScenarioInfo, SeatInfo
from rasputitsa.wir import labels, notation, observe, position, queries, setup, static
from rasputitsa.wir.actions import VERBS
from rasputitsa.wir.describe import describe
from rasputitsa.wir.frames import Play, settle
from rasputitsa.wir.options import OPTIONS, complete
from rasputitsa.wir.ruleset import ruleset, scenario, scenario_ids
from rasputitsa.wir.sequence import Sequence
from rasputitsa.wir.state import State
from rasputitsa.wir.tables import GROUPS
from rasputitsa.wir.theatre import SIDES

LARGEST = 1000


class WirGame(Game[State]):
    """War in Russia (SSI, 1984)."""

    id = "wir"
    title = "War in Russia"
    summary = "The whole war on the Eastern Front, 1941 to 1945, in weekly turns with hidden orders."
    rules_version = 1
    verbs = VERBS
    secret_verbs = frozenset(verb for verb, args in VERBS.items() if args)

    def scenarios(self) -> list[ScenarioInfo]:
        tables = ((name, scenario(name)) for name in scenario_ids())
        return [ScenarioInfo(name, table["title"], table["summary"], table["date"]) for name, table in tables]

    def options(self) -> list[OptionInfo]:
        return list(OPTIONS)

    def seats(self, options: Mapping[str, str]) -> list[SeatInfo]:
        rules = ruleset(scenario_ids()[0], complete(options))
        return [SeatInfo(seat.id, SIDES[seat.side], seat.title) for seat in rules.seats]

    def setup(self, scenario: str, options: Mapping[str, str]) -> State:
        state = setup.initial_state(ruleset(scenario, options))
        state.stack = (Sequence(-1),)
        settle(state, Play(ScriptedDice([])))  # nothing before the first decision casts a die
        return state

    def decision(self, state: State) -> Decision | None:
        if state.outcome is not None:
            return None
        options = self.legal(state)
        frame = state.stack[-1]
        seat = state.rules.seats[frame.seat(state)]
        groups, hexes = frame.about(state)
        return Decision(
            seat.id, SIDES[seat.side], frame.kind, frame.rule, frame.prompt(state), options,
            tuple(str(g) for g in groups), tuple(state.rules.grid.names[h] for h in hexes),
        )  # fmt: skip

    def legal(self, state: State) -> list[Action]:
        """The legal actions alone: the quick way for players that think ahead."""
        if state.legal is None:
            state.legal = state.stack[-1].options(state)
        return state.legal

    def apply(self, state: State, action: Action, dice: Dice) -> list[Event]:
        if state.outcome is not None:
            raise IllegalAction("the game is over", "9.0")
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
            return IllegalAction(f"{action.verb!r:.40} is no order of this game", "3.3")
        limits = {"unit": GROUPS, "hex": state.rules.grid.size, "number": LARGEST}
        for kind, number in zip(kinds, action.args, strict=True):
            if not 0 <= number < limits[kind]:
                return IllegalAction(f"there is no {kind} {number}", "3.3")
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

    def sees(self, state: State, event: Event, seat: str | None) -> bool:
        """Whether a seat may read an event: orders are hidden until they are carried out."""
        return observe.sees(state, event, seat)

    def parse(self, state: State, text: str) -> list[Action]:
        return notation.parse(state, text)

    def format(self, state: State, action: Action) -> str:
        return notation.format_action(state.rules, action)

    def label(self, state: State, action: Action) -> str:
        return labels.label(state, action)

    def describe(self, state: State, event: Event) -> str:
        return describe(state, event)

    def query(self, state: State, seat: str | None, kind: str, args: Mapping[str, Any]) -> dict[str, Any]:
        return queries.answer(self, state, seat, kind, args)

    def static(self, scenario: str) -> dict[str, Any]:
        return static.static(scenario)

    def load_position(self, table: Mapping[str, Any]) -> State:
        return position.load(table)

    def dump_position(self, state: State) -> dict[str, Any]:
        return position.dump(state)
