"""Positions of War in Russia as plain JSON values and back, checked."""

from __future__ import annotations

from typing import Any, Final

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.errors import SaveError
from rasputitsa.core.record.state_codec import (
    OUTCOME,
    Bits,
    Bytes,
    Flag,
    Layout,
    Many,
    Maybe,
    Numbers,
    OneOf,
    Record,
    Series,
    Sparse,
    Text,
    Whole,
    check_bottom,
    checked_numbers,
)
from rasputitsa.wir.model.figures import LEVELS
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.records import Face, Goal
from rasputitsa.wir.model.ruleset import NUMBERED, Ruleset
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    GROUPS,
    MOST_SEAS,
    MOST_STACK,
    POOLS,
    UNITS,
    WEATHER_NAMES,
    group_side,
    unit_side,
)
from rasputitsa.wir.rules.adjustment import adjust, agreements, build, naval
from rasputitsa.wir.rules.movement import movement
from rasputitsa.wir.rules.supply import supply
from rasputitsa.wir.rules.turn.sequence import PHASES, Sequence

MUCH: Final = 1_000_000
"""More than any count of points comes to."""
DEEPEST: Final = 20
"""More questions than are ever open at once."""
MOST_IN_GROUP: Final = 32
"""More units than ever are in one group."""
WRITTEN_AS: Final = {
    "overfatigued": "strained", "group_units": "crew", "unsupplied_moves": "wandered", "added_artillery": "gunned",
}  # fmt: skip
"""Names of fields in saved positions, where they are other ones."""
HIGHEST_PLOT: Final = 299
PERCENT: Final = 255
SEAS: Final = 2 * MOST_SEAS


class _Stacks:
    """The hexes that hold groups, in the order in which they were first entered: orders are listed in it."""

    def __init__(self, hexes: int) -> None:
        self.hexes = hexes

    def freeze(self, value: dict[Hex, tuple[Group, ...]]) -> list[Hex]:
        """The hexes in their order, as numbers."""
        return list(value)

    def thaw(self, raw: Any) -> dict[Hex, tuple[Group, ...]]:
        """The hexes in their order, still without groups; raises ``SaveError`` for a hex off the map."""
        return dict.fromkeys(checked_numbers(raw, 0, self.hexes - 1, 0, GROUPS), ())


@kept_of_rules
def layout(rules: Ruleset) -> Layout:
    """How positions of a ruleset are written."""
    hexes, cities = rules.grid.size, len(rules.map.cities)
    units, groups, hex_set, side = Bits(UNITS), Bits(GROUPS), Bits(hexes), Whole(0, 1)
    count, pair, small = Whole(-MUCH, MUCH), Numbers(-MUCH, MUCH, 2), Bytes(GROUPS)
    sets = Many(hex_set, 2, exactly=True)
    points = Many(Numbers(-MUCH, MUCH, len(POOLS)), 2, exactly=True)
    return Layout(
        {
            "turn": Whole(1, rules.turns + 1), "weather": Whole(0, len(WEATHER_NAMES) - 1),
            "level": Whole(0, max(LEVELS)), "side": side, "first": Whole(-1, 1),
            "utype": Bytes(UNITS, len(rules.types) - 1), "strength": Bytes(UNITS), "experience": Bytes(UNITS),
            "fatigue": Bytes(UNITS), "uname": Numbers(0, NUMBERED + len(rules.names) - 1, UNITS), "overfatigued": units,
            "hex": Numbers(OFF, hexes - 1, GROUPS), "group_units": Sparse(0, UNITS - 1, GROUPS),
            "artillery": Numbers(-MUCH, MUCH, GROUPS), "entrench": small, "aircraft": small,
            "plot": Numbers(0, HIGHEST_PLOT, GROUPS), "strike": Numbers(0, 2 * hexes + 1, GROUPS),
            "steps": small, "unsupplied_moves": small, "supplied": groups, "relieved": groups, "moved": groups,
            "from_line": groups, "halted": groups, "added_artillery": groups, "at": _Stacks(hexes),
            "control": hex_set, "rail": sets, "rail_order": Numbers(OFF, hexes - 1, 2),
            "owner": Bytes(cities, 1), "values": Many(Bytes(cities), 6, exactly=True),
            "pools": points, "rest": points, "rail_moves": pair, "air_moves": pair,
            "naval": Bits(SEAS), "dismantled": Bits(2), "depot_route": Sparse(0, hexes - 1, GROUPS), "lend": pair,
            "returning": Many(Series(0, MUCH, 2, 2), GROUPS), "months": count,
            "face": Maybe(Record(Face, side=side, hexes=Series(OFF, hexes - 1, GROUPS, GROUPS), control=hex_set)),
            "goal": Maybe(_goal(rules)), "outcome": OUTCOME, "stack": Many(_frames(rules), DEEPEST),
        },
        WRITTEN_AS,
    )  # fmt: skip


def _goal(rules: Ruleset) -> Record:
    hexes, groups, count, flag = Bits(rules.grid.size), Bits(GROUPS), Whole(0, MUCH), Flag()
    return Record(
        Goal, side=Whole(0, 1), text=Text(), last_turn=Whole(1, rules.turns), hold=hexes, at_least=count, clear=hexes,
        remove=groups, remove_at_least=count, keep=groups, supplied=groups, early=flag, production=flag,
    )  # fmt: skip


def _frames(rules: Ruleset) -> OneOf:
    """Every question there is, with its fields."""
    side, group, hex_, count = Whole(0, 1), Whole(0, GROUPS - 1), Whole(0, rules.grid.size - 1), Whole(0, MUCH)
    row = Series(0, PERCENT, MOST_IN_GROUP)
    before = Record(
        movement.Before, artillery=count, pool=count, entrench=count, fatigue=row, strength=row, unsupplied_moves=count,
        control=Bits(rules.grid.size),
    )  # fmt: skip
    return OneOf(
        Record(Sequence, index=Whole(-1, len(PHASES) - 1)),
        Record(adjust.Adjust, side=side),
        Record(adjust.DivideForm, group=group),
        Record(adjust.Transferring, source=group, target=group, formed=Flag()),
        Record(adjust.Aircraft, source=group, target=group),
        Record(build.BuildForm, side=side, hex=hex_),
        Record(build.Raising, side=side, hex=hex_, group=group, ordered=Whole(0, len(rules.types) - 1)),
        Record(build.FactoryKind, side=side, hex=hex_),
        Record(movement.Movement, side=side),
        Record(movement.Orders, group=group, start=hex_, before=Maybe(before)),
        Record(naval.Sailing, source=group, target=group),
        Record(
            supply.Depot, side=side, depot=group, here=hex_, penalty=count,
            route=Series(0, rules.grid.size - 1, MUCH),  # it may go to and fro
        ),
        Record(agreements.Proposal, side=side, level=Whole(0, max(LEVELS))),
    )  # fmt: skip


def thaw(rules: Ruleset, raw: Any) -> State:
    """The position that was frozen; raises ``SaveError`` for one that cannot be."""
    state = State(rules)
    for name, value in layout(rules).thaw(raw).items():
        setattr(state, name, value)
    order = list(state.at)
    _check(state)
    state.rebuild()
    if len(order) != len(state.at) or set(order) != set(state.at):
        raise SaveError("the stored position lists other hexes than its groups stand in")
    state.at = {hex_: state.at[hex_] for hex_ in order}
    return state


def _check(s: State) -> None:
    """What no single field can tell."""
    here: dict[Hex, list[Group]] = {}
    for group, hex_ in enumerate(s.hex):
        if hex_ != OFF:
            here.setdefault(hex_, []).append(group)
    for hex_, groups in here.items():
        if len(groups) > MOST_STACK or len({group_side(group) for group in groups}) > 1:
            raise SaveError(f"the stored position has a stack in {s.rules.grid.names[hex_]} that cannot be")
    if any(not s.rules.grid.board >> hex_ & 1 for hex_ in here):
        raise SaveError("the stored position has a group off the map")
    if any(s.plot[group] and hex_ == OFF for group, hex_ in enumerate(s.hex)):
        raise SaveError("the stored position has a plot of a group that is not on the map")
    members_of_groups = [(unit, group) for group, units in enumerate(s.group_units) for unit in units]
    if len({unit for unit, _ in members_of_groups}) != len(members_of_groups):
        raise SaveError("the stored position has a unit in two groups")
    if any(unit_side(unit) != group_side(group) or not s.utype[unit] for unit, group in members_of_groups):
        raise SaveError("the stored position has a unit in a group that cannot hold it")
    check_bottom(s.stack, Sequence)
