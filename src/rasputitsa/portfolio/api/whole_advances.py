"""Advances given whole: ``advance 39Pz Q9-Q10``, and the hexes to which such orders lead."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.portfolio.api.notation import AdvanceOrder
from rasputitsa.portfolio.api.shapes import Advances
from rasputitsa.portfolio.api.trial import Trial
from rasputitsa.portfolio.model.actions import HALT, TABLES, TO
from rasputitsa.portfolio.model.dispersal import Dispersed
from rasputitsa.portfolio.model.indices import Hex, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat.advance import Advance, Advanced, AdvanceStep


def as_ordered(s: State, order: AdvanceOrder) -> list[Action]:
    """The actions of a whole advance, tried on a copy.

    Raises:
        IllegalAction: about the unit, or about the hex of the way, that cannot be.
    """
    trial = Trial(s)
    if _step(trial, order.unit) is None:
        trial.do(TABLES["advance"].actions[order.unit])
    walked = _way(trial, order.unit)[1:]
    onward = order.way[len(walked) :] if order.way[: len(walked)] == walked else order.way
    for target in onward:
        trial.do(TO.actions[target])
    if _step(trial, order.unit):
        trial.done.append(HALT)
    if not trial.done:
        raise IllegalAction(f"{s.rules.units[order.unit].name} has already advanced", "XIII.E")
    return trial.done


def _way(trial: Trial, unit: Unit) -> tuple[Hex, ...]:
    """The hexes of a unit's advance so far, the one it began in first."""
    found = next((e.path for e in reversed(trial.events) if isinstance(e, Advanced) and e.unit == unit), None)
    if found is not None:
        return found
    step = _step(trial, unit)
    return step.way if step else ()


def _step(trial: Trial, unit: Unit) -> AdvanceStep | None:
    """The advance of a unit, as long as it goes on."""
    top = trial.s.stack[-1]
    return top if isinstance(top, AdvanceStep) and top.unit == unit and not trial.chance else None


class Way(NamedTuple):
    """A hex that a unit can advance to."""

    unit: Unit
    way: tuple[Hex, ...]
    dispersed: bool


def ways(s: State) -> list[Way]:
    """Where the units of the battle can advance to now: to each hex by the shortest way that leaves them in order."""
    top = s.stack[-1] if s.stack else None
    if isinstance(top, AdvanceStep):
        return _ways_of(Trial(s), top.unit, len(top.way))
    if not isinstance(top, Advance):
        return []
    found: list[Way] = []
    for action in top.options(s):
        if action.verb == "advance":
            trial = Trial(s)
            trial.do(action)
            found += _ways_of(trial, action.args[0], 1)
    return found


def _ways_of(start: Trial, unit: Unit, begun: int) -> list[Way]:
    """Beyond the hexes of its way so far, of which there are ``begun``."""
    found: dict[Hex, Way] = {}
    waiting, here = deque([start]), start.s.pos[unit]
    seen: set[tuple[tuple[Hex, ...], bool]] = set()
    while waiting:
        trial = waiting.popleft()
        way = _way(trial, unit)
        step = _step(trial, unit)
        strained = step.strained if step else _is_dispersed(trial, unit)
        # back where it stands it had better halt at once
        if len(way) > begun and (way[-1] != here or trial is start):
            known = found.get(way[-1])
            if known is None or (known.dispersed and not strained):
                found[way[-1]] = Way(unit, way, strained)
        if step is None or (way[-1:], strained) in seen:
            continue
        seen.add((way[-1:], strained))
        for target in (a for a in trial.legal() if a.verb == "to"):
            further = trial.branch()
            further.do(target)
            waiting.append(further)
    return list(found.values())


def _is_dispersed(trial: Trial, unit: Unit) -> bool:
    return any(isinstance(e, Dispersed) and unit in e.units and e.reason == "advance" for e in trial.events)


def as_answer(s: State) -> Advances:
    """The same for clients: each with the line that orders it."""
    names, ids = s.rules.grid.names, s.rules.units
    return {
        "ways": [
            {
                "unit": ids[way.unit].id,
                "hex": names[way.way[-1]],
                "hexes": [names[h] for h in way.way],
                "dispersed": way.dispersed,
                "line": f"advance {ids[way.unit].id} {'-'.join(names[h] for h in way.way[1:])}",
            }
            for way in ways(s)
        ]
    }
