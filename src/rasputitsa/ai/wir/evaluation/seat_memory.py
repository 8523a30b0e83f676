"""What a seat of War in Russia remembers: what it believes of the enemy, and the supply points it must have left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from rasputitsa.ai.wir.evaluation import attack_estimate, layer_estimates
from rasputitsa.ai.wir.evaluation.opponent_model import OpponentModel
from rasputitsa.core.actions import Action
from rasputitsa.core.events import Event
from rasputitsa.core.shapes import HexFigures, Trapped
from rasputitsa.wir.api.answers import PlainOdds
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import POOLS, SUPPLY_POOL, group_side
from rasputitsa.wir.model.theatre import AXIS, SIDES
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.end_of_turn.economy import NoProduction
from rasputitsa.wir.rules.execution.combat import Fought
from rasputitsa.wir.rules.supply.supply import GroupsSupplied
from rasputitsa.wir.rules.turn import sequence

VERSION = 4
"""Of what is kept with a match; an older one is made again."""
REMEMBERED, BETTER = 3, 1.1
"""Weeks in which an attack that failed is made again only at better odds, and how much better they have to be."""
LAST_ORDERS = (sequence.MOVEMENT, AXIS)
"""The phase after which plots are carried out (3.3)."""


class Stores:
    """A side's supply points, which are hidden even from the side itself (5.2), counted from reports to it: what
    each depot hands out, and whether production fails."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.left = -1
        """Points left; below 0 as long as nothing is counted."""

    def weekly(self, s: State) -> int:
        """What a week's production brings."""
        return sum(hundredths for pool, hundredths in economy.output(s, self.side) if pool == SUPPLY_POOL) // 100

    def open(self, s: State) -> int:
        """The points there should be now; of a game taken up in the middle, what a week brings."""
        if s.rules.options["ledger"] != "hidden":
            return s.pools[self.side][SUPPLY_POOL]
        if self.left < 0:
            pools = s.rules.scenario["pools"][SIDES[self.side]]
            self.left = pools[POOLS[SUPPLY_POOL]] if s.turn == 1 else self.weekly(s)
        return self.left

    def spend(self, points: int) -> None:
        """How many a depot has handed out."""
        self.left = max(0, self.left - points)

    def produce(self, s: State) -> None:
        """A week's production has not failed."""
        self.left = min(s.rules.limits.pools[SUPPLY_POOL], self.left + self.weekly(s))


class Repulses:
    """Own attacks that have not driven the enemy out: the same attack is not made again."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.latest: dict[Hex, tuple[int, int, list[Group]]] = {}
        """For each hex the turn, the odds reported in thousandths, and the groups that held it."""

    def take(self, events: Sequence[Event], after: State) -> None:
        """Take in a week."""
        for event in events:
            if isinstance(event, Fought) and group_side(event.attackers[0]) == self.side:
                turn, odds, _ = self.latest.get(event.target, (0, 0, []))
                most = max(odds, event.odds) if turn == after.turn else event.odds
                self.latest[event.target] = after.turn, most, list(event.defenders)
        self.latest = {
            hex_: (turn, odds, held) for hex_, (turn, odds, held) in self.latest.items()
            if after.turn - turn < REMEMBERED and any(after.hex[group] == hex_ for group in held)
        }  # fmt: skip

    def least(self) -> dict[Hex, float]:
        """Odds that an attack on a hex must come up to, so that it is not the same again."""
        return {hex_: BETTER * odds / 1000 for hex_, (_, odds, _) in self.latest.items()}


class SeatMemory:
    """Made from what the seat is shown."""

    heeds = frozenset({"supplied"})

    def __init__(self, side: Side) -> None:
        self.side = side
        self.enemy = OpponentModel(side)
        self.stores = Stores(side)
        self.repulses = Repulses(side)
        self.told = False
        """Whether somebody tells of the events; if not, there are only the positions a player is asked in."""
        self._last: State | None = None

    @classmethod
    def of_side(cls, side: str) -> SeatMemory:
        """One that knows nothing yet, by the name of the side."""
        return cls(SIDES.index(side))

    # -- taking in what is seen and told ---------------------------------------------------------------

    def remarkable(self, state: State, action: Action) -> bool:
        """Whether an action is the one that has the plots of a week carried out."""
        return action.verb == "done" and sequence.phase_of(state) == LAST_ORDERS

    def begin(self, view: State, known: State | None = None) -> None:
        """Take in the first position; ``known``: the order of battle of a lesson."""
        self.told = True
        self.enemy.start(view, known)
        self.stores.open(view)

    def take(self, before: State, events: Sequence[Event], after: State) -> None:
        """Take in a week."""
        self.told = True
        self._week(before, events, after)

    def hear(self, view: State, event: Event) -> None:
        """Take in something of the moment."""
        self.told = True
        if isinstance(event, GroupsSupplied) and event.side == self.side:
            self.stores.open(view)
            self.stores.spend(event.points)

    def look(self, view: State) -> None:
        """Take in the position in which a player is asked, before it thinks."""
        if not self.told and self._last is not None and view.turn > self._last.turn:
            self._week(self._last, (), view)
        self.enemy.start(view)
        self.stores.open(view)
        if not self.told:
            self._last = view

    def _week(self, before: State, events: Sequence[Event], after: State) -> None:
        self.enemy.take(before, events, after)
        self.repulses.take(events, after)
        self.stores.open(before)
        if not self.told:
            self.stores.left = -1  # what was handed out nobody has told
        elif not any(isinstance(event, NoProduction) and event.side == self.side for event in events):
            self.stores.produce(after)

    def estimated(
        self, view: State, kind: str, args: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Odds against hidden groups as is likeliest, and between what they may lie; the same for layers, figure by
        figure."""
        if kind == "odds":
            return attack_estimate.estimated(self.enemy, view, args, cast("PlainOdds", answer))
        if kind == "trapped":
            return layer_estimates.trapped(self.enemy, view, cast("Trapped", answer))
        if kind in layer_estimates.FIGURES:
            return layer_estimates.figures(self.enemy, view, kind, cast("HexFigures", answer))
        return answer

    # -- keeping it ------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        repulses = {str(hex_): list(repulse) for hex_, repulse in self.repulses.latest.items()}
        return {
            "version": VERSION, "enemy": self.enemy.to_json(), "supply": self.stores.left, "repulses": repulses,
        }  # fmt: skip

    def read(self, kept: Mapping[str, Any]) -> bool:
        """Take over what was kept; nothing of it, if it was of an earlier version."""
        if kept.get("version") != VERSION:
            return False
        self.enemy.read(kept["enemy"])
        self.stores.left = kept["supply"]
        self.repulses.latest = {
            int(hex_): (turn, odds, list(held)) for hex_, (turn, odds, held) in kept["repulses"].items()
        }
        self.told = True
        return True

    def __reduce__(self) -> tuple[object, ...]:
        """How it travels to another process, compiled or not."""
        return revive, (self.side, self.to_json())


def revive(side: Side, kept: Mapping[str, Any]) -> SeatMemory:
    """The memory of a side from what was kept of it."""
    found = SeatMemory(side)
    found.read(kept)
    return found
