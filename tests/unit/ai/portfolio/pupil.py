"""A pupil who plays a lesson by written orders, and by habit where none is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import Dice, SeededDice
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Decision
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SIDES
from tests.support import GAME
from tests.unit.ai.lesson_play import goal_reached

Orders = Mapping[tuple[int, str], Sequence[str]]
"""What to do by turn and phase. Beside notation: ``attack H: all``, ``into H UNIT..`` (the first of them that
gets there without being dispersed) and ``close H [UNIT..]`` (next to it, or in where nobody is)."""

HABITS = ("resolve", "stand_all", "stand", "halt", "with", "ready", "refrain", "decline", "pass", "done")
MOST_DECISIONS = 600


def reaches_goal(lesson: str, orders: Orders, seed: int) -> bool:
    """Whether the orders reach the goal of a lesson against its own opponent with the dice of a seed."""
    seat = next(info.seat for info in GAME.lessons() if info.id == lesson)
    return goal_reached(GAME, lesson, Pupil(seat, orders).play, seed, MOST_DECISIONS)


class Pupil:
    """One seat of a lesson."""

    def __init__(self, seat: str, orders: Orders) -> None:
        self.seat, self.orders = seat, orders
        self.phase: tuple[Any, ...] = ()
        self.left: list[str] = []

    def play(self, s: State, decision: Decision, dice: Dice) -> None:
        """Carry out the next order that can be, or answer by habit."""
        phase = GAME.observe(s, self.seat)["phase"]
        now = (s.turn, phase["id"], phase["reserve"], phase["side"])
        if now != self.phase:
            self.phase = now
            self.left = list(self.orders.get(now[:2], ())) if phase["side"] == self.seat else []
        while self.left and decision.kind in ("movement", "attack"):
            order = self.left.pop(0)
            verb, *words = order.split()
            if verb in ("into", "close"):
                self.left[:0] = self.into(s, *words) if verb == "into" else self.close(s, *words)
                continue
            try:
                actions = self.all_out(s, words[0]) if order.endswith(": all") else self.spelt(s, order)
            except RasputitsaError:
                continue  # what was meant is not possible any more
            for action in actions:
                GAME.apply(s, action, dice)
            return
        GAME.apply(s, self.habit(s, decision), dice)

    def spelt(self, s: State, line: str) -> list[Action]:
        """The actions of a line that are all legal, tried on a copy."""
        trial, found = s.copy(), []
        for action in GAME.parse(trial, line):
            if action.verb != "halt" or action in GAME.legal(trial):
                GAME.apply(trial, action, SeededDice(0))
                found.append(action)
        return found

    def all_out(self, s: State, target: str) -> list[Action]:
        """An attack on a hex by everybody who can."""
        trial = s.copy()
        found = GAME.parse(trial, f"attack {target.rstrip(':')}")[:1]
        GAME.apply(trial, found[0], SeededDice(0))
        while found[-1].verb != "ready":
            joining = [action for action in GAME.legal(trial) if action.verb == "with"]
            found.append(joining[0] if joining else GAME.parse(trial, "ready")[0])
            GAME.apply(trial, found[-1], SeededDice(0))
        return found

    def into(self, s: State, target: str, *units: str) -> list[str]:
        ready = self.ready(s)
        return [f"move {u} {target}" for u in units if u in ready and target in self.reach(s, u)][:1]

    def close(self, s: State, target: str, *units: str) -> list[str]:
        grid = s.rules.grid
        middle = grid.index(target)
        around = [grid.names[h] for h in members(grid.adjacent[middle])]
        enemy = 1 - SIDES.index(self.seat)
        lines: list[str] = []
        for unit in [u for u in self.ready(s) if not units or u in units]:
            place = s.rules.roster.find(unit)
            if place is None or grid.names[s.pos[place]] in around:
                continue
            empty = [target] if not lines and not s.occ[enemy] >> middle & 1 else []
            hexes = [h for h in (*empty, *around) if h in self.reach(s, unit)]
            if hexes:
                best = min(hexes, key=lambda h: (h != target, len(s.at.get(grid.index(h), ()))))
                lines.append(f"move {unit} {best}")
        return lines

    def ready(self, s: State) -> list[str]:
        return [s.rules.units[a.args[0]].id for a in GAME.legal(s) if a.verb == "move"]

    def reach(self, s: State, unit: str) -> set[str]:
        """Hexes a unit gets to without being dispersed."""
        return {step["hex"] for step in GAME.query(s, self.seat, "reach", {"units": [unit]})["plain"]}

    def habit(self, s: State, decision: Decision) -> Action:
        """Advance into what is asked for, resolve what is announced, and leave the rest."""
        if decision.kind.startswith("retreat"):
            return decision.options[0]
        goal = GAME.observe(s, self.seat)["goal"]
        wanted = goal["hexes"] if goal else []
        for action in decision.options:
            if decision.kind == "advance" and action.verb == "advance":
                return action
            if decision.kind == "advance_step" and GAME.format(s, action) in [f"to {h}" for h in wanted]:
                return action
        found = {action.verb: action for action in reversed(decision.options)}
        return next((found[verb] for verb in HABITS if verb in found), decision.options[0])
