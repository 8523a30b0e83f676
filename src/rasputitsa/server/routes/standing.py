"""Standing orders of the caller's own seat: which small decisions are answered beforehand, and how."""

from __future__ import annotations

from fastapi import Request

from rasputitsa.core.game import AS_COMPUTER
from rasputitsa.server.accounts.rated_games import RATED, is_played_rated
from rasputitsa.server.errors import conflict
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.open_match import OpenMatch
from rasputitsa.server.matches.standing.answers import checked
from rasputitsa.server.models import StandingBody
from rasputitsa.server.routes.games import choice_json
from rasputitsa.server.routes.matches import KeyQuery, SeatQuery, look_at, match_number, rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import seats_changed
from rasputitsa.server.shapes.standing import StandingInfo

router = api_router()


@router.get("/matches/{match_id}/standing")
async def standing(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> StandingInfo:
    """What the game offers, and what the caller has chosen; a caller without a seat has chosen nothing."""

    rooms = rooms_of(request)

    def work(match: Match) -> StandingInfo:
        return _standing_orders(*look_at(match, seat, key), alone=is_played_rated(rooms.store, match))

    return await rooms.read(await rooms.open(match_number(match_id)), work)


@router.post("/matches/{match_id}/standing")
async def set_standing(request: Request, match_id: str, body: StandingBody) -> StandingInfo:
    """Choose for the caller's own seat, in place of what was chosen before; nobody else learns of it."""
    rooms = rooms_of(request)

    def work(match: Match) -> StandingInfo:
        match.require_key(body.seat, body.key)
        if match.session.decision() is None:
            raise conflict("over", "the game is over")
        if match.controller(body.seat).kind != "human":
            raise conflict("not_your_seat", f"{body.seat} is played by the computer")
        alone, policies = is_played_rated(rooms.store, match), checked(match.session.game, body.policies)
        if alone and AS_COMPUTER.id in policies.values():
            raise conflict(RATED, "in a rated match nothing is left to the computer")
        rooms.store.require_room()
        rooms.store.set_standing(match.id, body.seat, body.mode, policies)
        match.read_standing()
        return _standing_orders(match, body.seat, alone=alone)

    room = await rooms.open(match_number(match_id))
    answer = await rooms.read(room, work)
    seats_changed(room, [body.seat])
    rooms.play_bots(room)
    return answer


def _standing_orders(match: OpenMatch, seat: str | None, *, alone: bool) -> StandingInfo:
    """``alone``: the computer decides nothing for anybody."""
    offered = match.session.game.standing_orders() if match.session.decision() else ()
    chosen = match.standing.get(seat) if seat is not None else None
    return {
        "offered": [
            {
                "id": order.id,
                "title": order.title,
                "help": order.help,
                "rule": order.rule,
                "policies": [choice_json(policy) for policy in order.policies if not alone or policy != AS_COMPUTER],
            }
            for order in offered
        ],
        "mode": chosen.mode if chosen else "away",
        "policies": dict(chosen.policies) if chosen else {},
    }
