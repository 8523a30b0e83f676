"""The goal of a lesson, as every game has it: demands that are met or not, and who has won by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from rasputitsa.core.actions import Outcome
from rasputitsa.core.data.fields import text, whole
from rasputitsa.core.errors import SetupError
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Asking, Context
from rasputitsa.hexes.grid import members

if TYPE_CHECKING:
    from rasputitsa.core.shapes import GoalPart

WHERE = "goal"
"""Where a goal stands in a position file."""
LEVEL = "goal"
"""The level of a victory that a goal has decided."""
ENDINGS: Final = ("the goal was not reached", "the goal was reached")
"""What decided such a game, by whether the goal was reached."""


class Part(NamedTuple):
    """One demand of a goal: how far it is met."""

    text: str
    done: int
    needed: int
    choice: str = ""
    """The demand in words where a part of its places or units is enough."""


class Demands(Protocol):
    """What the goals of all games ask for; hexes and units are sets."""

    @property
    def hold(self) -> int:
        """The hexes to be held, as bits."""
        ...

    @property
    def at_least(self) -> int:
        """How many of these are enough."""
        ...

    @property
    def clear(self) -> int:
        """The hexes to be free of enemies, as bits."""
        ...

    @property
    def remove(self) -> int:
        """The units to be removed from the map, as bits."""
        ...

    @property
    def remove_at_least(self) -> int:
        """How many of these are enough."""
        ...

    @property
    def keep(self) -> int:
        """The units of which none may be lost, as bits."""
        ...


def as_shape(part: Part) -> GoalPart:
    """A demand as clients get it."""
    return {"text": part.choice or part.text, "done": min(part.done, part.needed), "needed": part.needed}


Words = Callable[[int], str]
"""Names a set of hexes, or of units."""


def demands(goal: Demands, held: int, enemies: int, present: int, places: Words, units: Words) -> list[Part]:
    """How far the demands that all games know are met.

    ``held`` are the hexes the side controls, ``enemies`` those its enemy stands in, ``present`` the units on the map.
    """
    found = []
    if goal.hold:
        named, all_of_them = places(goal.hold), goal.at_least == goal.hold.bit_count()
        choice = "" if all_of_them else f"hold {goal.at_least} of {named}"
        found.append(Part(f"hold {named}", (goal.hold & held).bit_count(), goal.at_least, choice))
    if goal.clear:
        clear = goal.clear & ~enemies
        found.append(Part(f"no enemy in {places(goal.clear)}", clear.bit_count(), goal.clear.bit_count()))
    if goal.remove:
        gone = goal.remove & ~present
        named, all_of_them = units(goal.remove), goal.remove_at_least == goal.remove.bit_count()
        choice = "" if all_of_them else f"off the map: {goal.remove_at_least} of {named}"
        found.append(Part(f"off the map: {named}", gone.bit_count(), goal.remove_at_least, choice))
    if goal.keep:
        kept = goal.keep & present
        found.append(Part(f"still on the map: {units(goal.keep)}", kept.bit_count(), goal.keep.bit_count()))
    return found


def written(goal: Demands, hexes: Sequence[str], unit: Callable[[int], str]) -> dict[str, Any]:
    """The demands that all games know as a position file has them, with the names of hexes and units."""
    return {
        "hold": [hexes[h] for h in members(goal.hold)], "at_least": goal.at_least,
        "clear": [hexes[h] for h in members(goal.clear)],
        "remove": [unit(u) for u in members(goal.remove)], "remove_at_least": goal.remove_at_least,
        "keep": [unit(u) for u in members(goal.keep)],
    }  # fmt: skip


def fields(table: Any, known: set[str]) -> Mapping[str, Any]:
    """The table of a goal in a position file; raises ``SetupError`` unless it holds known fields alone."""
    if not isinstance(table, Mapping) or set(table) - known:
        raise SetupError(f"goal is a table with {', '.join(sorted(known))}")
    return table


def side(table: Mapping[str, Any], sides: tuple[str, ...]) -> int:
    """The side that has to reach the goal; raises ``SetupError``."""
    name = text(table, "side", "", WHERE)
    if name not in sides:
        raise SetupError(f"goal: side is {' or '.join(sides)}, not {name!r:.20}")
    return sides.index(name)


def count(table: Mapping[str, Any], name: str, of: int) -> int:
    """How many of a set are enough, by default all; raises ``SetupError``."""
    return whole(table, name, of.bit_count(), min(1, of.bit_count()), of.bit_count(), WHERE)


def met(parts: Iterable[Part]) -> bool:
    """Whether every demand is met."""
    return all(part.done >= part.needed for part in parts)


def share(parts: list[Part]) -> float:
    """How much of the goal is met, from 0 to 1; every demand counts alike."""
    return sum(min(1.0, part.done / part.needed) for part in parts if part.needed) / max(1, len(parts))


def judge(s: Asking, parts: list[Part], context: Context, sides: tuple[str, str], *, last: bool, early: bool) -> None:
    """Set the outcome if the goal is decided: at the last look, or as soon as it is reached if early counts.

    ``sides`` names the side that has to reach it, then the one that wins otherwise.
    """
    reached = met(parts)
    if not last and not (reached and early):
        return
    demands = "; ".join(f"{part.text}: {part.done} of {part.needed}" for part in parts)
    context.note(GoalDecided(reached, demands))
    s.outcome = Outcome(sides[0] if reached else sides[1], LEVEL, f"{ENDINGS[reached]} ({demands})", "")


def ending_by_goal(outcome: Outcome, side: str) -> str:
    """What decided a game that a goal has ended: ``side`` had to reach it."""
    return ENDINGS[outcome.winner == side]


@event("goal", "", "flag", "text")
class GoalDecided(Event):
    """What ``judge`` leaves."""

    reached: bool
    parts: str

    def words(self, s: Any) -> str:
        return f"The goal is {'' if self.reached else 'not '}reached: {self.parts}"
