"""Dice between people: nobody chooses them, nobody knows them before the end, and everybody can check them then."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.seeds import CHOSEN, DRAWN, SERVER, Share, Source, digest_of
from rasputitsa.core.record.session import Session
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.archive import MatchTerms, add_match, export_match, keep, pack
from rasputitsa.server.matches.match import Match
from rasputitsa.server.store import Store
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist, brought, claim
from tests.support import PATIENCE, choose

MINE, YOURS = "a1" * 16, "b2" * 16
FIRST = TURN[:3]


@pytest.fixture
def store(config: ServerConfig) -> Iterator[Store]:
    store = Store(config.database)
    yield store
    store.close()


def dice(duel: Duelist, seat: str = "red") -> dict[str, Any]:
    told: dict[str, Any] = duel.view(seat)["dice"]
    return told


def between_two(client: TestClient, **body: Any) -> Duelist:
    """Red has started the match, Blue has come, and both have brought a share."""
    duel = Duelist.start(client, guests=["blue"], share=MINE, **body)
    duel.keys["blue"] = claim(client, duel.links["blue"], share=YOURS)["key"]
    return duel


def sources_of(duel: Duelist) -> list[Source]:
    """Where the dice come from, as the server knows."""
    rooms = rooms_of(duel.client)
    return Match(rooms.store, int(duel.id)).session.header.sources


def finished(duel: Duelist) -> Session:
    """The saved game of a match that is over, read back."""
    return Session.load(duel.client.get(duel.url("export"), params=duel.auth("red")).text)


def test_each_person_brings_a_share_and_the_server_is_bound_before(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"], share=MINE)
    before = dice(duel)
    looked = client.post("/api/invitations/look", json={"token": duel.links["blue"]}).json()
    assert looked["dice"] == before["digest"], "the guest knows it before adding anything"
    assert before["awaits"] == ["blue"] and before["sources"][0]["shares"] == [brought("red", MINE)]
    duel.keys["blue"] = claim(client, duel.links["blue"], share=YOURS)["key"]
    after = dice(duel, "blue")
    assert after["digest"] == before["digest"], "the server could not draw again when it knew the shares"
    assert after["awaits"] == []
    assert after["sources"][0]["shares"] == [brought("red", MINE), brought("blue", YOURS)]
    duel.play(TURN * 2)
    told = dice(duel)
    assert told["sound"] and told["whole"] and told["words"] == "Every die comes from the seed (2 dice)."
    saved = finished(duel)
    assert saved.audit().words == told["words"] and saved.header.sources[0].digest == before["digest"]


def test_the_server_is_bound_before_somebody_joins_a_game_that_one_person_began(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.start(client, seed=5)
        duel.play(FIRST)
        old = dice(duel)["digest"]
        asked = {**duel.auth("blue"), "of": "blue", "kind": "guest"}
        token = client.post(duel.url("invitations"), json=asked).json()["token"]
        promised = client.post("/api/invitations/look", json={"token": token}).json()["dice"]
        assert len(promised) == 64 and promised != old
    with connect(config) as client:  # the promise outlives a restart
        assert client.post("/api/invitations/look", json={"token": token}).json()["dice"] == promised
        duel.client = client
        duel.keys["blue"] = claim(client, token, share=YOURS)["key"]
        after = dice(duel, "blue")
        assert after["digest"] == promised, "the server could not draw when it knew the share"
        assert brought("blue", YOURS) in after["sources"][-1]["shares"]
        duel.play(TURN[3:] + TURN)
        assert dice(duel)["sound"] and finished(duel).header.sources[-1].digest == promised


def test_a_renewed_link_promises_another_seed(client: TestClient) -> None:
    duel = Duelist.start(client)
    asked = {**duel.auth("blue"), "of": "blue", "kind": "guest"}
    digests = set()
    for _ in range(3):
        token = client.post(duel.url("invitations"), json=asked).json()["token"]
        digests.add(client.post("/api/invitations/look", json={"token": token}).json()["dice"])
    assert len(digests) == 3


def test_who_brings_no_share_gets_one_that_is_marked(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    shares = dice(duel)["sources"][0]["shares"]
    assert [(share["seat"], share["by"]) for share in shares] == [("red", SERVER), ("blue", SERVER)]
    assert len({share["share"] for share in shares}) == 2


def test_a_share_that_was_copied_does_not_count(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"], share=MINE)
    claim(client, duel.links["blue"], share=MINE)
    (red, blue) = dice(duel)["sources"][0]["shares"]
    assert red["share"] == MINE and blue["share"] != MINE and blue["by"] == SERVER


@pytest.mark.parametrize("share", ["", "a", "A1" * 16, "a1" * 16 + "\n", "g1" * 16, "a1" * 17, 5, ["a1" * 16]])
def test_a_malformed_share_is_refused(client: TestClient, share: Any) -> None:
    refused = client.post("/api/matches", json={"game": "duel", "scenario": "short", "share": share})
    assert refused.status_code == 400, refused.text
    duel = Duelist.start(client, guests=["blue"])
    body = {"token": duel.links["blue"], "request_id": "0123456789abcdef", "share": share}
    assert client.post("/api/invitations/claim", json=body).status_code == 400


def test_nobody_chooses_the_seed_between_people(client: TestClient) -> None:
    body = {"game": "duel", "scenario": "short", "guests": ["blue"], "seed": 7}
    refused = client.post("/api/matches", json=body)
    assert refused.status_code == 400 and "nobody chooses the seed" in refused.json()["error"]["message"]


def test_a_chosen_seed_ends_when_somebody_else_comes(client: TestClient) -> None:
    duel = Duelist.start(client, seed=7, share=MINE)
    duel.play(TURN)
    assert [source.made for source in sources_of(duel)] == [CHOSEN]
    token = client.post(duel.url("invitations"), json={**duel.auth("red"), "of": "blue"}).json()["token"]
    duel.keys["blue"] = claim(client, token, share=YOURS)["key"]
    old, new = sources_of(duel)
    assert (old.seed, new.made, new.start) == (7, DRAWN, 5) and new.seed is not None and new.seed > 2**100
    duel.play(TURN)
    assert finished(duel).audit().words == "Every die comes from the seed (2 dice)."


def test_what_foretells_the_dice_is_in_no_answer_before_the_end(client: TestClient, config: ServerConfig) -> None:
    duel = between_two(client)
    (source,) = sources_of(duel)
    texts = [client.get("/api/matches").text]
    for seat, action in [*TURN, *TURN][:-1]:
        duel.act(seat, action)
        for who in (duel.auth("red"), duel.auth("blue"), {}):
            for path in ("view", "view?at=1", "log", "query?kind=reach", "export", "course", "invitations"):
                texts.append(client.get(duel.url(path), params=who).text)
            texts.append(client.post(duel.url("copy"), json=who).text)
        texts.append(duel.send(duel.body("red", "fly A1")).text)
        assert sources_of(duel) == [source]
    texts.append(export_match(config.database, int(duel.id)))
    duel.act(*TURN[-1])
    assert not [text for text in texts if str(source.seed) in text or source.salt in text or str(source.key) in text]
    told = duel.view("blue")["dice"]["sources"][0]
    assert (told["seed"], told["salt"]) == (str(source.seed), source.salt)


def test_going_back_beyond_a_die_gives_another_one(client: TestClient) -> None:
    """Else both would know it. Alone at the screen the same die falls again: going back is no second chance."""
    duel = between_two(client)
    duel.play(FIRST)
    duel.undo("red", to=2)
    assert duel.undo("blue", to=2).json()["view"]["ply"] == 2
    duel.act("blue", "roll")
    duel.undo("red", to=0)
    assert duel.undo("blue", to=0).json()["view"]["ply"] == 0
    duel.play(TURN * 2)
    saved = finished(duel)
    (source,) = saved.header.sources
    assert source.skip == (("luck", 2),)
    assert saved.audit().counts == {"luck": 4} and saved.audit().confirmed == {"luck": 2}


def test_how_many_dice_fell_is_not_told_before_the_end(client: TestClient) -> None:
    """In a game with secrets, that tells something of what the others do."""
    duel = between_two(client)
    before = dice(duel)
    duel.play(FIRST)
    assert dice(duel) == before
    duel.undo("red", to=2)
    duel.undo("blue", to=2)
    assert {**dice(duel), "sources": []} == {**before, "sources": []}
    assert "skip" not in dice(duel)["sources"][-1]


def test_taking_back_own_steps_changes_no_dice(client: TestClient) -> None:
    duel = between_two(client)
    duel.play(FIRST)
    before = sources_of(duel)
    duel.act("red", "walk A2-A3")
    assert duel.undo("red").status_code == 200
    assert sources_of(duel) == before


def test_going_back_after_the_seed_was_published_draws_another(client: TestClient) -> None:
    duel = between_two(client)
    duel.play(TURN * 2)
    known = dice(duel)["seed"]
    duel.undo("red", to=6)
    assert duel.undo("blue", to=6).json()["view"]["ply"] == 6
    told = dice(duel)
    assert told["seed"] is None and known not in json.dumps(told)
    duel.play(TURN[1:])
    old, new = finished(duel).header.sources
    assert (str(old.seed), new.start) == (known, 6) and new.seed != old.seed and new.shares == old.shares
    assert finished(duel).audit().words == "Every die comes from the seed (2 dice)."


def test_a_restart_changes_nothing(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = between_two(client)
        duel.play(FIRST)
        duel.undo("red", to=2)
        duel.undo("blue", to=2)
        before = duel.view("red"), sources_of(duel)
    with connect(config) as client:
        again = Duelist(client, duel.id, duel.keys)
        assert (again.view("red"), sources_of(again)) == before
        again.play([*TURN[2:], *TURN])
        assert finished(again).audit().words == "Every die comes from the seed (2 dice)."


def test_a_claim_that_fails_at_the_dice_has_not_happened(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError

    duel = Duelist.start(client, guests=["blue"], share=MINE)
    before = duel.view("red")
    with monkeypatch.context() as patched:
        patched.setattr(Match, "take_share", crash)
        body = {"token": duel.links["blue"], "request_id": "0123456789abcdef"}
        assert client.post("/api/invitations/claim", json=body).status_code == 500
    assert duel.view("red") == before
    claim(client, duel.links["blue"], share=YOURS)
    assert dice(duel)["digest"] == before["dice"]["digest"] and dice(duel)["awaits"] == []
    assert dice(duel)["sources"][0]["shares"] == [brought("red", MINE), brought("blue", YOURS)]


def test_a_claim_that_an_earlier_version_left_half_done_leaves_nobody_waiting(config: ServerConfig) -> None:
    """It gave the seat first and drew the dice afterwards."""
    with connect(config) as client:
        duel, chosen = Duelist.start(client, guests=["blue"], share=MINE), Duelist.start(client, seed=7)
        token = client.post(chosen.url("invitations"), json={**chosen.auth("red"), "of": "blue"}).json()["token"]
        for link in (duel.links["blue"], token):
            rooms_of(client).store.claim(link, "0123456789abcdef")
    with connect(config) as client:
        duel.client = chosen.client = client
        told = dice(duel)
        assert told["awaits"] == [] and [share["by"] for share in told["sources"][0]["shares"]] == ["player", SERVER]
        assert dice(chosen)["made"] == DRAWN, "nor with a seed that one of them has chosen"
        assert len(dice(chosen)["sources"][-1]["shares"]) == 2


@pytest.mark.parametrize("made", ["plain", CHOSEN])
def test_whoever_came_by_half_a_claim_plays_with_the_promised_dice(config: ServerConfig, made: str) -> None:
    """Also where the seed of the match was told in the header of an older save, and its creator knows every die."""
    session = new_session("duel", "long", seed=4711)
    if made == CHOSEN:
        match_dice.begin(session, 4711, None)
    with connect(config) as client:
        kind = {"content-type": "application/x-ndjson"}
        done = client.post("/api/import", content=session.save(), headers=kind).json()
        duel = Duelist(client, done["id"], done["keys"])
        token = client.post(duel.url("invitations"), json={**duel.auth("red"), "of": "blue"}).json()["token"]
        promised = client.post("/api/invitations/look", json={"token": token}).json()["dice"]
        duel.keys["blue"] = rooms_of(client).store.claim(token, "0123456789abcdef").key
    with connect(config) as client:
        duel.client = client
        told = dice(duel, "blue")
        assert (told["made"], told["digest"]) == (DRAWN, promised)
        assert {share["seat"] for share in told["sources"][-1]["shares"]} == {"red", "blue"}
        assert sources_of(duel)[-1].seed != 4711
        duel.play(TURN)
    with connect(config) as client:
        duel.client = client
        assert dice(duel, "blue")["digest"] == promised and len(sources_of(duel)) == len(told["sources"])


def test_a_game_under_way_is_saved_without_its_seed_and_goes_on_with_other_dice(
    client: TestClient, config: ServerConfig
) -> None:
    duel = between_two(client)
    duel.play(TURN)
    text = export_match(config.database, int(duel.id))
    session = Session.load(text)
    match_dice.go_on(session)
    made = add_match(config.database, pack(session))
    again = Match(rooms_of(client).store, made)
    assert [source.seed is None for source in again.session.header.sources] == [True, False]
    assert "beginning cannot be confirmed" in again.view(None)["dice"]["words"], "it is marked"
    posted = client.post("/api/import", content=text, headers={"content-type": "application/x-ndjson"}).json()
    other = Duelist(client, posted["id"], posted["keys"])
    other.play(TURN)
    told = dice(other)
    assert told["sound"] and not told["whole"]
    assert "up to entry 3 cannot be confirmed" in told["words"] and told["words"].endswith("1 die after that can.")


def test_a_seed_that_came_with_a_save_does_not_foretell_dice_between_people(client: TestClient) -> None:
    """However the save was made: with one person's seed, or with one that says several people have agreed on it."""
    played = Session.load(_save_of(client))
    played.rewind(0)
    forged = Source(0, DRAWN, "", 7, "c" * 32, (Share("red", MINE), Share("blue", YOURS)))
    for source in (forged, forged._replace(shares=()), Source(0, CHOSEN, "", 7)):
        played.take_dice_from(source)
        posted = client.post("/api/import", content=played.save(), headers={"content-type": "application/x-ndjson"})
        duel = Duelist(client, posted.json()["id"], posted.json()["keys"])
        token = client.post(duel.url("invitations"), json={**duel.auth("red"), "of": "blue"}).json()["token"]
        claim(client, token, share=YOURS)
        last = sources_of(duel)[-1]
        assert (last.made, last.awaits) == (DRAWN, ()) and last.seed not in (7, None)


def _save_of(client: TestClient) -> str:
    duel = Duelist.start(client)
    duel.play(FIRST)
    return client.get(duel.url("export")).text


def test_a_save_with_other_dice_is_loaded_but_never_silently(client: TestClient) -> None:
    duel = Duelist.start(client, seed=4)
    duel.play(TURN * 2)
    lines = [json.loads(line) for line in client.get(duel.url("export")).text.splitlines()]
    lines[0]["dice"][0]["seed"] = "5"
    text = "\n".join(json.dumps(line) for line in lines)
    posted = client.post("/api/import", content=text, headers={"content-type": "application/x-ndjson"}).json()
    told = dice(Duelist(client, posted["id"], posted["keys"]))
    assert not told["sound"] and "not the one whose digest was published" in told["words"]
    lines[0]["dice"][0]["digest"] = digest_of(5, lines[0]["dice"][0]["salt"])
    text = "\n".join(json.dumps(line) for line in lines)
    posted = client.post("/api/import", content=text, headers={"content-type": "application/x-ndjson"}).json()
    told = dice(Duelist(client, posted["id"], posted["keys"]))
    assert not told["sound"] and "differ from the seed, the first in entry 3" in told["words"]


def test_a_copy_holds_no_seed_of_the_match(client: TestClient) -> None:
    duel = between_two(client)
    duel.play(TURN * 2)
    made = client.post(duel.url("copy"), json={**duel.auth("red"), "at": 6}).json()
    copy = Duelist(client, made["id"], made["keys"])
    old, new = sources_of(copy)
    assert old.seed is not None and new.seed != old.seed, "over: everybody may know"
    assert dice(copy)["words"] == "So far every die comes from the seed."


def test_the_computer_waits_for_a_guest_before_it_casts_a_die(client: TestClient) -> None:
    bot = {"kind": "bot", "bot": "random"}
    duel = Duelist.start(client, guests=["blue"], controllers={"red": bot})
    assert Match(rooms_of(client).store, int(duel.id)).bot_turn() is None
    duel.keys["blue"] = claim(client, duel.links["blue"])["key"]
    deadline = time.monotonic() + PATIENCE
    while not (view := duel.view("blue"))["decision"]["mine"]:
        assert time.monotonic() < deadline, "it goes on when the guest has come"
        time.sleep(0.1)
    assert view["dice"]["awaits"] == []


def test_the_digest_of_an_older_match_tells_no_small_seed(config: ServerConfig) -> None:
    with connect(config) as client:
        duel, other = Duelist.start(client), Duelist.start(client)
    with sqlite3.connect(config.database) as raw:
        for made, seed in ((duel, 42), (other, 2**120)):
            row = raw.execute("SELECT header FROM matches WHERE id = ?", [int(made.id)]).fetchone()
            header = json.loads(row[0])
            del header["dice"]
            header |= {"seed": seed, "format_version": 1}
            raw.execute("UPDATE matches SET header = ? WHERE id = ?", [json.dumps(header), int(made.id)])
        raw.execute("DELETE FROM snapshots")
    with connect(config) as client:
        assert dice(Duelist(client, duel.id, duel.keys))["digest"] == ""
        assert len(dice(Duelist(client, other.id, other.keys))["digest"]) == 64


def test_a_match_loaded_again_has_the_same_dice(store: Store) -> None:
    """Played at random, with shares that come late, steps back by agreement, and restarts in between."""
    chooser = random.Random(7)
    session = new_session("portfolio", "june22", seed=0)
    match_dice.begin(session, None, MINE, ["soviet"])
    kept = keep(store, pack(session), MatchTerms("long", guests=["soviet"]))
    match = Match(store, kept.number)
    store.claim(kept.links["soviet"], "0123456789abcdef", [])
    match.reseat()
    match.take_share("soviet", YOURS)
    for step in range(400):
        decision = match.session.decision()
        assert decision is not None
        if step % 37 == 36:
            target = max(match.session.version - chooser.choice([3, 30, 90]), 0)
            for seat in ("axis", "soviet"):
                if target < match.session.version:  # own last steps go back at once
                    match.undo(seat, match.version(seat), target)
        elif step % 90 == 89:
            match.take_share("soviet", f"{chooser.getrandbits(128):032x}")
        elif step % 13 == 12:
            again = Match(store, kept.number)
            assert again.session.header.sources == match.session.header.sources
            assert again.session.dice.seed == match.session.dice.seed
            assert again.session.audit().counts == match.session.audit().counts
            match = again
        else:
            action = choose(chooser, list(decision.options))
            match.act(
                decision.seat, match.version(decision.seat), match.session.game.format(match.session.state, action)
            )
    saved = Session.load(match.session.save())
    assert saved.audit().sound and not saved.audit().unknown and saved.audit().confirmed
    assert any(source.skip for source in saved.header.sources)


def test_a_view_does_not_grow_with_every_step_back(client: TestClient) -> None:
    duel = between_two(client)
    duel.play(TURN[:2])
    for _ in range(5):
        duel.act("blue", "roll")
        duel.undo("red", to=2)
        duel.undo("blue", to=2)
        duel.undo("red", to=1)
        duel.undo("blue", to=1)
        duel.act("blue", "guess 2")
    assert len(dice(duel)["sources"]) == 1


def test_a_copy_takes_back_no_numbers_of_its_own(client: TestClient) -> None:
    duel = between_two(client)
    duel.play(TURN)
    duel.play(FIRST)
    for seat in ("red", "blue"):
        duel.undo(seat, to=7)
    duel.play([*TURN[2:]])
    for at, counts in ((0, {}), (4, {"luck": 1}), (7, {"luck": 1}), (9, {"luck": 3})):
        made = client.post(duel.url("copy"), json={**duel.auth("red"), "at": at}).json()
        match = Match(rooms_of(client).store, int(made["id"]))
        assert match.session.audit().counts == counts and match.session.audit().sound, at


@pytest.mark.parametrize(
    "entry",
    [
        {"seat": "red", "action": "@control human", "dice": [["luck", 1, 6]]},
        {"seat": "red", "action": "hide 3", "dice": [["luck", 1e400, 6]]},
        {"seat": "red", "action": "hide 3", "dice": [["luck", True, 6]]},
        {"seat": "red", "action": "hide 3", "dice": [["luck", "1", 6]]},
        {"seat": "red", "action": "hide 3", "dice": [["luck", 1, -6]]},
        {"seat": "red", "action": "hide 3", "dice": [[["luck"], 1, 6]]},
        {"seat": "red", "action": "hide 3", "dice": [["luck", 1, 6, 6]]},
        {"seat": "red", "action": "hide 3", "dice": [[]]},
        {"seat": "red", "action": "hide 3", "dice": 5},
    ],
)
def test_malformed_dice_are_refused(client: TestClient, entry: dict[str, Any]) -> None:
    lines = [json.loads(line) for line in _save_of(client).splitlines()]
    text = "\n".join(json.dumps(line) for line in [lines[0], entry, {"end": 1}])
    answer = client.post("/api/import", content=text, headers={"content-type": "application/x-ndjson"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_save"), answer.text
