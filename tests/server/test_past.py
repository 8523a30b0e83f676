"""Looking back: what was secret stays so while a match goes on, and is laid open when it is over."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from rasputitsa.core.record.entries import Entry
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches import match as matches
from rasputitsa.server.matches.reading import packed_of
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist

HIDDEN = int(TURN[0][1].split()[1])


def test_once_a_match_is_over_its_past_is_laid_open(duel: Duelist) -> None:
    steps = [*TURN, *TURN]
    for seat, action in steps[:-1]:
        duel.act(seat, action)
        assert duel.view("blue", at=1)["secret"] is None, "the match goes on"
    assert duel.view("red", at=1)["secret"] == HIDDEN
    duel.act(*steps[-1])
    assert duel.view("blue")["outcome"] is not None
    assert duel.view("blue", at=1)["secret"] == HIDDEN
    # both agree to go back: there are secrets again
    for seat in ("red", "blue"):
        duel.undo(seat, to=len(steps) - 1)
    assert duel.view("blue")["outcome"] is None
    assert duel.view("blue", at=1)["secret"] is None


def test_a_week_of_a_war_that_is_over_shows_both_armies(client: TestClient) -> None:
    people = {seat: {"kind": "human"} for seat in ("axis", "soviet")}
    body = {"game": "wir", "scenario": "zitadelle", "options": {}, "players": 2, "controllers": people, "seed": 3}
    made = client.post("/api/matches", json=body).json()
    war = Duelist(client, made["id"], made["keys"])

    def known(side: str, at: int | None = None) -> set[bool]:
        """Whether groups of one side are known to the other."""
        view = war.view("soviet" if side == "axis" else "axis", **({} if at is None else {"at": at}))
        return {"units" in unit for unit in view["units"] if unit["side"] == side and unit["type"] != "air"}

    war.act("axis", "end_game")
    assert known("axis") == known("soviet") == known("soviet", at=0) == {False}
    war.act("soviet", "agree")
    assert war.view("axis")["outcome"] is not None
    assert known("axis", at=0) == known("soviet", at=0) == known("soviet", at=1) == {True}


def test_the_number_picked_in_secret_is_laid_open_with_the_board_game() -> None:
    game = get_game("portfolio")
    state = game.setup("june22", {})
    state.secret = 3
    told = {seat: game.observe(state, seat)["siberia"]["picked"] for seat in ("axis", "soviet")}
    assert told == {"axis": 3, "soviet": None}
    assert game.observe_all(state)["siberia"]["picked"] == 3


def test_an_imported_game_is_played_back_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    session = new_session("wir", "barbarossa_short", {}, seed=1)
    for line in ("done", "done", "auto supply"):
        session.play(line)
    played: list[Entry] = []
    once = Session.replay_entry

    def counted(self: Session, entry: Entry) -> None:
        played.append(entry)
        once(self, entry)

    monkeypatch.setattr(Session, "replay_entry", counted)
    headers = {"content-type": "application/x-ndjson"}
    answer = client.post("/api/import", content=session.save().encode(), headers=headers)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert played == [], "not in the server's own process"
    packed_of(session.save().encode(), seconds=60)
    assert played == session.entries, "and once where it is read"
    monkeypatch.undo()
    war = Duelist(client, made["id"], made["keys"])
    assert war.view("soviet")["ply"] == session.version, "one order of the Axis is told as one"
    kept = client.get(war.url("export"), params=war.auth("axis")).text
    assert Session.load(kept).game.fingerprint(Session.load(kept).state) == session.game.fingerprint(session.state)


def test_a_long_match_can_be_looked_back_at_from_its_beginning(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What no longer is in memory is read from the store, also what was made since the match was opened."""
    monkeypatch.setattr(matches, "IN_MEMORY", 2)

    def actions(duel: Duelist) -> list[str]:
        items = duel.client.get(duel.url("log"), params=duel.auth("red")).json()
        return [item["action"] for item in items]

    with connect(config) as client:
        duel = Duelist.start(client, scenario="long")
        duel.play(TURN)
        assert actions(duel) == [action for _, action in TURN]
    with connect(config) as client:
        duel = Duelist(client, duel.id, duel.keys)
        duel.play(TURN * 2)
        assert actions(duel) == [action for _, action in TURN * 3]
        for seat in ("red", "blue"):
            duel.undo(seat, to=5)
        other = [("red", "hide 6"), ("blue", "guess 1"), *TURN[2:], *TURN]
        duel.play(other)
        assert actions(duel) == [action for _, action in [*TURN, *other]]
