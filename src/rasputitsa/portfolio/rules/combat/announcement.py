"""XIII.A Announcing attacks: the list of attacks, and one attack put together unit by unit."""

from __future__ import annotations

from typing import Any, Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import figured, plain
from rasputitsa.hexes.grid import members, without
from rasputitsa.portfolio.model.actions import ALSO, ATTACK, BARE, DONE, DROP, READY, WITH, WITHOUT, each
from rasputitsa.portfolio.model.combat import OPEN, Attack
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question, replace
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Unit, UnitBits
from rasputitsa.portfolio.model.marks import SIDE_NAMES, hex_mark, units_marks
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.combat.eligibility import (
    Why,
    attackable,
    attacked_hexes,
    change,
    committed,
    crowded,
    fighters,
    guests,
    impends,
    mask_of,
    owed,
    sides_now,
    why_crowded,
    why_not_all,
    why_not_attack,
)
from rasputitsa.portfolio.rules.combat.odds import column_name, may_be_amphibious, odds, offensive_weather

AMPHIBIOUS: Final = BARE["amphibious"]
OFFENSIVE: Final = BARE["offensive"]


def targets_of(s: State, units: UnitBits) -> HexBits:
    """Enemy-held hexes that at least one of the units could attack."""
    if not units:
        return 0
    table, pos = sides_now(s), s.pos
    roster = s.rules.roster
    picky = units & (guests(s.rules) | roster.no_strait)
    near = found = 0
    for unit in members(without(units, picky)):
        near |= table.infantry[pos[unit]]
    guest = picky & guests(s.rules)
    for unit in members(picky ^ guest):
        near |= table.mobile[pos[unit]]
    for unit in members(guest):
        found |= attackable(s, unit)
    return found | near & s.occ[s.enemy]


def possible_attacks(s: State, pool: UnitBits) -> int:
    """How many hexes some of the units could attack at odds that allow it."""
    able = {unit: attackable(s, unit) for unit in members(pool)}
    return sum(
        odds(s, (target,), tuple(u for u, near in able.items() if near >> target & 1)).legal
        for target in members(targets_of(s, pool))
    )


@question
class Allocate(Frame):
    """Which attacks are announced? Each attacking seat in turn (XIII.A)."""

    seat_number: SeatNumber

    kind = "attack"
    rule = "XIII.A"
    ask_single = True  # a lone "withdraw" is not to happen by itself

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        left = self.unmet(s)
        if left:
            names = ", ".join(hex_mark(s, h) for h in members(left))
            return f"{SIDE_NAMES[s.side]}: {names} must be attacked too, or take back what is next to it"
        return f"{SIDE_NAMES[s.side]}: announce attacks, then finish"

    def pool(self, s: State) -> UnitBits:
        """Units of this seat that may still be committed."""
        return without(fighters(s, s.side) & s.rules.seats[self.seat_number].units, committed(s))

    def mine(self, s: State) -> list[Unit]:
        """Units of this seat that are committed."""
        return members(committed(s) & s.rules.seats[self.seat_number].units)

    def unmet(self, s: State) -> HexBits:
        """XIII.A.3: hexes of armies or fronts that this seat's attackers may not leave alone."""
        return owed(s, self.mine(s), attacked_hexes(s)) if s.attacks else 0

    def options(self, s: State) -> list[Action]:
        pool = self.pool(s)
        left = self.unmet(s)
        if left:
            # One thing at a time: the duty is met, or what raised it taken back, before anything else.
            return [*ATTACK.pick(targets_of(s, pool) & left), *each("withdraw", self.culprits(s, left))]
        found = ATTACK.pick(targets_of(s, pool))
        if s.attacks:
            found += [a for n in range(len(s.attacks)) for a in self._about(s, n, pool)]
        if not self.why_no_offensive(s):
            found.append(OFFENSIVE)
        if found:
            found.append(DONE)
        return found

    def gives_up(self, s: State, action: Action) -> str:
        if action != DONE or any(impends(s, a) for a in s.attacks):
            return ""
        possible = possible_attacks(s, self.pool(s))
        if not possible:
            return ""
        return f"no attack is announced, and {figured(possible, 'hex', 'hexes')} could be attacked"

    def culprits(self, s: State, left: HexBits) -> list[int]:
        """Numbers of the attacks with units of this seat next to an army or front left alone."""
        mine = s.rules.seats[self.seat_number].units
        return [
            n for n, attack in enumerate(s.attacks, start=1)
            if attack.state == OPEN and owed(s, members(mask_of(attack.units) & mine), ~left)
        ]  # fmt: skip

    def proceed(self, s: State, context: Context) -> None:
        pop(s)

    def _about(self, s: State, number: int, pool: UnitBits) -> list[Action]:
        """Orders about one announced attack: take it back, or join a partner's."""
        attack = s.attacks[number]
        if attack.state != OPEN:
            return []
        if attack.seat == self.seat_number:
            return each("withdraw", [number + 1])
        found = [Action("join", (u, number + 1)) for u in members(pool) if not why_not_join(s, u, number)]
        if mask_of(attack.units) & s.rules.seats[self.seat_number].units:
            found.append(Action("withdraw", (number + 1,)))
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "attack":
            push(s, BuildAttack(self.seat_number, self.pool(s), (action.args[0],)))
        elif action.verb == "withdraw":
            self.withdraw(s, action.args[0] - 1)
        elif action.verb == "join":
            unit, number = action.args
            attack = s.attacks[number - 1]
            change(s, number - 1, attack._replace(units=(*attack.units, unit)))
        elif action.verb == "offensive":
            s.offensive = s.turn
            context.note(WinterOffensiveBegan(s.turn))
        else:
            pop(s)

    def withdraw(self, s: State, number: int) -> None:
        """Take back an own attack, or own units from a partner's."""
        attack = s.attacks[number]
        if attack.seat == self.seat_number:
            s.attacks = s.attacks[:number] + s.attacks[number + 1 :]
        else:
            mine = s.rules.seats[self.seat_number].units
            change(s, number, attack._replace(units=tuple(u for u in attack.units if not mine >> u & 1)))

    def why_no_offensive(self, s: State) -> Why | None:
        """Why the Winter Offensive cannot begin now (VI.B.3)."""
        if s.side != SOVIET or self.seat_number != s.rules.commander(SOVIET):
            return "the Soviet commander alone declares the Winter Offensive", "VI.B.3"
        if not offensive_weather(s):
            return "the Winter Offensive needs Snow", "VI.B.3"
        if s.offensive:
            return "the Winter Offensive has been declared already", "VI.B.3"
        return None

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "attack":
            why: Why | None = self.why_no_attack(s, action.args[0])
        elif action.verb in ("withdraw", "join"):
            why = self._why_not_number(s, action)
        elif action.verb == "offensive":
            why = self.why_no_offensive(s)
        elif action.verb == "done":
            why = None
        else:
            return self._refuse_other(s, action)
        return IllegalAction(*why or why_owed(s, self.unmet(s)))

    def _refuse_other(self, s: State, action: Action) -> IllegalAction:
        if action.verb in ("with", "also", "ready"):
            return IllegalAction("choose a hex to attack first", "XIII.A.2")
        if action.verb == "resolve":
            return IllegalAction("every attack is announced before the first is resolved", "XIII.A")
        return Frame.refuse(self, s, action)

    def _why_not_number(self, s: State, action: Action) -> Why | None:
        number = action.args[-1] - 1
        if not 0 <= number < len(s.attacks) or s.attacks[number].state != OPEN:
            return f"there is no announced attack {number + 1}", "XIII.A"
        attack = s.attacks[number]
        if action.verb == "withdraw":
            mine = s.rules.seats[self.seat_number].units & mask_of(attack.units)
            return None if mine else ("that attack is your partner's", "II")
        if attack.seat == self.seat_number:
            return "units of one's own command are added while the attack is put together", "XIII.A"
        return why_not_join(s, action.args[0], number)

    def why_no_attack(self, s: State, target: Hex) -> Why | None:
        """Why no unit of this seat can attack a hex."""
        grid = s.rules.grid
        if not grid.board >> target & 1:
            return "there is no such hex on the map", "III"
        if not s.occ[s.enemy] >> target & 1:
            return f"no enemy unit stands in {grid.names[target]}", "XIII.A.2"
        near = [u for h in members(grid.adjacent[target] & s.occ[s.side]) for u in s.at[h]]
        mine = [u for u in near if s.rules.seats[self.seat_number].units >> u & 1]
        if not mine:
            return f"none of your units is next to {grid.names[target]}", "XIII.A.2"
        reasons = [why_not_attack(s, unit, target) for unit in mine]
        return None if None in reasons else reasons[0]


@question
class Announced(Frame):
    """All attacks of the phase are known: put them on the log."""

    def proceed(self, s: State, context: Context) -> None:
        pop(s)
        for number, attack in enumerate(s.attacks, start=1):
            units = tuple(unit for unit in attack.units if s.pos[unit] >= 0)
            if units:  # else its attackers have been given up (XIV.C)
                context.note(AttackAnnounced(number, attack.targets, units, attack.amphibious))


def why_owed(s: State, hexes: HexBits) -> Why:
    """The duty to attack armies or fronts in some hexes."""
    names = ", ".join(s.rules.grid.names_of(hexes))
    return f"an undispersed German army or Soviet front next to an attacker must be attacked too: {names}", "XIII.A.3"


def why_not_join(s: State, unit: Unit, number: int) -> Why | None:
    """Why a unit cannot join an announced attack; None if it can."""
    attack = s.attacks[number]
    return why_not_all(s, unit, attack.targets) or (
        why_crowded(s) if crowded(s, attack.targets, (*attack.units, unit)) else None
    )


@question
class BuildAttack(Frame):
    """Which units attack, and which further hexes? A unit that takes part must be able to attack every hex."""

    seat_number: SeatNumber
    pool: UnitBits
    """Units that may take part."""
    targets: tuple[Hex, ...]
    units: tuple[Unit, ...] = ()
    amphibious: bool = False

    kind = "build_attack"
    rule = "XIII.A.4"
    ask_single = True

    def in_hand(self, s: State) -> UnitBits:
        return self.pool | mask_of(self.units)

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        names = " and ".join(hex_mark(s, t) for t in self.targets)
        if not self.units:
            return f"Attack on {names}: choose units"
        found = odds(s, self.targets, self.units, self.amphibious)
        final = column_name(s.rules, min(found.columns)) if found.columns else "none"
        return f"Attack on {names}: final odds {final}; add units, or make it ready"

    def changed(self, **changes: Any) -> BuildAttack:
        """The same attack with a change."""
        values = {
            "seat_number": self.seat_number, "pool": self.pool, "targets": self.targets, "units": self.units,
            "amphibious": self.amphibious, **self.extra(), **changes,
        }  # fmt: skip
        return type(self)(**values)

    def extra(self) -> dict[str, Any]:
        """Fields a kind of attack has beyond these."""
        return {}

    def about(self, s: State) -> About:
        return About(self.units, self.targets)

    def options(self, s: State) -> list[Action]:
        wanted = mask_of(self.targets)
        chosen = mask_of(self.units)
        found: list[Action] = []
        further = 0
        rough = wanted & s.rules.map.ground[0].rough
        for unit in members(without(self.pool, chosen)):
            near = attackable(s, unit)
            if near & wanted == wanted and not (rough and crowded(s, self.targets, (*self.units, unit))):
                found.append(WITH.actions[unit])
                if not chosen:
                    further |= near
        found += [WITHOUT.actions[u] for u in self.units]
        found += ALSO.pick(without(self.common(s, further), wanted))
        if self.amphibious or may_be_amphibious(s, self.targets, self.units):
            found.append(AMPHIBIOUS)
        if self.units and not self.why_not_ready(s):
            found.append(READY)
        found.append(DROP)
        return found

    def common(self, s: State, further: HexBits) -> HexBits:
        """Hexes that all chosen units could attack as well; with none chosen, those given."""
        if not self.units:
            return further
        common = -1
        for unit in self.units:
            common &= attackable(s, unit)
        rough = common & s.rules.map.ground[0].rough
        for hex_ in members(rough):
            if crowded(s, (hex_,), self.units):
                common &= ~(1 << hex_)
        return common

    def why_not_ready(self, s: State) -> Why | None:
        """Why the attack cannot be announced as it is."""
        found = odds(s, self.targets, self.units, self.amphibious)
        return (found.reason, found.rule) if found.reason else None

    def apply(self, s: State, action: Action, context: Context) -> None:
        verb = action.verb
        if verb == "with":
            replace(s, self.changed(units=(*self.units, action.args[0])))
        elif verb == "without":
            replace(s, self.changed(units=tuple(u for u in self.units if u != action.args[0])))
        elif verb == "also":
            replace(s, self.changed(targets=(*self.targets, action.args[0])))
        elif verb == "amphibious":
            replace(s, self.changed(amphibious=not self.amphibious))
        else:
            pop(s)
            if verb == "ready":
                self.commit(s, context)

    def commit(self, s: State, context: Context) -> None:
        """Announce the attack."""
        s.attacks = (*s.attacks, Attack(self.targets, self.units, self.seat_number, self.amphibious))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        verb = action.verb
        if verb == "with":
            return IllegalAction(*self._why_not_with(s, action.args[0]))
        if verb == "without":
            return IllegalAction("that unit does not take part in this attack", "XIII.A.4")
        if verb == "also":
            return IllegalAction(*self._why_not_also(s, action.args[0]))
        if verb == "amphibious":
            return IllegalAction(*_why_not_amphibious(s))
        if verb == "ready":
            return IllegalAction(*self.why_not_ready(s) or ("no unit takes part yet", "XIII.A.4"))
        if verb in ("attack", "done", "withdraw"):
            return IllegalAction("make this attack ready, or drop it, first", "XIII.A")
        return Frame.refuse(self, s, action)

    def _why_not_with(self, s: State, unit: Unit) -> Why:
        if unit in self.units:
            return "that unit takes part already", "XIII.A.4"
        return why_not_all(s, unit, self.targets, self.why_not_this) or why_crowded(s)

    def why_not_this(self, s: State, unit: Unit, target: Hex) -> Why | None:
        """Why a unit may not be used by this seat against a hex."""
        why = why_not_attack(s, unit, target)
        if why is None and not self.pool >> unit & 1:
            return f"{s.rules.units[unit].name} belongs to your partner's command", "II"
        return why

    def _why_not_also(self, s: State, target: Hex) -> Why:
        if target in self.targets:
            return "that hex is under this attack already", "XIII.A.5"
        for unit in self.units or members(self.pool):
            why = self.why_not_this(s, unit, target)
            if why:
                return why if why[1] != "XIII.A.2" else (why[0], "XIII.A.5")
        return why_crowded(s)


def _why_not_amphibious(s: State) -> Why:
    if not s.first_turn() or s.reserve or s.side == SOVIET:
        return "amphibious tanks are for the Axis Initial Phase of the first turn", "XVI.B.2"
    if not s.rules.amphibious_attacks:
        return "no attack uses amphibious tanks", "XVI.B.2"
    if s.amphibious_used or any(attack.amphibious for attack in s.attacks):
        return "the amphibious tanks are used in another attack", "XVI.B.2"
    return "no attack by Germans across a river", "XVI.B.2"


@event("announced", "XIII.A", "number", "hexes", "units", "flag")
class AttackAnnounced(Event):
    """An attack is announced."""

    attack: int
    targets: tuple[Hex, ...]
    units: tuple[Unit, ...]
    amphibious: bool

    def words(self, s: State) -> str:
        where = " and ".join(hex_mark(s, t) for t in self.targets)
        tanks = ", with amphibious tanks" if self.amphibious else ""
        return f"Attack {self.attack} announced: {units_marks(s, self.units)} against {where}{tanks}"


@event("offensive", "VI.B.3", "number")
class WinterOffensiveBegan(Event):
    """The Soviet Winter Offensive begins."""

    turn: int

    def words(self, s: State) -> str:
        return "The Soviet Winter Offensive begins"
