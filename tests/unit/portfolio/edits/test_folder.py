"""Playing with edited data from another folder."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.api.validate import unsound, validate
from rasputitsa.portfolio.model.data_folder import DATA, DATA_FOLDER
from rasputitsa.portfolio.model.indices import Unit
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.rules.combat import advance, odds
from rasputitsa.portfolio.rules.logistics import siberia
from rasputitsa.portfolio.rules.movement import reach

SHIPPED = PortfolioGame()
DATA_VERSIONS = DATA_FOLDER.versions


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (DATA / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")


def attack_factor(game: PortfolioGame) -> int:
    state = game.setup("june22", {})
    return state.rules.units[state.rules.roster.index["39Pz"]].af


def test_a_folder_with_one_file_replaces_that_file_alone(tmp_path: Path) -> None:
    edit(tmp_path, "units.csv", "39. PzKps,axis,DE,armor,corps,7,", "39. PzKps,axis,DE,armor,corps,9,")
    game = PortfolioGame(tmp_path)
    assert (attack_factor(SHIPPED), attack_factor(game)) == (7, 9)
    assert {u["id"]: u["af"] for u in game.static("june22")["units"]}["39Pz"] == 9
    assert {u["id"]: u["af"] for u in SHIPPED.static("june22")["units"]}["39Pz"] == 7
    assert [s.id for s in game.scenarios()] == [s.id for s in SHIPPED.scenarios()]
    assert [info.id for info in game.lessons()] == [info.id for info in SHIPPED.lessons()]


def test_what_a_type_of_counters_can_do_is_data(tmp_path: Path) -> None:
    edit(tmp_path, "types.toml", "[types.cavalry]", "[types.cavalry]\nnote = 1")
    text = (tmp_path / "types.toml").read_text(encoding="utf-8")
    head, cavalry = text.split("[types.cavalry]")
    cavalry = cavalry.replace("infantry_type = false", "infantry_type = true", 1)
    (tmp_path / "types.toml").write_text(f"{head}[types.cavalry]{cavalry}", encoding="utf-8")
    shipped, edited = (game.setup("june22", {}).rules.roster for game in (SHIPPED, PortfolioGame(tmp_path)))
    assert edited.infantry_type == shipped.infantry_type | shipped.cavalry
    assert not shipped.infantry_type & shipped.cavalry


GUARDS = """
[types.guards_{0}]
title = "Guards"
symbol = "{0}"
source = "III"
confidence = "printed"
sizes = ["corps"]
armor_type = {1}
{2} = true
infantry_type = false
fuelled = false
crosses_water = true
points = "{3}"
smallest_factor = false
advance = "{0}"
"""
"""A type of counters of a folder of one's own, which differs from a shipped one in fuel and name alone."""


def with_guards(folder: Path, unit: str, kind: str, *words: str) -> tuple[Ruleset, Ruleset, Unit]:
    """The shipped rules and edited ones, in which a counter is of such a type; and the counter."""
    edit(folder, "types.toml", "[types.front]", GUARDS.format(kind, *words) + "[types.front]")
    line = next(line for line in (DATA / "units.csv").read_text(encoding="utf-8").splitlines() if line.startswith(unit))
    edit(folder, "units.csv", line, line.replace(f",{kind},corps", f",guards_{kind},corps"))
    assert unsound(folder) == []
    shipped, edited = (game.setup("june22", {}).rules for game in (SHIPPED, PortfolioGame(folder)))
    number = shipped.roster.index[unit]
    assert (shipped.units[number].type, edited.units[number].type) == (kind, f"guards_{kind}")
    return shipped, edited, number


def test_armor_of_an_edited_type_overruns_and_advances_as_armor(tmp_path: Path) -> None:
    """XIII.C, XIII.E.1."""
    shipped, edited, corps = with_guards(tmp_path, "39Pz", "armor", "true", "pure_armor", "armor")
    assert edited.roster.pure_armor == shipped.roster.pure_armor and edited.roster.pure_armor >> corps & 1
    for weather in shipped.weather:
        assert advance.type_limits(edited, weather) == advance.type_limits(shipped, weather)


def test_cavalry_of_an_edited_type_comes_from_siberia_and_lives_off_the_land(tmp_path: Path) -> None:
    """IX.B.2, XIV.B.2, XIII.E.1."""
    shipped, edited, corps = with_guards(tmp_path, "2KK", "cavalry", "false", "cavalry", "infantry")
    assert edited.roster.cavalry == shipped.roster.cavalry and edited.roster.cavalry >> corps & 1
    for points in ((0, 0, 1), (9, 9, 0)):
        covered = [siberia._covered(rules.units[corps], points) for rules in (shipped, edited)]
        assert covered == [points[2] > 0] * 2
    for weather in shipped.weather:
        assert advance.type_limits(edited, weather) == advance.type_limits(shipped, weather)


def test_an_edited_type_names_a_line_of_the_advance_chart(tmp_path: Path) -> None:
    edit(tmp_path, "types.toml", "pure_armor = true", 'advance = "tanks"')
    assert any("no such line" in problem.message for problem in validate(tmp_path))


def test_how_a_type_of_counters_looks_is_data(tmp_path: Path) -> None:
    edit(tmp_path, "types.toml", 'title = "Rifle"\nsymbol = "infantry"', 'title = "Guards"\nsymbol = "motorized"')
    shipped, edited = (
        {(u["type_title"], u["symbol"]) for u in game.static("june22")["units"] if u["type"] == "rifle"}
        for game in (SHIPPED, PortfolioGame(tmp_path))
    )
    assert (shipped, edited) == ({("Rifle", "infantry")}, {("Guards", "motorized")})


def test_data_older_than_the_looks_of_types_have_those_of_today(tmp_path: Path) -> None:
    text = (DATA / "types.toml").read_text(encoding="utf-8")
    later = ("title = ", "symbol = ", "pure_armor = ", "cavalry = ")
    bare = "\n".join(line for line in text.splitlines() if not line.startswith(later))
    (tmp_path / "types.toml").write_text(bare.replace("light]", "militia]"), encoding="utf-8")
    edit(tmp_path, "units.csv", "DE,light,", "DE,militia,")
    looks = {u["type"]: (u["type_title"], u["symbol"]) for u in PortfolioGame(tmp_path).static("june22")["units"]}
    assert (looks["shock"], looks["militia"]) == (("Shock", "shock"), ("Militia", "infantry"))
    shipped, edited = (game.setup("june22", {}).rules.roster for game in (SHIPPED, PortfolioGame(tmp_path)))
    assert (edited.pure_armor, edited.cavalry) == (shipped.pure_armor, shipped.cavalry)
    (tmp_path / "units.csv").unlink()
    (tmp_path / "types.toml").write_text(bare, encoding="utf-8")
    assert unsound(tmp_path) == []


def test_what_a_reserves_phase_costs_is_data(tmp_path: Path) -> None:
    edit(tmp_path, "charts.toml", "penalties = [0, 1, 2, 3,", "penalties = [0, 2, 3, 3,")
    found = []
    for game in (SHIPPED, PortfolioGame(tmp_path)):
        s = game.setup("june22", {})
        s.reserve = 1
        found.append(reach.factors(s, s.rules.roster.index["39Pz"]))
    assert found == [(5, 7), (4, 6)]


def test_what_a_column_below_the_table_is_called_follows_the_table(tmp_path: Path) -> None:
    edit(tmp_path, "charts.toml", 'columns = ["1:4", ', 'columns = ["1:5", ')
    shipped, edited = (game.setup("june22", {}).rules for game in (SHIPPED, PortfolioGame(tmp_path)))
    assert [odds.basic_column(rules, 1, 6) for rules in (shipped, edited)] == [-2, -1]
    assert [odds.column_name(rules, -1) for rules in (shipped, edited)] == ["1:5", "1:6"]


def test_data_older_than_the_types_of_counters_have_the_first_ones() -> None:
    older = next(version for version, files in DATA_VERSIONS.items() if "types.toml" not in files)
    game = SHIPPED.with_data(older)
    assert game is not None
    assert game.setup("june22", {}).rules.roster.armor_type == SHIPPED.setup("june22", {}).rules.roster.armor_type


def test_an_edit_shows_in_the_next_game(tmp_path: Path) -> None:
    game = PortfolioGame(tmp_path)
    assert attack_factor(game) == 7
    before = game.setup("june22", {})
    edit(tmp_path, "units.csv", "39. PzKps,axis,DE,armor,corps,7,", "39. PzKps,axis,DE,armor,corps,10,")
    assert attack_factor(game) == 10
    assert before.rules.units[before.rules.roster.index["39Pz"]].af == 7


def test_nothing_is_read_twice_while_nothing_changes(tmp_path: Path) -> None:
    game = PortfolioGame(tmp_path)
    assert game.setup("june22", {}).rules is game.setup("june22", {}).rules
    assert game.setup("june22", {}).rules is not SHIPPED.setup("june22", {}).rules


def test_scenarios_and_charts_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    shutil.copy(DATA / "scenarios" / "july10.toml", tmp_path / "scenarios" / "mine.toml")
    text = (tmp_path / "scenarios" / "mine.toml").read_text(encoding="utf-8")
    (tmp_path / "scenarios" / "mine.toml").write_text(text.replace('title = "', 'title = "My '), encoding="utf-8")
    edit(tmp_path, "charts.toml", "fuel_short_factor = 2", "fuel_short_factor = 1")
    game = PortfolioGame(tmp_path)
    assert {info.id: info.title for info in game.scenarios()}["mine"].startswith("My ")
    assert game.setup("mine", {}).rules.charts["movement"]["fuel_short_factor"] == 1
    assert "mine" not in [info.id for info in SHIPPED.scenarios()]


def test_a_state_travels_with_its_folder(tmp_path: Path) -> None:
    edit(tmp_path, "units.csv", "39. PzKps,axis,DE,armor,corps,7,", "39. PzKps,axis,DE,armor,corps,9,")
    state = pickle.loads(pickle.dumps(PortfolioGame(tmp_path).setup("june22", {})))
    assert state.rules.units[state.rules.roster.index["39Pz"]].af == 9


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no data folder"):
        PortfolioGame(tmp_path / "nowhere").setup("june22", {})
