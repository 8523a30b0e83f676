"""3.3 The secret orders of a week where each side has the game to itself: the position of who does not know them."""

from __future__ import annotations

from rasputitsa.core.dice import NoDice
from rasputitsa.core.errors import RasputitsaError, SaveError
from rasputitsa.core.frames import Context, settle
from rasputitsa.core.game import SecretRound
from rasputitsa.wir.api.known import blank
from rasputitsa.wir.api.shapes import PublicFace
from rasputitsa.wir.model.indices import Hex, HexBits, Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import DEPOT, KIND, groups_of
from rasputitsa.wir.model.theatre import SIDES
from rasputitsa.wir.rules.turn import sequence


def secret_round(s: State) -> SecretRound | None:
    """The week, the side that gives orders, and whether the other has given all of its own."""
    phase, side = sequence.phase_of(s)
    if s.outcome is not None or s.rules.options["fog"] == "open" or phase not in sequence.IN_SECRET:
        return None
    return SecretRound(str(s.turn), SIDES[side], _after(s) is None)


def _after(s: State) -> int | None:
    """The place in the table of the phase in which the other side gives its next orders; None if it gives no more."""
    here = sequence.phase_of(s)
    for index in range(sequence.PHASES.index(here) + 1, len(sequence.PHASES)):
        phase, side = sequence.PHASES[index]
        if phase not in sequence.IN_SECRET:
            return None
        if side != here[1]:
            return index
    return None


def face(s: State, side: Side) -> PublicFace:
    """Where the groups of a side stand, and who controls what."""
    return {"hexes": [s.hex[group] for group in groups_of(side)], "control": f"{s.control:x}"}


def veiled(s: State, shown: object) -> State:
    """A position in which the side that gives orders has given them; raises ``SaveError``."""
    index, (_, side) = _after(s), sequence.phase_of(s)
    if secret_round(s) is None or index is None:
        raise SaveError("no orders are given in secret here")
    hexes, control = _checked(s, side, shown)
    t = s.copy()
    blank(t, side)
    t.face = None
    for group, hex_ in zip(groups_of(side), hexes, strict=True):
        t.hex[group] = hex_
    t.rebuild()
    if any(len(here) > t.rules.limits.stack for here in t.at.values()):
        raise SaveError("too many groups stand in one place")
    t.control = control
    t.stack, t.legal = tuple(frame for frame in t.stack if frame.kind == sequence.Sequence.kind), None
    context = Context(NoDice())
    try:
        sequence.begin_phase(t, index, context)
        settle(t, context)
    except RasputitsaError as problem:
        raise SaveError(f"these orders lead to no position: {problem}") from problem
    return t


def _checked(s: State, side: Side, shown: object) -> tuple[list[Hex], HexBits]:
    if not isinstance(shown, dict) or shown.keys() != {"hexes", "control"}:
        raise SaveError("what is seen of the orders is where groups stand and who controls what")
    hexes, digits, known = shown["hexes"], shown["control"], groups_of(side)
    if not isinstance(hexes, list) or len(hexes) != len(known) or any(type(hex_) is not int for hex_ in hexes):
        raise SaveError(f"{len(known)} groups stand somewhere, or are not on the map")
    free = s.rules.map.passable & ~s.occ[1 - side]
    for group, hex_ in zip(known, hexes, strict=True):
        if hex_ == s.hex[group] or hex_ == OFF:
            continue
        if not (KIND[group] != DEPOT and 0 <= hex_ < s.rules.grid.size and free >> hex_ & 1):
            raise SaveError(f"group {group} cannot stand there")
    if not isinstance(digits, str) or not 0 < len(digits) <= s.rules.grid.size // 4 + 1:
        raise SaveError("who controls what is a set of hexes")
    try:
        control = int(digits, 16)
    except ValueError as problem:
        raise SaveError("who controls what is a set of hexes") from problem
    if not 0 <= control < 1 << s.rules.grid.size:
        raise SaveError("who controls what is a set of hexes of the map")
    return hexes, control
