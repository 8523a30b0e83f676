"""War in Russia: whole campaigns by random players through the front door, with what must hold all the way."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import Draw, ScriptedDice, SeededDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.actions import VERBS
from rasputitsa.wir.model.options import OPTIONS
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, GROUPS, KIND, MECHANIZED, UNITS, group_side, groups_of
from rasputitsa.wir.rules.movement.movement import why_not_plot

GAME = WirGame()
Watch = Callable[[State, Action], None]
ASIDE = {"end_game", "level", "abort", "skip"}
"""Orders these players do not think of: they end the game early or undo what was done."""
EAGER = {"get": 12, "plot": 8, "ground": 8, "replace": 3, "step": 3}
"""How much likelier than other orders these are."""


def choose(chooser: random.Random, options: list[Action]) -> Action:
    """An order at random: first the verb, so that long lists do not crowd out the rest."""
    verbs: dict[str, list[Action]] = {}
    for action in options:
        if action.verb not in ASIDE:
            verbs.setdefault(action.verb, []).append(action)
    names = list(verbs)
    return chooser.choice(verbs[chooser.choices(names, [EAGER.get(name, 1) for name in names])[0]])


def campaign(
    seed: int, scenario: str, options: dict[str, str] | None = None, weeks: int = 300, watch: Watch | None = None
) -> State:
    """A game to its end, or for some weeks."""
    chooser, dice = random.Random(seed), SeededDice(seed)
    s = GAME.setup(scenario, options or {})
    while s.outcome is None and s.turn <= weeks:
        action = choose(chooser, GAME.legal(s))
        GAME.apply(s, action, dice)
        if watch:
            watch(s, action)
    return s


def assert_sound(s: State) -> None:
    """Stacks, groups and pools are legal, and every derived set is what a recount gives."""
    board = s.rules.map
    for hex_, here in s.at.items():
        assert len(here) <= s.rules.limits.stack and board.passable >> hex_ & 1
        assert len({group_side(group) for group in here}) == 1
    assert not s.occ[0] & s.occ[1]
    for group in range(1, GROUPS):
        units = s.group_units[group]
        assert len(units) <= 6
        if KIND[group] != AIR:
            assert (s.hex[group] >= 0) == bool(units) or s.stack[-1].kind in ("transfer", "orders"), group
        if KIND[group] == MECHANIZED:
            assert all(s.rules.types[s.utype[unit]].mechanized for unit in units)
        assert s.entrench[group] <= 5 and s.artillery[group] >= 0
    for unit in range(UNITS):
        if s.utype[unit]:
            assert 0 < s.strength[unit] <= max(s.rules.types[s.utype[unit]].strength)
            assert s.fatigue[unit] <= 95 and s.experience[unit] <= 99 and s.ugroup[unit]
    for side in (0, 1):
        assert all(0 <= points <= most for points, most in zip(s.pools[side], s.rules.limits.pools, strict=True))
    assert not s.rail[0] & s.rail[1]
    again = s.copy()
    again.rebuild()
    for name in ("at", "occ", "full", "city_hexes", "ugroup"):
        assert getattr(again, name) == getattr(s, name), name


@pytest.mark.parametrize(("seed", "scenario"), [(1, "barbarossa_short"), (2, "case_blue_short"), (3, "zitadelle")])
def test_every_position_of_a_campaign_is_sound(seed: int, scenario: str) -> None:
    count = 0

    def watch(s: State, _action: Action) -> None:
        nonlocal count
        count += 1
        if count % 9 == 0 and s.outcome is None:
            assert_sound(s)

    end = campaign(seed, scenario, weeks=30, watch=watch)
    assert end.turn > 10 or end.outcome is not None
    assert count > 500


EVENINGS = ("kursk_south", "minsk_1941", "uranus", "voronezh_1942")


@pytest.mark.parametrize("seed", (21, 22))
@pytest.mark.parametrize("scenario", EVENINGS)
def test_every_position_of_an_evening_is_sound_and_within_its_part_of_the_map(scenario: str, seed: int) -> None:
    """EVENING: no group stands outside the zone, and the goal decides in its last week at the latest."""
    count = 0

    def watch(s: State, _action: Action) -> None:
        nonlocal count
        count += 1
        if count % 9 == 0 and s.outcome is None:
            assert_sound(s)
            assert not sum(1 << h for h in s.at) & ~s.rules.map.zone

    end = campaign(seed, scenario, watch=watch)
    assert end.outcome is not None and end.outcome.level == "goal" and end.goal is not None
    assert end.turn <= end.goal.last_turn + 1
    assert count > 100
    assert_sound(end)


def test_a_whole_war_comes_to_an_end() -> None:
    end = campaign(4, "barbarossa")
    assert end.outcome is not None and end.outcome.rule and end.outcome.level
    assert_sound(end)


SETTINGS = [(option.id, choice.id) for option in OPTIONS for choice in option.choices if choice.id != option.default]


@pytest.mark.parametrize(("option", "value"), SETTINGS)
def test_every_option_plays(option: str, value: str) -> None:
    end = campaign(5, "case_blue", {option: value}, weeks=4)
    assert end.turn == 5 or end.outcome is not None
    assert_sound(end)


def test_the_same_seed_gives_the_same_war() -> None:
    ends = [GAME.fingerprint(campaign(6, "zitadelle", weeks=8)) for _ in range(2)]
    assert ends[0] == ends[1]


def test_a_recorded_campaign_replays_from_its_dice() -> None:
    chooser, dice = random.Random(7), SeededDice(7)
    s = GAME.setup("barbarossa_short", {})
    lines: list[tuple[str, list[Draw]]] = []
    while s.outcome is None and s.turn <= 8:
        action = choose(chooser, GAME.legal(s))
        text = GAME.format(s, action)
        before = len(dice.drawn)
        GAME.apply(s, action, dice)
        lines.append((text if not text.startswith("auto_") else action.verb, list(dice.drawn[before:])))
    again = GAME.setup("barbarossa_short", {})
    for text, drawn in lines:
        scripted = ScriptedDice(drawn)
        action = Action(text) if text.startswith("auto_") else GAME.parse(again, text)[0]
        GAME.apply(again, action, scripted)
        assert scripted.left == 0
    assert again == s


def test_the_staffs_orders_written_out_come_to_the_same() -> None:
    """A line such as ``auto supply`` is recorded as the orders it stands for."""
    chooser, dice, checked = random.Random(8), SeededDice(8), 0
    s = GAME.setup("case_blue", {})
    while s.turn <= 4:
        for action in GAME.legal(s):
            if action.verb.startswith("auto_") and chooser.random() < 0.3:
                at_once, one_by_one = s.copy(), s.copy()
                GAME.apply(at_once, action, ScriptedDice([]))
                for order in GAME.parse(s, action.verb):
                    assert order in GAME.legal(one_by_one)
                    GAME.apply(one_by_one, order, ScriptedDice([]))
                assert at_once == one_by_one
                checked += 1
        GAME.apply(s, choose(chooser, GAME.legal(s)), dice)
    assert checked > 10


def test_options_can_be_read_back_and_everything_has_words() -> None:
    chooser, dice = random.Random(9), SeededDice(9)
    s = GAME.setup("zitadelle", {})
    for number in range(1200):
        decision = GAME.decision(s)
        if decision is None:
            break
        assert decision.prompt and decision.rule and decision.kind
        assert GAME.to_move(s) == decision.seat
        assert len(set(decision.options)) == len(decision.options)
        for action in decision.options if number % 7 == 0 else decision.options[:3]:
            text = GAME.format(s, action)
            if not text.startswith("auto_"):
                assert GAME.parse(s, text) == [action] == [GAME.read(s, text)]
            assert GAME.label(s, action)
        for event in GAME.apply(s, choose(chooser, list(decision.options)), dice):
            words = GAME.describe(s, event)
            assert words and "{unit:}" not in words
    assert number > 1000


@pytest.mark.parametrize("guns", ["barred", "standing"])
def test_a_menu_lists_the_plots_that_nothing_forbids(guns: str) -> None:
    chooser, dice, held = random.Random(11), SeededDice(11), 0
    s = GAME.setup("barbarossa_short", {"gun_plots": guns})
    for _ in range(9000):
        if s.outcome is not None:
            s = GAME.setup("barbarossa_short", {"gun_plots": guns})
        listed = GAME.legal(s)
        group = s.stack[-1].about(s).units[0] if s.stack[-1].kind == "orders" else 0
        if group and KIND[group] != AIR:
            free = [n for n in plot.legal_plots(KIND[group]) if why_not_plot(s, group, n) is None]
            assert [action.args[0] for action in listed if action.verb == "plot"] == free
            held += not free or s.added_artillery >> group & 1
        GAME.apply(s, choose(chooser, listed), dice)
    assert held > 10, "groups that may not move are among them"


def test_what_is_not_listed_is_refused_and_changes_nothing() -> None:
    chooser, dice, refused = random.Random(10), SeededDice(10), 0
    s = GAME.setup("barbarossa", {})
    for number in range(900):
        options = GAME.legal(s)
        if number % 3 == 0:
            key = s.key()
            for verb, kinds in VERBS.items():
                limits = {"unit": GROUPS, "hex": s.rules.grid.size, "number": 240}
                action = Action(verb, tuple(chooser.randrange(limits[kind]) for kind in kinds))
                if action in options:
                    continue
                with pytest.raises(IllegalAction) as caught:
                    GAME.apply(s, action, ScriptedDice([]))
                assert caught.value.reason and caught.value.rule, action
                refused += 1
            assert s.key() == key
        GAME.apply(s, choose(chooser, options), dice)
    assert refused > 5000


def test_positions_survive_a_file() -> None:
    """What a dump says is what loading it gives, at any moment of a campaign."""
    count = 0

    def watch(s: State, _action: Action) -> None:
        nonlocal count
        count += 1
        if count % 60 == 0 and s.outcome is None and s.stack[-1].kind in ("adjust", "movement", "depot"):
            written = json.loads(json.dumps(GAME.dump_position(s)))
            assert GAME.dump_position(GAME.load_position(written)) == written

    campaign(11, "case_blue", weeks=12, watch=watch)
    assert count > 600


def test_no_secret_of_the_enemy_reaches_a_seat() -> None:
    """Whatever the enemy's groups hold, the view of the other side is that of a position without it."""
    count = 0

    def watch(s: State, _action: Action) -> None:
        nonlocal count
        count += 1
        if count % 80:
            return
        for seat, enemy in (("axis", 1), ("soviet", 0)):
            changed = s.copy()
            for group in groups_of(enemy):
                changed.artillery[group] += 7
                changed.entrench[group] = 5 - changed.entrench[group]
                changed.plot[group] = 0
            changed.strength[enemy * 199 : enemy * 199 + 199] = bytes([1] * 199)
            changed.pools[enemy] = [1] * 7
            assert GAME.observe(changed, seat) == GAME.observe(s, seat)
            assert GAME.view_of(changed, seat) == GAME.view_of(s, seat)

    campaign(12, "zitadelle", weeks=6, watch=watch)
    assert count > 300
