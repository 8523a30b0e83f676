"""6.0 Movement and tactical plot: choosing a group and giving it orders."""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import counted
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.actions import ABORT, BARE, DONE, HALT, at_hexes, each
from rasputitsa.wir.model.frames import About, Context, Frame, pop, push, question, replace
from rasputitsa.wir.model.groups import why_ended
from rasputitsa.wir.model.indices import Group, Hex, HexBits, PlotNumber, Side
from rasputitsa.wir.model.shapes import GroupStatus
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, ART_POOL, INFANTRY, KIND, MECHANIZED, group_side, groups_of
from rasputitsa.wir.rules.adjustment import reinforce
from rasputitsa.wir.rules.movement import air_plots, entrenchment, fatigue, plot_ways, strategic_move
from rasputitsa.wir.rules.supply import auto_orders

ACTIVE: Final = (MECHANIZED, INFANTRY, AIR)


def begin(s: State, side: Side, context: Context) -> None:
    """Start the movement phase of a side."""
    for group in groups_of(side):
        if s.supplied >> group & 1:
            s.unsupplied_moves[group] = 0
    push(s, Movement(side))


@question
class Movement(Frame):
    """Which group gets orders."""

    side: Side

    kind = "movement"
    rule = "6.1"

    def seat(self, s: State) -> Side:
        return self.side

    def prompt(self, s: State) -> str:
        return "Get a group to give it orders, or end the phase"

    def options(self, s: State) -> list[Action]:
        able = [g for g in s.on_map(groups_of(self.side, *ACTIVE)) if not s.halted >> g & 1]
        return [DONE, BARE["auto_replace"], BARE["auto_all"], *each("get", able)]

    def gives_up(self, s: State, action: Action) -> str:
        if action != DONE or any(s.plot[g] or s.strike[g] for g in groups_of(self.side, *ACTIVE)):
            return ""
        able = [g for g in s.on_map(groups_of(self.side, MECHANIZED, INFANTRY)) if could_attack(s, g)]
        if not able:
            return ""
        return f"nothing is plotted, and {len(able)} group{'' if len(able) == 1 else 's'} could attack"

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "get":
            push(s, Orders(action.args[0], s.hex[action.args[0]], None))
        elif action.verb == "auto_all":
            auto_orders.carry_out(s, auto_orders.all_orders(s, self.side), context)
        elif action.verb == "auto_replace":
            auto_orders.carry_out(s, auto_orders.replacement_orders(s, self.side), context)
        else:
            pop(s)
            entrenchment.attempt(s, self.side, context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "get":
            group = action.args[0]
            if KIND[group] not in ACTIVE or s.hex[group] < 0:
                return IllegalAction(f"there is no combat or air group {group} on the map", "6.1")
            if group_side(group) != self.side:
                return IllegalAction(f"group {group} belongs to the other side", "6.1")
            return why_ended(group)
        return IllegalAction("first get a group (G), then give it orders", "6.1")


def could_attack(s: State, group: Group) -> bool:
    """Whether a group is adjacent to enemy units and may still plot a way into their hex (6.6)."""
    near = s.rules.grid.adjacent[s.hex[group]] & s.occ[1 - group_side(group)]
    return bool(near) and may_plot_move(s, group)


def has_acted(s: State, group: Group) -> bool:
    """Whether a group has moved, added artillery or ended its move (6.2, 6.5)."""
    return bool((s.moved | s.added_artillery | s.halted) >> group & 1)


def may_plot_move(s: State, group: Group) -> bool:
    """Whether a group may still be plotted into another hex: it has neither moved nor added artillery nor ended its
    move, and nothing keeps it where it is (6.2, 6.5, 8.1, 10.0)."""
    return not has_acted(s, group) and bool(s.group_units[group]) and why_still(s, group) is None


class Before(NamedTuple):
    """A group as it was before its strategic move, for the (A)bort of 6.1."""

    artillery: int
    pool: int
    entrench: int
    fatigue: tuple[int, ...]
    strength: tuple[int, ...]
    unsupplied_moves: int
    control: HexBits

    def __repr__(self) -> str:
        """As it stands in fingerprints, with the name that one of the fields had in the first recorded games."""
        names = ("wandered" if name == "unsupplied_moves" else name for name in self._fields)
        return f"Before({', '.join(f'{name}={value!r}' for name, value in zip(names, self, strict=True))})"


@question
class Orders(Frame):
    """The orders of one group."""

    group: Group
    start: Hex
    before: Before | None

    kind = "orders"
    rule = "6.1"
    ask_single = True

    def seat(self, s: State) -> Side:
        return group_side(self.group)

    def prompt(self, s: State) -> str:
        return "Orders for the group that was chosen"

    def about(self, s: State) -> About:
        return About((self.group,), (s.hex[self.group],))

    def options(self, s: State) -> list[Action]:
        group = self.group
        found = [HALT]
        if self.before is not None:
            found.append(ABORT)
        if s.plot[group] or s.strike[group]:
            found.append(BARE["unplot"])
        else:
            found += each("step", strategic_move.directions(s, group))
            if self.before is None:
                found += at_hexes("railmove", strategic_move.rail_targets(s, group))
        if KIND[group] == AIR:
            if air_plots.may_strike(s, group):
                found += at_hexes("bomb", air_plots.bomb_targets(s, group))
                found += at_hexes("ground", air_plots.ground_targets(s, group))
            return found
        found += reinforce.options(s, group)
        if not s.moved >> group & 1:
            added = s.added_artillery >> group & 1
            if not added and why_still(s, group) is None:
                found += _all_plots(KIND[group])
            elif not added or s.rules.options["gun_plots"] != "barred":
                found += _still_plots(KIND[group])
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        verb, args = action
        group = self.group
        if verb == "halt":
            pop(s)
        elif verb == "abort":
            self._take_back(s, context)
        elif verb == "step":
            if self.before is None:
                replace(s, Orders(group, self.start, self._remember(s)))
            strategic_move.step(s, group, s.rules.map.step[s.hex[group]][args[0]], context)
            if not s.group_units[group] and KIND[group] != AIR:
                pop(s)
        elif verb == "railmove":
            strategic_move.go_by_rail(s, group, args[0], context)
            pop(s)
        elif verb == "plot":
            s.plot[group] = args[0]
        elif verb == "unplot":
            s.plot[group] = s.strike[group] = 0
        elif verb in ("bomb", "ground"):
            s.strike[group] = air_plots.encode(args[0], air_plots.BOMB if verb == "bomb" else air_plots.GROUND)
        else:
            reinforce.apply(s, group, action, context)

    def _remember(self, s: State) -> Before | None:
        group = self.group
        if s.steps[group]:
            return None
        units = s.group_units[group]
        return Before(
            s.artillery[group], s.pools[group_side(group)][ART_POOL], s.entrench[group],
            tuple(s.fatigue[u] for u in units), tuple(s.strength[u] for u in units), s.unsupplied_moves[group],
            s.control,
        )  # fmt: skip

    def _take_back(self, s: State, context: Context) -> None:
        """6.1: the (A)bort of a botched move."""
        group, before = self.group, self.before
        assert before is not None
        context.note(MarchAborted(group, s.hex[group], self.start))
        s.place(group, self.start)
        s.control = before.control
        s.artillery[group] = before.artillery
        s.pools[group_side(group)][ART_POOL] = before.pool
        s.entrench[group] = before.entrench
        s.unsupplied_moves[group] = before.unsupplied_moves
        for unit, tired, strength in zip(s.group_units[group], before.fatigue, before.strength, strict=True):
            s.fatigue[unit], s.strength[unit] = tired, strength
        s.steps[group] = 0
        s.moved &= ~(1 << group)
        s.from_line &= ~(1 << group)
        s.halted &= ~(1 << group)
        replace(s, Orders(group, self.start, None))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        verb, args = action
        group = self.group
        if verb == "step":
            return strategic_move.why_not_step(s, group, args[0])
        if verb == "railmove":
            return strategic_move.why_not_rail(s, group, args[0])
        if verb == "plot":
            return why_not_plot(s, group, args[0]) or IllegalAction("such a plot is not legal", "6.6")
        if verb in ("bomb", "ground"):
            if KIND[group] != AIR:
                return IllegalAction(f"group {group} is no air group", "6.9")
            return air_plots.why_not(s, group, args[0], air_plots.BOMB if verb == "bomb" else air_plots.GROUND)
        if verb in ("replace", "artillery"):
            return reinforce.why_not(s, group, action)
        if verb == "abort":
            return IllegalAction("there is no move to take back", "6.1")
        if verb == "unplot":
            return IllegalAction(f"group {group} has nothing plotted", "6.6")
        return IllegalAction("first put the present group down (halt)", "6.1")


@cached
def _all_plots(kind: int) -> tuple[Action, ...]:
    """An action for each plot that a kind of group may be given."""
    return tuple(each("plot", plot.legal_plots(kind)))


@cached
def _still_plots(kind: int) -> tuple[Action, ...]:
    """Those of them that leave a group in its hex."""
    return tuple(each("plot", (n for n in plot.legal_plots(kind) if not plot.unpack(n).moves())))


def status(s: State, group: Group) -> GroupStatus:
    """6.1: U unsupplied, S supplied, M moved and may go on, N no actions."""
    bit = 1 << group
    if s.halted & bit:
        return "N"
    if s.moved & bit:
        return "M"
    return "S" if s.supplied & bit else "U"


def waits(s: State, group: Group) -> bool:
    """Whether a group has still to act: nothing is ordered, and an air group finds something to strike (6.9)."""
    if has_acted(s, group) or s.plot[group] or s.strike[group]:
        return False
    if KIND[group] != AIR:
        return True
    targets = air_plots.ground_targets(s, group) | air_plots.bomb_targets(s, group)
    return air_plots.may_strike(s, group) and targets != 0


def why_still(s: State, group: Group) -> IllegalAction | None:
    """Why a group may plot nothing that moves it, or None when it may."""
    if fatigue.worn_out(s, group):
        tired = s.rules.march.stopped + 1
        return IllegalAction(f"group {group} has a unit with {tired} fatigue and may not move", "8.1")
    if strategic_move.stranded(s, group):
        return strategic_move.why_kept(s, group, "stranded")
    return None


def why_not_plot(s: State, group: Group, number: PlotNumber) -> IllegalAction | None:
    """Why a plot cannot be given to a group, or None when it can."""
    if KIND[group] == AIR:
        return IllegalAction("air groups plot air strikes", "6.9")
    if s.halted >> group & 1:
        return why_ended(group)
    if s.moved >> group & 1:
        return IllegalAction(f"group {group} has used strategic movement and may not plot", "6.2")
    if number not in plot.legal_plots(KIND[group]):
        if KIND[group] == INFANTRY and number in plot.legal_plots(MECHANIZED):
            return IllegalAction("infantry groups plot one step: d, dS or dB", "6.6")
        return IllegalAction("such a plot is not in the list of legal plots", "6.6")
    moves = plot.unpack(number).moves()
    if s.added_artillery >> group & 1 and (moves or s.rules.options["gun_plots"] == "barred"):
        return IllegalAction(f"group {group} has added artillery and may not move this turn", "6.5")
    return why_still(s, group) if moves else None


def plot_hexes(s: State, group: Group) -> HexBits:
    """Hexes that a tactical plot of a group can name."""
    found, start = 0, s.hex[group]
    for number in plot.legal_plots(KIND[group]):
        if why_not_plot(s, group, number) is None:
            for hex_ in plot.hexes(s.rules.map.step, start, plot.unpack(number)):
                found |= 1 << hex_
    return found & s.rules.map.passable & ~(1 << start)


def why_not_plot_to(s: State, group: Group, there: Hex) -> IllegalAction | None:
    """Why no plot of a group leads to another hex, or None when one may. It depends on the number of steps alone."""
    most, far = plot_ways.most_steps(s, KIND[group]), s.rules.grid.distance(s.hex[group], there)
    if far <= most or not most:
        return why_not_plot(s, group, plot.Plot(1, int(far > 1), plot.ADVANCE).number)
    when, rule = (" in rain", "8.4") if most < plot.longest(KIND[group]) else ("", "6.6")
    where, leads = s.rules.grid.names[there], f"leads {counted(most, 'hex', 'hexes')} at most{when}"
    return IllegalAction(f"{where} is {far} hexes away, and a plot of group {group} {leads}", rule)


@event("aborts", "6.2", "unit", "hex", "hex")
class MarchAborted(Event):
    """A strategic move is taken back."""

    group: Group
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        return f"{{unit:{self.group}}} is back in {{hex:{s.rules.grid.names[self.destination]}}}"
