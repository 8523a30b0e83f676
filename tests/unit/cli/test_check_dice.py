"""Saved games whose dice are checked: by the command, and by a script that knows nothing of the program."""

from __future__ import annotations

import ast
import copy
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rasputitsa.cli.dice import UNCONFIRMED, chance_of, chi_square, frequencies
from rasputitsa.cli.main import app
from rasputitsa.core.caching import cached
from rasputitsa.core.errors import IllegalAction, SaveError
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.seeds import DRAWN, SERVER, Share, Source, digest_of
from rasputitsa.core.record.session import Session
from tests.support import choose

SCRIPT = Path(__file__).resolve().parents[3] / "examples" / "check_dice.py"
SECRET, SALT = 3**150, "5a17" * 8
SHARES = (Share("axis", "a" * 32), Share("soviet", "0123456789abcdef" * 2, SERVER))
AGREED = Source(0, DRAWN, digest_of(SECRET, SALT), SECRET, SALT, SHARES)

Lines = list[dict[str, Any]]


def play_on(session: Session, seed: int, dice: int) -> None:
    """Play at random until this many more dice have been cast."""
    chooser, enough = random.Random(seed), sum(session.audit().counts.values()) + dice
    while sum(session.audit().counts.values()) < enough:
        decision = session.decision()
        assert decision is not None, "the game ended too soon"
        options = [option for option in decision.options if option.verb not in ("end_game", "agree")]
        session.play(session.game.format(session.state, choose(chooser, options)))


@cached
def save_of(kind: str) -> str:
    """A saved game: its dice agreed on, or from a seed in its header, of either game."""
    game, scenario = ("wir", "barbarossa_short") if kind.startswith("wir") else ("portfolio", "june22")
    session = new_session(game, scenario, seed=7)
    if kind.endswith("agreed"):
        session.take_dice_from(AGREED)
    play_on(session, 5, 12)
    session.rewind(next(n for n, entry in enumerate(session.entries) if entry.dice), session.header.sources[-1])
    play_on(session, 6, 12 if game == "portfolio" else 150)
    return session.save()


def parsed(kind: str) -> Lines:
    return [json.loads(line) for line in save_of(kind).splitlines()]


def text_of(lines: Lines) -> str:
    return "\n".join(json.dumps(line) for line in lines) + "\n"


def checked(path: Path) -> tuple[int, int, str]:
    """Exit codes of the command and of the script, and what both print."""
    told = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["check-dice", str(path)])
    script = subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True, check=False)
    assert script.stderr == ""
    return told.exit_code, script.returncode, told.output + script.stdout


def rolled(lines: Lines) -> list[dict[str, Any]]:
    return [line for line in lines if line.get("dice") and "seat" in line]


def one_die_changed(lines: Lines) -> None:
    die = rolled(lines)[-1]["dice"][0]
    die[1] = die[1] % die[2] + 1


def seed_changed(lines: Lines) -> None:
    lines[0]["dice"][-1]["seed"] = str(SECRET + 1)


def seed_and_digest_changed(lines: Lines) -> None:
    for source in lines[0]["dice"]:
        source |= {"seed": "12", "digest": digest_of(12, SALT)}


def digest_dropped(lines: Lines) -> None:
    for source in lines[0]["dice"]:
        source["digest"] = ""


def salt_changed(lines: Lines) -> None:
    lines[0]["dice"][0]["salt"] = "b" * 32


def share_changed(lines: Lines) -> None:
    lines[0]["dice"][0]["shares"][0][1] = "c" * 32
    lines[0]["dice"][-1]["shares"][0][1] = "c" * 32


def followed(lines: Lines) -> dict[str, Any]:
    """The first entry after which dice of one of its streams fall again; the last dice of a stream leave no gap."""
    entries = rolled(lines)
    streams = [{die[0] for die in entry["dice"]} for entry in entries]
    return next(entry for n, entry in enumerate(entries) if streams[n] & set[str]().union(*streams[n + 1 :]))


def entry_dropped(lines: Lines) -> None:
    lines.remove(followed(lines))
    lines[-1]["end"] -= 1


def entry_dropped_silently(lines: Lines) -> None:
    lines.remove(followed(lines))


def taken_back_forgotten(lines: Lines) -> None:
    for source in lines[0]["dice"]:
        source.pop("skip", None)


TAMPERED = [
    one_die_changed, seed_changed, seed_and_digest_changed, digest_dropped, salt_changed, share_changed, entry_dropped,
    entry_dropped_silently, taken_back_forgotten,
]  # fmt: skip


@pytest.mark.parametrize("kind", ["portfolio agreed", "portfolio", "wir agreed"])
def test_good_dice_are_confirmed(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(save_of(kind), encoding="utf-8")
    command, script, said = checked(path)
    assert (command, script) == (0, 0), said
    count = sum(len(line["dice"]) for line in rolled(parsed(kind)))
    assert f"Every die comes from the seed ({count} dice)." in said and "wrong: 0" in said


@pytest.mark.parametrize("tamper", TAMPERED)
@pytest.mark.parametrize("kind", ["portfolio agreed", "wir agreed"])
def test_tampered_games_are_found_out(tmp_path: Path, kind: str, tamper: Callable[[Lines], None]) -> None:
    lines = copy.deepcopy(parsed(kind))
    tamper(lines)
    path = tmp_path / "game.jsonl"
    path.write_text(text_of(lines), encoding="utf-8")
    command, script, said = checked(path)
    assert (command, script) == (1, 1), said


def old(lines: Lines, version: int = 1) -> Lines:
    """The same as an earlier version of the program wrote it."""
    source = lines[0].pop("dice", [{"seed": "7"}])[0]
    lines[0] |= {"format_version": version, "seed": int(source["seed"])}
    for line in rolled(lines):
        line["dice"] = [die[:2] for die in line["dice"]]
    return lines


def old_save(game: str, scenario: str) -> Lines:
    session = new_session(game, scenario, seed=7)
    play_on(session, 5, 12)
    return old([json.loads(line) for line in session.save().splitlines()])


def test_old_saves_are_checked_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for game, scenario, by_script in [("portfolio", "june22", 0), ("wir", "barbarossa_short", UNCONFIRMED)]:
        lines = old_save(game, scenario)
        path.write_text(text_of(lines), encoding="utf-8")
        command, script, said = checked(path)
        assert (command, script) == (0, by_script), said
    lines = old_save("portfolio", "june22")
    lines[0]["seed"] = 8
    path.write_text(text_of(lines), encoding="utf-8")
    assert checked(path)[:2] == (1, 1)


def test_a_sealed_game_cannot_be_confirmed_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    sealed = Session.load(save_of("portfolio agreed")).save(sealed=True)
    path.write_text(sealed, encoding="utf-8")
    command, script, said = checked(path)
    assert (command, script) == (UNCONFIRMED, UNCONFIRMED), said
    assert "cannot be confirmed" in said
    assert str(SECRET) not in sealed and SALT not in sealed


def test_what_a_player_noted_is_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(save_of("portfolio agreed"), encoding="utf-8")
    noted = ["--digest", AGREED.digest[:16], "--share", SHARES[0].text]
    assert CliRunner().invoke(app, ["check-dice", str(path), *noted]).exit_code == 0
    for option in ("--digest", "--share"):
        told = CliRunner().invoke(app, ["check-dice", str(path), option, "ffff"])
        assert told.exit_code == 1 and "you noted" in told.output


def test_the_script_finds_out_a_game_whose_seed_nobody_was_bound_to(tmp_path: Path) -> None:
    """A host who has chosen the seed could write a record that promises nothing, and keeps its word."""

    def script(*noted: str) -> tuple[int, str]:
        command = [sys.executable, "-I", str(SCRIPT), str(path), *noted]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        return told.returncode, told.stdout

    path = tmp_path / "game.jsonl"
    path.write_text(text_of(old_save("portfolio", "june22")), encoding="utf-8")
    code, said = script()
    assert code == 0 and "digest of the seed from entry 1 on: -" in said
    code, said = script(AGREED.digest)
    assert code == 1 and "no seed has the digest you noted" in said
    path.write_text(save_of("portfolio agreed"), encoding="utf-8")
    code, said = script(AGREED.digest[:16])
    assert code == 0 and AGREED.digest in said


@pytest.mark.parametrize(
    "content",
    [
        b"", b"x", b"[]", b"{}", b"null\n{}", b"\xff\xfe", b"[" * 10_000 + b"\n{}", b'{"dice": 5}\n{"end": 0}',
        b'{"dice": [{}], "game": 1}\n{"end": 0}', b'{"game": "wir"}\n{"dice": [["a"]]}\n{"end": 1}',
        b'{"dice": [{"from": 0, "made": "drawn", "seed": "\x1b[2J"}]}\n{}\n{"end": 1}', None,
    ],
)  # fmt: skip
def test_what_is_no_saved_game_is_reported_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "game.jsonl"
    if content is not None:
        path.write_bytes(content)
    told = subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stderr.startswith("this is no saved game") and told.stderr.count("\n") == 1


def test_the_script_prints_nothing_that_steers_a_terminal(tmp_path: Path) -> None:
    lines = parsed("portfolio")
    rolled(lines)[-1]["dice"][0][1] = "\x1b[2J\u202e"
    path = tmp_path / "game.jsonl"
    path.write_text(text_of(lines), encoding="utf-8")
    told = subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True, check=False)
    assert told.returncode == 1 and "x1b[2J" in told.stdout and "\x1b" not in told.stdout


def test_the_script_is_short_and_stands_alone() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    tree = ast.walk(ast.parse(text))
    names = {
        part.split(".")[0] for node in tree if isinstance(node, ast.Import) for part in (a.name for a in node.names)
    }
    names |= {node.module or "" for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    assert names <= set(sys.stdlib_module_names)


def test_figures_of_the_frequency_table() -> None:
    assert frequencies([1, 2, 6, 6], 6)[0] == [1, 1, 0, 0, 0, 2]
    counts, expected = frequencies(list(range(1, 37 + 1)), 37)
    assert counts == expected, "classes of dice with many sides hold what they should"
    assert chi_square([30, 10], [20.0, 20.0]) == 10
    # 5 degrees of freedom: 11.07 is passed by five fair sets in a hundred, 20.52 by one in a thousand
    assert chance_of(11.07, 5) == pytest.approx(0.05, abs=0.002)
    assert chance_of(20.52, 5) == pytest.approx(0.001, abs=0.0003)


def test_no_die_is_cast_before_an_awaited_share_is_in() -> None:
    session = new_session("portfolio", "june22", seed=0)
    session.take_dice_from(AGREED._replace(awaits=("soviet",)))
    with pytest.raises(IllegalAction, match="no die is cast before soviet has taken its seat"):
        play_on(session, 5, 1)
    before = session.version, session.game.fingerprint(session.state)
    assert before[0] > 0, "what needs no die can be played"
    session.take_dice_from(AGREED)
    play_on(session, 5, 3)
    assert session.audit().words == "Every die comes from the seed (3 dice)."


def test_the_seed_is_not_in_what_is_printed_of_it() -> None:
    session = new_session("portfolio", "june22", seed=0)
    session.take_dice_from(AGREED)
    assert str(SECRET) not in repr(session.header) and SALT not in repr(session.header)


@pytest.mark.parametrize(
    "source",
    [
        [], {}, {"from": -1}, {"from": True}, {"from": 1}, {"made": "found"}, {"seed": 5}, {"seed": "1" * 99},
        {"seed": str(2**256)}, {"seed": "1e5"}, {"seed": "٣"}, {"digest": "xyz"}, {"digest": 5}, {"salt": "A" * 32},
        {"shares": [["axis", "a"]]}, {"shares": [["axis", "a" * 32, "me"]]}, {"shares": [["a b", "a" * 32, "player"]]},
        {"shares": [["axis", "a" * 32, "player"]] * 65}, {"awaits": [5]}, {"awaits": ["<b>"]}, {"skip": {"combat": 0}},
        {"skip": {"combat": True}}, {"skip": {"combat": 2**60}}, {"skip": {"c" * 41: 1}}, {"skip": [1]}, {"more": 1},
    ],
)  # fmt: skip
def test_bad_sources_of_dice_are_refused_in_plain_words(source: Any) -> None:
    lines = copy.deepcopy(parsed("portfolio agreed"))
    lines[0]["dice"] = [{**lines[0]["dice"][0], **source} if source else source]
    with pytest.raises(SaveError, match=r"of its dice|out of order|lacks"):
        Session.load(text_of(lines))


def test_learning_environments_tell_no_seed() -> None:
    envs = pytest.importorskip("rasputitsa.envs")
    env = envs.seat_env("portfolio", seat="axis")
    _, info = env.reset(seed=987654321)
    told = repr(info)
    for _ in range(5):
        _, _, _, _, info = env.step(env.action_space.sample(info.get("action_mask")))
        told += repr(info)
    assert "seed" not in told and str(env.unwrapped.table.dice.seed) not in told
