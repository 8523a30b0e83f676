"""Whole games at random, with what must hold after every single action."""

from __future__ import annotations

import json
import random

import pytest

from rasputitsa.core.dice import ScriptedDice, SeededDice
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.portfolio.api.notation import format_action, label, parse
from rasputitsa.portfolio.model.actions import VERBS
from rasputitsa.portfolio.model.options import OPTIONS
from rasputitsa.portfolio.model.stacking import surplus
from rasputitsa.portfolio.model.state import WHERE, State
from tests.support import GAME, choose, random_game

DERIVED = ("occ", "full", "big", "armored", "active", "dispersed_hexes", "strong", "present", "at")
PASSING = ("overstack", "displace", "retreat", "retreat_length")
"""Questions during which a hex may hold too many for a moment (XII)."""


def assert_sound(s: State) -> None:
    """Units are somewhere, stacks and control are legal, and every derived set is what a recount gives."""
    rules = s.rules
    for unit, where in enumerate(s.pos):
        assert where >= 0 or where in WHERE
        if where >= 0:
            assert unit in s.at[where]
            assert rules.map.ground[1].enterable >> where & 1, f"{rules.units[unit].id} on forbidden ground"
            side = rules.roster.side[unit]
            assert s.controlled(side) >> where & 1, f"{rules.units[unit].id} stands on ground it does not control"
    assert not s.occ[0] & s.occ[1], "both sides in one hex"
    crowded = [rules.grid.names[h] for h, units in s.at.items() if surplus(s, units, h)]
    in_passing = s.battle is not None or (bool(s.stack) and s.stack[-1].kind in PASSING)
    assert not crowded or in_passing, f"overstacked: {crowded}"
    assert not s.spent & s.dispersed
    assert not (s.spent | s.moved | s.hold | s.fuel_short) & ~s.present
    assert min(*s.armor_points, *s.infantry_points, *s.siberia_points) >= 0
    assert not s.control & rules.map.neutral
    again = s.copy()
    again.rebuild()
    for name in DERIVED:
        assert getattr(again, name) == getattr(s, name), name


@pytest.mark.parametrize("seed", range(6))
def test_every_position_of_a_game_is_sound(seed: int) -> None:
    count = 0

    def watch(s: State, _action: object) -> None:
        nonlocal count
        count += 1
        if count % 7 == 0:
            assert_sound(s)

    end = random_game(seed, watch=watch)
    assert end.outcome is not None and end.outcome.rule
    assert_sound(end)


def test_every_position_is_written_to_a_file_that_can_be_read_or_to_none() -> None:
    """None is written exactly while somebody passes through a full hex."""
    count, refused = 0, 0

    def watch(s: State, _action: object) -> None:
        nonlocal count, refused
        count += 1
        crowded = any(surplus(s, units, h) for h, units in s.at.items())
        if crowded:
            refused += 1
            with pytest.raises(SetupError, match="which is full"):
                GAME.dump_position(s)
        elif count % 17 == 0:
            written = json.loads(json.dumps(GAME.dump_position(s)))
            again = GAME.dump_position(GAME.load_position(written))
            assert again["units"].keys() == written["units"].keys()

    for seed in (1, 2, 3):
        random_game(seed, watch=watch)
    assert refused > 5, "units were seen in passing"


SETTINGS = [
    *((scenario, {}) for scenario in ("june1", "july10")),
    ("june22", {"players": "4"}),
    ("june22", {"soviet_deployment": "free"}),
    *(
        ("june22", {option.id: choice.id})
        for option in OPTIONS
        for choice in option.choices
        if choice.id != option.default and option.id not in ("players", "soviet_deployment")
    ),
]


@pytest.mark.parametrize(("scenario", "options"), SETTINGS)
def test_every_scenario_and_option_plays_to_an_end(scenario: str, options: dict[str, str]) -> None:
    end = random_game(11, scenario, options)
    assert end.outcome is not None
    assert_sound(end)


EVENINGS = ("kiev", "leningrad_1941", "smolensk", "typhoon")


@pytest.mark.parametrize("seed", (21, 22))
@pytest.mark.parametrize("scenario", EVENINGS)
def test_every_position_of_an_evening_is_sound_and_within_its_part_of_the_map(scenario: str, seed: int) -> None:
    """EVENING: nobody stands or stops outside the zone, and the goal decides in its last turn at the latest."""
    count = 0

    def watch(s: State, _action: object) -> None:
        nonlocal count
        count += 1
        if count % 7 == 0:
            assert_sound(s)
            assert not sum(1 << h for h in s.at) & ~s.rules.map.zone

    end = random_game(seed, scenario, watch=watch)
    assert end.outcome is not None and end.outcome.level == "goal" and end.goal is not None
    assert end.turn <= end.goal.last_turn + 1
    assert count > 100
    assert_sound(end)


def test_options_can_be_read_back_and_everything_has_words() -> None:
    chooser, dice = random.Random(3), SeededDice(3)
    s = GAME.setup("june22", {})
    for number in range(1500):
        decision = GAME.decision(s)
        if decision is None:
            break
        assert decision.prompt and decision.rule and decision.kind
        assert len(set(decision.options)) == len(decision.options)
        for action in decision.options if number % 5 == 0 else decision.options[:3]:
            text = format_action(s.rules, action)
            assert parse(s.rules, text) == [action]
            assert label(s.rules, action)
        for event in GAME.apply(s, choose(chooser, list(decision.options)), dice):
            words = event.words(s)
            assert words and "{unit:}" not in words
    assert number > 1000


def test_what_is_not_listed_is_refused_and_changes_nothing() -> None:
    """Thousands of actions that are neither options nor asides, of every verb, at every kind of decision."""
    chooser, dice = random.Random(5), SeededDice(5)
    s = GAME.setup("june22", {})
    refused = 0
    for number in range(1200):
        decision = GAME.decision(s)
        if decision is None:
            break
        if number % 4 == 0:
            before = s.key()
            asides = {aside for seat in s.rules.seats for aside in GAME.asides(s, seat.id)}
            for verb, kinds in VERBS.items():
                limits = {"unit": len(s.rules.units), "hex": s.rules.grid.size, "number": 12}
                action = parse(s.rules, format_if_real(s, verb, [chooser.randrange(limits[k]) for k in kinds]))[0]
                if action in decision.options or action in asides:
                    continue
                trial = s.copy()
                with pytest.raises(IllegalAction) as refusal:
                    GAME.apply(trial, action, ScriptedDice([]))
                assert refusal.value.reason
                assert trial.key() == before
                refused += 1
        GAME.apply(s, choose(chooser, list(decision.options)), dice)
    assert refused > 5000


def format_if_real(s: State, verb: str, numbers: list[int]) -> str:
    """The notation of a verb with arguments; a hex index in the padding is moved onto the map."""
    words = [verb]
    for kind, number in zip(VERBS[verb], numbers, strict=True):
        if kind == "unit":
            words.append(s.rules.units[number].id)
        elif kind == "hex":
            words.append(s.rules.grid.names[number] or "A1")
        else:
            words.append(str(number))
    return " ".join(words)


def test_looking_changes_nothing_and_is_plain_json() -> None:
    count = 0

    def watch(s: State, _action: object) -> None:
        nonlocal count
        count += 1
        if count % 60:
            return
        before = s.key()
        for seat in ("axis", "soviet", None):
            first = json.dumps(GAME.observe(s, seat), sort_keys=True)
            assert first == json.dumps(GAME.observe(s, seat), sort_keys=True)
        told = GAME.observe(s, None)
        assert GAME.turn_and_phase(s) == (told["turn"]["label"], told["phase"]["label"])
        for kind in ("zoc", "supply", "control", "front", "losses", "victory", "rail", "pools"):
            for side in ("axis", "soviet"):
                json.dumps(GAME.query(s, "axis", kind, {"side": side}))
        assert s.key() == before

    random_game(8, watch=watch)
    assert count > 300


def test_the_number_picked_is_seen_by_the_axis_alone() -> None:
    """Two positions that differ only in the secret number look the same to everybody but the Axis player."""
    s = GAME.setup("june22", {})
    s.secret = 2
    t = s.copy()
    t.secret = 5
    for seat in ("soviet", None):
        assert GAME.observe(s, seat) == GAME.observe(t, seat)
        assert GAME.view_of(s, seat) == GAME.view_of(t, seat)
        assert GAME.decision(GAME.view_of(s, seat)) == GAME.decision(GAME.view_of(t, seat))
    assert GAME.observe(s, "axis") != GAME.observe(t, "axis")


def test_fronts_are_reduced_and_units_given_up_at_any_moment() -> None:
    """XIV.C: whatever is asked and of whom, the question then stands again, and the position is sound."""
    interrupted = {kind for seed in range(8) for kind in _interrupted(seed)}
    assert len(interrupted) > 12, interrupted


def _interrupted(seed: int) -> set[str]:
    """Play a game with asides of any seat at any moment; gives the kinds of questions they came upon."""
    chooser, dice, found = random.Random(seed), SeededDice(seed), set[str]()
    s = GAME.setup("june22", {"players": chooser.choice(("2", "4"))})
    while (decision := GAME.decision(s)) is not None:
        seat = chooser.choice(s.rules.seats).id
        asides = GAME.asides(s, seat)
        assert seat != decision.seat or not set(asides) & set(decision.options)
        fronts = [a for a in asides if a.verb == "reduce"]
        if not asides or chooser.random() > (0.5 if fronts else 0.02):
            GAME.apply(s, choose(chooser, list(decision.options)), dice)
            continue
        aside = chooser.choice(fronts or asides)
        found.add(decision.kind)
        GAME.apply(s, aside, dice)
        if aside.verb == "reduce":
            choice = GAME.decision(s)
            assert choice is not None and (choice.kind, choice.seat) == ("reduce", seat)
        assert_sound(s)
    assert_sound(s)
    assert not any(GAME.asides(s, seat.id) for seat in s.rules.seats), "the game is over"
    return found
