"""3.3 Sequence of play: the phases of a week, in order."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.wir.model.actions import ADJUSTING, MOVING, PARAGRAPHS, SUPPLYING
from rasputitsa.wir.model.frames import Context, Frame, question, replace
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.marks import side_name
from rasputitsa.wir.model.shapes import Scan
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import WEATHER_NAMES
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.adjustment import adjust
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.execution import execution
from rasputitsa.wir.rules.movement import movement
from rasputitsa.wir.rules.supply import supply
from rasputitsa.wir.rules.turn import goal, loss_report, secrecy, weather
from rasputitsa.wir.rules.victory import victory

START: Final = 0
ADJUST: Final = 1
SUPPLY: Final = 2
MOVEMENT: Final = 3
EXECUTION: Final = 4
END: Final = 5

PHASES: tuple[tuple[int, int], ...] = (
    (START, AXIS),
    (ADJUST, AXIS), (ADJUST, SOVIET),
    (SUPPLY, SOVIET), (MOVEMENT, SOVIET),
    (SUPPLY, AXIS), (MOVEMENT, AXIS),
    (EXECUTION, AXIS),
    (END, AXIS),
)  # fmt: skip

TITLES = {
    START: ("turn", "Start of the week", "3.3"),
    ADJUST: ("adjust", "Group adjustment and building", "4.0"),
    SUPPLY: ("supply", "Supply", "5.0"),
    MOVEMENT: ("movement", "Movement and tactical plot", "6.0"),
    EXECUTION: ("execution", "Tactical execution", "7.0"),
    END: ("end", "End of the week", "8.0"),
}

IN_SECRET = (ADJUST, SUPPLY, MOVEMENT)
"""The phases in which a side gives orders unseen by the other."""

IN_A_ROW = {ADJUST: "adjustment", SUPPLY: "supply", MOVEMENT: "movement"}
"""What they are called together."""

ORDERS = {ADJUST: ADJUSTING, SUPPLY: SUPPLYING, MOVEMENT: MOVING}

REFUSED_BY_PHASE = {(ADJUST, "get"): "4.0", (ADJUST, "supply"): "4.0", (MOVEMENT, "end_game"): "6.1"}
"""Orders that no paragraph says the time of but the menu of the present phase, which leaves them out (ruling 3.3)."""


@question
class Sequence(Frame):
    """The bottom of the stack: the phase in progress. With nothing above it, the next phase begins."""

    index: int

    kind = "sequence"
    rule = "3.3"

    def proceed(self, s: State, context: Context) -> None:
        begin_phase(s, self.index + 1, context)


def phase_of(s: State) -> tuple[int, int]:
    """The phase in progress and the side it belongs to."""
    for frame in s.stack:
        if isinstance(frame, Sequence):
            return PHASES[max(frame.index, 0)]
    return PHASES[0]


def orders_begin(index: int) -> int:
    """The first of the phases in a row, up to a place in the table, in which one side gives its orders."""
    while PHASES[index - 1][0] in IN_SECRET and PHASES[index - 1][1] == PHASES[index][1]:
        index -= 1
    return index


def unseen_title(s: State) -> str:
    """What those who see none of a side's orders know of the phase: the whole row of phases it belongs to."""
    now = phase_of(s)
    first = last = PHASES.index(now)
    if now[0] not in IN_SECRET:
        return TITLES[now[0]][1]
    first = orders_begin(first)
    while PHASES[last + 1][0] in IN_SECRET and PHASES[last + 1][1] == now[1]:
        last += 1
    if first == last:
        return TITLES[now[0]][1]
    names = [IN_A_ROW[phase] for phase, _ in PHASES[first : last + 1]]
    return f"{', '.join(names[:-1])} and {names[-1]}".capitalize()


def of_other_phase(s: State, verb: str) -> IllegalAction | None:
    """The refusal of an order of another phase, by its own paragraph; None for one of the present phase, or of
    several."""
    now, _ = phase_of(s)
    for phase, verbs in ORDERS.items():
        if verb in verbs and phase != now:
            rule = REFUSED_BY_PHASE.get((now, verb), PARAGRAPHS[verb])
            return IllegalAction(f"that is ordered in another phase: {TITLES[phase][1]}", rule)
    return None


def scan(s: State, side: Side) -> Scan:
    """5.4: how far a side's depots are this week: ``before`` their moves, ``during`` them or ``after``."""
    now, own = PHASES.index(phase_of(s)), PHASES.index((SUPPLY, side))
    return "before" if now < own else "during" if now == own else "after"


def has_yet_to_move(s: State, side: Side) -> bool:
    """3.3: whether a side's movement this week is still to come."""
    return PHASES.index(phase_of(s)) < PHASES.index((MOVEMENT, side))


def begin_phase(s: State, index: int, context: Context) -> None:
    """Start a phase of the table."""
    replace(s, Sequence(index))
    phase, s.side = PHASES[index]
    if phase == START:
        _begin_turn(s, context)
        return
    if phase == END:
        _end_of_turn(s, context)
        return
    if phase not in IN_SECRET:
        secrecy.uncover(s, context)
    elif s.face is None or orders_begin(index) == index:
        secrecy.cover(s, s.side, context)
    context.note(PhaseBegan(TITLES[phase][0], s.side))
    if phase == ADJUST:
        adjust.begin(s, s.side, context)
    elif phase == SUPPLY:
        supply.begin(s, s.side, context)
    elif phase == MOVEMENT:
        movement.begin(s, s.side, context)
    else:
        before = tuple(loss_report.strengths(s, side) for side in loss_report.SIDES)
        execution.begin(s, context)
        loss_report.note(s, context, before)


def _begin_turn(s: State, context: Context) -> None:
    """What lasts one turn is forgotten; rail hexes ordered last turn are laid (5.3)."""
    context.note(TurnBegan(s.turn, WEATHER_NAMES[s.weather]))
    s.first = -1
    s.overfatigued = s.moved = s.from_line = s.halted = s.added_artillery = s.naval = s.dismantled = 0
    for row in (s.rail_moves, s.air_moves):
        row[:] = [0, 0]
    for group in range(len(s.plot)):
        s.plot[group] = s.strike[group] = s.steps[group] = 0
    supply.lay_rail(s, context)


def _end_of_turn(s: State, context: Context) -> None:
    """Production and all that is adjusted at the end of a turn, the score, and next week's weather (8.4)."""
    economy.end_of_turn(s, context)
    if s.goal is None:
        victory.check(s, context)
    else:
        goal.look(s, s.goal, context)
    if s.outcome is not None:
        return
    s.turn += 1
    weather.adjust(s, context)
    s.stack = (*s.stack[:-1], Sequence(-1))


PHASE_WORDS = {title[0]: title[1] for title in TITLES.values()}


@event("phase", "3.3", "text", "side")
class PhaseBegan(Event):
    """A phase begins."""

    phase: str
    side: Side

    def words(self, s: State) -> str:
        return PHASE_WORDS[self.phase] + ("" if self.phase == "execution" else f": {side_name(self.side)}")


@event("turn", "1.1", "number", "text")
class TurnBegan(Event):
    """A week begins."""

    turn: int
    weather: str

    def words(self, s: State) -> str:
        return f"Week {self.turn}, {s.rules.date_text(self.turn)}: {self.weather}"
