"""The command line: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import json
import re
import shutil
import sys
from importlib import metadata
from pathlib import Path

import pytest

from rasputitsa.cli.main import main
from rasputitsa.wir.api.validate import DATA_DIR as WIR_DATA
from tests.unit.cli.command import Command


def test_version_and_help(run: Command) -> None:
    assert run("--version").out == f"rasputitsa {metadata.version('rasputitsa')}\n"
    helped = run("--help")
    assert helped.code == 0
    for command in (
        "play", "serve", "simulate", "replay", "show", "odds", "conform", "validate", "export", "import", "bench",
    ):  # fmt: skip
        assert command in helped.out
        assert run(command, "--help").code == 0


def test_wrong_usage_has_a_code_of_its_own(run: Command) -> None:
    for args in (["nonsense"], ["replay"], ["simulate", "--games", "none"], ["simulate", "--games", "0"]):
        assert run(*args).code == 2


def test_simulated_games_are_summed_up_written_and_repeatable(run: Command, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    result = run("simulate", "-n", 3, "--seed", 5, "--output", one)
    assert result.code == 0
    assert "3 games in" in result.out
    run("simulate", "-n", 3, "--seed", 5, "--output", two)
    games, again = ([json.loads(line) for line in path.read_text().splitlines()] for path in (one, two))
    assert [game["seed"] for game in games] == [5, 6, 7]
    for game, same in zip(games, again, strict=True):
        del game["seconds"], same["seconds"]
        assert game == same
        assert game["winner"] in ("axis", "soviet", None)


def test_simulate_refuses_what_it_does_not_know(run: Command) -> None:
    run.fails("simulate", "-p", "axis=genius", says="no computer player 'genius'; known: .*random")
    run.fails("simulate", "-p", "rome=random", says="neither seat nor side; known: axis, soviet")
    run.fails("simulate", "--game", "chess", says="no game 'chess'; known: .*portfolio")
    run.fails("simulate", "--scenario", "june23", says="june23")
    run.fails("simulate", "-o", "october=sunny", says="october=mud|track")
    run.fails("simulate", "-o", "october", says="no option")


def test_a_saved_game_is_replayed_and_printed(run: Command, save: Path) -> None:
    full, quiet = run("replay", save), run("replay", save, "-q")
    assert full.code == quiet.code == 0
    assert len(full.out.splitlines()) > 100
    assert "{unit:" not in full.out
    line, dice = quiet.out.splitlines()
    assert "replayed without a fault" in line and "wins" in line
    assert dice.startswith("Every die comes from the seed")


def test_broken_files_are_refused_in_a_line(run: Command, save: Path, tmp_path: Path) -> None:
    text = save.read_text()
    for name, content, says in [
        ("empty", "", "cut short"),
        ("cut", "\n".join(text.splitlines()[:20]), "end line is missing"),
        ("photo", "\x00\x01", "not JSON|cut short"),
        ("newer", text.replace('"format_version": 2', '"format_version": 99'), "Update the program"),
        ("wrong", re.sub(r'"action": "done"', '"action": "to A1"', text, count=1), "cannot be replayed"),
    ]:
        path = tmp_path / name
        path.write_text(content)
        run.fails("replay", path, says=says)
        run.fails("import", path, "--data", tmp_path, says=says)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\xfa")
    run.fails("replay", tmp_path / "binary", says="not a text file")
    run.fails("replay", tmp_path / "none", says="none: No such file")
    run.fails("replay", tmp_path, says="Is a directory")


def test_a_saved_game_goes_through_the_store_unchanged(run: Command, save: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    run.fails("export", "1", "--data", data, says="no matches")
    assert run("import", save, "--data", data).out == "match 1\n"
    assert run("export", "1", "--data", data).out == save.read_text()
    copy = tmp_path / "copy.jsonl"
    run("export", "1", "--data", data, "--to", copy)
    assert copy.read_text() == save.read_text()
    listing = run("export", "--data", data).out
    assert "The Russian Portfolio" in listing and "over" in listing
    run.fails("export", "2", "--data", data, says="no match 2")
    run.fails("export", "x", "--data", data, says="not the number")


def test_show_draws_the_map_as_text(run: Command) -> None:
    picture = run("show").out
    lines = picture.splitlines()
    assert "22 Jun 41" in lines[0]
    assert lines[2].startswith("  A ") and lines[41].startswith(" NN ")
    assert picture.count("★") >= 6
    assert run("show", "--empty").out.count("★") > picture.count("★"), "Leningrad has a garrison"
    assert "U3: 1PzG 4-3-6" in run("show", "--list").out


def test_show_draws_pictures(run: Command, tmp_path: Path, save: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert run("show", save, "--at", 20, "--svg", svg, "--png", png, "--width", 300).code == 0
    assert svg.read_text().startswith("<svg")
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png.read_bytes()[16:20], "big") == 300


def test_show_reads_position_files(run: Command, tmp_path: Path) -> None:
    position = tmp_path / "p.toml"
    position.write_text('scenario = "june22"\nempty = true\nturn = 3\n[units]\n39Pz = "N4 dispersed"\n')
    assert run("show", position, "--list").out.splitlines()[1:] == ["N4: 39Pz 7-5-6 dispersed"]
    position.write_text("turn = ")
    run.fails("show", position, says="p.toml")
    position.write_text("colour = 3")
    run.fails("show", position, says="no field colour")
    run.fails("show", position, "--scenario", "june22", says="its own scenario")
    run.fails("show", "--at", 3, says="needs a saved game")
    run.fails("show", "--scenario", "june23", says="june23")


def test_odds_itemises_an_attack(run: Command, tmp_path: Path) -> None:
    position = tmp_path / "p.toml"
    position.write_text(
        'scenario = "june22"\nempty = true\nturn = 3\nphase = "attack"\nside = "axis"\n'
        '[units]\n39Pz = "N4"\n56Pz = "N4"\n3A = "N5"\n'
    )
    result = run("odds", position, "--attack", "N5", "--with", "39Pz,56Pz")
    assert result.code == 0, result.err
    assert "XIII.B.1" in result.out and "final column" in result.out
    chances = [int(n) for n in re.findall(r"(\d+)%", result.out)]
    assert 98 <= sum(chances) <= 102
    run.fails("odds", position, "--attack", "N9", "--with", "39Pz", says="not a legal attack now")
    run.fails("odds", position, "--attack", "ZZ9", "--with", "39Pz", says="no hex 'ZZ9'")


def test_odds_against_a_hidden_group_are_an_estimate(run: Command) -> None:
    result = run("odds", "--game", "wir", "--attack", "0519", "--with", "6,21")
    assert "likeliest: " in result.out and "order of battle at the start" in result.out


CASE = """
rule = "XI.B"
title = "{title}"
game = "portfolio"
[position]
scenario = "june22"
[expect]
seat = "{seat}"
"""


def test_conform_names_the_paragraphs_that_fail(run: Command, tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(CASE.format(title="right", seat="axis"))
    passed = run("conform", tmp_path)
    assert (passed.code, passed.out) == (0, "1 passed, 0 failed\n")
    (tmp_path / "bad.toml").write_text(CASE.format(title="wrong", seat="soviet"))
    failed = run("conform", tmp_path)
    assert failed.code == 1
    assert "FAILED XI.B: wrong" in failed.out and "seat should be 'soviet'" in failed.out
    assert "1 passed, 1 failed" in failed.out
    assert "passed XI.B: right" in run("conform", tmp_path, "-v").out
    run.fails("conform", tmp_path / "none", says="there is no")
    (tmp_path / "empty").mkdir()
    run.fails("conform", tmp_path / "empty", says="no cases")
    (tmp_path / "empty" / "x.toml").write_text("x = ")
    run.fails("conform", tmp_path / "empty", says="x.toml")


def test_validate_checks_the_data(run: Command, tmp_path: Path) -> None:
    both = run("validate").out
    assert both.count("is sound") == 2 and "portfolio" in both and "wir" in both
    assert run("validate", "--game", "wir").out.count("is sound") == 1
    shutil.copytree(WIR_DATA, tmp_path / "wir")
    assert "is sound" in run("validate", tmp_path / "wir").out
    run.fails("validate", "--game", "chess", says="no game 'chess'")
    result = run("validate", tmp_path)
    assert result.code == 1
    assert "problems" in result.err
    run.fails("validate", tmp_path / "none", says="there is no folder")


def test_bench_measures(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["rasputitsa", "bench", "--seconds", "0.1", "--no-peers"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert re.search(r"The Russian Portfolio \(Python\) +[\d,]+", capfd.readouterr().out)


def test_lessons_are_listed_and_begun(run: Command, tmp_path: Path) -> None:
    listed = run("lessons")
    assert listed.code == 0
    assert "first_attack" in listed.out
    begun = run("lessons", "first_attack", "--data", tmp_path)
    assert begun.code == 0
    assert "Orsha" in begun.out
    assert "First attack" in run("export", "--data", tmp_path).out
    run.fails("lessons", "tea", says="no lesson 'tea'")
    run.fails("lessons", "winter", "--opponent", "nobody", "--data", tmp_path, says="nobody")


def test_the_history_of_the_war_is_told_with_sources(run: Command) -> None:
    told = run("history", "wir", "--scenario", "uranus")
    assert told.code == 0
    assert "November 1942 (turns 1 to 3)" in told.out and "Kalach" in told.out
    assert "Moscow to Stalingrad" in told.out and "(the accounts agree)" in told.out
    assert "January 1943" not in told.out, "the scenario ends before"
    assert "1 to 20 August 1941" in run("history").out
    run.fails("history", "wir", "--scenario", "tea", says="no scenario 'tea'")
    run.fails("history", "tea", says="no game 'tea'")


def test_bots_play_a_lesson(run: Command, tmp_path: Path) -> None:
    result = run("simulate", "-n", 2, "--lesson", "first_attack", "--saves", tmp_path)
    assert result.code == 0
    assert "goal" in result.out
    saves = sorted(tmp_path.iterdir())
    assert [path.name for path in saves] == ["portfolio-first_attack-1.jsonl", "portfolio-first_attack-2.jsonl"]
    assert run("replay", saves[0], "--quiet").code == 0
    run.fails("simulate", "--lesson", "winter", "--scenario", "june22", says="brings its own")


def test_a_save_keeps_no_command_of_a_program_that_played(run: Command, tmp_path: Path) -> None:
    outside = f"axis=external:{sys.executable} -m rasputitsa.examples.bots.first"
    saves, data = tmp_path / "saves", tmp_path / "data"
    result = run("simulate", "-n", 1, "--lesson", "first_attack", "--player", outside, "--saves", saves)
    assert result.code == 0, result.err
    (path,) = saves.iterdir()
    assert "first.py" not in path.read_text()
    assert run("import", path, "--data", data).code == 0
