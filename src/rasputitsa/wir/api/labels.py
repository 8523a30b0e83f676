"""Actions and the signs of the map in plain words, for buttons, lists and the map key."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.game import NO_DETAILS, Details
from rasputitsa.core.marks import counted, figured, listed, times
from rasputitsa.core.shapes import Ground, Sign
from rasputitsa.core.symbols import Symbol
from rasputitsa.wir.api.plot_table import in_words
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.indices import PlotNumber
from rasputitsa.wir.model.marks import place_name
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import FREEZING, State
from rasputitsa.wir.model.tables import INFANTRY, KIND, KIND_NAMES, MECHANIZED, RAIN, WEATHER_IDS, WEATHER_NAMES
from rasputitsa.wir.model.theatre import DIRECTION_NAMES, FOREST, FORTIFIED, MOUNTAIN, PLANT_NAMES, SWAMP
from rasputitsa.wir.rules.adjustment import recruits
from rasputitsa.wir.rules.adjustment.adjust import Transferring
from rasputitsa.wir.rules.adjustment.build import FORMS, Raising
from rasputitsa.wir.rules.adjustment.naval import Sailing
from rasputitsa.wir.rules.end_of_turn.lendlease import city_of
from rasputitsa.wir.rules.movement.movement import Orders

PLAIN = {
    "done": "End the phase", "halt": "Put the group down", "back": "Back", "abort": "Start over",
    "end_game": "Propose to end the game", "agree": "Agree", "decline": "Decline", "auto": "Retrace the last move",
    "rail": "Build rail here", "supply": "Supply from here", "skip": "Do not use this depot",
    "auto_supply": "Let the staff place the depots", "auto_replace": "Let the staff distribute replacements",
    "auto_all": "Let the staff distribute replacements and artillery",
    "artillery": "Add artillery", "unplot": "Take the plot back",
}  # fmt: skip
TITLES = {
    **PLAIN, "done": "Done", "auto_supply": "Staff: supply", "auto_replace": "Staff: replacements",
    "auto_all": "Staff: replacements and guns",
    "divide": "Divide a group", "form": "Kind of group", "send": "Send a unit", "guns": "Artillery points",
    "transfer": "Transfer units", "aircraft": "Transfer aircraft", "reinforce": "Aircraft from the pool",
    "points": "Points", "build": "Build units", "type": "Kind of unit", "strength": "Strength",
    "factory": "Build a factory", "works": "Kind of factory", "dismantle": "Dismantle factories", "naval": "By sea",
    "level": "Level of play", "step": "One hex", "depot": "Move the depot", "get": "Take up a group",
    "railmove": "By rail", "replace": "Replacements", "plot": "Tactical plot", "bomb": "Bomb a city",
    "ground": "Ground attack",
}  # fmt: skip
"""What all actions of a verb have in common; one that names nothing is mostly called by its label."""
WITH_NUMBERS = {
    "divide": "Divide group {0}", "transfer": "Transfer from group {0} to {1}",
    "aircraft": "Aircraft from {0} to {1}", "reinforce": "Aircraft from the pool to {0}",
    "naval": "Sail from group {0} to {1}", "level": "Propose level {0}",
}  # fmt: skip
AMOUNTS = {"guns": "artillery point", "points": "point", "strength": "point"}
BETWEEN = ("transfer", "aircraft", "naval")
"""Verbs by which the first group sends something to the second."""
KIND_TITLES = tuple(name.capitalize() if name in ("", "depot") else f"{name.capitalize()} group" for name in KIND_NAMES)
"""What a group of each kind is called."""
KIND_SYMBOLS: tuple[Symbol, ...] = ("infantry", "armor", "infantry", "air", "depot")
FORM_TITLES = {
    form: f"{'An' if KIND_NAMES[kind][0] in 'aeiou' else 'A'} {KIND_NAMES[kind]} group" for form, kind in FORMS.items()
}
WITH_HEX = {
    "build": "New units in {0}", "factory": "A factory in {0}", "dismantle": "Dismantle factories in {0}",
    "depot": "Depot to {0}", "railmove": "By rail to {0}", "bomb": "Bomb the city in {0}",
    "ground": "Attack the groups in {0} from the air",
}  # fmt: skip
WEATHER_TITLES = dict(zip(WEATHER_IDS, (name.capitalize() for name in WEATHER_NAMES), strict=True))
VALUE_TITLES = {
    "population": "Population", "industry": "Heavy industry", "vehicle": "Vehicle factories",
    "artillery": "Artillery factories", "aircraft": "Aircraft factories", "supply": "Supply centres",
}  # fmt: skip
"""8.5, 8.9: what a city counts."""
POOL_TITLES = {
    "infantry": "Infantry", "vehicle": "Vehicles", "artillery": "Artillery", "aircraft": "Aircraft",
    "supply": "Supply", "construction": "Construction", "factories": "Factories",
}  # fmt: skip
"""8.5: the points of a side."""
SCORE_TITLES = {
    "cities": "Cities", "population": VALUE_TITLES["population"], "supply": VALUE_TITLES["supply"],
    "months": "Months survived", "handicap": "Handicap", "total": "Total",
}  # fmt: skip
"""9.1: what victory points are given for."""
STATUS_TITLES = {"U": "unsupplied", "S": "supplied", "M": "moved, may go on", "N": "no more actions"}
"""6.1: the letters of a group's status."""
SHARES = {2: "half", 3: "a third", 4: "a quarter"}


def label(s: State, action: Action) -> str:
    """The action in plain words."""
    verb, args = action
    if verb == "halt":
        return _end(s)
    if verb in PLAIN:
        return PLAIN[verb]
    if offered := _offered(s, action):
        return f"{offered[0]}: {offered[1]}"
    if verb in WITH_NUMBERS:
        return WITH_NUMBERS[verb].format(*args)
    if verb in AMOUNTS:
        return figured(args[0], AMOUNTS[verb])
    if verb in WITH_HEX:
        return WITH_HEX[verb].format(place_name(s, args[0]))
    if verb == "get":
        return f"Orders for {KIND_NAMES[KIND[args[0]]]} group {args[0]}"
    if verb == "step":
        return DIRECTION_NAMES[args[0]].capitalize()
    if verb == "plot":
        return plot_words(args[0])
    if verb == "form":
        return FORM_TITLES[args[0]]
    if verb == "works":
        return f"{PLANT_NAMES[args[0]].capitalize()} factory"
    name = unit_sent(s, args[0])
    return f"Send {name}" if verb == "send" else f"{name}: {figured(args[1], 'replacement point')}"


def _end(s: State) -> str:
    """What ends a question that holds several orders."""
    top = s.stack[-1] if s.stack else None
    if isinstance(top, Raising):
        return "Build no more here"
    if not isinstance(top, Transferring):
        return PLAIN["halt"]
    if top.dividing(s):
        return "Do not divide the group"
    return "End the division" if top.formed else "End the transfer"


def subject(s: State, action: Action) -> str:
    """What an order is about in plain words, without its verb and its price."""
    if offered := _offered(s, action):
        return offered[0]
    return unit_sent(s, action.args[0]) if action.verb == "send" else label(s, action)


def details(s: State, action: Action) -> Details:
    """What is to be known of an action besides its label: what is built and at what price, and for which unit."""
    verb, args = action
    if verb == "replace":
        return Details(member=args[0])
    if verb == "plot":
        return Details(plot=plot.text(args[0]))
    if verb in BETWEEN:
        return Details(source=str(args[0]), target=str(args[1]))
    if verb == "reinforce":
        return Details(target=str(args[0]))
    if verb == "works" and s.stack and (place := s.stack[-1].about(s).hexes):
        return Details(label(s, action), f"{s.values[args[0]][s.rules.map.city_at[place[0]]]} there now")
    offered = _offered(s, action)
    return Details(*offered) if offered else NO_DETAILS


def plot_words(number: PlotNumber) -> str:
    """A plot as it is written, and in words."""
    return f"{plot.text(number)}: {in_words(plot.unpack(number))}"


def _offered(s: State, action: Action) -> tuple[str, str] | None:
    """What may be built, and how good it is or what it costs; None for an action that builds no unit."""
    if action.verb == "type":
        return recruits.offer(s, s.side, action.args[0])
    top = s.stack[-1] if s.stack else None
    ordered = top.ordered if isinstance(top, Raising) else 0
    if action.verb != "strength" or not ordered:
        return None
    points, kind = action.args[0], s.rules.types[ordered]
    return f"{kind.code} with {figured(points, 'point')}", f"costs {recruits.price_words(kind, points)} points"


def unit_sent(s: State, place: int) -> str:
    """``send`` and ``replace`` name a unit by its place in the list of the group in question."""
    top = s.stack[-1] if s.stack else None
    group = 0
    if isinstance(top, (Transferring, Sailing)):
        group = top.source
    elif isinstance(top, Orders):
        group = top.group
    units = s.group_units[group]
    return s.unit_label(units[place - 1]) if 0 < place <= len(units) else f"unit {place}"


def worn_out(rules: Ruleset) -> str:
    """8.1: what it means for a group to arrive worn out."""
    return f"worn out there: whatever tires it more then costs {rules.march.overstrain} % of strength instead"


def signs(rules: Ruleset) -> dict[str, Sign]:
    """What each sign of the map stands for."""
    told = {
        "forest": ("8.3" if rules.attack.into[FOREST] > 1 else "7.6", _into(rules, FOREST)),
        "swamp": ("8.3", _into(rules, SWAMP)),
        "mountain": ("8.3", _into(rules, MOUNTAIN)),
        "river": ("8.3", f"{_attack(rules.attack.river, 'across it')}No obstacle in {listed(_frozen())} weather."),
        "frost": ("8.4", _frost(rules)),
        "rain": ("8.4", _rain(rules)),
        "axis_rail": ("5.3", "Axis depots and trains use it."),
        "soviet_rail": ("5.3", "Soviet depots and trains use it, until the Axis has built it over."),
        "fortified": ("7.7", f"Nobody retreats from it. {_attack(rules.attack.into[FORTIFIED], 'into it')}".strip()),
        "entrenchment": ("6.8", f"{counted(rules.entrenchment.most, 'level').capitalize()} at most."),
        "moved": ("6.1", "Has marched and may go on."),
        "done": ("6.1", "Cannot act any more this week."),
        "trapped": ("7.7", "Forced out of its hex the group surrenders."),
        "digging_in": ("6.8", "Groups that neither move nor plot dig in by themselves."),
        "bombardment": ("7.5", "A bombardment alone: nobody assaults, nobody advances."),
        "advance": ("7.8", _follows(rules)),
        "plot_steps": ("6.6", "A plot takes a mechanized group up to two hexes, an infantry group one."),
        "plot_letters": ("6.6", "S at the end: attack, but do not move in. B: only bombard."),
        "execution": ("7.0", "Plots are carried out when both sides have ended their movement."),
        "dug_in": ("7.7", "While any are left the defender stays."),
        "rail_move": ("6.3", "Any distance on its own rails, without fatigue."),
        "replacements": ("6.4", "Replacements lower experience."),
        "guns": ("6.5", f"Up to {counted(rules.guns.step, 'point')}; then it can neither move nor take replacements."),
        "left_behind": ("6.2", "On the move it leaves its entrenchments, and its artillery goes back to the pool."),
        "air_missions": ("6.9", "Only air groups in supply that have not moved fly strikes."),
        "lend_waits": ("8.6", _waits(rules)),
        "guards_of_rail": ("8.7", _guards(rules)),
        "substitutes": ("4.9", "Chance may give another kind than was ordered." if _may_differ(rules) else ""),
        "new_factory": ("4.8", "It adds one to the city's factories of that kind."),
        "aircraft_moves": ("4.5", f"No more than {counted(rules.raids.moves, 'point')} of a side go over in a week."),
        "shelter": ("7.9", _shelter(rules)),
    }
    return {sign: {"text": text, "rule": rule} for sign, (rule, text) in told.items() if text}


def grounds() -> dict[str, Ground]:
    """What the land looks like in each kind of weather (8.4)."""
    return {
        name: {"snow": "all" if weather in FREEZING else "none", "wet": weather == RAIN, "ice": weather in FREEZING}
        for weather, name in enumerate(WEATHER_IDS)
    }


def _into(rules: Ruleset, terrain: int) -> str:
    """8.3, 7.6: what an attack into a terrain suffers."""
    plain = "" if terrain in rules.attack.mechanized_terrain else "Mechanized groups attack without their bonus."
    return f"{_attack(rules.attack.into[terrain], 'into it')}{plain}".strip()


def _attack(divisor: int, where: str) -> str:
    return "" if divisor == 1 else f"An attack {where} counts {SHARES.get(divisor, f'1/{divisor}')}. "


def _follows(rules: Ruleset) -> str:
    """7.8: who goes into a hex that the defenders leave."""
    fast, slow = rules.flight.advance[MECHANIZED], rules.flight.advance[INFANTRY]
    return (
        f"Where the defenders leave, a mechanized group follows {fast} times in 100, an infantry group {slow}; "
        "none with an S."
    )


def _frost(rules: Ruleset) -> str:
    """8.1: what a step costs where the ground is frozen."""
    march = rules.march
    costs = [f"{times(march.weather[kind])} in {WEATHER_NAMES[kind]} weather" for kind in FREEZING]
    costs.append(f"{times(march.first_winter)} for the Axis in that of the first winter")
    return f"Rivers and swamps are frozen. Each hex costs more fatigue: {', '.join(costs)}."


def _guards(rules: Ruleset) -> str:
    """8.7: how infantry in the pool keeps partisans down."""
    table = rules.sheet["partisans"]
    return f"Every {table['guard_points']} infantry points in your pool make them {table['guard_percent']} % rarer."


def _waits(rules: Ruleset) -> str:
    """8.6: why what is landed in the north does not go on."""
    landing, junction = (city_of(rules, part) for part in ("landing", "junction"))
    return f"It waits at {landing} while {junction} is lost, or in winter the line there is cut."


def _may_differ(rules: Ruleset) -> bool:
    """4.9: whether another kind of unit may be built than was ordered, at one time or another."""
    return any(percent for rule in rules.sheet["build"]["substitutes"] for _, percent in rule["percent"])


def _shelter(rules: Ruleset) -> str:
    """7.9: what the deepest entrenchments leave of bombs and shells."""
    *_, deepest = rules.entrenchment.shelter
    return (
        f"Entrenchments shelter from it: level {rules.entrenchment.most} leaves {deepest} %." if deepest < 100 else ""
    )


def _rain(rules: Ruleset) -> str:
    halved = rules.attack.rain
    attack = "" if halved == 1 else "Attacks are halved. " if halved == 0.5 else f"Attacks count {halved:g} times. "
    costs = times(rules.march.weather[RAIN])
    most = counted(rules.march.rain, "hex", "hexes")
    return f"{attack}Each hex costs {costs} the usual fatigue. Groups go {most} at most."


def _frozen() -> list[str]:
    return [WEATHER_NAMES[weather] for weather in FREEZING]
