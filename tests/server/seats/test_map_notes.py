"""What players draw on the map: who sees it, who hears of it, and what is refused."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.limits import Limits
from rasputitsa.server.store import Store, backup
from tests.duel.game import HEXES
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist, claim
from tests.server.seats.test_seats import post, refused
from tests.server.seats.test_table import four, sit_down

FIRST, SECOND, THIRD = HEXES[:3]


def mark(at: str, to: str = "", text: str = "", share: str = "me") -> dict[str, str]:
    return {"at": at, "to": to, "text": text, "share": share}


def drawn(duel: Duelist, seat: str) -> dict[str, Any]:
    """What the seat sees on the map."""
    answer = duel.client.get(duel.url("map-notes"), params=duel.auth(seat))
    assert answer.status_code == 200, answer.text
    seen: dict[str, Any] = answer.json()
    return seen


def draw(duel: Duelist, seat: str, *marks: dict[str, str]) -> Any:
    return post(duel, "map-notes", seat, marks=list(marks), version=drawn(duel, seat)["version"])


def shown(duel: Duelist, seat: str) -> list[str]:
    return [f"{one['seat']}: {one['text']}" for one in drawn(duel, seat)["shared"]]


def test_map_notes_are_kept_for_their_seat_and_go_with_the_match(config: ServerConfig, tmp_path: Path) -> None:
    feint = [mark(FIRST, SECOND, "feint"), mark(THIRD, text="hold")]
    with connect(config) as client:
        duel = Duelist.between_two(client)
        post(duel, "notes", "red", text="Noted")
        assert draw(duel, "red", *feint).status_code == 200
        backup.back_up(config.database, tmp_path / "copy.db")
    with connect(config) as client:
        duel.client = client
        assert drawn(duel, "red")["marks"] == feint
        assert drawn(duel, "blue") == {"marks": [], "version": "", "shared": []}
        assert client.get(duel.url("notes"), params=duel.auth("red")).json()["text"] == "Noted"
        copied = client.post(duel.url("copy"), json=duel.auth("red"))
        assert "feint" not in copied.text
        client.post(duel.url("end"), json={**duel.auth("red"), "how": "resign"})
        assert "feint" not in client.get(duel.url("export"), params=duel.auth("red")).text
        client.delete(duel.url("x").removesuffix("/x"), params=duel.auth("red"))
        assert rooms_of(client).store.map_notes(int(duel.id)) == {}
    copy = Store(tmp_path / "copy.db")
    assert "feint" in copy.map_notes(int(duel.id))["red"]
    copy.close()


def test_onlookers_and_strangers_see_and_draw_nothing(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    draw(duel, "red", mark(FIRST, text="for all", share="table"))
    wrong = {"seat": "blue", "key": duel.keys["red"]}
    assert client.get(duel.url("map-notes")).status_code == 400
    refused(client.get(duel.url("map-notes"), params=wrong), 403, "bad_key")
    refused(client.get(duel.url("map-notes"), params={"seat": ""}), 403, "bad_key")
    refused(client.post(duel.url("map-notes"), json={**wrong, "marks": []}), 403, "bad_key")


def test_every_mark_is_seen_by_those_it_is_for_and_by_nobody_else(config: ServerConfig) -> None:
    """Whatever is drawn, no matter by whom and in what order; and who sees nothing new hears nothing."""
    chooser = random.Random(1941)
    with connect(replace(config, limits=Limits(requests=0)), host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        side = {seat: seat.split("_")[0] for seat in duel.keys}
        view = duel.view("axis_north")
        fixed = client.get(f"/api/games/{view['game']}/static", params={"scenario": view["scenario"]}).json()
        places = [known["id"] for known in fixed["map"]["hexes"]]
        map_notes: dict[str, list[dict[str, str]]] = {seat: [] for seat in side}

        def due(seat: str) -> list[dict[str, str]]:
            return [
                {"seat": other, **one}
                for other in sorted(side)
                for one in map_notes[other]
                if other != seat and (one["share"] == "table" or (one["share"] == "side" and side[other] == side[seat]))
            ]

        agreed: set[str] = set()
        for number in range(25):
            before = {seat: due(seat) for seat in side}
            artist = chooser.choice(list(side))
            kept = [one for one in map_notes[artist] if chooser.random() < 0.7]
            taken = {(one["at"], one["to"]) for one in kept}
            for _ in range(chooser.randrange(4)):
                at, to = chooser.sample(places, 2)
                to = chooser.choice(["", to])
                if (at, to) not in taken:
                    taken.add((at, to))
                    kept.append(mark(at, to, f"mark {number}", chooser.choice(["me", "side", "table"])))
            listener = chooser.choice([seat for seat in side if seat != artist])
            with duel.live(listener) as window:
                window.receive_json()
                assert draw(duel, artist, *kept).status_code == 200
                map_notes[artist] = kept
                agreed ^= {listener}
                post(duel, "agree", listener, topic="hints", yes=listener in agreed)
                heard = [window.receive_json()["type"]]
                while heard[-1] != "seats":
                    heard.append(window.receive_json()["type"])
            assert ("map_notes" in heard) == (due(listener) != before[listener])
            for seat in side:
                seen = drawn(duel, seat)
                assert seen["shared"] == due(seat) and seen["marks"] == map_notes[seat]


def test_ones_other_screens_hear_of_what_one_changes_and_of_nothing_else(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    with duel.live("red") as window:
        window.receive_json()
        heard = []
        for number, marks in enumerate(([mark(FIRST)], [mark(FIRST)], [mark(FIRST, text="hold")], [])):
            draw(duel, "red", *marks)
            post(duel, "agree", "blue", topic="hints", yes=number % 2 == 0)
            heard.append(window.receive_json()["type"])
            if heard[-1] == "map_notes":
                assert window.receive_json()["type"] == "seats"
    assert heard == ["map_notes", "seats", "map_notes", "map_notes"]


def test_who_comes_later_to_a_seat_finds_no_map_notes_and_nobody_sees_the_old_ones(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    draw(duel, "blue", mark(FIRST, text="a bluff", share="table"), mark(SECOND, text="the truth"))
    assert shown(duel, "red") == ["blue: a bluff"]
    token = post(duel, "invitations", "blue", of="blue").json()["token"]
    duel.keys["blue"] = claim(client, token)["key"]
    assert drawn(duel, "blue")["marks"] == [] and shown(duel, "red") == []


def test_two_screens_of_one_seat_write_nothing_of_each_other_over(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    first = draw(duel, "red", mark(FIRST)).json()
    late = post(duel, "map-notes", "red", marks=[mark(SECOND)], version="")
    refused(late, 409, "map_notes_changed")
    assert drawn(duel, "red")["marks"] == [mark(FIRST)]
    again = post(duel, "map-notes", "red", marks=[mark(FIRST)], version="")
    assert (again.status_code, again.json()) == (200, first), "an answer that was lost: it may come again"
    assert draw(duel, "red").json() == {"version": ""}


@pytest.mark.parametrize(
    "marks",
    [
        [mark("nowhere")], [mark(FIRST, "nowhere")], [mark(FIRST, FIRST)], [mark(FIRST), mark(FIRST, text="too")],
        [mark(FIRST, text="x" * 81)], [mark(FIRST, share="all")], [mark("")], [{"at": FIRST, "colour": "red"}],
        [mark(at, to) for at in HEXES for to in HEXES if at != to][:61], ["K7"], "K7",
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_and_changes_nothing(client: TestClient, marks: Any) -> None:
    duel = Duelist.between_two(client)
    before = draw(duel, "red", mark(SECOND, text="stays")).json()
    refused(post(duel, "map-notes", "red", marks=marks, **before), 400, "bad_request")
    assert drawn(duel, "red")["marks"] == [mark(SECOND, text="stays")]


def test_a_text_is_one_printable_line(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    draw(duel, "red", mark(FIRST, text="one\r\ntwo\x1b[31m \u202eevil <b>bold</b>", share="table"))
    assert shown(duel, "blue") == ["red: one two [31m evil <b>bold</b>"]


def test_room_is_asked_for_as_much_as_marks_may_take(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four bytes a character, in UTF-8."""
    duel, store, asked = Duelist.between_two(client), rooms_of(client).store, list[int]()
    monkeypatch.setattr(store, "require_room", lambda size=0: asked.append(size))
    assert draw(duel, "red", mark(FIRST, text="hold the hill")).status_code == 200
    assert asked == [4 * len(store.map_notes(int(duel.id))["red"])]
