"""A match taken up from what the store keeps is the match that was left, whatever was played and taken back."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.archive import keep, pack
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.seating import Controller
from rasputitsa.server.shapes.views import BoardView
from rasputitsa.server.store import Request, Store

GAMES = [("portfolio", "june22"), ("wir", "case_blue_short"), ("duel", "long")]
STEPS = 420
TALK = {"end_game", "agree"}


def act(match: Match, rng: random.Random, request: str) -> tuple[str, str, BoardView]:
    decision = match.session.decision()
    assert decision is not None
    options = [option for option in decision.options if option.verb not in TALK] or list(decision.options)
    line = match.session.game.format(match.session.state, rng.choice(options))
    version, seat = match.version(decision.seat), decision.seat
    return seat, line, match.act(seat, version, line, Request(seat, request, line))


def go_back(match: Match, rng: random.Random) -> None:
    to = rng.randrange(max(match.session.version - rng.choice((1, 5, 40, 200)), 0), match.session.version)
    for seat in match.human_seats():
        sight = match._news.sight(seat)
        if match.session.version > to and 0 <= (ply := sight.ply_at(to)) < sight.count:
            match.undo(seat, match.version(seat), ply)


def told(match: Match, session: Session | None = None) -> Any:
    session = session or match.session
    return (
        session.version, session.game.fingerprint(session.state), session.controllers, session.dice.counts,
        list(session.entries), list(session.events), list(session.places), match.entries,
        {seat: row.version for seat, row in match.seats.items()},
        [source.to_json() for source in session.header.sources], session.audit().to_json(),
    )  # fmt: skip


@pytest.mark.parametrize(("game_id", "scenario"), GAMES)
def test_a_match_taken_up_is_the_match_that_was_left(config: ServerConfig, game_id: str, scenario: str) -> None:
    rng, store = random.Random(game_id), Store(config.database)
    number = keep(store, pack(new_session(game_id, scenario, seed=3))).number
    match = Match(store, number)
    answers: list[tuple[str, str, str, BoardView]] = []
    for step in range(STEPS):
        if match.session.decision() is None:
            break
        chance = rng.random()
        if chance < 0.04 and match.session.version > 3:
            go_back(match, rng)
        elif chance < 0.06:
            match.set_controller(rng.choice(list(match.seats)), Controller("human", rng.choice(("Anna", "Boris", ""))))
        else:
            seat, line, answer = act(match, rng, f"request-{step}")
            answers.append((seat, line, f"request-{step}", answer))
        if rng.random() < 0.05:
            again = Match(store, number)
            assert told(again) == told(match)
            at = rng.randint(0, match.session.version)
            assert again.session.state_at(at) == match.session.state_at(at)
            match = rng.choice((match, again))
    whole = Session.from_entries(match.session.header, list(match.session.entries))
    assert whole.state == match.session.state
    for at in range(0, match.session.version, 17):
        assert Match(store, number).session.state_at(at) == whole.state_at(at)
    for seat, line, request, answer in rng.sample(answers, 40):
        repeated = match.act(seat, -1, line, Request(seat, request, line))
        for field in ("ply", "version", "units", "turn", "phase", "controllers", "last_events"):
            assert repeated.get(field) == answer.get(field), (request, field)
        with pytest.raises(ApiError, match="another action"):
            match.act(seat, -1, line, Request(seat, request, "other"))
    store.close()


def test_positions_are_kept_now_and_then_and_go_with_their_match(config: ServerConfig) -> None:
    rng, store = random.Random(5), Store(config.database)
    number = keep(store, pack(new_session("portfolio", "june22", seed=3))).number
    match = Match(store, number)
    for step in range(300):
        act(match, rng, str(step))
    rows = list(store.snapshots(number))
    assert 4 <= len(rows) <= 8 and rows[0].ply == match.session.version
    assert all(0 < later.ply - sooner.ply < 128 for later, sooner in pairwise(rows))
    store.delete(number)
    assert not list(store.snapshots(number)) and not store.journal(number)
    store.close()
