"""Answers by standing orders: what the server plays for a person who is away, or does not want to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rasputitsa.core.game import AS_COMPUTER, Game
from rasputitsa.server.errors import bad_request, conflict
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.policies import IsAway, policies_of, policy_for
from rasputitsa.server.matches.seating import stand_in
from rasputitsa.server.workers.bot_turn import BotTurn


@dataclass(frozen=True, slots=True)
class Ordered:
    """An answer that a policy gives."""

    standing: ClassVar[bool] = True
    seat: str
    version: int
    action: str
    """In notation."""


def server_decides(match: Match) -> bool:
    """Whether the open question is for a computer player, or for a seat that has standing orders."""
    decision = match.session.decision()
    if decision is None:
        return False
    return decision.seat in match.standing or match.controller(decision.seat).kind == "bot"


def next_turn(match: Match, is_away: IsAway) -> BotTurn | Ordered | None:
    """The decision that the server makes now, for a computer player or by a standing order; None for one of a person's.

    A policy sees no more than its seat may know.
    """
    if match.paused:
        return None
    turn = match.bot_turn()
    decision = match.session.decision()
    if turn is not None or decision is None or decision.seat not in match.standing:
        return turn
    game, view = match.session.game, match.session.game.view_of(match.session.state, decision.seat)
    policy = policy_for(match, decision, view, is_away)
    if policy == AS_COMPUTER.id:
        return match.turn_of(decision, stand_in(game.id).name, standing=True)
    action = game.standing_answer(view, policy) if policy else None
    if action is None:
        return None
    return Ordered(decision.seat, match.version(decision.seat), game.format(view, action))


def play(match: Match, turn: BotTurn | Ordered, action: str, notes: Mapping[str, Any] | None, is_away: IsAway) -> None:
    """Play what was decided; a person who has come meanwhile, or wants something else answered, decides instead."""
    if not turn.standing:
        assert isinstance(turn, BotTurn)
        match.answer(turn, action, notes)
        return
    again = next_turn(match, is_away)
    if not _is_same(again, turn):
        raise conflict("stale", "the match has moved on", match.view(turn.seat))
    match.answer_standing(turn.seat, turn.version, action)


def _is_same(again: BotTurn | Ordered | None, turn: BotTurn | Ordered) -> bool:
    """Whether the same is still to be answered in the same way."""
    if isinstance(turn, Ordered) or not isinstance(again, BotTurn):
        return again == turn
    return (again.standing, again.seat, again.version) == (True, turn.seat, turn.version)


def checked(game: Game[Any], chosen: Mapping[str, str]) -> dict[str, str]:
    """Policies as somebody has chosen them; refuses what the game does not offer."""
    known = policies_of(game)
    for topic, policy in chosen.items():
        if topic not in known:
            raise bad_request(f"there is no standing order {topic!r}; known: {', '.join(known) or 'none'}")
        if policy not in known[topic]:
            raise bad_request(f"{topic}: {policy!r} is not one of {', '.join(known[topic])}")
    return dict(chosen)
