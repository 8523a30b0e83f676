"""7.0 Tactical execution: the ten segments of phase G, which ask nobody anything."""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, GroupBits, Hex, Side
from rasputitsa.wir.model.marks import side_name
from rasputitsa.wir.model.plot import ADVANCE, BOMBARD, STOP, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import COMBAT_BITS, INFANTRY, MECHANIZED, WEATHER_NAMES, groups_of
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.execution import air, combat
from rasputitsa.wir.rules.execution.cancelled import PlotCancelled
from rasputitsa.wir.rules.movement import plot_ways
from rasputitsa.wir.rules.movement.enter_hex import Moved, enter
from rasputitsa.wir.rules.movement.fatigue import worn_out
from rasputitsa.wir.rules.movement.strategic_move import count_turn

AIR_STRIKES: Final = 1
FIRST_PLAYER: Final = 2
MOVERS: Final = tuple((groups_of(side, MECHANIZED, INFANTRY), groups_of(side, MECHANIZED)) for side in (AXIS, SOVIET))
"""By side: the groups that move in the first round of movement, and in the mechanized one."""
FIRST_ROUND: Final = 0
MECHANIZED_ROUND: Final = 1
SEGMENTS: Final = ((3, 0, FIRST_ROUND), (5, 1, FIRST_ROUND), (7, 0, MECHANIZED_ROUND), (9, 1, MECHANIZED_ROUND))
"""Number of each segment of movement, whether the second player moves, and the round. Attacks follow in the next."""


class Engagement(NamedTuple):
    """Groups that attack a hex together in a segment."""

    target: Hex
    """-1 beyond the edge of the map."""
    groups: list[Group]
    bombards: bool
    """Whether it is one group that only bombards (6.6)."""


def begin(s: State, context: Context) -> None:
    """Carry out all plots and strikes of both sides."""
    if any(s.strike):
        context.note(SegmentBegan(AIR_STRIKES, -1))
        air.strikes(s, context)
    s.first = first_player(s, context)
    context.note(SegmentBegan(FIRST_PLAYER, s.first))
    walked = 0
    for segment, second, round_ in SEGMENTS:
        side = 1 - s.first if second else s.first
        movers = [g for g in MOVERS[side][round_] if s.plot[g] and unpack(s.plot[g]).direction(round_)]
        if movers:
            walked |= _segment(s, context, segment, side, round_, movers, walked)
    _count_wandering(s, walked)


def first_player_chance(s: State) -> int:
    """Percent chance that the Axis is first player (7.2)."""
    return int(s.rules.sheet["first_player"][str(s.year)][WEATHER_NAMES[s.weather]])


def first_player(s: State, context: Context) -> Side:
    """Draw the first player."""
    return AXIS if context.roll("first", 100) <= first_player_chance(s) else SOVIET


def _segment(
    s: State, context: Context, segment: int, side: Side, round_: int, movers: list[Group], walked: GroupBits
) -> GroupBits:
    """One segment of movement and the segment of attacks after it (7.3, 7.4); returns the groups that changed hex.

    Groups that step against one hex attack together. A group that rain slows so far enters no second hex (8.4).
    """
    context.note(SegmentBegan(segment, side))
    attacks: list[Engagement] = []
    assaults: dict[Hex, list[Group]] = {}
    standing = moved = 0
    for group in movers:
        plot = unpack(s.plot[group])
        if walked >> group & 1 and not plot_ways.goes_twice(s, group):
            _cancel(s, context, group, "rain")
            continue
        ending = plot.ending_in(round_)
        target = s.rules.map.step[s.hex[group]][plot.direction(round_)]
        if ending == BOMBARD:
            attacks.append(Engagement(target, [group], True))
        elif steps(s, context, group, side, target, ending):
            if ending == STOP:
                standing |= 1 << group
            if target not in assaults:
                assaults[target] = []
                attacks.append(Engagement(target, assaults[target], False))
            assaults[target].append(group)
        elif s.hex[group] == target:
            moved |= 1 << group
    if attacks:
        context.note(SegmentBegan(segment + 1, side))
        moved |= _attacks(s, context, attacks, standing)
    return moved


def steps(s: State, context: Context, group: Group, side: Side, target: Hex, ending: int) -> bool:
    """Move a group if it can, neither worn out (8.1) nor barred (6.7, 7.3); returns whether it attacks (7.4)."""
    if target < 0 or not s.rules.map.passable >> target & 1:
        _cancel(s, context, group, "terrain")
    elif ending == ADVANCE and worn_out(s, group):
        _cancel(s, context, group, "weary")
    elif s.occ[1 - side] >> target & 1:
        return True
    elif ending == STOP:
        s.plot[group] = 0
    elif s.full[side] >> target & 1:
        _cancel(s, context, group, "full")
    else:
        enter(s, context, group, target, Moved)
    return False


def _attacks(s: State, context: Context, attacks: list[Engagement], standing: GroupBits) -> GroupBits:
    """All attacks of a segment, in the order of their lowest group (7.4); returns the groups that advanced."""
    advanced = 0
    for target, groups, bombards in attacks:
        if not bombards:
            advanced |= combat.assault(s, context, groups, target, standing)
        elif target >= 0:
            combat.bombard(s, context, groups[0], target)
    return advanced


def _cancel(s: State, context: Context, group: Group, why: str) -> None:
    """The rest of a plot cannot be executed (7.3)."""
    s.plot[group] = 0
    context.note(PlotCancelled(group, s.hex[group], why))


def _count_wandering(s: State, walked: GroupBits) -> None:
    """10.0: what moved out of supply has used up one of its turns, unless it did so before already."""
    for group in members(walked & COMBAT_BITS[AXIS] & ~s.moved):
        if s.hex[group] >= 0:
            count_turn(s, group)


SEGMENT_WORDS = {
    1: "Air strikes", 3: "movement", 4: "attacks", 5: "movement", 6: "attacks", 7: "mechanized movement",
    8: "attacks", 9: "mechanized movement", 10: "attacks",
}  # fmt: skip
SEGMENT_IDS = {
    AIR_STRIKES: "air_strikes", FIRST_PLAYER: "first_player",
    3: "movement", 4: "attacks", 5: "movement", 6: "attacks",
    7: "mechanized_movement", 8: "attacks", 9: "mechanized_movement", 10: "attacks",
}  # fmt: skip
"""What each segment holds, as records name it."""


@event("segment", "7.0", "segment", "side")
class SegmentBegan(Event):
    """A segment of the execution phase begins."""

    segment: int
    side: Side

    def words(self, s: State) -> str:
        if self.segment == AIR_STRIKES:
            return SEGMENT_WORDS[self.segment]
        if self.segment == FIRST_PLAYER:
            return f"First player: {side_name(self.side)}"
        return f"{side_name(self.side)} {SEGMENT_WORDS[self.segment]}"
