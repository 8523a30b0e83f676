"""A teacher's lesson: boards, pausing, stepping back, cards, a restart in the middle, and the end of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.classroom.keeping import forget_old_classes
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.routes import classes
from rasputitsa.server.store import Store, backup
from rasputitsa.server.store.classroom.classes import KEPT_MS
from tests.server.classroom.schoolroom import NAMES, Schoolroom
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN


@pytest.fixture
def hosted(config: ServerConfig) -> ServerConfig:
    return replace(config, local=False)


@pytest.fixture
def school(hosted: ServerConfig) -> Iterator[TestClient]:
    with connect(hosted, host="10.0.0.1") as client:
        yield client


def counted(config: ServerConfig, table: str) -> int:
    with closing(sqlite3.connect(config.database)) as raw:
        return int(raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_twelve_pupils_play_a_lesson_on_six_boards(school: TestClient) -> None:
    room = Schoolroom.open(school, boards=6)
    pupils = room.fill(12)
    assert [pupil["id"] for pupil in pupils] == [board for board in room.boards for _ in range(2)], "board by board"
    tables = [room.at(*pupils[n : n + 2]) for n in range(0, 12, 2)]
    for step in range(len(TURN)):
        for table in tables:
            table.play([TURN[step]])
    for number, (board, table) in enumerate(zip(room.info()["boards"], tables, strict=True), start=1):
        assert (board["number"], board["id"], board["over"], board["waiting"]) == (number, table.id, False, [])
        assert board["controllers"]["red"]["name"] == NAMES[2 * number - 2]
        assert [pupil["name"] for pupil in board["pupils"]] == NAMES[2 * number - 2 : 2 * number]
    tables[0].play(TURN)
    assert [board["over"] for board in room.info()["boards"]] == [True, *[False] * 5]


def test_a_pause_stops_all_boards_or_one_and_all_go_on_from_there(school: TestClient) -> None:
    room = Schoolroom.open(school, boards=2)
    pupils = room.fill(4)
    first, second = room.at(*pupils[:2]), room.at(*pupils[2:])
    room.ask("pause", paused=True)
    assert [board["paused"] for board in room.info()["boards"]] == [True, True]
    for table in (first, second):
        table.refused("red", "hide 3", 409, "paused")
    assert room.desk(pupils[0])["paused"]
    room.ask("pause", paused=False, matches=[first.id])
    first.play(TURN[:2])
    second.refused("red", "hide 3", 409, "paused")
    assert second.undo("red").json()["error"]["code"] == "paused"
    end = {**second.auth("red"), "how": "resign"}
    assert school.post(second.url("end"), json=end).json()["error"]["code"] == "paused"


def test_what_was_accepted_before_a_pause_is_answered_alike_in_it(school: TestClient) -> None:
    room = Schoolroom.open(school)
    table = room.at(*room.fill(2))
    body = table.body("red", "hide 3")
    first = table.send(body)
    assert first.status_code == 200
    room.ask("pause", paused=True)
    assert table.send(body).json() == first.json()


async def bots_have_played(rooms: Rooms, match_id: int) -> None:
    """Wait until no computer player is at work at a board."""
    room = await rooms.open(match_id)
    if room.bots is not None:
        await room.bots


def test_the_computer_waits_in_a_pause(school: TestClient) -> None:
    room = Schoolroom.open(school)
    red, blue = room.fill(2)
    table = room.at(red, blue)
    table.act("red", "hide 3")
    room.ask("pause", paused=True)
    room.ask("pupils/remove", match=blue["id"], pupil=2)
    before = table.view("red")
    room.ask("computer", match=blue["id"], bot="random")
    assert (room.board()["waiting"], room.board()["controllers"]["blue"]["kind"]) == ([], "bot")
    assert school.portal is not None
    school.portal.call(bots_have_played, rooms_of(school), int(blue["id"]))
    assert table.view("red")["decision"]["seat"] == before["decision"]["seat"] == "blue"
    room.ask("pause", paused=False)
    school.portal.call(bots_have_played, rooms_of(school), int(blue["id"]))
    assert table.view("red")["decision"]["mine"], "the computer has done its turn"


def test_the_teacher_takes_a_step_back_whoever_made_it(school: TestClient) -> None:
    room = Schoolroom.open(school)
    table = room.at(*room.fill(2))
    assert room.refused("back", 409, match=table.id) == "no_undo"
    table.play(TURN[:3])
    told = table.view(None)["decision"]["prompt"]
    before = len(table.view(None)["dice"]["sources"])
    room.ask("back", match=table.id)
    view = table.view("blue")
    assert (view["decision"]["seat"], view["decision"]["mine"]) == ("blue", True)
    assert view["decision"]["prompt"] != told, "the roll is asked for again"
    assert len(view["dice"]["sources"]) >= before
    table.act("blue", "roll")


def test_a_step_back_over_orders_in_secret_tells_the_enemy_nothing(school: TestClient) -> None:
    room = Schoolroom.open(school, game="wir", scenario="kursk_south")
    axis, soviet = room.fill(2)
    table = room.at(axis, soviet)
    before, shown = table.view("soviet"), room.board()["changes"]
    for order in ("dismantle 0316", "divide 4"):
        table.act("axis", order)
    ply = table.view("axis")["ply"]
    room.ask("back", match=table.id)
    assert table.view("axis")["ply"] == ply - 1, "one order is taken back"
    assert table.view("soviet") == before
    assert room.board()["changes"] == shown


def test_cards_are_shown_when_their_turn_comes_and_answers_come_to_the_teacher(school: TestClient) -> None:
    room = Schoolroom.open(school, boards=2)
    pupils = room.fill(4)
    number = room.ask("cards", 201, text="Why there?")["number"]
    later = room.ask("cards", 201, text="And now?", turn=2, matches=[room.boards[0]])["number"]
    assert room.desk(pupils[0])["cards"] == [{"number": number, "text": "Why there?", "reply": ""}]
    room.reply(pupils[0], number, "Because of the river")
    room.reply(pupils[0], number, "Because of the rail")
    room.reply(pupils[0], later, "Too early", 400)
    room.at(*pupils[:2]).play(TURN)
    assert [card["number"] for card in room.desk(pupils[1])["cards"]] == [number, later]
    assert [card["number"] for card in room.desk(pupils[2])["cards"]] == [number]
    first, second = room.info()["cards"]
    assert first["replies"] == [{"match": pupils[0]["id"], "seat": "red", "text": "Because of the rail"}]
    assert (second["matches"], second["replies"]) == ([room.boards[0]], [])
    assert "Because" not in str(room.desk(pupils[1])), "the other seat reads none of it"


def test_a_class_has_as_many_boards_as_is_told_before_it_is_opened(
    school: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classes, "MOST_MATCHES", 2)
    assert school.get("/api/classes").json() == {"most_boards": 2}
    room = Schoolroom.open(school, boards=2)
    assert room.refused("matches", 409, game="duel", scenario="short") == "too_many_boards"


def test_cards_are_counted_in_the_whole_class_whatever_boards_they_go_to(
    school: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classes, "MOST_CARDS", 2)
    room = Schoolroom.open(school, boards=3)
    for board in room.boards[:2]:
        room.ask("cards", 201, text="Why?", matches=[board])
    assert room.refused("cards", 409, text="Why?", matches=[room.boards[2]]) == "too_many_cards"


def test_texts_are_kept_as_they_can_be_shown(school: TestClient) -> None:
    room = Schoolroom.open(school)
    (pupil,) = room.fill(1)
    number = room.ask("cards", 201, text="One\x00\nTwo \u202e")["number"]
    assert room.desk(pupil)["cards"][0]["text"] == "One\nTwo"
    room.reply(pupil, number, "\u202e So\x1b[1m")
    assert room.info()["cards"][0]["replies"][0]["text"] == "So [1m"
    assert room.refused("cards", 400, text="\u202e \n") == "bad_request"


def test_a_restart_in_the_middle_of_the_lesson_changes_nothing(hosted: ServerConfig) -> None:
    with connect(hosted, host="10.0.0.1") as client:
        room = Schoolroom.open(client, boards=2)
        pupils = room.fill(4)
        room.at(*pupils[:2]).play(TURN[:2])
        room.ask("pause", paused=True, matches=[room.boards[0]])
        number = room.ask("cards", 201, text="Why?")["number"]
        room.reply(pupils[3], number, "So")
        before = room.info()
    with connect(hosted, host="10.0.0.1") as client:
        again = replace(room, client=client)
        after = again.info()
        ever = {"waited_ms": 0, "present": []}
        assert [{**board, **ever} for board in after["boards"]] == [{**board, **ever} for board in before["boards"]]
        assert after["cards"] == before["cards"]
        again.at(*pupils[:2]).refused("blue", "roll", 409, "paused")
        back = again.join(pupils[2]["name"], word=pupils[2]["word"])
        assert (back["id"], back["seat"]) == (pupils[2]["id"], pupils[2]["seat"])
        again.at(back, pupils[3]).act("red", "hide 3")


def test_deleting_a_class_deletes_all_of_it(school: TestClient, hosted: ServerConfig) -> None:
    other = Schoolroom.open(school)
    room = Schoolroom.open(school, boards=2)
    pupils = room.fill(3)
    room.reply(pupils[0], room.ask("cards", 201, text="Why?")["number"], "So")
    with room.at(*pupils[:2]).live("red") as window:
        assert window.receive_json()["type"] == "view"
        room.ask("delete")
        assert window.receive_json()["code"] == "deleted"
    assert room.refused("boards", 403) == "bad_key"
    assert room.refused_to("Max", 404) == "unknown_class"
    for board in room.boards:
        assert school.get(f"/api/matches/{board}/view").status_code == 404
    tables = ("classes", "class_matches", "class_pupils", "class_cards", "class_answers")
    assert [counted(hosted, table) for table in tables] == [1, 1, 0, 0, 0]
    with closing(sqlite3.connect(hosted.database)) as raw:
        kept = "\n".join(line for line in raw.iterdump() if line.startswith("INSERT"))
    assert not [pupil["name"] for pupil in pupils if pupil["name"] in kept]
    assert len(other.info()["boards"]) == 1


def test_a_class_in_which_nothing_happens_is_deleted_by_itself(school: TestClient, hosted: ServerConfig) -> None:
    old, new = Schoolroom.open(school), Schoolroom.open(school)
    old.fill(1)
    with closing(sqlite3.connect(hosted.database)) as raw, raw:
        raw.execute("UPDATE classes SET created_ms = created_ms - ?", (KEPT_MS + 1000,))
        raw.execute("UPDATE matches SET updated_ms = updated_ms - ? WHERE id = ?", (KEPT_MS + 1000, old.boards[0]))
    assert school.portal is not None
    school.portal.call(forget_old_classes, rooms_of(school))
    assert old.refused("boards", 403) == "bad_key"
    assert school.get(f"/api/matches/{old.boards[0]}/view").status_code == 404
    assert len(new.info()["boards"]) == 1, "something has happened there lately"


def test_a_lesson_is_played_by_each_pupil_alone(school: TestClient) -> None:
    room = Schoolroom.open(school, boards=2, game="portfolio", scenario=None, lesson="first_attack")
    first, second = room.fill(2)
    assert (first["id"], second["id"]) == tuple(room.boards)
    assert room.board()["controllers"]["soviet"]["kind"] == "bot"
    view = school.get(f"/api/matches/{first['id']}/view", params={"seat": "axis", "key": first["key"]}).json()
    assert view["lesson"] == "first_attack" and view["decision"]["mine"]


def test_four_play_a_board_of_four_seats(school: TestClient) -> None:
    room = Schoolroom.open(school, game="portfolio", scenario="leningrad_1941", players=4)
    pupils = room.fill(4)
    assert len({pupil["seat"] for pupil in pupils}) == 4 and {pupil["id"] for pupil in pupils} == set(room.boards)


def test_the_page_of_boards_shows_nothing_that_one_side_hides(school: TestClient) -> None:
    """Two boards that differ in secret orders alone look alike, but for when something happened."""
    room = Schoolroom.open(school, boards=2)
    pupils = room.fill(4)
    for table, action in ((room.at(*pupils[:2]), "hide 3"), (room.at(*pupils[2:]), "hide 1")):
        table.act("red", action)
    same = ("turn_label", "phase_label", "to_move", "changes", "over", "paused", "waiting", "present")
    first, second = ({name: board[name] for name in same} for board in room.info()["boards"])
    assert first == second


def test_a_board_is_added_once_however_often_it_is_asked_for(school: TestClient) -> None:
    room = Schoolroom.open(school)
    body = {**room.auth, "game": "duel", "scenario": "short"}
    headers = {"idempotency-key": "a key of twenty letters"}
    first, again = (school.post("/api/classes/matches", json=body, headers=headers).json() for _ in range(2))
    assert first == again and first["number"] == 2
    assert len(room.info()["boards"]) == 2


def test_a_backup_holds_a_class(hosted: ServerConfig, school: TestClient) -> None:
    room = Schoolroom.open(school)
    anna, _ = room.fill(2)
    backup.back_up(hosted.database, hosted.data / "copy.db")
    with closing(Store(hosted.data / "copy.db")) as copy:
        found = copy.class_by(room.code)
        assert found is not None and found.opens(room.key)
        assert [pupil.name for pupil in copy.pupils(found.id)] == ["Anna", "Ben"]
        assert copy.pupils(found.id)[0].says(anna["word"])
