"""What the arrays of War in Russia hold, by name."""

from __future__ import annotations

from rasputitsa.wir.model.tables import DEPOT, KIND_NAMES, MOST_SEAS, MOST_UNITS, POOLS, WEATHER_IDS, groups_of
from rasputitsa.wir.model.theatre import (
    AXIS,
    CITY_VALUES,
    DIRECTION_NAMES,
    INDUSTRY,
    SIDES,
    SOVIET,
    SUPPLY,
    TERRAIN_NAMES,
)
from rasputitsa.wir.rules.turn.sequence import TITLES

GROUND = TERRAIN_NAMES[:5]
WAYS = tuple(name.replace("-", "_") for name in DIRECTION_NAMES[1:])
STILL = (
    *GROUND, "passable", "city", "fortified", "scores", "port", "russia", "depot_axis", "depot_soviet",
    *(f"river_{way}" for way in WAYS),
)  # fmt: skip
HEX_SETS = (
    "control_axis", "cities_axis", *(f"{name}_{side}" for side in SIDES for name in ("rail", "zone", "rail_order")),
    "goal", "goal_clear", "subject", "about", "start", "asked",
)  # fmt: skip
FACTORIES = CITY_VALUES[INDUSTRY:SUPPLY]
CITIES = ("population", *(f"{kind}_works" for kind in FACTORIES), "supply_centres")
OF_A_SIDE = ("combat", "mechanized", "air", "aircraft", "strength", "artillery", "entrenched", "supplied")
MOVING = (*HEX_SETS, *CITIES, *(f"{name}_{side}" for side in SIDES for name in OF_A_SIDE), "route")

FLAGS = ("supplied", "relieved", "moved", "from_line", "halted", "added_artillery")
GROUP_SETS = (*FLAGS, "mine", "goal_remove", "goal_keep", "goal_supplied", "subject", "source", "target", "asked")
OF_A_UNIT = ("strength", "experience", "fatigue", "mechanized", "kind", "name")
OF_A_GROUP = (
    "present", "row", "column", "strength", "units", "artillery", "entrenched", "aircraft", "steps",
    "unsupplied_moves", "plot_first", "plot_second", "plot_stop", "plot_bombard", "strike", "strike_city",
    "strike_row", "strike_column",
)  # fmt: skip
FEATURES = (
    "soviet", *KIND_NAMES[1:], *OF_A_GROUP, "returns", *GROUP_SETS,
    *(f"{name}_{n}" for n in range(1, MOST_UNITS + 1) for name in OF_A_UNIT),
)  # fmt: skip

DEPOTS = groups_of(AXIS, DEPOT) + groups_of(SOVIET, DEPOT)
ROUTE = 32
"""The first steps of a depot's last move; of a longer one its length and end are given as well."""
OF_A_DEPOT = (
    "soviet", "number", "in_play", "start_row", "start_column", "subject", "length", "end_row", "end_column",
    *(f"step_{n}" for n in range(1, ROUTE + 1)),
)  # fmt: skip

PHASES = tuple(title[0] for title in TITLES.values())
KINDS = (
    "adjust", "divide", "transfer", "aircraft", "build", "raise", "factory", "naval", "proposal", "depot", "movement",
    "orders",
)  # fmt: skip
SEAS = MOST_SEAS
ASKED_FOR = ("ordered", "penalty", "level", "route")
"""Numbers of the open question: the kind of unit, the penalty hexes, the level proposed, the length of the route."""
GLOBALS = (
    "turn", "weeks", "year", "short", *(f"weather_{w}" for w in WEATHER_IDS), *(f"phase_{p}" for p in PHASES),
    "soviet_to_move", "soviet_decides", "seat_axis", "seat_soviet", "my_decision",
    *(f"first_{side}" for side in SIDES), "level", "months", "axis_points", "soviet_points", "difference",
    *(f"{pool}_{side}" for side in SIDES for pool in POOLS), *(f"rail_moves_{side}" for side in SIDES),
    *(f"air_moves_{side}" for side in SIDES), *(f"dismantled_{side}" for side in SIDES),
    *(f"sea_used_{side}_{n}" for side in SIDES for n in range(1, SEAS + 1)), "lend_vehicles", "lend_aircraft",
    *(f"asked_{name}" for name in ASKED_FOR), "formed", "can_abort", "goal_side", "goal_turns", "goal_met",
    "goal_at_least", "goal_remove_at_least", "goal_early", "goal_production", "over",
    *(f"won_{side}" for side in SIDES), *(f"asks_{kind}" for kind in KINDS),
)  # fmt: skip

SIDES_OF = (AXIS, SOVIET)

# Scales of the arrays: what comes to 1. They stay as they are whatever edited data allow, since players that have
# learned from arrays know no others; the limits of the game are in wir/.
MOST_STRENGTH = 1200
"""Six strong units."""
MOST_ENTRENCHMENT, MOST_EXPERIENCE, MOST_FATIGUE = 5, 99, 95
FIRST_YEAR, YEARS = 1941, 4
BYTE = 255
MOST_SCORE, DECISIVE = 8000, 1000
MAX_WEEKS = 203
