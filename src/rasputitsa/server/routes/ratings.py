"""Ratings: the list of a game, and those of who plays a rated match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fastapi import Request

from rasputitsa.server.accounts.rated_games import still_rated
from rasputitsa.server.matches.match import Match
from rasputitsa.server.naming import DELETED
from rasputitsa.server.ratings.scoring import place_of
from rasputitsa.server.ratings.standings import Ratings, Standing, Standings
from rasputitsa.server.routes.games import known_game
from rasputitsa.server.routes.matches import rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.ratings import (
    OwnRating,
    RatedHost,
    RatedPlayer,
    RatedSeatInfo,
    Rating,
    RatingList,
    SideWorth,
)
from rasputitsa.server.store import RatedMatch, Store
from rasputitsa.server.store.people.rated import FIRST

router = api_router()

MAX_LISTED_PLAYERS = 200
"""The best players of a game that are listed."""


def ratings_of(request: Request) -> Ratings:
    """The server's ratings."""
    return cast(Ratings, request.app.state.ratings)


@router.get("/ratings/{game_id}")
async def ratings(request: Request, game_id: str) -> RatingList:
    """The ratings of a game, the best first; and which side is favored, scenario by scenario."""
    game, rooms = known_game(game_id), rooms_of(request)

    def work() -> RatingList:
        standings, names = ratings_of(request).of(game.id), rooms.store.account_names()
        rated = [(names[account], known) for account, known in standings.players.items() if account in names]
        best = sorted(rated, key=lambda known: (known[1].provisional, -known[1].rating, known[0]))
        return {
            "game": game.id,
            "players": [_player(name, known) for name, known in best[:MAX_LISTED_PLAYERS]],
            "sides": _sides(standings, game.seats({})[0].side),
        }

    return await rooms.in_thread(work)


def _sides(standings: Standings, first: str) -> list[SideWorth]:
    return [
        {
            "scenario": scenario, "side": first, "points": round(worth.points), "games": worth.games,
            "low": round(worth.low), "high": round(worth.high),
        }
        for scenario, worth in sorted(standings.sides.items())
    ]  # fmt: skip


def _rating(known: Standing) -> Rating:
    return {
        "rating": round(known.rating), "low": round(known.low), "high": round(known.high), "games": known.games,
        "provisional": known.provisional,
    }  # fmt: skip


def _player(name: str, known: Standing) -> RatedPlayer:
    return {**_rating(known), "name": name, "won": known.won, "drawn": known.drawn, "lost": known.lost}


def own_ratings(request: Request, store: Store, account: str) -> list[OwnRating]:
    """The ratings of an account, game by game, where it has played rated matches."""
    games = sorted({result.game for result in store.results_of(account)})
    known = ((game, ratings_of(request).of(game).players.get(account)) for game in games)
    return [{**_rating(standing), "game": game} for game, standing in known if standing is not None]


def rated_hosts(request: Request, tables: Mapping[int, str]) -> dict[int, RatedHost | None]:
    """Who waits at the rated ones among open tables, given by the numbers of their matches and by their games.

    Nobody waits where the account is gone.
    """
    store = rooms_of(request).store
    waiting = {number: row.first or row.second for number, row in store.rated_among(tables).items()}
    names = store.account_names(set(waiting.values()))
    standings = {game: ratings_of(request).of(game) for game in {tables[number] for number in waiting}}
    return {
        number: _host(names[account], standings[tables[number]].players.get(account, Standing()))
        if account in names else None
        for number, account in waiting.items()
    }  # fmt: skip


def _host(name: str, known: Standing) -> RatedHost:
    return {"name": name, "rating": round(known.rating), "provisional": known.provisional}


def rated_json(request: Request, match: Match) -> list[RatedSeatInfo]:
    """Who plays the seats of a rated match; nobody for one that is not."""
    store = rooms_of(request).store
    rated = still_rated(store, match)
    if rated is None:
        return []
    names = store.account_names([rated.first, rated.second])
    standings = ratings_of(request).of(match.session.header.game)
    known = [(seat.id, place_of(match.session, seat.id)) for seat in match.session.seats]
    return [_seat(seat, rated, place, standings, names) for seat, place in known if getattr(rated, place)]


def _seat(seat: str, rated: RatedMatch, place: str, standings: Standings, names: dict[str, str]) -> RatedSeatInfo:
    account = rated.first if place == FIRST else rated.second
    standing, change = standings.players.get(account, Standing()), standings.changes.get(rated.result)
    number = 0 if place == FIRST else 1
    return {
        "seat": seat,
        "name": names.get(account, DELETED),
        "rating": round(standing.rating if change is None else change.before[number]),
        "provisional": standing.provisional,
        "after": None if change is None else round(change.after[number]),
    }
