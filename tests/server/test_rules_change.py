"""After an update that changes the rules a match goes on from where it stood; whatever happens, none is stranded."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.core import registry
from rasputitsa.core.errors import RulesChangedError, SaveError
from rasputitsa.core.record.entries import RESUMED
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import CHANGED, Session
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.rules.logistics import replacements
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches import match_dice, rebuilding
from rasputitsa.server.matches.archive import MatchTerms, keep, pack
from rasputitsa.server.matches.match import Match
from rasputitsa.server.store import Store
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist


def played(entries: int, seed: int = 8) -> Session:
    session, rng = new_session("portfolio", "june22", seed=seed), random.Random(seed)
    while session.version < entries and (decision := session.decision()) is not None:
        session.play(session.game.format(session.state, rng.choice(list(decision.options)[:30])), decision.seat)
    return session


@pytest.fixture
def other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an update: both sides get more points for new units than they did."""
    begin = replacements.begin

    def generous(s: Any, side: int, play: Any) -> None:
        begin(s, side, play)
        s.infantry_points[side] += 3

    monkeypatch.setattr(replacements, "begin", generous)
    other_program(monkeypatch)


def other_program(monkeypatch: pytest.MonkeyPatch, version: int | None = None) -> None:
    """Another digest of the rules."""

    def digest(game_id: str) -> str:
        return f"{version or registry.get_game(game_id).rules_version}-0123456789ab"

    for module in ("rasputitsa.core.record.session", "rasputitsa.server.matches.rebuilding"):
        monkeypatch.setattr(f"{module}.rules_digest", digest)


def crossing(store: Store) -> tuple[int, Session]:
    """A match whose last entries the change of the rules is about, and the session it is kept from."""
    for seed in range(8, 40):
        session = played(260, seed)
        begun = [
            n
            for n, events in enumerate(session.events)
            if any(e.kind == "phase" and e.args[1:2] == ("replacement",) for e in events)
        ]
        if begun and session.version - begun[-1] < 60 and session.decision() is not None:
            return keep(store, pack(session), MatchTerms("crossing")).number, session
    raise AssertionError("no such game")


def test_a_match_goes_on_under_changed_rules_from_where_it_stood(
    config: ServerConfig, request: pytest.FixtureRequest
) -> None:
    store = Store(config.database)
    number, before = crossing(store)
    request.getfixturevalue("other_rules")
    match = Match(store, number)
    session = match.session
    assert session.state == before.state, "not a unit stands elsewhere"
    assert session.version == before.version + 1
    assert session.floor == session.version and session.entries[-1].action == RESUMED
    assert session.entries[: before.version] == before.entries, "the log is whole"
    seen = match.view(None)
    assert seen["rules_changed"] == session.floor
    assert "rules have changed" in seen["last_events"][-1]["events"][0]["text"]
    for ply in (0, before.version // 2, before.version):
        with pytest.raises(RulesChangedError, match="rules of this program have changed"):
            session.state_at(ply)
    assert len(match.log(None, 0)) == session.version and match.log(None, 0)[3]["events"] is not None
    # it goes on, goes back as far as the change, and is taken up again without a second change
    rng = random.Random(1)
    for _ in range(30):
        decision = match.session.decision()
        assert decision is not None
        line = match.session.game.format(match.session.state, rng.choice(list(decision.options)))
        match.act(decision.seat, match.version(decision.seat), line)
    again = Match(store, number)
    assert again.session.state == match.session.state and again.session.floor == session.floor
    assert [entry.action for entry in again.session.entries].count(RESUMED) == 1
    assert again.session.state_at(session.floor) == before.state
    seat = next(iter(match.seats))
    with pytest.raises(Exception, match=CHANGED[:40]):
        again.undo(seat, again.version(seat), before.version - 5)
    # and it can be saved, read again, and kept as a new match
    copy = Session.load(again.export())
    assert copy.state == again.session.state and copy.floor == session.floor
    kept = Match(store, keep(store, pack(copy), MatchTerms("copy")).number)
    assert kept.session.state == again.session.state and kept.session.floor == session.floor
    store.close()


def test_a_copy_tells_what_came_of_entries_played_under_earlier_rules(
    config: ServerConfig, request: pytest.FixtureRequest
) -> None:
    store = Store(config.database)
    number, before = crossing(store)
    request.getfixturevalue("other_rules")
    match = Match(store, number)
    copy = match_dice.branch(match.branch(None, None))
    assert copy.state == match.session.state and copy.floor == match.session.floor
    assert list(copy.events) == list(match.session.events) and any(before.events)
    assert list(copy.places) == list(match.session.places)
    kept = Match(store, keep(store, pack(copy), MatchTerms("copy")).number)
    assert [item["events"] for item in kept.log(None, 0)] == [item["events"] for item in match.log(None, 0)]
    store.close()


def test_a_game_saved_before_the_rules_changed_can_be_taken_up(
    config: ServerConfig, request: pytest.FixtureRequest
) -> None:
    store = Store(config.database)
    _, before = crossing(store)
    text = before.save()
    request.getfixturevalue("other_rules")
    session = Session.load(text)
    assert session.floor == before.version + 1 and session.state == before.state
    assert session.entries[: before.version] == before.entries
    store.close()


def test_the_same_program_takes_no_damage_for_a_change_of_rules() -> None:
    session = played(60)
    lines = session.save().splitlines()
    entry = json.loads(lines[30])
    entry["after"] = "0" * 12
    damaged = "\n".join([*lines[:30], json.dumps(entry), *lines[31:]])
    with pytest.raises(SaveError, match=r"entry 30 .* leads to another position"):
        Session.load(damaged)


def test_an_update_that_changes_nothing_here_goes_unnoticed(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(config.database)
    number = keep(store, pack(played(150)), MatchTerms("quiet")).number
    other_program(monkeypatch)
    match = Match(store, number)
    assert match.session.floor == 0 and match.session.version == 150
    assert match.view(None)["rules_changed"] is None
    store.close()


def test_rules_that_no_option_keeps_are_reported_in_any_case(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(config.database)
    session = played(90)
    number = keep(store, pack(session), MatchTerms("told")).number
    newer = PortfolioGame.rules_version + 1
    monkeypatch.setattr(PortfolioGame, "rules_version", newer)
    monkeypatch.setattr(PortfolioGame, "unkept", frozenset({newer}))
    other_program(monkeypatch, newer)
    match = Match(store, number)
    assert match.session.floor == session.version + 1 and match.session.state == session.state
    store.close()


def test_looking_back_over_a_change_tells_why_not(config: ServerConfig, request: pytest.FixtureRequest) -> None:
    store = Store(config.database)
    session = played(400)
    number = keep(store, pack(session), MatchTerms("long")).number
    store.close()
    request.getfixturevalue("other_rules")
    answers = []
    with connect(config) as client:
        for at in range(0, session.version, 9):
            response = client.get(f"/api/matches/{number}/view", params={"at": at})
            answers.append(response.status_code)
            assert response.status_code in (200, 409), response.text
            if response.status_code == 409:
                assert (
                    response.json()["error"] == {"code": "rules_changed", "message": CHANGED, "rule": ""}
                    or "view" in response.json()["error"]
                )
        assert client.get(f"/api/matches/{number}/view").status_code == 200
    assert 409 in answers


# ---------------------------------------------------------------------- nothing is stranded


def damage_positions(raw: sqlite3.Connection) -> None:
    raw.execute("UPDATE snapshots SET body = x'78'")


def damage_entries(raw: sqlite3.Connection) -> None:
    damage_positions(raw)
    raw.execute("UPDATE journal SET line = replace(line, 'hide 3', 'hide 33')")


def of_unknown_data(raw: sqlite3.Connection) -> None:
    (header,) = raw.execute("SELECT header FROM matches").fetchone()
    raw.execute("UPDATE matches SET header = ?", [json.dumps({**json.loads(header), "data": "0" * 16})])


def of_newer_rules(raw: sqlite3.Connection) -> None:
    (header,) = raw.execute("SELECT header FROM matches").fetchone()
    raw.execute("UPDATE matches SET header = ?", [json.dumps({**json.loads(header), "rules_version": 99})])


def play_some(client: TestClient) -> Duelist:
    duel = Duelist.start(client)
    for seat, action in TURN:
        duel.act(seat, action)
    return duel


def test_a_match_whose_positions_are_damaged_is_replayed(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = play_some(client)
        before = duel.view("red")
    with sqlite3.connect(config.database) as raw:
        damage_positions(raw)
    with connect(config) as client:
        assert Duelist(client, duel.id, duel.keys).view("red") == before


def test_a_match_that_had_to_be_replayed_keeps_its_whole_log(config: ServerConfig) -> None:
    store = Store(config.database)
    number = keep(store, pack(played(100)), MatchTerms("long")).number
    with sqlite3.connect(config.database) as raw:
        damage_positions(raw)
    match, rng = Match(store, number), random.Random(3)
    for _ in range(100):
        decision = match.session.decision()
        assert decision is not None
        line = match.session.game.format(match.session.state, rng.choice(list(decision.options)[:30]))
        match.act(decision.seat, match.version(decision.seat), line)
    assert len(match.log(None, 0)) == match.session.version == 200
    assert Match(store, number).session.state == match.session.state
    store.close()


@pytest.mark.parametrize("damage", [damage_entries, of_unknown_data, of_newer_rules])
def test_whoever_has_a_seat_can_list_save_and_delete_what_cannot_be_played(config: ServerConfig, damage: Any) -> None:
    public = ServerConfig(**{**vars(config), "local": False}) if hasattr(config, "__dict__") else config
    with connect(config) as client:
        duel = play_some(client)
    with sqlite3.connect(config.database) as raw:
        damage(raw)
    with connect(public, host="203.0.113.9") as client:
        assert client.get(duel.url("view"), params=duel.auth("red")).status_code == 500
        lobby = client.post("/api/lobby", json={"keys": {duel.id: duel.keys}})
        assert [row["id"] for row in lobby.json()] == [duel.id]
        assert client.get(duel.url("export"), params={"seat": "red", "key": "wrong"}).status_code == 403
        saved = client.get(duel.url("export"), params=duel.auth("red"))
        assert saved.status_code == 200 and len(saved.text.splitlines()) == len(TURN) + 2
        assert client.delete(f"/api/matches/{duel.id}", params={"seat": "red", "key": "wrong"}).status_code == 403
        assert client.delete(f"/api/matches/{duel.id}", params=duel.auth("red")).status_code == 200


def test_a_position_that_is_packed_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = played(20).snapshot()
    body = rebuilding.pack(snapshot)
    assert rebuilding.unpack(body) == snapshot
    monkeypatch.setattr(rebuilding, "MAX_SNAPSHOT_BYTES", 100)
    with pytest.raises(SaveError):
        rebuilding.unpack(body)
    for bad in (b"", b"x", body[:-9], bytes(1000)):
        with pytest.raises(SaveError):
            rebuilding.unpack(bad)


def test_a_match_in_memory_stays_small(config: ServerConfig, tmp_path: Path) -> None:
    store = Store(config.database)
    number = keep(store, pack(played(600)), MatchTerms("long")).number
    match = Match(store, number)
    for _ in range(3):
        match.log(None, 0)
        match.view_at(None, 300)
    assert len(match.session.entries._here) <= 64 and len(match.session.kept) <= 3
    store.close()
