"""A third game works everywhere by its entry points alone, and shared code names no game."""

from __future__ import annotations

import ast
import json
import re
import sys
import time
import tomllib
from collections.abc import Iterator
from inspect import get_annotations
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.core import registry
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.frames import Frame
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import default_game, game_ids, get_game
from rasputitsa.core.shapes import StaticHex
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.view_defaults import whole_static
from tests.support import PATIENCE


def inheriting(base: type[Any]) -> Iterator[type[Any]]:
    """All classes below one."""
    for below in base.__subclasses__():
        yield below
        yield from inheriting(below)


ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "rasputitsa"
GAMES = tuple(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["rasputitsa.games"])
SIDES = {seat.side for game in GAMES for seat in get_game(game).seats({})}
KINDS = {kind for game in GAMES for kind in get_game(game).events()}
VERBS = {verb for game in GAMES for verb in get_game(game).verbs}
QUESTIONS = {frame.kind for frame in inheriting(Frame) if frame.__module__.split(".")[1] in GAMES} - {""}
COMMON = {
    "turn", "phase", "goal", "result", "fight", "hold", "city", "factory", "moved", "moves", "cancelled", "isolated",
}  # fmt: skip
"""Kinds of events whose names the shared client uses in another sense as well."""
COMMON_VERBS = {
    "abort", "attack", "auto", "cancel", "done", "factory", "form", "hold", "level", "move", "orders", "pick", "place",
    "plot", "rail", "sea", "send", "skip", "step", "supply", "to", "weather",
}  # fmt: skip
"""Verbs and kinds of questions likewise; none of them where a line speaks of verbs, questions or orders to be sent."""
SPEAKS_OF_VERBS = re.compile(r"[vV]erb|decision\??\.kind|\.send\(")
SCHEMA = ROOT / "web" / "src" / "lib" / "api" / "schema.d.ts"
OF_GAMES = ROOT / "web" / "src" / "games"
OF_ONE_GAME = (
    "tools/gallery.py",
    "tools/gallery_wir.py",
    "tools/lesson_pictures.py",
    "tools/pictures.py",
    "tools/mapmaker/",
    "src/rasputitsa/examples/",
)
"""Tools that draw the map or the pictures of a certain game, and examples, which play one."""


# ---------------------------------------------------------------------- the engine


def test_it_stands_behind_the_games_of_the_program() -> None:
    assert game_ids() == [*sorted(GAMES), "duel"]
    assert default_game() == "portfolio"


def test_the_engine_plays_saves_and_loads_it() -> None:
    session = new_session("duel", "short", {}, seed=5)
    while (decision := session.decision()) is not None:
        session.play(session.game.format(session.state, decision.options[-1]))
    assert session.game.outcome(session.state) is not None
    loaded = Session.load(session.save())
    assert loaded.game.fingerprint(loaded.state) == session.game.fingerprint(session.state)


def test_a_position_of_it_can_be_written_down_and_set_up() -> None:
    game = get_game("duel")
    state = game.setup("long", {})
    game.apply(state, game.parse(state, "hide 3")[0], SeededDice(1))
    assert game.fingerprint(game.load_position(game.dump_position(state))) == game.fingerprint(state)


# ---------------------------------------------------------------------- the command line


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    from rasputitsa.cli.main import main

    def run(*words: object) -> str:
        monkeypatch.setattr(sys, "argv", ["rasputitsa", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        told = capsys.readouterr()
        assert not left.value.code, told.err
        return told.out

    return run


def test_the_command_line_lists_plays_and_keeps_it(command: Any, tmp_path: Path) -> None:
    listed = command("games")
    assert "duel: Duel" in listed
    assert "stubborn" in listed

    saves = tmp_path / "saves"
    told = command("simulate", "--game", "duel", "-n", 2, "--saves", saves, "--player", "blue=stubborn")
    assert "2 games" in told
    first = sorted(saves.iterdir())[0]
    assert json.loads(first.read_text(encoding="utf-8").splitlines()[0])["game"] == "duel"
    assert "without a fault" in command("replay", first)

    data, back = tmp_path / "data", tmp_path / "back.jsonl"
    assert "match 1" in command("import", first, "--data", data)
    command("export", 1, "--to", back, "--data", data)
    assert "without a fault" in command("replay", "--quiet", back)
    assert "A red" in command("show", "--game", "duel")
    assert "Duel" in command("show", first)


def test_a_ladder_of_it_is_played(command: Any) -> None:
    told = command("ladder", "duel", "-p", "random", "-p", "stubborn", "-n", 1)
    assert "stubborn" in told


# ---------------------------------------------------------------------- the server


def test_the_server_offers_it_and_its_players_play_it_out(client: TestClient, config: ServerConfig) -> None:
    listed = {game["id"]: game for game in client.get("/api/games").json()}
    assert [bot["id"] for bot in listed["duel"]["bots"]] == ["random", "stubborn"]
    assert not listed["duel"]["analysis"]
    bots = {"red": {"kind": "bot", "bot": "random"}, "blue": {"kind": "bot", "bot": "stubborn"}}
    body = {"game": "duel", "scenario": "short", "controllers": bots}
    made = client.post("/api/matches", json=body)
    assert made.status_code == 201, made.text
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        (match,) = client.get("/api/matches").json()
        if match["over"]:
            return
        client.portal.call(_a_moment) if client.portal else None
    raise AssertionError("the players do not play it out")


async def _a_moment() -> None:
    import anyio

    await anyio.sleep(0.1)


def test_hints_for_a_game_without_advice_are_refused_in_words(client: TestClient) -> None:
    made = client.post("/api/matches", json={"game": "duel", "scenario": "short"}).json()
    answer = client.post(f"/api/matches/{made['id']}/hint", json={"seat": "red", "key": made["keys"]["red"]})
    assert answer.status_code in (404, 422), answer.text


# ---------------------------------------------------------------------- learning


def test_an_environment_of_it_runs_to_the_end() -> None:
    envs = pytest.importorskip("rasputitsa.envs.seat")
    env = envs.seat_env("duel", "red", "random")
    seen, _ = env.reset(seed=1)
    over = False
    for _ in range(200):
        legal = seen["action_mask"].nonzero()[0]
        seen, _, over, cut, _ = env.step(int(legal[-1]))
        if over or cut:
            break
    assert over


# ---------------------------------------------------------------------- shared code names no game


def shared_files() -> Iterator[tuple[str, Path]]:
    """The program text that serves all games: what lies in no folder or file named after one."""
    for path in sorted([*SOURCES.rglob("*.py"), *(ROOT / "tools").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]):
        name = path.relative_to(ROOT).as_posix()
        parts = {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}
        if not parts & set(GAMES) and not name.startswith(OF_ONE_GAME):
            yield name, path


def of_maps() -> Iterator[str]:
    """Kinds of hex-sides and of weather that have no common look or word, and what hexes of one game alone say."""
    for game_id in GAMES:
        game = get_game(game_id)
        static = game.static(game.scenarios()[0].id)
        yield from {side["kind"] for side in static["map"]["sides"]} - LOOKS
        own = {name for hex_ in static["map"]["hexes"] for name in hex_} - get_annotations(StaticHex).keys()
        yield from {name for name in own if len(name) > len("lon")}
    yield from ("hard_frost", "very_cold")


LOOKS = {"river", "lake", "sea", "impassable", "border"}
OF_MAPS = set(of_maps()) - {"passable"}
"""``passable``: a plain word."""


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a file with their lines, but for docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words:
            yield node.lineno, node.value


def client_files() -> Iterator[Path]:
    """The text of the browser client that serves all games."""
    for path in sorted((ROOT / "web" / "src").rglob("*")):
        if path.suffix in (".ts", ".svelte", ".css") and path != SCHEMA and OF_GAMES not in path.parents:
            yield path


def words_of_a_game(text: str) -> Iterator[str]:
    """Ids of games, kinds of events and questions, and verbs between quotation marks; ids of sides anywhere."""
    quoted = set(re.findall(r'"([a-z_]+)"', text))
    yield from (quoted & (KINDS | set(GAMES))) - COMMON
    yield from (quoted & (VERBS | QUESTIONS)) - COMMON_VERBS
    for line in text.splitlines():
        if SPEAKS_OF_VERBS.search(line):
            yield from set(re.findall(r'["`]([a-z_]+)[" ]', line)) & COMMON_VERBS & (VERBS | QUESTIONS)
    yield from set(re.findall(r"\w+", text)) & (SIDES | OF_MAPS)


def named_games(path: Path) -> Iterator[str]:
    """Where a file names a game, in its code: docstrings may give examples."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words:
            texts = [node.value]
        elif isinstance(node, ast.Import):
            texts = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            texts = [node.module or "", *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Name):
            texts = [node.id.lower()]
        else:
            continue
        for text in texts:
            if set(GAMES) & set(text.replace("/", ".").replace(" ", ".").replace("_", ".").split(".")):
                yield f"{path.name}:{node.lineno}: {text[:60]}"


def test_shared_code_names_no_game() -> None:
    found = [place for _, path in shared_files() for place in named_games(path)]
    assert not found


def test_shared_code_names_no_side_of_a_game() -> None:
    found = [f"{name}:{line}: {text}" for name, path in shared_files() for line, text in texts(path) if text in SIDES]
    assert not found


def test_the_shared_client_names_no_game_side_event_verb_or_question_of_one() -> None:
    files = list(client_files())
    assert len(files) > 200
    found = [f"{path.relative_to(ROOT)}: {word}" for path in files for word in words_of_a_game(path.read_text())]
    assert not found


def test_client_code_that_names_a_side_or_an_event_would_be_found() -> None:
    code = 'if (e.kind === "captured" || game === "wir") return { axis: 1 };'
    assert sorted(words_of_a_game(code)) == ["axis", "captured", "wir"]
    assert sorted(words_of_a_game('if (s.kind === "stalin" && hex.arctic) return;')) == ["arctic", "stalin"]
    assert not list(words_of_a_game('const axisOf = "turn"; // nothing of a game'))


def test_client_code_that_names_a_verb_or_a_question_would_be_found() -> None:
    code = 'const hostile = ["attack", "also"].includes(option.verb);'
    code += '\nif (decision.kind === "orders") table.send(`to ${hex}`);'
    assert sorted(words_of_a_game(code)) == ["also", "attack", "orders", "to"]
    assert sorted(words_of_a_game('const asked = kind === "may_retreat";')) == ["may_retreat"]
    assert not list(words_of_a_game('job.state === "done" || tab === "orders"'))


def test_code_that_names_a_game_would_be_found(tmp_path: Path) -> None:
    file = tmp_path / "branch.py"
    file.write_text('"""As in portfolio."""\nif game.id == "wir":\n    from rasputitsa.wir.api import labels\n')
    assert len(list(named_games(file))) == 2


def test_every_entry_point_leads_to_something() -> None:
    from importlib.metadata import entry_points

    some = {registry.MEMORY: {"wir"}}  # where nothing is hidden nothing need be remembered
    for group in (
        registry.PLAYERS, registry.ADVICE, registry.MEMORY, registry.ENCODERS, registry.DATA, registry.POSITIONS,
    ):  # fmt: skip
        points = [point for point in entry_points(group=group) if point.name in GAMES]
        assert {point.name for point in points} == some.get(group, set(GAMES)), group
        assert all(point.load() for point in points)


def test_the_server_fills_in_what_a_game_leaves_unsaid(client: TestClient) -> None:
    made = client.post("/api/matches", json={"game": "duel", "scenario": "short"}).json()
    view = client.get(f"/api/matches/{made['id']}/view", params={"seat": "red", "key": made["keys"]["red"]}).json()
    assert (view["turn"]["short"], view["control"], view["attacks"], view["outcome"]) == ("Turn 1", {}, [], None)
    fixed = client.get("/api/games/duel/static", params={"scenario": "short"}).json()
    assert (fixed["plainest"], fixed["map"]["places"], fixed["units"][0]["name"]) == (["done", "roll"], [], "red")
    assert whole_static({})["charts"] == {}
