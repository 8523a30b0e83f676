"""V Sequence of play: the phases of a game-turn, in order."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.events import Event, event
from rasputitsa.portfolio.model.frames import Context, Frame, push, question, replace
from rasputitsa.portfolio.model.indices import Side, Unit
from rasputitsa.portfolio.model.marks import SIDE_NAMES
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat import attack_phase
from rasputitsa.portfolio.rules.logistics import replacements, supply
from rasputitsa.portfolio.rules.movement import movement
from rasputitsa.portfolio.rules.turn import goal, victory, weather

REPLACEMENT: Final = 0
MOVEMENT: Final = 1
ATTACK: Final = 2
SUPPLY: Final = 3
VICTORY: Final = 4
RESERVE_MOVEMENT: Final = 5
RESERVE_ATTACK: Final = 6
START: Final = 7
RESERVES: Final = 8
END: Final = 9

# (phase, which player of the turn's order): V.B.1.a and V.B.1.b, V.B.2.a and V.B.2.b
PHASES: Final[tuple[tuple[int, int], ...]] = (
    (START, 0),
    (REPLACEMENT, 0), (REPLACEMENT, 1),
    (MOVEMENT, 0), (ATTACK, 0), (SUPPLY, 0), (VICTORY, 0),
    (MOVEMENT, 1), (ATTACK, 1), (SUPPLY, 1), (VICTORY, 1),
    (RESERVE_MOVEMENT, 0), (RESERVE_ATTACK, 0), (RESERVE_MOVEMENT, 1), (RESERVE_ATTACK, 1), (RESERVES, 0),
    (END, 0),
)  # fmt: skip

FIRST_RESERVE: Final = PHASES.index((RESERVE_MOVEMENT, 0))

TITLES = {
    START: ("turn", "Start of the game-turn", "V"),
    REPLACEMENT: ("replacement", "Replacements and strategic movement", "V.A"),
    MOVEMENT: ("movement", "Initial movement", "V.B.1.a.1"),
    ATTACK: ("attack", "Initial attacks", "V.B.1.a.2"),
    SUPPLY: ("supply", "Supply status", "V.B.1.a.3"),
    VICTORY: ("victory", "Victory determination", "V.B.1.a.4"),
    RESERVE_MOVEMENT: ("reserve_movement", "Reserves movement", "V.B.2.a.1"),
    RESERVE_ATTACK: ("reserve_attack", "Reserves attacks", "V.B.2.a.2"),
    RESERVES: ("reserves", "End of the Reserves Phase", "V.B.2"),
    END: ("end", "End of the game-turn", "V.C"),
}


@question
class Sequence(Frame):
    """The bottom of the stack: the phase in progress. With nothing above it, the next phase begins."""

    index: int

    kind = "sequence"
    rule = "V"

    def proceed(self, s: State, context: Context) -> None:
        begin_phase(s, self.index + 1, context)


def phase_of(s: State) -> tuple[int, int]:
    """The phase in progress, and which player of the turn's order it belongs to."""
    for frame in s.stack:
        if isinstance(frame, Sequence):
            return PHASES[frame.index] if frame.index >= 0 else (START, 0)  # the set-up comes before any phase
    return START, 0


def begin_phase(s: State, index: int, context: Context) -> None:
    """Start a phase of the table."""
    replace(s, Sequence(index))
    phase, player = PHASES[index]
    if phase == START:
        weather.begin_turn(s, context)
        return
    if phase == RESERVES:
        _end_of_reserves_phase(s, context)
        return
    if phase == END:
        _end_of_turn(s, context)
        return
    s.side = weather.order(s)[player]
    if phase == REPLACEMENT:
        context.note(PhaseBegan(s.side, "replacement", 0))
        replacements.begin(s, s.side, context)
    elif phase in (MOVEMENT, RESERVE_MOVEMENT):
        _begin_movement(s, phase, context)
    elif phase in (ATTACK, RESERVE_ATTACK):
        s.fresh_dispersed = 0
        push(s, AttackEnd(phase == ATTACK))
        attack_phase.begin(s, context)
    elif phase == SUPPLY:
        supply.begin(s, s.side, context)
    else:
        _check_victory(s, context)


@question
class AttackEnd(Frame):
    """After an attack phase: who moved or attacked is Spent, the enemy recovers (VII.A, VII.C, XIII.H)."""

    initial: bool

    def proceed(self, s: State, context: Context) -> None:
        s.stack = s.stack[:-1]
        s.attacks = ()
        s.battle = None
        s.stand_all = 0
        s.spend(s.moved | s.attacked)
        s.moved = s.attacked = 0
        if self.initial:
            # Ruling: at the end of the phase, so that those dispersed in it are known.
            recovered = s.dispersed & s.rules.roster.of_side[s.enemy] & ~s.fresh_dispersed
            if recovered:
                s.recover(recovered)
                context.note(Recovered(tuple(s.members(recovered))))
        s.fresh_dispersed = 0
        s.hold = 0


def _begin_movement(s: State, phase: int, context: Context) -> None:
    if phase == MOVEMENT:
        s.reserve = 0
        context.note(PhaseBegan(s.side, "movement", 0))
    else:
        if s.reserve == 0:
            s.reserve = 1
            s.idle_sides = 0
        if not movement.ready_units(s, 0) and not movement.ready_units(s, 1):
            s.idle_sides = 2
        if s.idle_sides >= 2:
            return
        s.idle_sides += 1
        context.note(PhaseBegan(s.side, "reserve_movement", s.reserve))
    movement.begin(s, context)
    if phase == MOVEMENT and s.rules.turns[s.turn].may_stop and s.goal is None:
        push(s, victory.StopOffer(s.side))


def _end_of_reserves_phase(s: State, context: Context) -> None:
    """V.B.2, RESERVE: a further Reserves Phase unless neither side did anything, or the track is at its end."""
    last = len(s.rules.reserve_penalties) - 1
    if s.idle_sides >= 2 or s.reserve >= last:
        return
    s.reserve += 1
    s.stack = (*s.stack[:-1], Sequence(FIRST_RESERVE - 1))


def _check_victory(s: State, context: Context) -> None:
    """Ruling: after a side's operations the other side's claim is looked at, as the chart names the phase."""
    if s.goal is not None:
        goal.look(s, s.goal, "operations", s.side, context)
        return
    victory.check(s, s.enemy, context)
    if s.outcome is None and s.rules.options["victory_check"] == "both":
        victory.check(s, s.side, context)


def _end_of_turn(s: State, context: Context) -> None:
    """V.C, XIII.H: all Spent units are faced back, and the marker moves on."""
    s.spent = s.moved = s.attacked = 0
    s.broke_through = s.entered = s.airlifted = 0
    s.reserve = 0
    context.note(TurnEnded(s.turn))
    if s.goal is not None:
        goal.look(s, s.goal, "turn", s.side, context)
        if s.outcome is not None:
            return
    if s.rules.turns[s.turn].last:
        victory.end_of_track(s, context)
        return
    s.turn += 1
    s.stack = (*s.stack[:-1], Sequence(-1))


@event("phase", "V", "side", "text", "number")
class PhaseBegan(Event):
    """A phase begins."""

    side: Side
    phase: str
    reserve: int

    def words(self, s: State) -> str:
        return (
            f"{SIDE_NAMES[self.side]}: "
            + {
                "replacement": "replacements and strategic movement",
                "movement": "Initial operations",
                "reserve_movement": f"Reserves operations {self.reserve}",
            }[self.phase]
        )


@event("recovered", "VII.C", "units")
class Recovered(Event):
    """Units are no longer Dispersed."""

    units: tuple[Unit, ...]

    def words(self, s: State) -> str:
        return "Recovered from dispersal: " + ", ".join(f"{{unit:{s.rules.units[int(str(u))].id}}}" for u in self.units)


@event("turn_end", "V.C", "number")
class TurnEnded(Event):
    """A game-turn ends."""

    turn: int

    def words(self, s: State) -> str:
        return f"Game-turn {self.turn} ends; Spent units are ready again"
