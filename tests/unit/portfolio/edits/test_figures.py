"""The Russian Portfolio with edited costs and limits: they count in moves, refusals, questions and saved positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio.api import standing
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.api.validate import validate
from rasputitsa.portfolio.model import stacking
from rasputitsa.portfolio.model.actions import STAND
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.ruleset import Ruleset, ruleset
from rasputitsa.portfolio.model.state import POOL
from rasputitsa.portfolio.model.terrain import ground, side_barred
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat import outlook
from rasputitsa.portfolio.rules.combat.odds import lowest_column, may_be_amphibious
from rasputitsa.portfolio.rules.logistics import production, sea, strategic, supply
from rasputitsa.portfolio.rules.movement import reach, refusals, route
from tests.support import AMPLE
from tests.unit.portfolio import board as boards
from tests.unit.portfolio.board import Player, board, unit_of
from tests.unit.portfolio.fights import odds_of, phase


def edited(folder: Path, old: str, new: str) -> Ruleset:
    """The rules with a text of the charts sheet changed wherever it stands."""
    text = (DATA / "charts.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "charts.toml").write_text(text.replace(old, new), encoding="utf-8")
    return ruleset("june22", {}, folder)


def on(rules: Ruleset, monkeypatch: pytest.MonkeyPatch, units: dict[str, str], **more: Any) -> Any:
    """A map of these rules with some units."""
    monkeypatch.setattr(boards, "ruleset", lambda *_: rules)
    return board(units, **more)


# ---------------------------------------------------------------------- rivers (X.A.2)


@pytest.mark.parametrize(("points", "spread"), [(0, 0), (1, 1), (3, 3)])
def test_what_a_river_costs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: int, spread: int) -> None:
    s = on(edited(tmp_path, "surcharge = 1", f"surcharge = {points}"), monkeypatch, {"39Pz": "N6", "8A": "N8"})
    unit = unit_of(s, "39Pz")
    m = reach.moving_stack(s, (unit,), 0, 0)
    land = ground(s)
    here = m.here
    beyond = next(h for h in s.rules.grid.neighbours[here] if h >= 0 and land.river.between(here, h))
    zoned = m._replace(enemy_zoc=1 << beyond)
    assert route.leg(s, zoned, beyond).cost == 1 + spread
    barely = zoned._replace(basic=1 + points, total=9)
    assert reach.first_hex(s, barely).plain >> beyond & 1
    if points:
        assert not reach.first_hex(s, barely._replace(basic=points)).plain >> beyond & 1


# ---------------------------------------------------------------------- stacks (XII)


def allowed(rules: Ruleset, monkeypatch: pytest.MonkeyPatch, here: dict[str, str], unit: str, hex_: str) -> bool:
    """Whether a unit finds room in a hex; reason, rooms and surplus agree."""
    s = on(rules, monkeypatch, here)
    number, place = unit_of(s, unit), s.rules.grid.index(hex_)
    room = bool(stacking.room_for_one(s, number) >> place & 1)
    assert room is not stacking.surplus(s, [*s.at.get(place, ()), number], place)
    return room


@pytest.mark.parametrize(
    ("old", "new", "here", "unit", "why"),
    [
        ("units = 2\n", "units = 3\n", {"39Pz": "N6", "40Pz": "N6"}, "24Pz", "a hex holds two units at most"),
        ("above_corps = 1", "above_corps = 2", {"9A": "N8"}, "8A", "only one unit larger than a corps"),
        ("front = 1\n", "front = 2\n", {"SWF": "N8"}, "3MK", "a front stands alone in its hex"),
    ],
)
def test_how_many_units_a_hex_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, here: dict[str, str], unit: str, why: str
) -> None:
    hex_ = next(iter(here.values()))
    shipped = ruleset("june22", {}, DATA)
    assert not allowed(shipped, monkeypatch, here, unit, hex_)
    s = on(shipped, monkeypatch, here)
    assert why in stacking.why_no_room(s, (unit_of(s, unit),), s.rules.grid.index(hex_))
    assert allowed(edited(tmp_path, old, new), monkeypatch, here, unit, hex_)


def test_the_edited_limit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"39Pz": "N6", "40Pz": "N6", "24Pz": "N6"}
    s = on(edited(tmp_path, "units = 2\n", "units = 3\n"), monkeypatch, here)
    place = s.rules.grid.index("N6")
    assert stacking.why_no_room(s, (unit_of(s, "56Pz"),), place) == "a hex holds three units at most"
    assert s.full[AXIS] >> place & 1
    s.lift(unit_of(s, "39Pz"), POOL)
    assert not s.full[AXIS] >> place & 1


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_players_play_by_edited_stacks(tmp_path: Path, name: str) -> None:
    rules = edited(tmp_path, "units = 2\nabove_corps = 1\nfront = 1\n", "units = 3\nabove_corps = 2\nfront = 3\n")
    game = PortfolioGame(rules.folder)
    s, dice = game.setup("june22", {}), SeededDice(3)
    minds = {side: player(name, game, {}, n) for n, side in enumerate(("axis", "soviet"))}
    most = 0
    while s.turn < 3 and s.outcome is None:
        decision = game.decision(s)
        assert decision is not None
        action = minds[decision.seat].choose(game.view_of(s, decision.seat), decision, TimedClock(AMPLE))
        assert action in decision.options
        game.apply(s, action, dice)
        most = max(most, max(map(len, s.at.values())))
    assert most <= 3
    twin = s.copy()
    twin.rebuild()
    assert (twin.full, twin.big, twin.armored) == (s.full, s.big, s.armored)


def test_as_many_armor_units_attack_into_swamp_as_may_stand_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {"39Pz": "L15", "40Pz": "L15", "24Pz": "L15", "24MK": "L14 s"}
    sheet = "units = 2\nabove_corps = 1\nfront = 1\narmor_in_rough = 1 "
    s = on(edited(tmp_path, sheet, sheet.replace("2", "3").replace("rough = 1", "rough = 2")), monkeypatch, here)
    player = phase(s).do("attack L14", "with 39Pz")
    assert player.options("with") == {"40Pz", "24Pz"}
    player.do("with 40Pz")
    assert player.options("with") == set()
    words = "only two armor-type units attack into swamp or mountains from one hex"
    assert player.refused("with 24Pz") == (words, "XII")
    units = tuple(unit_of(s, name) for name in ("39Pz", "40Pz", "24Pz"))
    assert outlook.why_not(s, (s.rules.grid.index("L14"),), units) == (words, "XII")
    assert outlook.why_not(s, (s.rules.grid.index("L14"),), units[:2]) is None


# ---------------------------------------------------------------------- the first turn (XVI.B.3)


def test_how_near_the_border_units_stand_that_may_act_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s = on(edited(tmp_path, "soviet_frozen_beyond = 2", "soviet_frozen_beyond = 1"), monkeypatch, {"8A": "N20"}, turn=1)
    s.side, unit = SOVIET, unit_of(s, "8A")
    stands = "8. Army stands more than one hex from the German border"
    assert strategic.why_not_able(s, unit) == (f"{stands} and may not move yet", "XVI.B.3")
    assert refusals.why_not_move(s, unit, s.rules.owner(unit)).reason.startswith(f"{stands} and may not act")


# ---------------------------------------------------------------------- seas (VIII.B)


@pytest.mark.parametrize(("most", "sails"), [(0, 0), (1, 1), (2, 2)])
def test_how_many_units_sail_on_a_sea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, sails: int) -> None:
    s = on(edited(tmp_path, "units_per_sea = 1", f"units_per_sea = {most}"), monkeypatch, {"9A": "FF8"})
    unit, port = unit_of(s, "9A"), s.rules.grid.index("JJ10")
    for voyage in range(3):
        assert bool(sea.sea_reach(s, unit) >> port & 1) is (voyage < sails)
        s.sea_used = (*s.sea_used, "Black Sea")
    s.sea_used = ("Black Sea",) * sails
    assert not sea.sea_reach(s, unit)
    game = PortfolioGame(tmp_path)
    state = game.setup("june22", {})
    state.sea_used = s.sea_used
    assert game.revive(game.freeze(state), "june22", {}).sea_used == s.sea_used


# ---------------------------------------------------------------------- air supply (XIV.B.2)


POCKET = {"1Inf": "S8", "2Inf": "S8", "3RomA": "S9", "7Inf": "S11"}


def test_only_the_kerch_straits_part_waters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the waters are called: Riga and the Gulf of Finland are one, the Azov lies behind the straits."""
    rules = edited(tmp_path, '"Baltic" = ["Baltic", "Gulf of Finland"]', '"North" = ["Baltic", "Gulf of Finland"]')
    s = on(rules, monkeypatch, {"8A": "J7", "9A": "FF8"}, axis="JJ13")
    reach = sea.sea_reach(s, unit_of(s, "8A")), sea.sea_reach(s, unit_of(s, "9A"))
    assert reach[0] >> rules.grid.index("G15") & 1
    assert not reach[1] >> rules.grid.index("HH18") & 1


def test_how_many_stacks_are_supplied_by_air(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s = on(edited(tmp_path, "air_supplied_stacks = 1", "air_supplied_stacks = 2"), monkeypatch, POCKET)
    s.side = AXIS
    player = Player(s)
    supply.begin(s, AXIS, player.play)
    player.settle().do("airlift S8")
    assert player.options() == {"airlift S11", "pass"}
    assert player.rule("airlift S8") == "XIV.B.2"
    player.do("airlift S11")
    assert boards.ids(s, s.on_map(AXIS)) == {"1Inf", "2Inf", "7Inf"}


def test_no_stack_is_supplied_by_air(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s = on(edited(tmp_path, "air_supplied_stacks = 1", "air_supplied_stacks = 0"), monkeypatch, POCKET)
    s.side = AXIS
    player = Player(s)
    supply.begin(s, AXIS, player.play)
    assert "pass" not in player.settle().options()


# ---------------------------------------------------------------------- amphibious tanks (XVI.B.2)


def test_without_amphibious_tanks(tmp_path: Path) -> None:
    found = []
    for rules in (ruleset("june22", {}, DATA), edited(tmp_path, "amphibious_attacks = 1", "amphibious_attacks = 0")):
        s = PortfolioGame(rules.folder).setup("june22", {})
        s.side, s.reserve = AXIS, 0
        found.append(any(
            may_be_amphibious(s, (target,), (unit,))
            for unit in s.on_map(AXIS)
            for target in s.rules.grid.neighbours[s.pos[unit]]
            if target >= 0 and s.occ[SOVIET] >> target & 1
        ))  # fmt: skip
    assert found == [True, False]


# ---------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("surcharge = 1", "surcharge = 11", "movement.river_surcharge"),
        ("units_per_sea = 1", "units_per_sea = 21", "sea.units_per_sea"),
        ("air_supplied_stacks = 1", "air_supplied_stacks = 21", "supply.air_supplied_stacks"),
        ("amphibious_attacks = 1", "amphibious_attacks = 2", "first_turn.amphibious_attacks"),
    ],
)
def test_a_figure_beyond_its_bounds_is_refused(tmp_path: Path, old: str, new: str, key: str) -> None:
    with pytest.raises(SetupError, match=rf"charts\.toml, line \d+, {key}: this is a whole number from 0 to"):
        edited(tmp_path, old, new)
    assert any(p.field == key and "this is a whole number" in p.message for p in validate(tmp_path))


def test_a_column_more_or_less_is_refused(tmp_path: Path) -> None:
    says = "there are 12 columns, and the program is built for 11"
    with pytest.raises(SetupError, match=rf"charts\.toml, line \d+, crt\.columns: {says}"):
        edited(tmp_path, '"7:1", "10:1"]', '"7:1", "10:1", "11:1"]')
    assert any(p.field == "crt.columns" and says in p.message for p in validate(tmp_path))


def test_where_german_replacements_enter(tmp_path: Path) -> None:
    """Refusals name the cities of the data, however many there are."""
    assert production.axis_entries(ruleset("june22", {}, DATA), "or") == "Helsinki, Bucharest or Warsaw"
    rules = edited(tmp_path, 'axis_entry = ["D10", "HH1", "Q1"]', 'axis_entry = ["Q1"]')
    assert production.axis_entries(rules, "or") == "Warsaw"


PURSES = [(0, 9), (2, 9), (3, 0), (3, 9), (9, 0), (9, 9), (99, 9), (4, 1)]


@pytest.mark.parametrize("least", [0, 3, 99])
def test_one_price_of_a_shock_army(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int) -> None:
    """What a side can pay for is what it pays, however many points of armor the price takes."""
    s = on(edited(tmp_path, "shock_min_armor = 1", f"shock_min_armor = {least}"), monkeypatch, {})
    unit = next(u for u in s.rules.units if u.cost_kind == "shock")
    share = min(least, unit.cost)
    for armor, infantry in PURSES:
        s.armor_points[SOVIET], s.infantry_points[SOVIET] = armor, infantry
        enough = armor >= share and armor + infantry >= unit.cost
        from_armor = max(share, unit.cost - infantry)
        assert production.price(s, unit.number) == ((from_armor, unit.cost - from_armor) if enough else None)
        assert bool(production.affordable(s, SOVIET) >> unit.number & 1) is enough


def test_who_is_refused_the_water_is_what_the_types_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DATA / "types.toml").read_text(encoding="utf-8")
    (tmp_path / "types.toml").write_text(text.replace('"Cavalry"', '"Horsemen"'), encoding="utf-8")
    s = on(ruleset("june22", {}, tmp_path), monkeypatch, {"3Pz": "JJ13", "8A": "II14"})
    found = side_barred(s, unit_of(s, "3Pz"), s.rules.grid.index("JJ13"), s.rules.grid.index("II14"))
    assert found is not None
    assert "armor, mechanized, armored cavalry and horsemen units do not cross lakes" in found[0]


COLUMNS = '"3:1", "4:1", "5:1"'


@pytest.mark.parametrize(
    ("columns", "three", "five"), [(COLUMNS, 6, 8), ('"4:1", "5:1", "6:1"', 6, 7), ('"3:1", "4:1", "9:2"', 6, 9)]
)
def test_odds_are_found_in_the_table_wherever_it_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str, three: int, five: int
) -> None:
    """Standing orders and the simplest player name odds, and the columns of the table are data."""
    rules = edited(tmp_path, COLUMNS, columns)
    assert (lowest_column(rules, 3, 1), lowest_column(rules, 5, 1)) == (three, five)
    assert lowest_column(rules, 99, 1) == len(rules.columns)
    s = on(rules, monkeypatch, {"7Inf": "X16", "11A": "X17", "9A": "Z17"})
    phase(s)
    for policy in ("3:1", "5:1"):
        assert standing.answer(s, policy) == STAND


def test_the_sea_that_counts_at_kerch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    units, axis = {"7Inf": "JJ13", "24MK": "II14"}, "JJ10"
    sheet = 'controlled_sea = "Black Sea"'
    earlier = on(edited(tmp_path, sheet, ""), monkeypatch, units, axis=axis)
    assert odds_of(earlier, "II14", "7Inf").attack == 4
    s = on(edited(tmp_path, sheet, 'controlled_sea = "Azov"'), monkeypatch, units, axis=axis)
    assert odds_of(s, "II14", "7Inf").attack == 2
    with pytest.raises(SetupError, match=r"feature\.kerch\.controlled_sea: sea\.control has no sea 'Aral'"):
        edited(tmp_path, sheet, 'controlled_sea = "Aral"')
