"""How many clicks a week of War in Russia takes in the browser client: each small order alone, by hand, with a staff.

The computer plays Case Blue up to a week in the middle of it; what it orders then is put into the gestures of the
client; ``tests/e2e/wir/test_drags.py`` makes one of each with a real mouse. By hand, a group is dragged to where it
marches or attacks, and replacements come by the routine order. What a staff takes off a player's hands (the hint of the
adjustment phase, all depots, the orders of an army group) is counted as the client offers it;
``tests/e2e/wir/test_staff.py`` plays a week like that with a real mouse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rasputitsa import ComputerPlayer, new_match
from rasputitsa.wir.api.order_of_battle import origin
from rasputitsa.wir.model.tables import AIR, KIND, groups_of

SEED = 7
SEAT, SIDE = "axis", 0
WEEK = 6
PATIENCE = 60.0
DRAG = 1
"""A group to where it marches, attacks or strikes, with Shift to plot a way; a depot to where it supplies."""
BY_RAIL = 3
"""Taking a group up, choosing to go by rail, a click on the place."""
ROUTINE = 1
"""Replacements, and guns for those in works: one order for all."""
BY_HAND, WITH_STAFF = 60, 25
"""What a week may take."""
SENT = {"step", "plot", "ground", "bomb"}
ENDINGS = ("S", "B")
"""A plot that stops or only bombards is ended by a button."""


@dataclass
class Week:
    """The clicks of one player's week."""

    one_by_one: int = 0
    by_hand: int = 0
    staff: int = 0
    groups: dict[int, list[str]] = field(default_factory=dict)


def middle_of_case_blue() -> Week:
    """The clicks of the Axis in a week in the middle of Case Blue."""
    match = new_match("wir", "case_blue", seed=SEED)
    computer = ComputerPlayer(match, "planner", seconds=PATIENCE, seed=SEED)
    week, start, before = Week(), match.state, ""
    while (decision := match.decision()) is not None and match.state.turn <= WEEK:
        mine = decision.seat == SEAT and match.state.turn == WEEK
        if mine and decision.kind == "movement" and not week.groups:
            start = match.state.copy()
        in_hand = decision.units[0] if mine and decision.kind == "orders" else ""
        order = computer.play()
        if not mine:
            continue
        week.one_by_one += 1
        if decision.kind == "orders":
            week.groups.setdefault(int(in_hand), []).append(order)
        elif order == "done" or decision.kind not in ("movement", "depot"):
            week.by_hand += 1
        elif decision.kind == "depot":
            # dragged there, it supplies at once
            week.by_hand += not (order == "supply" and before.startswith("depot "))
        before = order
    week.by_hand += ROUTINE + sum(map(presses_of, week.groups.values()))
    # the hint of the adjustment and all that it says, the end of that phase, all depots, the end of movement
    week.staff = 2 + 1 + 1 + _bodies(start) + 1
    return week


def _bodies(s: Any) -> int:
    """A click for each army group and for the air groups, which the client offers to order."""
    on_map = list(s.on_map(groups_of(SIDE)))
    commands = {origin(s, group).command for group in on_map if KIND[group] != AIR} - {""}
    return len(commands) + any(KIND[group] == AIR for group in on_map)


def presses_of(orders: list[str]) -> int:
    """The presses that give one group its orders; the next one taken up puts it down.

    A group that is sent nowhere is left to the routine order for replacements and guns.
    """
    verbs = [order.split()[0] for order in orders]
    sent = BY_RAIL if "railmove" in verbs else DRAG if SENT & set(verbs) else 0
    ended = sum(order.startswith("plot ") and order.endswith(ENDINGS) for order in orders)
    filled = sum(verb in ("replace", "artillery") for verb in verbs)
    return sent + ended + filled if sent else 0


def report() -> Iterator[str]:
    """The table of clicks, line by line."""
    week = middle_of_case_blue()
    yield f"{'War in Russia, week 6 of Case Blue, Axis':<52}{week.one_by_one:>12}{week.by_hand:>10}{BY_HAND:>8}"
    yield f"{'  the same with a staff':<52}{'':>12}{week.staff:>10}{WITH_STAFF:>8}"
