"""Which standing order falls to an open question, and whether it answers now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from rasputitsa.core.game import AS_COMPUTER, Decision, Game
from rasputitsa.core.record.session import Session
from rasputitsa.server.matches.seating import Controller
from rasputitsa.server.store.people.standing import Standing

IsAway = Callable[[int, str], bool]
"""Whether the player in a seat of a match does not look at it."""


class Asking(Protocol):
    """What of an open match says whether a standing order answers."""

    id: int
    session: Session
    left_to: tuple[str, int] | None

    @property
    def standing(self) -> Mapping[str, Standing]:
        """The standing orders of the seats that have some."""

    @property
    def waits_for_dice(self) -> bool:
        """Whether a player's share of the dice is still to come."""

    def controller(self, seat: str) -> Controller:
        """Who plays a seat."""


def policies_of(game: Game[Any]) -> dict[str, list[str]]:
    """The policies of each standing order of a game."""
    return {order.id: [policy.id for policy in order.policies] for order in game.standing_orders()}


def policy_for(match: Asking, decision: Decision, view: Any, is_away: IsAway) -> str:
    """The policy that answers; empty where the person does."""
    orders = match.standing[decision.seat]
    if match.controller(decision.seat).kind != "human" or match.waits_for_dice:
        return ""
    if orders.mode == "away" and not is_away(match.id, decision.seat):
        return ""
    topic = match.session.game.standing_order(view)
    policy = orders.policies.get(topic, "")
    if policy not in policies_of(match.session.game).get(topic, ()) or _is_held(match, orders, decision.seat):
        return ""
    return policy


def _is_held(match: Asking, orders: Standing, seat: str) -> bool:
    """Whether the match was taken back to here, and the player decides once more."""
    if orders.held < 0:
        return False
    since = match.session.entries[orders.held :]
    return not any(entry.seat == seat and not entry.action.startswith("@") for entry in since)


def answers_for(match: Asking, decision: Decision) -> bool:
    """Whether a standing order answers for a player who looks on: of such a player nothing is asked."""
    seat = decision.seat
    if seat not in match.standing or match.left_to == (seat, match.session.version):
        return False
    game, view = match.session.game, match.session.game.view_of(match.session.state, seat)
    policy = policy_for(match, decision, view, _looks_on)
    return policy == AS_COMPUTER.id or bool(policy and game.standing_answer(view, policy) is not None)


def _looks_on(match_id: int, seat: str) -> bool:
    return False
