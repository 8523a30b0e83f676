"""What the arrays of The Russian Portfolio hold, by name."""

from __future__ import annotations

from rasputitsa.hexes.grid import DIRECTION_NAMES
from rasputitsa.portfolio.model.combat import CANCELLED, LAPSED, OPEN, RESOLVED
from rasputitsa.portfolio.model.goal import CHECKS
from rasputitsa.portfolio.model.state import ELIMINATED, LOCKED, POOL, SETUP
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.rules.turn.sequence import TITLES

TERRAIN = ("clear", "swamp", "hills", "mountain", "sea", "lake")
STILL = (
    *TERRAIN, "neutral", "city", "victory", "factory", "fortress", "port", "oil_axis", "oil_soviet", "home_axis",
    "home_soviet", "arctic", "stalin_line",
    *(f"river_{d}" for d in DIRECTION_NAMES), *(f"barrier_{d}" for d in DIRECTION_NAMES),
)  # fmt: skip
SUMS = ("units", "attack", "defence")
SETS = ("spent", "dispersed", "armor", "zone")
ORDERED = ("about", "column", "cleared")
HEX_SETS = (
    "control_axis", *(f"{name}_{side}" for side in SIDES for name in SETS), "attacked", "captured", "factory_lost",
    "arrived", "airlifted", "goal", "goal_clear", "subject", "asked",
)  # fmt: skip
MOVING = (*HEX_SETS, *(f"{name}_{side}" for side in SIDES for name in SUMS), *ORDERED)

OFF_MAP = {"pool": POOL, "siberia": LOCKED, "setup": SETUP, "eliminated": ELIMINATED}
STATUSES = (
    "spent", "dispersed", "moved", "attacked", "hold", "fuel_short", "fresh_dispersed", "must_attack", "broke_through",
    "entered", "present",
)  # fmt: skip
UNIT_SETS = (
    *STATUSES, "mine", "attacker", "defender", "handled", "goal_remove", "goal_keep", "eligible", "advanced",
    "subject", "asked",
)  # fmt: skip
MOST_ATTACKS = 3
"""A unit announces an attack, and may break through into others; more than these are not told of it."""
FEATURES = (
    "soviet", "attack", "defence", "movement", "armor", "front", "row", "column", *OFF_MAP, *UNIT_SETS,
    *(f"attack_{n}" for n in range(1, MOST_ATTACKS + 1)), "result", "retreated",
)  # fmt: skip

ATTACKS, TARGETS = 128, 6
"""As many attacks as actions can name; who attacks several hexes is next to each of them."""
STATES = (OPEN, RESOLVED, CANCELLED, LAPSED)
OF_AN_ATTACK = (
    *STATES, "amphibious", "breakthrough", "barred_retreat", "joined_from", "seat", "targets",
    *(f"{axis}_{n}" for n in range(1, TARGETS + 1) for axis in ("row", "column")),
)  # fmt: skip

WEATHER = ("good", "mud", "hard_frost", "snow")
PHASES = tuple(title[0] for title in TITLES.values())
KINDS = (
    "advance", "advance_step", "airlift", "attack", "breakthrough", "build_attack", "cast", "deploying", "deployment",
    "displace", "displace_to", "exchange", "exchange_first", "isolation", "losses", "may_retreat", "movement", "moving",
    "no_retreat", "overstack", "pick", "rail", "reduce", "reinforce", "replace", "replacement", "replacement_end",
    "resolve", "retreat", "retreat_length", "retreat_order", "sea", "sequence", "stop", "weather", "window",
)  # fmt: skip
SEATS = 4
INSTALMENTS = 3
POINTS = ("armor_axis", "infantry_axis", "armor_soviet", "infantry_soviet")
ASKED_FOR = ("steps", "rivers", "need", "owed", "place", "number")
"""Numbers of the open question: hexes and rivers so far, factors to lose, the vacated hex, the attack."""
AGREED = ("may_halt", "attacker", "strained", "amphibious")
"""And what is true of it."""
GLOBALS = (
    "turn", "first_turn", *(f"weather_{w}" for w in WEATHER), *(f"phase_{p}" for p in PHASES), "reserve",
    "soviet_to_move", "soviet_decides", *(f"seat_{n}" for n in range(SEATS)), "my_decision",
    *(f"asked_seat_{n}" for n in range(SEATS)), *(f"stands_{n}" for n in range(SEATS)), "victory",
    *POINTS, "offensive", *(f"siberia_turn_{n}" for n in range(1, INSTALMENTS + 1)), "siberia_armor",
    "siberia_infantry", "siberia_cavalry", "picked", "rail_used", "fronts_built", "idle_sides", "amphibious_used",
    "germans_in_finland", "battle", "die", "low", "paid", *ASKED_FOR, *AGREED, "goal_side", "goal_turns", "goal_met",
    "goal_at_least", "goal_remove_at_least", "goal_early", "goal_replacements", *(f"goal_check_{c}" for c in CHECKS),
    "over", *(f"won_{side}" for side in SIDES), *(f"asks_{k}" for k in KINDS),
)  # fmt: skip
