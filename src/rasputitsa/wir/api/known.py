"""Positions as a seat may know them: whatever it may not know is blank (3.3, 4.6)."""

from __future__ import annotations

from typing import Final

from rasputitsa.hexes.grid import without
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import CONSTRUCTION, MOST_SEAS, POOLS, SUPPLY_POOL, UNITS, group_side, groups_of
from rasputitsa.wir.model.theatre import INDUSTRY, SUPPLY
from rasputitsa.wir.rules.adjustment import agreements
from rasputitsa.wir.rules.turn import secrecy

BOTH: Final = (0, 1)
FACTORY_KINDS: Final = range(INDUSTRY, SUPPLY)
"""The factories among a city's values; its population and supply centres score, and all know the score."""
UNLISTED: Final = (SUPPLY_POOL, CONSTRUCTION)
"""Pools that the manual does not display, not even to their owner (5.2, 8.5)."""


def ledger_shown(s: State) -> bool:
    """Whether players see their supply and construction points: by choice, or because the game is over."""
    return s.rules.options["ledger"] != "hidden" or s.outcome is not None


def side_seen(s: State, seat: str | None) -> tuple[Side, ...]:
    """The sides whose secrets a seat knows: both when the game is open or over."""
    if s.outcome is not None or s.rules.options["fog"] == "open":
        return BOTH
    return tuple([known.side for known in s.rules.seats if known.id == seat])


def view_of(s: State, seat: str | None) -> State:
    """A copy in which whatever the seat may not know is blank."""
    known = side_seen(s, seat)
    seen = shown_to(s, known).copy()
    for side in BOTH:
        if side not in known:
            blank(seen, side)
    if s.stack and isinstance(s.stack[-1], agreements.Proposal) and s.stack[-1].side in known:
        seen.stack = s.stack  # who has proposed something knows what the other player is asked
    if not ledger_shown(s):
        for side in BOTH:
            for pool in UNLISTED:
                seen.pools[side][pool] = 0
    return seen


def shown_to(s: State, seen: tuple[Side, ...]) -> State:
    """The state, or one as it looks to those who do not see the orders that are being given."""
    if s.face is None or s.face.side in seen:
        return s
    face = s.copy()
    secrecy.as_shown(face)
    return face


def blank(s: State, side: Side) -> None:
    """Forget the secrets of a side."""
    first = side * (UNITS // 2)
    last = first + UNITS // 2
    for row in (s.utype, s.strength, s.experience, s.fatigue, s.ugroup):
        row[first:last] = bytes(last - first)
    s.uname[first:last] = [0] * (last - first)
    groups = groups_of(side)
    low, high = groups[0], groups[-1] + 1
    number = high - low
    s.group_units[low:high] = [()] * number
    s.depot_route[low:high] = [()] * number
    s.artillery[low:high] = [0] * number
    s.plot[low:high] = [0] * number
    s.strike[low:high] = [0] * number
    for octets in (s.entrench, s.aircraft, s.unsupplied_moves, s.steps):
        octets[low:high] = bytes(number)
    hidden = (1 << high) - (1 << low)
    s.supplied = without(s.supplied, hidden)
    s.relieved = without(s.relieved, hidden)
    s.moved = without(s.moved, hidden)
    s.from_line = without(s.from_line, hidden)
    s.halted = without(s.halted, hidden)
    s.added_artillery = without(s.added_artillery, hidden)
    s.overfatigued = without(s.overfatigued, (1 << last) - (1 << first))
    for city in range(len(s.owner)):
        if s.owner[city] == side:
            for kind in FACTORY_KINDS:
                s.values[kind][city] = 0
    s.pools[side] = [0] * len(POOLS)
    s.rest[side] = [0] * len(POOLS)
    s.rail_order[side] = OFF
    s.air_moves[side] = s.rail_moves[side] = 0
    s.naval = without(s.naval, (1 << MOST_SEAS) - 1 << side * MOST_SEAS)
    s.dismantled = without(s.dismantled, 1 << side)
    if side == 1:
        s.lend = [0, 0]
    s.returning = tuple((g, turn) for g, turn in s.returning if group_side(g) != side)
    if s.stack and s.outcome is None and s.stack[-1].kind != "sequence" and s.stack[-1].seat(s) == side:
        s.stack = tuple(frame for frame in s.stack if frame.kind == "sequence")
        s.legal = []
