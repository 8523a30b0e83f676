"""Standing orders: the small decisions of a defender that may be answered beforehand, and what each policy answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.game import AS_COMPUTER, Choice, StandingOrder
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.strengths import best_column
from rasputitsa.portfolio.model.actions import DONE, HALT, PASS, STAND
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit
from rasputitsa.portfolio.model.stacking import room_for_one, surplus
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat.attack_phase import NoRetreat, VoluntaryRetreat
from rasputitsa.portfolio.rules.combat.eligibility import impends
from rasputitsa.portfolio.rules.combat.exchange import DECLINE, Exchange
from rasputitsa.portfolio.rules.combat.losses import Overstack
from rasputitsa.portfolio.rules.combat.odds import lowest_column, odds
from rasputitsa.portfolio.rules.combat.resolution import MayRetreat, Retreats, forces
from rasputitsa.portfolio.rules.combat.retreat import RetreatLength, RetreatStep
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.logistics.supply import Airlift, Isolation

WEAK_ATTACK: Final = (2, 1)
"""Below these odds a unit that holds at all costs is likelier to keep its hex than to be lost (VII.B)."""
NEVER = Choice("never", "Never")

ORDERS: Final = (
    StandingOrder(
        "withdraw", "Withdraw units that are not under attack", "Asked before and after attacks are announced, and "
        "before each battle. A unit that withdraws is Dispersed.", "XIII.D.8",
        (
            NEVER,
            Choice("3:1", "Units that could be attacked at 3:1 or more"),
            Choice("5:1", "Units that could be attacked at 5:1 or more"),
            AS_COMPUTER,
        ),
    ),
    StandingOrder(
        "hold", '"No Retreat!" orders', "Asked before the first die, of units under attack. Who has no way to retreat "
        "fares the same without such an order.", "XIII.B.6",
        (
            NEVER,
            Choice("places", "Units in a city or fortress"),
            Choice("worth", "Units in a city or fortress, or attacked at less than 2:1"),
            Choice("always", "All units under attack"),
            AS_COMPUTER,
        ),
    ),
    StandingOrder(
        "leave", "Leave after a battle that lets you stay", "Asked after AE, AD, S and X.", "XIII.D.2",
        (
            NEVER,
            Choice("open", "Leave open ground, and stay in cities, fortresses, hills, swamp and mountains"),
            Choice("always", "Always leave"),
            AS_COMPUTER,
        ),
    ),
    StandingOrder(
        "way", "The way of retreats", "Of own units: no farther than they must, into a hex with room; the strongest "
        "first.", "XIII.D.1",
        (
            Choice("supply", "Toward supply"),
            Choice("friends", "Toward the nearest own units"),
            Choice("away", "Away from the enemy"),
            AS_COMPUTER,
        ),
    ),
    StandingOrder(
        "exchange", "Exchanges", "Which of the attacked units are exchanged.", "XIII.C.Exchange",
        (
            Choice("weakest", "One unit, the weakest"),
            Choice("decline", "None where that can be declined, otherwise the weakest"),
            AS_COMPUTER,
        ),
    ),
    StandingOrder(
        "losses", "Other losses", "Units given up where a retreat has left too many in a hex, and by isolated "
        "pockets.", "XII, XIV.B.2", (Choice("weakest", "The weakest unit first"), AS_COMPUTER),
    ),
    StandingOrder(
        "airlift", "Supply by air", "Which isolated stack of Germans is supplied by air.", "XIV.B.2",
        (Choice("strongest", "The stack with the most attack factors"), AS_COMPUTER),
    ),
)  # fmt: skip

_ORDER_OF: Final[dict[type, str]] = {
    VoluntaryRetreat: "withdraw", NoRetreat: "hold", MayRetreat: "leave", RetreatStep: "way", RetreatLength: "way",
    Retreats: "way", Exchange: "exchange", Overstack: "losses", Isolation: "losses", Airlift: "airlift",
}  # fmt: skip


def order_of(s: State) -> str:
    """The standing order that the open question falls under; the ways of enemy units fall under none."""
    if s.outcome is not None:
        return ""
    frame = s.stack[-1]
    if isinstance(frame, RetreatStep | RetreatLength):
        seat = s.rules.seats[frame.seat(s)]
        return "way" if s.rules.roster.side[frame.retreat.unit] == seat.side else ""
    return _ORDER_OF.get(type(frame), "")


def answer(s: State, policy: str) -> Action | None:
    """What a policy answers to the open question."""
    frame = s.stack[-1]
    if isinstance(frame, VoluntaryRetreat):
        return _withdraw(s, frame, policy)
    if isinstance(frame, NoRetreat):
        return _hold(s, frame, policy)
    if isinstance(frame, MayRetreat):
        return _leave(s, frame, policy)
    if isinstance(frame, RetreatStep | RetreatLength):
        return _way(s, frame, policy)
    if isinstance(frame, Exchange):
        return _exchange(s, frame, policy)
    if isinstance(frame, Airlift):
        return max(frame.options(s), key=lambda action: _attack_factors(s, action))
    by_defence = sorted(_with_unit(frame.options(s)), key=lambda action: _defence(s, action.args[0]))
    if isinstance(frame, Retreats):
        return by_defence[-1]
    return by_defence[0] if isinstance(frame, Overstack | Isolation) else None


def _defence(s: State, unit: Unit) -> tuple[int, int, int]:
    roster = s.rules.roster
    return roster.df[unit], roster.af[unit], -unit


def _with_unit(options: Iterable[Action], *verbs: str) -> list[Action]:
    return [action for action in options if action.verb in (verbs or ("lose", "retreat"))]


def _attack_factors(s: State, action: Action) -> int:
    if action == PASS:
        return -1
    return sum(s.rules.roster.af[unit] for unit in s.at.get(action.args[0], ()))


def _places(s: State) -> HexBits:
    board = s.rules.map
    return board.majors | board.cities | board.fortresses


def _withdraw(s: State, frame: VoluntaryRetreat, policy: str) -> Action:
    """Only what could still be attacked: once attacks are announced, nothing threatens the others."""
    if policy == NEVER.id:
        return STAND
    more, less = policy.split(":")
    least = lowest_column(s.rules, int(more), int(less))
    threatened = {hex_ for hex_ in frame.about(s).hexes if best_column(s, hex_) >= least}
    leaving = [action for action in _with_unit(frame.options(s), "retreat") if s.pos[action.args[0]] in threatened]
    return max(leaving, key=lambda action: _defence(s, action.args[0]), default=STAND)


def _hold(s: State, frame: NoRetreat, policy: str) -> Action:
    def wanted(unit: Unit) -> bool:
        here = s.pos[unit]
        if policy == "always" or (policy in ("places", "worth") and _places(s) >> here & 1):
            return True
        return policy == "worth" and _attacked_at(s, here) < lowest_column(s.rules, *WEAK_ATTACK)

    return next((action for action in frame.options(s) if action != DONE and wanted(action.args[0])), DONE)


def _attacked_at(s: State, hex_: Hex) -> int:
    """The highest column of the attacks announced on a hex."""
    found = -1
    for attack in s.attacks:
        targets, units = forces(s, attack)
        if impends(s, attack) and hex_ in targets:
            columns = odds(s, targets, units, attack.amphibious).columns
            if columns:
                found = max(found, columns[targets.index(hex_)])
    return found


def _leave(s: State, frame: MayRetreat, policy: str) -> Action:
    board = s.rules.map
    firm = _places(s) | board.hills | board.swamp | board.mountain
    for action in _with_unit(frame.options(s)):
        if policy == "always" or (policy == "open" and not firm >> s.pos[action.args[0]] & 1):
            return action
    return STAND


def _exchange(s: State, frame: Exchange, policy: str) -> Action:
    options: Sequence[Action] = frame.options(s)
    if DONE in options:
        return DONE
    if policy == "decline" and DECLINE in options:
        return DECLINE
    return min(_with_unit(options, "exchange"), key=lambda action: _defence(s, action.args[0]))


# ---------------------------------------------------------------------- the way of a retreat


def _way(s: State, frame: RetreatStep | RetreatLength, policy: str) -> Action:
    """Halt as soon as the unit may and has room; otherwise the best hex with room, if there is one."""
    unit, options = frame.retreat.unit, frame.options(s)
    here = s.pos[unit]
    if HALT in options and not surplus(s, s.at[here], here):
        return HALT
    ways = _with_unit(options, "to")
    if not ways:
        return next(action for action in options if action != HALT)
    roomy = [action for action in ways if room_for_one(s, unit) >> action.args[0] & 1]
    measure = _MEASURES[policy]
    return min(roomy or ways, key=lambda action: (measure(s, unit, action.args[0]), action))


def _nearest(s: State, hex_: Hex, others: HexBits) -> int:
    grid = s.rules.grid
    return min((grid.distance(hex_, other) for other in members(others)), default=0)


def _to_supply(s: State, unit: Unit, hex_: Hex) -> tuple[int, ...]:
    supplied = supply.supplied_hexes(s, unit) >> hex_ & 1
    return 1 - supplied, _nearest(s, hex_, s.rules.supply_edge(s.rules.units[unit].nation)), *_from_enemy(s, unit, hex_)


def _to_friends(s: State, unit: Unit, hex_: Hex) -> tuple[int, ...]:
    friends = sum(1 << place for place in {s.pos[u] for u in _own(s, unit) if u != unit and s.pos[u] >= 0})
    return _nearest(s, hex_, friends), *_from_enemy(s, unit, hex_)


def _own(s: State, unit: Unit) -> list[Unit]:
    return members(s.rules.roster.of_side[s.rules.roster.side[unit]])


def _from_enemy(s: State, unit: Unit, hex_: Hex) -> tuple[int, ...]:
    enemies = s.occ[1 - s.rules.roster.side[unit]]
    return -_nearest(s, hex_, enemies), (s.rules.grid.adjacent[hex_] & enemies).bit_count()


_MEASURES: Final[dict[str, Callable[[State, Unit, Hex], tuple[int, ...]]]] = {
    "supply": _to_supply, "friends": _to_friends, "away": _from_enemy,
}  # fmt: skip
