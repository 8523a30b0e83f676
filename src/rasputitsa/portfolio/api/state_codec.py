"""Positions of The Russian Portfolio as plain JSON values and back, checked."""

from __future__ import annotations

from typing import Any, Final

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.errors import SaveError
from rasputitsa.core.record.state_codec import (
    OUTCOME,
    Bits,
    Flag,
    Kind,
    Layout,
    Many,
    Maybe,
    Numbers,
    OneOf,
    Record,
    Series,
    Text,
    Whole,
    Word,
    check_bottom,
)
from rasputitsa.portfolio.model.combat import CANCELLED, LAPSED, OPEN, RANK, RESOLVED, Attack, Battle, Clearing
from rasputitsa.portfolio.model.goal import CHECKS, Goal
from rasputitsa.portfolio.model.indices import Hex, Unit
from rasputitsa.portfolio.model.ruleset import RESULTS, Ruleset
from rasputitsa.portfolio.model.state import SETUP, State
from rasputitsa.portfolio.rules.combat import (
    advance,
    announcement,
    attack_phase,
    breakthrough,
    exchange,
    losses,
    resolution,
    retreat,
)
from rasputitsa.portfolio.rules.logistics import arrivals, rail, reduction, replacements, sea, siberia, supply
from rasputitsa.portfolio.rules.movement import movement
from rasputitsa.portfolio.rules.turn import sequence, setup, victory, weather
from rasputitsa.portfolio.rules.turn.sequence import PHASES, Sequence

MUCH: Final = 1_000_000
"""More than any count of points or factors comes to."""
DEEPEST: Final = 40
"""More questions than are ever open at once."""
STACK: Final = 8
"""More units than ever stand in one hex, even while it is overstacked."""


class _Weather:
    """The weather, by its id."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def freeze(self, value: Any) -> str:
        """The id."""
        return str(value.id)

    def thaw(self, raw: Any) -> Any:
        """The weather of these rules; raises ``SaveError`` for an id that they do not have."""
        if type(raw) is not str or raw not in self.rules.weather:
            raise SaveError(f"there is no weather {raw!r:.40}")
        return self.rules.weather[raw]


class _Kinds:
    """The kinds of numbers and sets that positions of one ruleset have."""

    def __init__(self, rules: Ruleset) -> None:
        units, hexes, seats = len(rules.units), rules.grid.size, len(rules.seats)
        self.unit, self.hex, self.seat = Whole(0, units - 1), Whole(0, hexes - 1), Whole(0, seats - 1)
        self.units, self.hexes, self.seats = Series(0, units - 1, units), Series(0, hexes - 1, hexes), Bits(seats)
        self.unit_set, self.hex_set = Bits(units), Bits(hexes)
        self.side, self.flag, self.count = Whole(0, 1), Flag(), Whole(-MUCH, MUCH)
        self.counts, self.pair = Series(-MUCH, MUCH, units), Numbers(-MUCH, MUCH, 2)
        self.turn = Whole(min(rules.turns), max(rules.turns))
        self.reserve = Whole(0, len(rules.reserve_penalties) - 1)
        self.number, self.earlier = Whole(0, units), Whole(-1, units)
        """Numbers of attacks; no more of them than units."""
        self.result = Word([*RESULTS, *RANK, ""])
        self.cleared = Many(Record(Clearing, hex=self.hex, rights=self.count, limit=self.count, need=self.count), units)
        self.retreat = Record(
            retreat.Retreat, unit=self.unit, kind=Whole(0, 2), attackers=self.hex_set, seat=self.seat, way=self.hexes
        )


@kept_of_rules
def layout(rules: Ruleset) -> Layout:
    """How positions of a ruleset are written."""
    k = _Kinds(rules)
    units = len(rules.units)
    return Layout(
        {
            "turn": k.turn, "weather": _Weather(rules), "side": k.side, "reserve": k.reserve,
            "pos": Numbers(SETUP, rules.grid.size - 1, units),
            "spent": k.unit_set, "dispersed": k.unit_set, "moved": k.unit_set, "attacked": k.unit_set,
            "fresh_dispersed": k.unit_set, "hold": k.unit_set, "broke_through": k.unit_set,
            "fuel_short": k.unit_set, "must_attack": k.unit_set, "entered": k.unit_set,
            "control": k.hex_set, "captured": k.hex_set, "factories_lost": k.hex_set, "arrived": k.hex_set,
            "airlifted": k.hex_set, "armor_points": k.pair, "infantry_points": k.pair,
            "rail_used": k.count, "sea_used": Many(Word(rules.waters), len(rules.waters) * rules.units_per_sea),
            "fronts_built": k.count,
            "siberia": Series(-MUCH, MUCH, units), "siberia_points": Series(-MUCH, MUCH, 3, 3), "secret": k.count,
            "attacks": Many(_attack(k), units), "battle": Maybe(_battle(k)), "amphibious_used": k.flag,
            "offensive": k.count, "stand_all": k.seats, "idle_sides": k.count, "germans_in_finland": k.flag,
            "goal": Maybe(_goal(k)), "outcome": OUTCOME, "stack": Many(_frames(k), DEEPEST),
        }
    )  # fmt: skip


def _attack(k: _Kinds) -> Record:
    return Record(
        Attack, targets=k.hexes, units=k.units, seat=k.seat, amphibious=k.flag,
        state=Word((OPEN, RESOLVED, CANCELLED, LAPSED)), barred_retreat=k.flag, breakthrough=k.flag,
        joined_from=k.earlier, cleared=k.cleared,
    )  # fmt: skip


def _battle(k: _Kinds) -> Record:
    return Record(
        Battle, number=k.number, seat=k.seat, targets=k.hexes, units=k.units, origins=k.hex_set, die=Whole(0, 6),
        columns=k.counts, defenders=k.units, homes=k.hexes, own=k.counts, intrinsic=k.counts, strength=k.counts,
        results=Many(k.result, k.units.most), low=k.result, paid=k.count, handled=k.unit_set, lengths=k.counts,
        cleared=k.cleared,
    )  # fmt: skip


def _goal(k: _Kinds) -> Record:
    return Record(
        Goal, side=k.side, text=Text(), last_turn=k.turn, hold=k.hex_set, at_least=k.count, clear=k.hex_set,
        remove=k.unit_set, remove_at_least=k.count, keep=k.unit_set, early=k.flag, check=Word(CHECKS),
        replacements=k.flag,
    )  # fmt: skip


def _frames(k: _Kinds) -> OneOf:
    """Every question there is, with its fields."""
    return OneOf(*_frames_of_combat(k), *_other_frames(k))


def _frames_of_combat(k: _Kinds) -> tuple[Record, ...]:
    seat, unit, hex_ = k.seat, k.unit, k.hex
    build: dict[str, Kind] = {
        "seat_number": seat,
        "pool": k.unit_set,
        "targets": k.hexes,
        "units": k.units,
        "amphibious": k.flag,
    }
    lose: dict[str, Kind] = {"need": k.count, "pool": k.units, "seat_number": seat, "chosen": k.unit_set}
    return (
        Record(advance.Advance, seat_number=seat, advanced=k.unit_set, entered=k.counts),
        Record(
            advance.AdvanceStep,
            unit=unit,
            hexes=k.hex_set,
            way=k.hexes,
            place=k.count,
            strained=k.flag,
            seat_number=seat,
        ),
        Record(announcement.Allocate, seat_number=seat),
        Record(announcement.Announced),
        Record(announcement.BuildAttack, **build),
        Record(attack_phase.VoluntaryRetreat, seat_number=seat),
        Record(attack_phase.NoRetreat, seat_number=seat),
        Record(attack_phase.ResolveNext),
        Record(breakthrough.AfterBattle, number=k.number),
        Record(breakthrough.Breakthrough, number=k.number, seat_number=seat, units=k.unit_set),
        Record(breakthrough.BuildBreakthrough, **build, origin=k.earlier),
        Record(resolution.CountLosses, before=k.count),
        Record(resolution.Effects),
        Record(resolution.Retreats),
        Record(resolution.MayRetreat, seat_number=seat),
        Record(resolution.Aftermath),
        Record(resolution.EndOfBattle),
        Record(exchange.ExchangeFirst),
        Record(exchange.Exchange, result=k.result, chosen=k.unit_set),
        Record(losses.LoseUnits, **lose),
        Record(losses.PayExchange, **lose),
        Record(losses.Overstack, hex=hex_),
        Record(retreat.RetreatStep, retreat=k.retreat, hexes=k.hex_set, may_halt=k.flag, attacker=k.flag),
        Record(retreat.RetreatLength, retreat=k.retreat, hexes=k.hex_set),
    )


def _other_frames(k: _Kinds) -> tuple[Record, ...]:
    seat, unit, hex_ = k.seat, k.unit, k.hex
    moving: dict[str, Kind] = {"units": k.units, "start": hex_, "steps": k.count, "rivers": k.count}
    return (
        Record(arrivals.ChooseHex, unit=unit),
        Record(arrivals.MakeRoom, unit=unit, hex=hex_),
        Record(arrivals.StepAside, unit=unit, newcomer=unit, hex=hex_),
        Record(movement.MovementPhase, seat_number=seat),
        Record(movement.Moving, **moving),
        Record(movement.PassingThrough, **moving, full_hexes=k.hexes),
        Record(reduction.ReduceFront, front=unit, seat_number=seat),
        Record(replacements.PhaseEnd, side=k.side),
        Record(replacements.ReplacementPhase, side=k.side, seat_number=seat),
        Record(replacements.Rebuilding, unit=unit),
        Record(Sequence, index=Whole(-1, len(PHASES) - 1)),
        Record(sequence.AttackEnd, initial=k.flag),
        Record(setup.Deployment, side=k.side, seat_number=seat),
        Record(setup.Deploying, unit=unit),
        Record(siberia.Reinforcing, unit=unit),
        Record(siberia.Pick),
        Record(siberia.Cast),
        Record(rail.Entrained, unit=unit),
        Record(sea.Embarked, unit=unit),
        Record(supply.Airlift, side=k.side),
        Record(supply.IsolationStep, side=k.side),
        Record(supply.Isolation, side=k.side, units=k.unit_set, owed=k.count),
        Record(supply.IsolatedFront, front=unit, seat_number=seat),
        Record(victory.StopOffer, side=k.side),
        Record(weather.WeatherDie),
    )


def thaw(rules: Ruleset, raw: Any) -> State:
    """The position that was frozen; raises ``SaveError`` for one that cannot be."""
    state = State(rules)
    for name, value in layout(rules).thaw(raw).items():
        setattr(state, name, value)
    _check(state)
    state.rebuild()
    return state


def _check(s: State) -> None:
    """What no single field can tell."""
    here: dict[Hex, list[Unit]] = {}
    for unit, hex_ in enumerate(s.pos):
        if hex_ >= 0:
            here.setdefault(hex_, []).append(unit)
    side = s.rules.roster.side
    for hex_, units in here.items():
        if len(units) > STACK or len({side[unit] for unit in units}) > 1:
            raise SaveError(f"the stored position has a stack in {s.rules.grid.names[hex_]} that cannot be")
    if s.turn not in s.rules.turns:
        raise SaveError(f"the stored position is of turn {s.turn}, which is not on the track")
    check_bottom(s.stack, Sequence)
    if s.battle is not None:
        _check_battle(s.battle)


def _check_battle(battle: Battle) -> None:
    attacked = {len(row) for row in (battle.columns, battle.intrinsic, battle.strength)}
    fought = {len(row) for row in (battle.homes, battle.own, battle.results)}
    if attacked != {len(battle.targets)} or fought != {len(battle.defenders)}:
        raise SaveError("the stored position has a battle whose lists do not fit together")
    if battle.lengths and len(battle.lengths) != len(battle.defenders):
        raise SaveError("the stored position has a battle whose retreats do not fit its defenders")
