"""Twins of The Russian Portfolio with two or four people: what one side does in secret, and what partners do among
themselves, is noticed by nobody else; the person who started the match and owns the machine notices no more."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from rasputitsa.core.caching import cached
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.server.player import Duelist, claim
from tests.server.secrecy.everything import look_around
from tests.server.secrecy.twins import Twin, Work, assert_alike, kept, scrubbed, spy_on
from tests.support import choose

Frame = tuple[str, int, str, int]
"""A message to a window: its type, size, text and class of work, without what names the match."""


@cached
def roulette(players: str) -> str:
    """A game in which the Axis is about to pick its number."""
    for seed in range(100):
        session, chooser = new_session("portfolio", "june22", {"players": players}, seed=seed), random.Random(seed)
        while (decision := session.decision()) is not None and session.version < 900:
            if decision.kind == "pick":
                return session.save()
            called = [option for option in decision.options if option.verb == "siberia"]
            action = called[0] if called else choose(chooser, list(decision.options))
            session.play(session.game.format(session.state, action))
    raise AssertionError("no game came to the roulette")


def seated(owner: TestClient, guest: TestClient, root: Duelist, guests: list[str], work: Work) -> Twin:
    """A copy in which the owner of the machine has the other seats, and looks for what the guests do."""
    made = owner.post(root.url("copy"), json={})
    assert made.status_code == 201, made.text
    players = Duelist(owner, made.json()["id"], made.json()["keys"])
    for seat in guests:
        link = owner.post(players.url("invitations"), json={"of": seat})
        players.keys[seat] = claim(guest, link.json()["token"])["key"]
    return Twin(players, owner, work)


def frames(twin: Twin, window: WebSocketTestSession) -> list[Frame]:
    """What a window has been told, message for message."""
    twin.settle()
    before, found = twin.work.applied, []
    window.send_json({"type": "ping"})
    while (message := window.receive_json())["type"] != "pong":
        text = json.dumps(scrubbed(message, frozenset({"base"})))
        found.append((message["type"], len(text), text, (twin.work.applied - before) // 256))
    return found


def picks(twin: Twin, seat: str, number: int) -> None:
    twin.players.act(seat, f"pick {number}")


def whispers(twin: Twin, seat: str, number: int) -> None:
    """All that somebody can do without telling the other side: the more, the larger the number."""
    client, auth = twin.players.client, twin.players.auth(seat)
    said = {"text": "x" * 300, "to": "side"}
    for n in range(number - 1):
        requests: list[tuple[str, dict[str, Any]]] = [
            ("talk", {**said, "request_id": f"to the own side {n:04}"}),
            ("notes", {"text": f"We go north {n}", "version": ""}),
            ("invitations", {"of": seat, "kind": "device"}),
            ("keys", {}),
            ("hurry", {}),
            ("course", {}),
            ("hint", {}),
            ("actions", {"version": 1, "action": "done", "request_id": f"refused {n}"}),
        ]
        if len(twin.players.keys) == 4:  # otherwise it would be done
            requests.append(("end", {"how": "resign", "yes": n % 2 == 0}))
        for path, body in requests:
            assert client.post(twin.players.url(path), json={**auth, **body}).status_code < 500, path
        with twin.players.live(seat) as window:
            window.send_json({"type": "ping", "hidden": True})
            window.receive_json()


SECRETS = pytest.mark.parametrize("secret", [picks, whispers])


@SECRETS
@pytest.mark.parametrize("players", ["2", "4"])
def test_neither_enemies_nor_onlookers_nor_the_owner_notice_what_a_side_does_in_secret(
    house: tuple[TestClient, TestClient], work: Work, players: str, secret: Callable[[Twin, str, int], None]
) -> None:
    """Every answer and every message to a window, their number, size and class of work, is the same in both twins."""
    owner, guest = house
    session = Session.load(roulette(players))
    decision = session.decision()
    assert decision is not None
    axis = [seat.id for seat in session.game.seats(session.header.options) if seat.side == "axis"]
    spies = [seat.id for seat in session.game.seats(session.header.options) if seat.side != "axis"]
    root = kept(owner, session)
    heard: list[list[list[Frame]]] = []
    answers: list[list[dict[str, tuple[int, str, int]]]] = []
    for number in (1, 6):
        twin = seated(owner, guest, root, axis, work)
        with ExitStack() as stack:
            windows = [
                stack.enter_context(twin.players.live(seat, have=have))
                for seat in (*spies, None)
                for have in (None, "")
            ]
            seen = [frames(twin, window) for window in windows]
            assert all(seen), "each is shown the position"
            secret(twin, decision.seat, number)
            seen += [frames(twin, window) for window in windows]
        heard.append(seen)
        told = []
        for seat in (*spies, None):
            asked = twin.players.view(seat)["decision"]["mine"]
            spy_on(twin, session, seat, 1, 2, asked=asked)
            look_around(twin, seat, may_delete=True)
            del twin.answers["matches"]  # all matches of the owner's; the row of this one is among what was asked
            told.append(dict(twin.answers))
        answers.append(told)
    for first, second in zip(*heard, strict=True):
        assert first == second
    for one, other in zip(*answers, strict=True):
        assert_alike(one, other)


@pytest.mark.parametrize("players", ["2", "4"])
def test_the_number_picked_is_the_sides_own(house: tuple[TestClient, TestClient], work: Work, players: str) -> None:
    owner, guest = house
    session = Session.load(roulette(players))
    decision, seats = session.decision(), session.game.seats(session.header.options)
    assert decision is not None
    twin = seated(owner, guest, kept(owner, session), [seat.id for seat in seats if seat.side == "axis"], work)
    picks(twin, decision.seat, 4)
    known = {seat.side: set[Any]() for seat in seats}
    for seat in seats:
        known[seat.side].add(twin.players.view(seat.id)["siberia"]["picked"])
    assert known == {"axis": {4}, "soviet": {None}} and twin.players.view(None)["siberia"]["picked"] is None
