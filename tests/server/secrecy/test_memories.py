"""What computer players remember belongs to the match: a server that starts again, or a worker that is replaced,
changes nothing of what they play."""

from __future__ import annotations

import json
import random
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.advice.analysis import plan
from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import TimedClock
from rasputitsa.core.record.new import new_session
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.archive import MatchTerms, keep, pack
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.memories import SCOPE
from rasputitsa.server.store import Store
from rasputitsa.server.workers import bots
from tests.property.test_wir_games import choose

SECONDS = 30.0
"""More than any plan needs, so that the clock has no say."""
OFTEN = 83
"""Decisions between two restarts: in the middle of phases, and of plans."""


class Silent:
    """The pipe of a worker that is in no hurry."""

    def poll(self) -> bool:
        return False

    def send(self, message: object) -> None:
        """Nobody waits."""


def new_match(store: Store, title: str) -> int:
    session = new_session("wir", "zitadelle", seed=0, controllers={"axis": "bot planner", "soviet": "bot planner"})
    match_dice.begin(session, 41, None)
    return keep(store, pack(session), MatchTerms(title)).number


def played(store: Store, number: int, turn: int, often: int = 0) -> Match:
    """A match played by its bots up to a turn; with ``often`` server and worker start again every few decisions."""
    match, minds = Match(store, number), OrderedDict[Any, Any]()
    pipe: Any = Silent()
    step = 0
    while match.session.state.turn < turn:
        step += 1
        if often and step % often == 0:
            match, minds = Match(store, number), OrderedDict()
        asked = match.bot_turn()
        assert asked is not None
        told, action, notes = bots._answer(asked, SECONDS, minds, pipe)
        assert told == "done", action
        match.answer(asked, action, notes)
    return match


def remembered(match: Match, seat: str) -> Any:
    memory = match.memory_of(seat)
    assert memory is not None
    return memory.to_json()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    kept = Store(tmp_path / "matches.sqlite3")
    yield kept
    kept.close()


def test_restarts_in_the_middle_of_a_campaign_change_no_order(store: Store) -> None:
    """Also what is remembered is the same: kept or not, from the record alone, and for a hint."""
    steady, shaken = new_match(store, "steady"), new_match(store, "shaken")
    one, other = played(store, steady, 3), played(store, shaken, 3, OFTEN)
    assert [entry.action for entry in one.session.entries[0:]] == [e.action for e in other.session.entries[0:]]
    for seat in ("axis", "soviet"):
        assert remembered(one, seat) == remembered(other, seat)
    assert store.analysis(steady, SCOPE) is not None
    store.keep_analysis(steady, SCOPE, {})
    bare = Match(store, steady)
    alone = MemoryTracker(bare.session.game, bare.session.header.options, bare.session.state_at(0))
    alone.follow(bare.session)
    for seat in ("axis", "soviet"):
        memory = alone.of(seat)
        assert memory is not None
        assert memory.to_json() == remembered(bare, seat) == remembered(one, seat)
        assert memory.to_json()["enemy"]["turn"] == 3
    hinted = one.session.decision()
    assert hinted is not None
    seen = one.session.game.view_of(one.session.state, hinted.seat)
    before = remembered(one, hinted.seat)
    memory = one.memory_of(hinted.seat)
    plan(one.session.game, seen, hinted, TimedClock(5.0), one.session.header.options, memory)
    assert remembered(one, hinted.seat) == before, "to ask for a hint teaches nothing"


def test_moves_taken_back_are_forgotten(store: Store) -> None:
    number = new_match(store, "undone")
    match = played(store, number, 2)
    at = match.session.version
    before = remembered(match, "axis")
    match = played(store, number, 3)
    assert remembered(match, "axis") != before
    match.session.rewind(at)
    match.memories.rewound(at)
    assert remembered(match, "axis") == before


def shown_again(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The orders of the record that memories are shown from now on, apart from those just given."""
    shown, real = list[str](), MemoryTracker._replay

    def replay(onlookers: MemoryTracker, session: Any, state: Any, entry: Any) -> Any:
        shown.append(entry.action)
        return real(onlookers, session, state, entry)

    monkeypatch.setattr(MemoryTracker, "_replay", replay)
    return shown


def by_people(store: Store) -> Match:
    session = new_session("wir", "zitadelle", seed=3)
    match_dice.begin(session, 41, None)
    return Match(store, keep(store, pack(session), MatchTerms("by people")).number)


def order(match: Match, chooser: random.Random) -> str:
    """Give an order at random; the seat that gave it."""
    decision = match.session.decision()
    assert decision is not None
    options = [option for option in decision.options if option.verb not in ("end_game", "level")]
    action = match.session.game.format(match.session.state, choose(chooser, options))
    match.act(decision.seat, match.version(decision.seat), action)
    return decision.seat


def test_no_question_is_more_work_because_nobody_has_asked_before(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the time of the first answer in a phase tells that nobody has asked yet, and how many orders there were."""
    match, chooser = by_people(store), random.Random(4)
    shown, asked = shown_again(monkeypatch), set[Any]()
    while match.session.state.turn < 3:
        order(match, chooser)
        shown.clear()  # a line of several orders is gone through once more, by the match that gives it
        place = match.session.game.turn_and_phase(match.session.state)
        if place not in asked:
            asked.add(place)
            for seat in ("axis", "soviet"):
                remembered(match, seat)
            assert shown == []
    assert len(asked) > 6


def test_orders_taken_back_are_forgotten_and_no_more_than_the_phase_is_gone_through_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the time of a step back tells how many orders the enemy gave before."""
    match, chooser = by_people(store), random.Random(7)
    shown, session = shown_again(monkeypatch), match.session
    costs = set[bool]()
    while session.state.turn < 2:
        place, before = session.game.turn_and_phase(session.state), remembered(match, "axis")
        seat = order(match, chooser)
        shown.clear()
        if session.game.turn_and_phase(session.state) == place and session.can_undo(seat):
            match.undo(seat, match.version(seat))
            costs.add(bool(shown))
            assert len(shown) <= sum(place == other for other in session.places[0:])
            shown.clear()
            assert remembered(match, "axis") == before and shown == []
            order(match, chooser)
            shown.clear()
    alone = MemoryTracker(session.game, session.header.options, session.state_at(0))
    alone.follow(session)
    memory = alone.of("axis")
    assert memory is not None and memory.to_json() == remembered(match, "axis")
    assert costs == {True, False}, "only those that taught something are gone through again"


def test_what_an_earlier_version_has_kept_is_made_again(store: Store) -> None:
    match, chooser = by_people(store), random.Random(6)
    while match.session.state.turn < 2:
        order(match, chooser)
    known = remembered(match, "axis")
    kept = store.analysis(match.id, SCOPE)
    assert kept is not None
    for point in kept["points"]:
        point["seats"] = {seat: json.dumps({**json.loads(text), "version": 0}) for seat, text in point["seats"].items()}
    store.keep_analysis(match.id, SCOPE, kept)
    assert remembered(Match(store, match.id), "axis") == known


def test_whoever_steps_back_and_asks_again_has_a_week_replayed_at_most(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nobody has asked before: the record may come from a file, with all its weeks at once."""
    number = new_match(store, "from a file")
    played(store, number, 4)
    store.keep_analysis(number, SCOPE, {})
    replayed = shown_again(monkeypatch)
    match = Match(store, number)
    remembered(match, "axis")
    whole = len(replayed)
    assert whole == match.session.version
    weeks = [week for week, _ in match.session.places[0:]]
    for at in (whole - 1, whole - 2, weeks.index(weeks[-1]) - 1):
        match.session.rewind(at)
        match.memories.rewound(at)
        replayed.clear()
        before = remembered(match, "axis")
        assert len(replayed) <= weeks.count(weeks[at - 1]) < whole / 2
        alone = MemoryTracker(match.session.game, match.session.header.options, match.session.state_at(0))
        alone.follow(match.session)
        memory = alone.of("axis")
        assert memory is not None and memory.to_json() == before
