"""XIV.C What a seat does besides answering: units of its own alone, and none that is just being dealt with."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rasputitsa.core import lines
from rasputitsa.core.dice import NoDice, SeededDice
from rasputitsa.core.errors import IllegalAction, SaveError
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.state import State

GAME = PortfolioGame()
FACING = {"2AOK": "V23", "8A": "V24", "WestF": "V27", "1Inf": "K17", "56RK": "K16"}


def place(phase: str, side: str, units: dict[str, str], **more: Any) -> dict[str, Any]:
    return {"scenario": "june22", "empty": True, "turn": 3, "phase": phase, "side": side, "units": units, **more}


def at(phase: str, side: str, units: dict[str, str], **more: Any) -> State:
    return GAME.load_position(place(phase, side, units, **more))


def played(s: State, *orders: tuple[str, str]) -> State:
    """The position after orders of seats."""
    for seat, line in orders:
        s, _ = lines.perform(GAME, s, line, seat, NoDice())
    return s


def refusal(s: State, seat: str, line: str) -> tuple[str, str]:
    """Paragraph and reason of a refused order."""
    before = GAME.fingerprint(s)
    with pytest.raises(IllegalAction) as refused:
        lines.perform(GAME, s, line, seat, NoDice())
    assert GAME.fingerprint(s) == before
    return refused.value.rule, refused.value.reason


def test_who_is_asked_gives_up_none_of_the_units_of_the_enemy() -> None:
    """The Soviet defender is asked in the Axis attack phase, and the Axis in the Soviet one."""
    s = at("attack", "axis", FACING)
    assert GAME.to_move(s) == "soviet"
    assert refusal(s, "soviet", "eliminate 2AOK")[0] == "XIV.C"
    assert GAME.asides(s, "axis")
    t = at("attack", "soviet", FACING)
    assert GAME.to_move(t) == "axis"
    for line in ("eliminate 8A", "eliminate WestF", "reduce WestF", "reduce WestF as 3A"):
        rule, reason = refusal(t, "axis", line)
        assert rule == "XIV.C" and "enemy" in reason
    assert refusal(t, "axis", "eliminate 2AOK") == (
        "XIV.C", "a player gives up units of their own, in a player-turn of their own",
    )  # fmt: skip
    for line in ("eliminate 8A", "reduce WestF"):
        why = lines.why_not(GAME, t, line)
        assert why is not None and why.rule == "XIV.C"
    assert "3A" in {t.rules.units[u].id for u in t.members(t.pool)}


def test_nor_those_of_a_partner() -> None:
    units = {"2AOK": "V23", "8A": "V24", "WestF": "V27", "SWF": "K16", "5A": "K15"}
    s = at("movement", "soviet", units, options={"players": "4"})
    asked = str(GAME.to_move(s))
    (partner,) = {seat.id for seat in GAME.seats({"players": "4"}) if seat.side == "soviet"} - {asked}
    theirs = GAME.asides(s, partner)
    assert theirs
    for action in theirs:
        assert refusal(s, asked, GAME.format(s, action))[0] == "II"
        assert played(s, (partner, GAME.format(s, action)))


@pytest.mark.parametrize("players", ["2", "4"])
@pytest.mark.parametrize("seed", range(3))
def test_in_whole_games_no_seat_plays_what_is_offered_to_another(players: str, seed: int) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    s = GAME.setup("june22", {"players": players})
    seats = [seat.id for seat in GAME.seats({"players": players})]
    tried = 0
    for _ in range(1500):
        decision = GAME.decision(s)
        if decision is None:
            break
        for seat in seats:
            others = {a for other in seats if other != seat for a in GAME.asides(s, other)}
            own = {*GAME.asides(s, seat), *(decision.options if seat == decision.seat else ())}
            for action in chooser.sample(sorted(others - own), min(2, len(others - own))):
                refusal(s, seat, GAME.format(s, action))
                tried += 1
        lasting = [option for option in decision.options if option.verb not in GAME.early_ends]
        GAME.apply(s, chooser.choice(lasting or decision.options), dice)
    assert tried > 100


def test_a_saved_game_in_which_somebody_did_so_is_refused() -> None:
    session = new_session("portfolio", "june22", seed=1, position=place("attack", "soviet", FACING))
    session.play("reduce WestF as 3A", seat="soviet")
    saved = session.save()
    assert Session.load(saved).version == 2
    with pytest.raises(SaveError, match="enemy"):
        Session.load(saved.replace('"seat":"soviet"', '"seat":"axis"').replace('"seat": "soviet"', '"seat": "axis"'))


def test_a_lapse_without_attackers_says_so() -> None:
    s = at("attack", "axis", {"39Pz": "U24", "8A": "V24", "1Inf": "K17", "56RK": "K16"})
    s = played(
        s, ("soviet", "stand_all"), ("axis", "attack V24: 39Pz"), ("axis", "attack K16: 1Inf"), ("axis", "done"),
        ("soviet", "done"), ("axis", "eliminate 39Pz"),
    )  # fmt: skip
    s, done = lines.perform(GAME, s, "resolve 1", "axis", NoDice())
    (lapsed,) = (event for one in done for event in one.events if event.kind == "lapsed")
    assert GAME.describe(s, lapsed) == "Attack 1 lapses: none of its attackers is left"


def test_an_army_that_is_being_built_takes_the_place_of_no_front() -> None:
    s = at("replacement", "soviet", {"NWF": "J20"}, points={"soviet": {"infantry": 40}})
    s = played(s, ("soviet", "replace 8A"))
    assert GAME.decision(s).kind == "replace"  # type: ignore[union-attr]
    rule, reason = refusal(s, "soviet", "reduce NWF as 8A")
    assert rule == "XIV.C" and "8. Army" in reason
    assert played(s, ("soviet", "reduce NWF as 3A"))
    assert played(s, ("soviet", "back"), ("soviet", "reduce NWF as 8A"))


def test_no_friend_is_given_up_while_a_group_passes_through_a_full_hex() -> None:
    """The way on may be open only because a friend stands there (XI.B.2, XII)."""
    units = {
        "24Pz": "LL27", "8A": "KK28", "3Pz": "MM28", "5Inf": "MM28", "1Inf": "LL28", "7Inf": "MM27", "12Inf": "MM27",
    }  # fmt: skip
    s = at("movement", "axis", units, options={"zone_reentry": "barred"})
    s = played(s, ("axis", "move 24Pz"), ("axis", "step MM28"))
    assert {GAME.format(s, option) for option in GAME.legal(s)} == {"to LL28"}
    for friend in ("1Inf", "7Inf", "3Pz"):
        assert refusal(s, "axis", f"eliminate {friend}")[0] == "XIV.C"


def test_who_is_not_asked_hears_the_paragraph_too() -> None:
    s = at("movement", "axis", {"2AOK": "V23", "8A": "V24", "WestF": "V27"})
    assert refusal(s, "soviet", "eliminate 8A") == (
        "XIV.C", "a player gives up units of their own, in a player-turn of their own",
    )  # fmt: skip
    assert refusal(s, "soviet", "reduce 8A") == ("XIV.C", "only a front can be reduced to an army")
    assert refusal(s, "soviet", "reduce NWF") == ("XIV.C", "NorthWestern Front is not on the map")
    assert refusal(s, "soviet", "eliminate 2AOK")[0] == "XIV.C"
    assert refusal(s, "soviet", "Eliminate 8A")[0] == "XIV.C"
    for other in ("move 8A", "done", "eliminate", "nonsense", ""):
        assert refusal(s, "soviet", other) == ("", "it is axis who must decide now, not soviet")


def test_in_the_attack_phase_of_the_first_turn_the_refusal_speaks_of_the_turn() -> None:
    s = at("attack", "axis", {"39Pz": "N4", "8A": "N5"}, turn=1)
    while GAME.to_move(s) != "axis":
        s = played(s, ("soviet", "stand_all"))
    assert refusal(s, "axis", "eliminate 39Pz") == (
        "XIV.C", "units are not given up in the operations of the first game-turn",
    )  # fmt: skip
    assert refusal(s, "axis", "reduce WestF")[0] == "XIV.C"
