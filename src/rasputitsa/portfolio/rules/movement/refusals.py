"""Why a move is refused, in plain words and with the paragraph that forbids it."""

from __future__ import annotations

from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.marks import figured
from rasputitsa.portfolio.model.indices import Hex, SeatNumber, Unit
from rasputitsa.portfolio.model.moves import MovingStack
from rasputitsa.portfolio.model.stacking import why_no_room
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground, waiting_nations
from rasputitsa.portfolio.model.theatre import OUT_OF_PLAY, SOVIET
from rasputitsa.portfolio.rules.movement.reach import reach, shared_zone


def why_not_move(s: State, unit: Unit, seat: SeatNumber) -> IllegalAction:
    """Why a unit cannot be chosen to move."""
    rules = s.rules
    name = rules.units[unit].name if unit < len(rules.units) else "this unit"
    if unit >= len(rules.units):
        return IllegalAction("there is no such unit", "III")
    if rules.roster.side[unit] != s.side:
        return IllegalAction(f"{name} belongs to the other side", "III")
    if not rules.seats[seat].units >> unit & 1:
        return IllegalAction(f"{name} belongs to your partner's command", "II")
    if s.pos[unit] < 0:
        return IllegalAction(f"{name} is not on the map", "XI.A.1")
    bit = 1 << unit
    if s.dispersed & bit:
        return IllegalAction(f"{name} is Dispersed and may not move", "VII.B")
    if s.moved & bit:
        return IllegalAction(f"{name} has already moved in this game-turn", "XI.A.1")
    if (s.spent | s.attacked) & bit:
        return IllegalAction(f"{name} is Spent and may not move", "VII.A")
    return IllegalAction(
        f"{name} stands {rules.beyond_border()} and may not act until the first Reserves Phase",
        "XVI.B.3",
    )


def why_not_to(s: State, m: MovingStack, units: tuple[Unit, ...], target: Hex) -> IllegalAction:
    """Why a group on the move cannot go to a hex."""
    rules, land = s.rules, ground(s)
    if not rules.grid.board >> target & 1:
        return IllegalAction("there is no such hex on the map", "III")
    where = rules.grid.names[target]
    if target == m.here:
        return IllegalAction("the group is already there", "XI.A.2")
    if s.occ[1 - m.side] >> target & 1:
        return IllegalAction(f"{where} holds an enemy unit", "XI.A.4")
    if rules.map.neutral >> target & 1:
        return IllegalAction(f"{where} is neutral ground", "X.A.1")
    if land.land >> target & 1 and not land.enterable >> target & 1:
        return IllegalAction(f"{where} is outside the part of the map that this scenario is played on", OUT_OF_PLAY)
    if not land.enterable >> target & 1:
        return IllegalAction(f"{where} is sea or open lake", "X.A.1")
    closed = _why_closed(s, units, target)
    if closed:
        return closed
    if not m.room >> target & 1:
        return IllegalAction(f"no room in {where}: {why_no_room(s, units, target)}", "XII")
    return _why_out_of_reach(s, m, target)


def why_not_step(s: State, m: MovingStack, units: tuple[Unit, ...], target: Hex) -> IllegalAction:
    """Why a group on the move cannot go straight to a hex."""
    where = s.rules.grid.names[target] if s.rules.grid.board >> target & 1 else ""
    if where and target not in s.rules.grid.neighbours[m.here]:
        return IllegalAction(f"{where} is not the next hex", "XI.A.2")
    known = reach(s, m)
    if (known.plain | known.dispersing) >> target & 1:
        return IllegalAction(f"the usual way to {where} is this very step", "XI.A.2")
    return why_not_to(s, m, units, target)


def _why_closed(s: State, units: tuple[Unit, ...], target: Hex) -> IllegalAction | None:
    rules = s.rules
    where = rules.grid.names[target]
    for unit in units:
        nation = rules.units[unit].nation
        if rules.barred_country.get(nation, 0) >> target & 1:
            return IllegalAction(f"{rules.units[unit].name} may never enter {where}", "X.D.2")
        if nation in waiting_nations(s) and rules.home[SOVIET] >> target & 1:
            return IllegalAction(
                f"{rules.units[unit].name} may not enter the Soviet Union before the second turn", "XVI.B.5"
            )
        for pair in rules.charts["forbidden"]["sharing"]:
            others = {rules.units[u].nation for u in s.at.get(target, ())}
            if nation in pair and others & (set(pair) - {nation}):
                return IllegalAction("Hungarians and Romanians never share a hex", "X.D.2")
    return None


def _why_out_of_reach(s: State, m: MovingStack, target: Hex) -> IllegalAction:
    rules, land = s.rules, ground(s)
    grid = rules.grid
    where = grid.names[target]
    here_in_zone = m.enemy_zoc >> m.here & 1
    target_in_zone = m.enemy_zoc >> target & 1
    if target in grid.neighbours[m.here]:
        if land.closed.between(m.here, target):
            return IllegalAction(f"the side between here and {where} is all sea", "X.A.1")
        if land.straits.between(m.here, target):
            return IllegalAction(f"{where} across the water can only be the one hex of a whole move", "X.A.1")
        shared, strong = shared_zone(s, m.here, 1 - m.side)
        if here_in_zone and target_in_zone and shared >> target & 1:
            if strong >> target & 1:
                return IllegalAction(
                    f"{where} and this hex lie in the zone of control of the same army or front", "XI.B.2"
                )
            return IllegalAction(
                f"from one hex to another ({where}) in the zone of the same enemy unit only over clear ground",
                "XI.B.2",
            )
    if m.left_zones >> target & 1:
        return IllegalAction(f"{where} lies in the zone of an enemy unit that this move has left", "XI.B.2")
    if target_in_zone and m.pays_rivers:
        dry = reach(s, m._replace(rivers=0, pays_rivers=False))
        if (dry.plain | dry.dispersing) >> target & 1:
            return IllegalAction(f"rivers crossed on the way make {where} cost too much", "X.A.2")
    unhindered = reach(s, m._replace(enemy_zoc=0, rivers=0, pays_rivers=False))
    if (unhindered.plain | unhindered.dispersing) >> target & 1:
        return IllegalAction(f"the way to {where} leads through enemy zones of control, where a move ends", "XI.B.1")
    left = figured(m.total - m.steps, "movement factor")
    return IllegalAction(f"{where} is farther than the {left} left, bonus included", "XI.C")
