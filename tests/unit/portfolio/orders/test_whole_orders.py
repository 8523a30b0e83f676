"""Whole orders: attacks by everybody who can join, advances given in one line, and where these lead."""

from __future__ import annotations

import pytest

from rasputitsa import Session, new_match
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.lines import why_not
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api import whole_orders
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.dispersal import Dispersed
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat.advance import Advanced
from tests.unit.portfolio.board import Player, board
from tests.unit.portfolio.fights import phase, resolve, where

GAME = PortfolioGame()


def expanded(s: State, line: str) -> list[str]:
    """The single actions of a line."""
    return [GAME.format(s, action) for action in whole_orders.parse(s, line)]


def attacking(s: State) -> Player:
    """The Axis announces attacks, and nobody has gone away before them."""
    player = phase(s)
    while player.asked().kind == "window":
        player.do("stand_all")
    return player


# ---------------------------------------------------------------- attacks by all


def test_everybody_adjacent_joins_the_strongest_first() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "39Pz": "W17", "2Inf": "W16", "11A": "X17"})
    attacking(s)
    assert expanded(s, "attack X17: all") == ["attack X17", "with 39Pz", "with 4AOK", "with 1Inf", "ready"]
    assert expanded(s, "ATTACK x17 : ALL") == expanded(s, "attack X17: all")


def test_units_announced_elsewhere_are_left_there() -> None:
    s = board({"4AOK": "X16", "39Pz": "W17", "11A": "X17", "16MK": "W18"})
    player = attacking(s).do("attack W18", "with 39Pz", "ready")
    assert player.asked().kind == "attack"
    assert expanded(s, "attack X17: all") == ["attack X17", "with 4AOK", "ready"]


def test_all_the_others_join_the_attack_in_hand() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "11A": "X17"})
    player = attacking(s).do("attack X17", "with 1Inf")
    assert expanded(s, "with all") == ["with 4AOK"]
    player.do("with 4AOK")
    with pytest.raises(IllegalAction, match="nobody else can join"):
        expanded(s, "with all")


def test_two_hexes_are_attacked_by_whoever_reaches_both() -> None:
    s = board({"4AOK": "X16", "1Inf": "W16", "11A": "X17", "16MK": "W17"})
    attacking(s)
    both = expanded(s, "attack X17+W17: all")
    assert both[:2] == ["attack X17", "also W17"] and "with 4AOK" in both


def test_where_one_tank_corps_has_room_the_stronger_goes() -> None:
    """XII: a single armor-type unit attacks into a swamp from one hex."""
    grid, land = board().rules.grid, board().rules.map.ground[0]
    swamp = next(h for h in members(land.rough) if not grid.adjacent[h] & ~land.enterable)
    beside, target = grid.names[members(grid.adjacent[swamp])[0]], grid.names[swamp]
    attacking(s := board({"39Pz": beside, "RomArm": beside, "11A": target}))
    assert expanded(s, f"attack {target}: all") == [f"attack {target}", "with 39Pz", "ready"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [("attack X18: all", "no enemy unit stands"), ("with all", "choose a hex to attack first|nobody else")],
)
def test_no_attack_by_all(line: str, reason: str) -> None:
    s = board({"4AOK": "X16", "11A": "X17"})
    attacking(s)
    with pytest.raises(IllegalAction, match=reason):
        expanded(s, line)


def test_the_odds_of_all_name_who_would_attack() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "11A": "X17"})
    attacking(s)
    found = GAME.query(s, "axis", "odds", {"targets": "X17", "units": "all"})
    assert set(found["units"]) == {"4AOK", "1Inf"}
    assert found == GAME.query(s, "axis", "odds", {"targets": "X17", "units": ",".join(found["units"])})


# ---------------------------------------------------------------- advances in one line


def broken_open() -> State:
    """2PzG and 39Pz have eliminated what stood at X17."""
    s = board({"2PzG": "X16", "39Pz": "W17", "24MK": "X17"})
    resolve(s, "X17: 2PzG 39Pz", [1])
    return s


def test_a_whole_advance_is_walked_as_written_and_halts() -> None:
    s = broken_open()
    assert expanded(s, "advance 2PzG X17-X18-X19") == ["advance 2PzG", "to X18", "to X19", "halt"], (
        "it must enter X17 first"
    )


def test_an_advance_as_far_as_it_goes_needs_no_halt() -> None:
    s = broken_open()
    ways = GAME.query(s, "axis", "advance", {})["ways"]
    longest = max((w for w in ways if w["unit"] == "2PzG"), key=lambda w: len(w["hexes"]))
    assert len(longest["hexes"]) == 5, "four hexes from where it stood"
    assert expanded(s, longest["line"])[-1] != "halt"


def test_an_advance_that_cannot_be_is_refused() -> None:
    s = broken_open()
    with pytest.raises(IllegalAction, match="not next to"):
        expanded(s, "advance 2PzG X20")
    with pytest.raises(IllegalAction, match="has not attacked"):
        expanded(s, "advance 1Inf X17")


def test_nothing_advances_where_nothing_is_asked() -> None:
    s = board({"4AOK": "X16", "11A": "X17"})
    attacking(s)
    assert GAME.query(s, "axis", "advance", {}) == {"ways": []}


def test_each_advance_offered_in_real_games_leads_where_it_says() -> None:
    found = sum(play(new_match("portfolio", "june22", seed=seed)) for seed in range(2))
    assert found > 40


def play(match: Session) -> int:
    """The first turn, with attacks by all on every hex; how many advances were checked on the way."""
    checked = 0
    for _ in range(300):
        decision = match.decision()
        if decision is None:
            break
        if decision.kind in ("advance", "advance_step"):
            checked += check_ways(match.state, decision.seat)
        match.play(choice(match.state, [GAME.format(match.state, a) for a in decision.options]))
    return checked


def choice(s: State, options: list[str]) -> str:
    """Attack with all where one can, and else the first answer."""
    attack = next((o for o in options if o.startswith("attack ")), None)
    if attack and why_not(GAME, s, f"{attack}: all") is None:
        return f"{attack}: all"
    return next((o for o in ("stand_all", "done") if o in options and not options[0].startswith("advance")), options[0])


def check_ways(s: State, seat: str) -> int:
    ways = GAME.query(s, seat, "advance", {})["ways"]
    for way in ways:
        assert why_not(GAME, s, way["line"]) is None, way
        after, unit = s.copy(), s.rules.roster.index[way["unit"]]
        entered = []
        for action in GAME.parse(after, way["line"]):
            entered += GAME.apply(after, action, SeededDice(0))
        walked = [
            [s.rules.grid.names[h] for h in e.path] for e in entered if isinstance(e, Advanced) and e.unit == unit
        ]
        assert walked[0] == way["hexes"] and where(after, way["unit"]) == way["hex"]
        strained = [e for e in entered if isinstance(e, Dispersed) and e.reason == "advance" and unit in e.units]
        assert bool(strained) == way["dispersed"]
    return len(ways)
