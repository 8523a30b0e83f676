"""Two people, each with a server of their own, who play by letters alone."""

from __future__ import annotations

import errno
import os
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.mail.book import Book
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.envelope import BEGIN
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.letters import board
from rasputitsa.server.letters.board import LetterBoard
from rasputitsa.server.letters.letter_files import NO_CODE, NO_FILE
from rasputitsa.server.matches.views import LOG_PAGE
from tests.server.conftest import connect
from tests.support import PATIENCE

GAMES = [("portfolio", "june22", 60), ("wir", "minsk_1941", 16)]


def refused(answer: Any, status: int, code: str) -> str:
    """Check a refusal; its words."""
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
    return str(answer.json()["error"]["message"])


class Player:
    """Somebody with a browser on a server of their own."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client, self.name, self.code = client, name, ""

    def post(self, path: str, **body: Any) -> Any:
        answer = self.client.post(f"/api/letters{path}", json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def get(self, path: str, **args: Any) -> Any:
        answer = self.client.get(f"/api/letters/{self.code}{path}", params=args)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def begin(self, game: str, scenario: str, **more: Any) -> str:
        made = self.post("", game=game, scenario=scenario, name=self.name, **more)
        self.code = made["id"]
        return str(made["text"])

    def join(self, text: str, **more: Any) -> str:
        made = self.post("/join", text=text, name=self.name, **more)
        self.code = made["id"]
        return str(made["text"])

    @property
    def match(self) -> Any:
        return self.get("")

    @property
    def seat(self) -> str:
        return str(next(person["seats"][0] for person in self.match["people"] if person["me"]))

    def view(self, **args: Any) -> Any:
        return self.get("/view", seat=self.seat, **args)

    def act(self, action: str) -> Any:
        view = self.view()
        return self.client.post(
            f"/api/letters/{self.code}/actions",
            json={"seat": self.seat, "key": "", "version": view["version"], "action": action, "request_id": "x" * 16},
        )

    def undo(self, **more: Any) -> Any:
        body = {"seat": self.seat, "key": "", "version": self.view()["version"], **more}
        return self.client.post(f"/api/letters/{self.code}/undo", json=body)

    def decide(self, chooser: random.Random, most: int = 40) -> None:
        """Give orders until a die is needed or the other side is asked; the phase is ended before there are many."""
        for number in range(10 * most):
            decision = self.view()["decision"]
            if decision is None or not decision["mine"]:
                return
            verbs: dict[str, list[str]] = {}
            for option in decision["options"]:
                verbs.setdefault(option["verb"], []).append(option["action"])
            verbs = {verb: found for verb, found in verbs.items() if verb not in ("abort", "skip", "halt")} or verbs
            verb = "done" if number > most and "done" in verbs else chooser.choice(sorted(verbs))
            assert self.act(chooser.choice(verbs[verb])).status_code == 200
        raise AssertionError("there is no end of it")


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Player, Player]]:
    with ExitStack() as stack:
        people = []
        for name in ("Anna", "Boris"):
            config = ServerConfig(data=tmp_path / name, local=True, client=tmp_path / "client", bot_workers=1)
            people.append(Player(stack.enter_context(connect(config)), name))
        yield people[0], people[1]


def together(pair: tuple[Player, Player], game: str, scenario: str, **more: Any) -> None:
    """Both have joined, and know it."""
    anna, boris = pair
    joined = boris.join(anna.begin(game, scenario, **more), trusting=bool(more.get("trusting")))
    assert anna.post(f"/{anna.code}/read", text=joined)["match"]["joined"]


def hand_over(writer: Player, reader: Player) -> Any:
    text = writer.post(f"/{writer.code}/write")["text"]
    return reader.post(f"/{reader.code}/read", text=f"> Hello!\n{text}\nbye")


def test_the_client_asks_again_after_as_many_lines_of_a_log_as_there_are_at_once() -> None:
    reader = Path(__file__).parents[3] / "web" / "src" / "lib" / "state" / "match" / "log.svelte.ts"
    assert f"page.length < {LOG_PAGE})" in reader.read_text(encoding="utf-8")


@pytest.mark.parametrize(("game", "scenario", "letters"), GAMES)
def test_two_servers_play_by_letters_and_see_the_same(
    pair: tuple[Player, Player], game: str, scenario: str, letters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    together(pair, game, scenario)
    chooser, written = random.Random(7), 0
    while written < letters:
        writer, reader = pair if pair[0].match["due"] else pair[::-1]
        writer.decide(chooser)
        answer = hand_over(writer, reader)
        written += 1 + answer["answered"]
        if answer["answered"]:
            writer.post(f"/{writer.code}/read", text=answer["match"]["text"])
    views = [player.view() for player in pair]
    for one in ("units", "turn", "phase"):
        if game == "portfolio":
            assert views[0][one] == views[1][one]
    assert views[0]["turn"]["number"] == views[1]["turn"]["number"] > 1 or views[0]["ply"] > 40
    for player, view in zip(pair, views, strict=True):
        log = player.get("/log", seat=player.seat)
        assert len(log) == view["ply"]
        assert player.view(at=0)["at"] == 0 and player.view(at=view["ply"] // 2)["decision"]
        with monkeypatch.context() as short:
            short.setattr(board, "LOG_PAGE", 7)
            for start in (0, 5, len(log) - 3, len(log)):
                assert player.get("/log", seat=player.seat, **{"from": start}) == log[start : start + 7]
        last = {200, 409} if game == "wir" else {200}  # one's last orders may lie under seal, as the dice fall
        for at, answers in ((view["ply"], last), (view["ply"] + 1, {400}), (-1, {400})):
            url = f"/api/letters/{player.code}/view"
            assert player.client.get(url, params={"seat": player.seat, "at": at}).status_code in answers


def test_who_answers_may_do_more_than_what_is_asked(
    pair: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    together(pair, "portfolio", "june22")
    monkeypatch.setattr(PortfolioGame, "asides", lambda game, state, seat: list(game.legal(state))[:2])
    writer, reader = pair if pair[0].match["due"] else pair[::-1]
    offered = writer.get("/query", seat=writer.seat, kind="asides")["options"]
    assert [o["action"] for o in offered] == [o["action"] for o in writer.view()["decision"]["options"][:2]]
    assert reader.get("/query", seat=reader.seat, kind="asides") == {"options": []}


def test_secret_orders_of_the_other_side_are_told_to_nobody(pair: tuple[Player, Player]) -> None:
    together(pair, "wir", "minsk_1941")
    chooser = random.Random(3)
    for _ in range(14):
        writer, reader = pair if pair[0].match["due"] else pair[::-1]
        writer.decide(chooser)
        answer = hand_over(writer, reader)
        if answer["answered"]:
            writer.post(f"/{writer.code}/read", text=answer["match"]["text"])
    for player in pair:
        items = player.get("/log", seat=player.seat)
        own = {item["action"].split()[0] for item in items if item["seat"] == player.seat and item["action"]}
        other = {item["action"].split()[0] for item in items if item["seat"] != player.seat and item["action"]}
        assert own & {"plot", "depot", "group", "supply", "done"} and not other & {"plot", "depot", "group", "supply"}


def test_what_does_not_fit_is_refused_and_changes_nothing(pair: tuple[Player, Player]) -> None:
    anna, boris = pair
    together(pair, "portfolio", "june22")
    before = Book.read(_file(anna)).path.read_bytes()
    for text, words in (
        ("nothing", "no letter in this text"),
        (anna.match["text"][:200], "cut short"),
        (_altered(boris.match["text"]), "altered"),
    ):
        answer = anna.client.post(f"/api/letters/{anna.code}/read", json={"text": text})
        assert words in refused(answer, 409, "letter")
    known = anna.post(f"/{anna.code}/read", text=boris.match["text"])
    assert known["known"] and not known["answered"]
    refused(anna.act("move nobody to N6"), 422, "bad_notation")
    refused(boris.act("done"), 409, "letter")
    refused(anna.client.post(f"/api/letters/{anna.code}/write", json={}), 409, "letter")
    view = anna.view()
    body = {"seat": "axis", "key": "", "version": view["version"] - 1, "action": "done", "request_id": "x"}
    refused(anna.client.post(f"/api/letters/{anna.code}/actions", json=body), 409, "stale")
    refused(anna.client.get(f"/api/letters/{anna.code}/view", params={"seat": "soviet"}), 403, "bad_key")
    refused(anna.client.get("/api/letters/../matches/view"), 404, "not_found")
    refused(anna.client.get("/api/letters/0123456789ab"), 404, "unknown_match")
    assert _file(anna).read_bytes() == before


def _altered(text: str) -> str:
    """A letter with one sign changed."""
    at = text.index(BEGIN) + len(BEGIN) + 9 + 120
    return f"{text[:at]}{'B' if text[at] == 'A' else 'A'}{text[at + 1 :]}"


def _file(player: Player) -> Path:
    config = player.client.app.state.config  # type: ignore[attr-defined]
    return Path(config.data) / "letters" / f"{player.code}.mail"


def test_orders_are_kept_and_taken_back_one_by_one_or_together(pair: tuple[Player, Player]) -> None:
    together(pair, "portfolio", "june22")
    anna, boris = pair
    start = anna.view()
    plies = [start["ply"]]
    assert anna.view(at=plies[0])["at"] == plies[0]
    for _ in range(3):
        option = next(o for o in anna.view()["decision"]["options"] if o["verb"] != "done")
        given = anna.act(option["action"]).json()["view"]
        assert given["last_events"] == anna.get("/log", seat="axis", **{"from": plies[-1]})
        plies.append(given["ply"])
        assert anna.view(at=plies[-1])["at"] == plies[-1], "it can be looked back at what was ordered meanwhile"
    for at in (plies[-1] + 1, -1):
        answer = anna.client.get(f"/api/letters/{anna.code}/view", params={"seat": "axis", "at": at})
        assert answer.status_code in (400, 422)
    assert anna.get("/log", seat="axis", **{"from": 10**6}) == []
    view = anna.view()
    assert view["can_undo"] and view["undo_to"] == start["ply"] and len(anna.match["draft"]) == 3
    assert view["version"] > start["version"]
    back = anna.undo().json()["view"]
    assert back["ply"] < view["ply"] and back["version"] > view["version"]
    assert anna.undo(to=plies[1]).json()["view"]["ply"] == plies[1] and len(anna.match["draft"]) == 1
    assert anna.undo(to=start["ply"]).json()["view"]["units"] == start["units"]
    assert not anna.view()["can_undo"]
    waiting = boris.view()["decision"]
    assert (waiting["seat"], waiting["mine"], waiting["kind"], waiting["options"]) == ("axis", False, "letter", [])
    refused(anna.undo(), 409, "no_undo")


def test_the_command_and_the_browser_share_a_file(pair: tuple[Player, Player]) -> None:
    together(pair, "portfolio", "june22")
    anna, _ = pair
    book = Book.read(_file(anna))
    option = anna.view()["decision"]["options"][0]["action"]
    before = anna.view()["version"]
    book.correspondent.order(option)
    book.save()
    assert anna.match["draft"] == [option] and anna.view()["version"] > before
    since = _file(anna).stat().st_mtime_ns // 1_000_000
    assert [LetterBoard(book, known).version for known in (0, since, since + 7)] == [since, since + 1, since + 8]


@pytest.mark.parametrize(
    ("problem", "status", "code"),
    [(errno.ENOSPC, 507, "disk_full"), (errno.EDQUOT, 507, "disk_full"), (errno.EIO, 503, "store")],
)
def test_an_order_that_cannot_be_written_is_not_given(
    pair: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch, problem: int, status: int, code: str
) -> None:
    together(pair, "portfolio", "june22")
    anna, _ = pair
    before, option = anna.view(), anna.view()["decision"]["options"][0]["action"]

    def full(*_: object) -> None:
        raise OSError(problem, os.strerror(problem))

    with monkeypatch.context() as patch:
        patch.setattr(Book, "save", full)
        refused(anna.act(option), status, code)
    assert (anna.match["draft"], anna.view()["ply"]) == ([], before["ply"])
    assert anna.act(option).status_code == 200


def test_orders_are_taken_back_all_or_none(pair: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch) -> None:
    together(pair, "portfolio", "june22")
    anna, _ = pair
    start = anna.view()["ply"]
    for _ in range(2):
        anna.act(anna.view()["decision"]["options"][0]["action"])
    given, undo, calls = anna.match["draft"], Correspondent.undo, []

    def fail_at_the_second(correspondent: Correspondent) -> str:
        calls.append(correspondent)
        if len(calls) == 2:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return undo(correspondent)

    with monkeypatch.context() as patch:
        patch.setattr(Correspondent, "undo", fail_at_the_second)
        refused(anna.undo(to=start), 503, "store")
    assert anna.match["draft"] == given and len(given) == 2
    assert anna.undo(to=start).json()["view"]["ply"] == start


def test_the_match_that_changed_last_is_listed_first(tmp_path: Path) -> None:
    with connect(ServerConfig(data=tmp_path / "data", local=True, client=tmp_path, bot_workers=1)) as client:
        players = [Player(client, "Anna") for _ in range(3)]
        for player in players:
            player.begin("portfolio", "june22")
        for order in ((0, 1, 2), (2, 0, 1)):
            for seconds, number in enumerate(order):
                os.utime(_file(players[number]), (1000 + seconds, 1000 + seconds))
            listed = [found["id"] for found in client.get("/api/letters").json()]
            assert listed == [players[number].code for number in reversed(order)]


def test_a_trusting_match_is_joined_by_whoever_agrees(pair: tuple[Player, Player]) -> None:
    anna, boris = pair
    invitation = anna.begin("portfolio", "june22", trusting=True)
    assert boris.post("/look", text=invitation)["trusting"]
    refused(boris.client.post("/api/letters/join", json={"text": invitation, "name": "Boris"}), 409, "letter")
    joined = boris.join(invitation, trusting=True)
    assert anna.post(f"/{anna.code}/read", text=joined)["match"]["check"] == boris.match["check"]
    refused(
        boris.client.post("/api/letters/join", json={"text": invitation, "name": "X", "trusting": True}), 409, "letter"
    )


def test_who_resigns_by_letter_has_lost(pair: tuple[Player, Player]) -> None:
    together(pair, "wir", "minsk_1941")
    anna, boris = pair
    text = anna.post(f"/{anna.code}/write", resign=True, note="Well played.")["text"]
    answer = boris.post(f"/{boris.code}/read", text=text)
    assert answer["note"] == "Well played." and answer["match"]["over"]
    assert boris.view()["outcome"]["winner"] == "soviet"
    assert boris.client.delete(f"/api/letters/{boris.code}").status_code == 200
    assert boris.client.get("/api/letters").json() == []


def test_letters_are_for_whoever_sits_at_the_machine(tmp_path: Path) -> None:
    """Their key would be the host's; and nobody else on the network reads or writes in somebody's name."""
    with connect(ServerConfig(data=tmp_path, client=tmp_path, bot_workers=1)) as client:
        refused(client.get("/api/letters"), 403, "not_here")
    with connect(ServerConfig(data=tmp_path, local=True, client=tmp_path, bot_workers=1), host="10.0.0.9") as client:
        for method, path in (("GET", ""), ("GET", "/0123456789ab"), ("DELETE", "/0123456789ab")):
            refused(client.request(method, f"/api/letters{path}"), 403, "not_here")
        refused(client.post("/api/letters/look", json={"text": "x"}), 403, "not_here")


def test_what_a_kill_has_left_keeps_nobody_out_and_no_key_behind(tmp_path: Path) -> None:
    config = ServerConfig(data=tmp_path / "data", local=True, client=tmp_path, bot_workers=1)
    folder = tmp_path / "data" / "letters"
    folder.mkdir(parents=True)
    old, new = folder / ".0123456789ab.mail.0123456789ab", folder / ".ba9876543210.mail.0123456789ab"
    for left in (old, new):
        left.write_text("a key")
    os.utime(old, (0, 0))
    with connect(config) as client:
        assert not old.exists() and new.exists(), "somebody may still write to the newer one"
        anna, boris = Player(client, "Anna"), Player(client, "Boris")
        invitation = anna.begin("portfolio", "june22")
        (folder / f"{anna.code}.mail").write_bytes(b"")  # as if Boris had been killed when joining
        boris.join(invitation)
        assert boris.match["joined"]
        left = folder / f".{boris.code}.mail.0123456789ab"
        left.write_text("the key of this match")
        assert client.delete(f"/api/letters/{boris.code}").status_code == 200
        assert [each.name for each in folder.iterdir()] == [new.name]


def test_a_letter_that_takes_long_holds_up_no_other_match(tmp_path: Path) -> None:
    with connect(ServerConfig(data=tmp_path / "anna", client=tmp_path / "client", local=True)) as client:
        busy, other = Player(client, "Anna"), Player(client, "Anna")
        busy.begin("portfolio", "june22")
        other.begin("portfolio", "june22")
        listed = client.get("/api/letters").json()
        shelf = client.app.state.letters  # type: ignore[attr-defined]
        begun, done = threading.Event(), threading.Event()

        def takes_long(board: Any) -> None:
            begun.set()
            assert done.wait(PATIENCE)

        with ThreadPoolExecutor() as threads:
            change = threads.submit(shelf.change, busy.code, takes_long)
            assert begun.wait(PATIENCE)
            try:
                seen = threads.submit(lambda: (other.match, client.get("/api/letters").json())).result(60)
            finally:
                done.set()
            change.result()
        assert seen[0]["id"] == other.code and seen[1] == listed and len(listed) == 2


def test_a_damaged_match_is_listed_as_such_saved_and_thrown_away(tmp_path: Path) -> None:
    config = ServerConfig(data=tmp_path / "data", local=True, client=tmp_path, bot_workers=1)
    with connect(config) as client:
        good, bad = Player(client, "Anna"), Player(client, "Anna")
        good.begin("portfolio", "june22")
        bad.begin("portfolio", "june22")
        for content, words in (
            (_file(bad).read_bytes()[:-40], "is not JSON"),
            (b"\xff\x00", "not a text file"),
            (b"", "is not JSON"),
            (b'{"format": "rasputitsa-mail", "version": "\\ud800"}', "is of version"),
            (_file(good).read_bytes().replace(b'"draft": []', b'"draft": ["\\ud800"]'), "damaged"),
        ):
            _file(bad).write_bytes(content)
            answer = client.get("/api/letters")
            assert answer.status_code == 200, content
            damaged, whole = sorted(answer.json(), key=lambda found: "title" in found)
            assert whole["id"] == good.code and damaged["id"] == bad.code and words in damaged["damaged"]
            for path in ("", "/view?seat=axis", "/export"):
                refused(client.get(f"/api/letters/{bad.code}{path}"), 500, "broken_match")
            assert client.get(f"/api/letters/{bad.code}/file").content == content
        assert client.delete(f"/api/letters/{bad.code}").status_code == 200
        assert [found["id"] for found in client.get("/api/letters").json()] == [good.code]
        refused(client.get(f"/api/letters/{bad.code}/file"), 404, "unknown_match")
        assert good.act("done").status_code in (200, 409, 422)


def test_what_lies_there_under_another_name_is_named(tmp_path: Path) -> None:
    """Such as a file that was copied by hand; it harms nothing, and nothing is done with it."""
    with connect(ServerConfig(data=tmp_path / "data", local=True, client=tmp_path, bot_workers=1)) as client:
        anna = Player(client, "Anna")
        anna.begin("portfolio", "june22")
        folder = _file(anna).parent
        for name in ("friday.mail", f"{anna.code} (1).mail", "\u202e.mail", "\x07.mail"):
            (folder / name).write_bytes(_file(anna).read_bytes())
        (folder / "0123456789ab.mail").mkdir()
        (folder / "notes.txt").write_text("nothing of the program's")
        first, *others = client.get("/api/letters").json()
        assert first["id"] == anna.code and "damaged" not in first
        assert all(found["stray"] for found in others)
        told = {found["id"]: found["damaged"] for found in others}
        assert told.pop("0123456789ab.mail") == NO_FILE
        assert told == dict.fromkeys(["\\u202e.mail", "\\x07.mail", f"{anna.code} (1).mail", "friday.mail"], NO_CODE)
        unnamed = client.get("/api/letters/friday.mail")
        refused(unnamed, 404, "unknown_match")
        assert unnamed.json()["error"]["message"] == NO_CODE
        refused(client.delete("/api/letters/0123456789ab.mail"), 404, "unknown_match")


def test_a_file_that_cannot_be_saved_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = ServerConfig(data=tmp_path / "data", local=True, client=tmp_path, bot_workers=1)
    with connect(config) as client:
        anna = Player(client, "Anna")
        anna.begin("portfolio", "june22")
        for problem, status, code, words in (
            (PermissionError(13, "Permission denied"), 500, "broken_match", "cannot be read: Permission denied"),
            (FileNotFoundError(2, "No such file"), 404, "unknown_match", "there is no such match"),
        ):

            def read(*_: object, problem: OSError = problem) -> bytes:
                raise problem

            monkeypatch.setattr("rasputitsa.server.letters.letter_files.read_bytes", read)
            answer = client.get(f"/api/letters/{anna.code}/file")
            refused(answer, status, code)
            assert words in answer.json()["error"]["message"]


def test_codes_that_nobody_plays_leave_nothing_in_memory(tmp_path: Path) -> None:
    with connect(ServerConfig(data=tmp_path, client=tmp_path, local=True, bot_workers=1)) as client:
        for number in range(20):
            refused(client.get(f"/api/letters/{number:012x}"), 404, "unknown_match")
        assert not len(client.app.state.letters._locks)  # type: ignore[attr-defined]
