"""Matches that differ only in their dice and in the enemy's secrets answer alike, until an entry reveals it."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.matches import open_match
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.memories import Memories
from rasputitsa.server.matches.visibility import Sight
from rasputitsa.server.shapes.views import ShownBoard
from tests.property.test_wir_games import choose as choose_wir
from tests.server.secrecy.twins import Twin, Work, assert_alike, spy_on, twins
from tests.support import choose as choose_portfolio

ROUNDS = int(os.environ.get("RASPUTITSA_TWINS", "1"))
"""How many times as long as in continuous integration."""
UNSEEN = {
    "get", "halt", "plot", "unplot", "replace", "artillery", "auto_replace", "bomb", "ground", "auto_supply", "skip",
    "supply", "aircraft", "points", "reinforce", "back",
}  # fmt: skip
"""Orders of War in Russia that change nothing the other side sees when they are given."""

ENDING = {"supply", "skip", "auto_supply"}
"""Orders that may end the supply phase."""


def to_the_start_of_orders(session: Session, chooser: random.Random, rows: int) -> None:
    """Play on at random until a side begins to give its orders."""
    seat = ""
    while (decision := session.decision()) is not None:
        if decision.seat != seat:
            seat, rows = decision.seat, rows - 1
            if rows < 0:
                return
        options = [option for option in decision.options if option.verb not in ("end_game", "level")]
        session.play(session.game.format(session.state, choose_wir(chooser, options)))


def some_orders(twin: Twin, seat: str, chooser: random.Random, number: int, verbs: set[str] | None) -> None:
    """Orders at random, some of them taken back; without certain ``verbs`` they end no phase."""
    for _ in range(number):
        view = twin.players.view(seat)
        options = [o for o in view["decision"]["options"] if o["verb"] not in ("done", "end_game", "level")]
        options = [o for o in options if (o["verb"] in verbs if verbs else o["verb"] not in ENDING)]
        if view["can_undo"] and chooser.random() < 0.15:
            assert twin.players.undo(seat).status_code == 200
        elif options and (verbs is None or len(options) > 1 or chooser.random() < 0.5):
            verb = chooser.choice(sorted({o["verb"] for o in options}))
            twin.players.act(seat, chooser.choice([o["action"] for o in options if o["verb"] == verb]))


def heard(window: WebSocketTestSession, first: dict[str, Any]) -> list[Any]:
    """What a window has been sent since its first message."""
    window.send_json({"type": "ping"})
    found = []
    while (message := window.receive_json())["type"] != "pong":
        view, before = message.get("view", {}), first["view"]
        found.append(
            [message["type"], *((name, before[name], view[name]) for name in view if view[name] != before[name])]
        )
    return found


@pytest.mark.parametrize(
    ("rows", "kind"), [(0, "adjust"), (1, "depot"), (1, "movement"), (2, "movement"), (7, "adjust")]
)
def test_secret_orders_are_not_noticed_while_they_are_given(
    house: tuple[TestClient, TestClient], work: Work, rows: int, kind: str
) -> None:
    """One twin gives few orders, the other many and of other kinds; neither the enemy nor an onlooker can tell.

    All of them in one phase: the sequence of play is public.
    """
    owner, spy = house
    for turn in range(ROUNDS):
        chooser = random.Random(100 * turn + rows)
        session = new_session("wir", chooser.choice(["barbarossa_short", "case_blue"]), {}, seed=rows)
        to_the_start_of_orders(session, chooser, rows)
        while (decision := session.decision()) and decision.kind != kind:
            session.play("auto_supply" if decision.kind == "depot" else "done")
        mover = session.decision().seat  # type: ignore[union-attr]
        enemy = {"axis": "soviet", "soviet": "axis"}[mover]
        pair = twins(owner, spy, session, work)
        before = {seat: spy_on(pair[0], session, seat, rows) for seat in (enemy, None)}
        for twin, number in zip(pair, (3, 25), strict=True):
            row = twin.list_row()
            with twin.players.live(enemy) as window:
                first = window.receive_json()
                assert first["type"] == "view"
                some_orders(twin, mover, random.Random(number), number, None)
                twin.settle()
                assert heard(window, first) == []
            assert twin.list_row() == row
            for seat in (enemy, None):
                assert_alike(before[seat], spy_on(twin, session, seat, rows))


def test_a_look_is_as_much_work_whether_orders_were_given_or_not(
    house: tuple[TestClient, TestClient], work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The view of who is not told is not worked out again: a spy with a clock would count the orders."""
    session = new_session("wir", "barbarossa_short", {}, seed=1)
    to_the_start_of_orders(session, random.Random(1), 0)
    while (decision := session.decision()) and decision.kind == "depot":
        session.play("auto_supply")
    mover = session.decision().seat  # type: ignore[union-attr]
    enemy = {"axis": "soviet", "soviet": "axis"}[mover]
    twin, _ = twins(*house, session, work)
    shown: list[str | None] = []
    show = Match._show

    def counted(match: Match, sight: Sight, seat: str | None, version: int) -> ShownBoard:
        shown.append(seat)
        return show(match, sight, seat, version)

    for seat in (mover, enemy, None):
        twin.players.view(seat)
    monkeypatch.setattr(Match, "_show", counted)
    for number in range(5):
        some_orders(twin, mover, random.Random(number), 2, None)
        for seat in (enemy, None):
            twin.players.view(seat)
    assert set(shown) == {mover}


def test_what_seats_remember_of_a_long_record_is_made_up_in_parts_before_anybody_asks(
    house: tuple[TestClient, TestClient], work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session("wir", "barbarossa_short", {}, seed=2)
    to_the_start_of_orders(session, random.Random(2), 5)
    parts, once = defaultdict[int, list[int]](list), Memories.catch_up

    def catch_up(memories: Memories, record: Session, most: int | None = None) -> bool:
        before = memories._entry
        whole = once(memories, record, most)
        parts[memories._match_id].append(memories._entry - before)
        return whole

    monkeypatch.setattr(open_match, "PART", 50)
    monkeypatch.setattr(Memories, "catch_up", catch_up)
    twin, _ = twins(*house, session, work)
    told = parts[int(twin.players.id)]
    assert sum(told) >= session.version > 100 and max(told) == 50
    told.clear()
    twin.spy.get(twin.players.url("query"), params={**twin.params("axis"), "kind": "trapped"})
    assert told == [0]


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_secret_orders_are_not_told_afterwards(house: tuple[TestClient, TestClient], work: Work, rows: int) -> None:
    """Plots, strikes, supply and replacements: when it is the enemy's turn, the enemy finds the same in both twins."""
    owner, spy = house
    for turn in range(ROUNDS):
        chooser = random.Random(1000 * turn + rows)
        session = new_session("wir", "barbarossa_short", {}, seed=rows)
        to_the_start_of_orders(session, chooser, rows)
        mover = session.decision().seat  # type: ignore[union-attr]
        enemy = {"axis": "soviet", "soviet": "axis"}[mover]
        pair = twins(owner, spy, session, work)
        answers: list[list[dict[str, tuple[int, str, int]]]] = []
        for twin, number in zip(pair, (2, 20), strict=True):
            orders, told = random.Random(number), []
            while (view := twin.players.view(mover))["decision"]["mine"]:
                some_orders(twin, mover, orders, number, UNSEEN)
                view = twin.players.view(mover)
                actions = {o["action"]: o["verb"] for o in view["decision"]["options"]}
                twin.players.act(mover, next((a for a in ("done", "skip", "halt", "back") if a in actions), "done"))
            told += [spy_on(twin, session, seat, rows, asked=seat == enemy) for seat in (enemy, None)]
            own = random.Random(7)
            some_orders(twin, enemy, own, 6, UNSEEN)
            told.append(spy_on(twin, session, enemy, rows + 1, asked=True))
            answers.append(told)
        for first, second in zip(*answers, strict=True):
            assert_alike(first, second)


@pytest.mark.parametrize("players", ["2", "4"])
def test_dice_and_the_number_of_the_roulette_are_not_foretold(
    house: tuple[TestClient, TestClient], work: Work, players: str
) -> None:
    """At many moments of random games of The Russian Portfolio, for all seats and an onlooker."""
    owner, spy = house
    for turn in range(ROUNDS):
        chooser = random.Random(turn)
        session = new_session("portfolio", "june22", {"players": players}, seed=turn)
        seats = [seat.id for seat in session.game.seats(session.header.options)]
        for moment in range(4):
            for _ in range(120):
                decision = session.decision()
                assert decision is not None
                if decision.kind in ("pick", "resolve", "cast") and chooser.random() < 0.5:
                    break
                session.play(session.game.format(session.state, choose_portfolio(chooser, list(decision.options))))
            pair = twins(owner, spy, session, work)
            mover = session.decision().seat  # type: ignore[union-attr]
            for seat in (*seats, None):
                first, second = (spy_on(twin, session, seat, moment, 3, asked=seat == mover) for twin in pair)
                assert_alike(first, second)


def roulette() -> Session:
    """A game in which the Axis is about to pick its number."""
    for seed in range(100):
        session, chooser = new_session("portfolio", "june22", seed=seed), random.Random(seed)
        while (decision := session.decision()) is not None and session.version < 900:
            if decision.kind == "pick":
                return session
            called = [option for option in decision.options if option.verb == "siberia"]
            action = called[0] if called else choose_portfolio(chooser, list(decision.options))
            session.play(session.game.format(session.state, action))
    raise AssertionError("no game came to the roulette")


def test_the_number_picked_tells_itself_by_nothing(
    house: tuple[TestClient, TestClient],
    work: Work,
) -> None:
    owner, spy = house
    session = roulette()
    pair = twins(owner, spy, session, work)
    waiting = spy_on(pair[0], session, "soviet", 1)["view"][1]
    assert '"kind": "secret"' in waiting and "picks a number in secret" in waiting
    for twin, number in zip(pair, (1, 6), strict=True):
        twin.players.act("axis", f"pick {number}")
    for seat in ("soviet", None):
        first, second = (spy_on(twin, session, seat, 2, asked=seat == "soviet") for twin in pair)
        assert_alike(first, second)
