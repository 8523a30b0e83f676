"""A pupil for the lessons of War in Russia: carries out orders written down by week, and leaves the rest to the staff.

Beside notation an order may be ``attack HEX GROUP..`` (those next to the hex plot into it), ``strike HEX GROUP..`` (air
groups) and ``go GROUP HEX`` (strategic steps on the way to a hex, as far as they lead).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Decision
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.state import State
from tests.unit.ai.lesson_play import goal_reached

GAME = WirGame()
Orders = Mapping[int, Sequence[str]]
"""What to do in the movement phase of each week; a week without orders repeats those of the week before."""
HABITS = ("auto_supply", "done", "halt", "supply", "decline", "back")
IDLE = ("done", "halt", "skip", "decline", "back")
MOST_DECISIONS = 3000


def reaches_goal(lesson: str, orders: Orders | None, seed: int) -> bool:
    """Whether the orders, or nothing at all, reach the goal of a lesson against its own opponent."""
    return goal_reached(GAME, lesson, Pupil(orders).play, seed, MOST_DECISIONS)


class Pupil:
    """One seat of a lesson."""

    def __init__(self, orders: Orders | None) -> None:
        self.orders = orders
        self.week = 0
        self.left: list[str] = []

    def play(self, s: State, decision: Decision, dice: SeededDice) -> None:
        """Carry out the next order that can be, or answer by habit."""
        if self.orders is not None and decision.kind == "movement":
            if self.week != s.turn:
                self.week = s.turn
                known = [week for week in self.orders if week <= s.turn]
                self.left = ["auto_replace", *self.orders[max(known)]] if known else []
            while self.left:
                actions = self.spelt(s, self.left.pop(0))
                for action in actions:
                    GAME.apply(s, action, dice)
                if actions:
                    return
        found = {action.verb: action for action in reversed(decision.options)}
        habits = IDLE if self.orders is None else HABITS
        GAME.apply(s, next((found[verb] for verb in habits if verb in found), decision.options[0]), dice)

    def spelt(self, s: State, order: str) -> list[Action]:
        """The actions of an order, or none when it is not possible (any more)."""
        verb, *words = order.split()
        if verb in ("attack", "strike"):
            lines = [self.aimed(s, verb, words[0], group) for group in words[1:]]
            self.left[:0] = [line for line in lines if line]
            return []
        if verb == "go":
            return self.on_the_way(s, *words)
        try:
            return self.legal_part(s, GAME.parse(s, order))
        except RasputitsaError:
            return []

    def aimed(self, s: State, verb: str, target: str, group: str) -> str:
        if verb == "strike":
            return f"get {group}; ground {target}; halt"
        here, there = s.hex[int(group)], s.rules.grid.index(target)
        way = s.rules.map.direction(here, there) if here >= 0 else 0
        return f"get {group}; plot {way}; halt" if way else ""

    def on_the_way(self, s: State, group: str, target: str) -> list[Action]:
        if s.hex[int(group)] < 0:
            return []
        side = s.rules.seats[int(int(group) > 63)].id
        there, distance = s.rules.grid.index(target), s.rules.grid.distance
        reach = GAME.query(s, side, "reach", {"unit": group})["plain"]
        hexes = [entry["hex"] for entry in reach]
        if not hexes:
            return []
        best = min(hexes, key=lambda name: distance(s.rules.grid.index(name), there))
        if distance(s.rules.grid.index(best), there) >= distance(s.hex[int(group)], there):
            return []
        line = GAME.query(s, side, "route", {"unit": group, "to": best})["line"]
        return self.legal_part(s, GAME.parse(s, f"get {group}; {line}; halt"))

    def legal_part(self, s: State, actions: list[Action]) -> list[Action]:
        """All of some actions if all are legal one after the other, tried on a copy; else none."""
        trial = s.copy()
        for action in actions:
            if action not in GAME.legal(trial):
                return []
            GAME.apply(trial, action, SeededDice(0))
        return actions
