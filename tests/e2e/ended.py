"""Every way in which a match ends that the page has a card for, as saved matches."""

from __future__ import annotations

from rasputitsa.ai.match import ComputerPlayer
from rasputitsa.core.record.entries import RESIGNED
from rasputitsa.core.record.new import lesson_session, new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from tests.e2e.asked import GUARD

SEEDS = 20
STEPS = 3000
EVENINGS = {"portfolio": "leningrad_1941", "wir": "kursk_south"}
CAMPAIGNS = {"portfolio": "june22", "wir": "barbarossa"}
ROULETTE = ("siberia", "done", "pick 4", "cast")


def every_end(game: str) -> dict[str, str]:
    """For each card that the page has for the end of a match a saved one: lessons, an evening and a whole game."""
    first, *others = get_game(game).lessons()
    found = {f"lesson {one.id}": _played(lesson_session(game, one.id, seed=1)) for one in others}
    for how, by in (("won", "planner"), ("lost", "random")):
        session = found[f"lesson {how}"] = _played(lesson_session(game, first.id, seed=1), by=by)
        outcome = session.outcome()
        assert outcome is not None and (outcome.winner == first.seat) == (how == "won")
    found["evening"] = _played(new_session(game, EVENINGS[game], seed=1))
    found["evening given up"] = _given_up(game, EVENINGS[game])
    found["campaign given up"] = _given_up(game, CAMPAIGNS[game])
    if game == "portfolio":
        found["campaign"] = lost_by_a_die()
    return {name: session.save() for name, session in found.items()}


def _played(session: Session, by: str = "greedy") -> Session:
    """Let a computer player play to the end."""
    player = ComputerPlayer(session, by, seed=1)
    for _ in range(STEPS):
        if session.outcome() is not None:
            return session
        player.play()
    raise AssertionError(f"{session.header.scenario}: no end after {STEPS} answers")


def _given_up(game: str, scenario: str) -> Session:
    session = new_session(game, scenario, seed=1)
    decision = session.decision()
    assert decision is not None
    session.end(decision.seat, RESIGNED)
    return session


def lost_by_a_die() -> Session:
    """A game that Siberian roulette has ended."""
    return next(session for session in map(_gambled, range(SEEDS)) if session.outcome() is not None)


def _gambled(seed: int) -> Session:
    """A game in which Siberian roulette has been played."""
    session = new_session("portfolio", CAMPAIGNS["portfolio"], seed=seed, position=GUARD)
    for action in ROULETTE:
        session.play(action)
    return session
