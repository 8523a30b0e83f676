"""The choices players make about the rules before the game; each default is a ruling of the register."""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.core.game import Choice, OptionInfo, completed

NO_YES = (Choice("no", "No"), Choice("yes", "Yes"))

OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo(
        "players", "Players", "Two players command a side each; four share each side between a northern and "
        "a southern command.", "II", "2", (Choice("2", "Two"), Choice("4", "Four")),
    ),
    OptionInfo(
        "soviet_deployment", "Soviet deployment", "Free deployment lets both sides set up as they like; the Axis then "
        "needs fewer victory cities.", "XVI.C.2", "historical",
        (Choice("historical", "Historical"), Choice("free", "Free", "Soviets first, then the Axis")),
    ),
    OptionInfo(
        "october", "Weather of 1 October 1941", "The rules make October Mud, the printed track shows Good.",
        "VI.A", "mud", (Choice("mud", "Mud"), Choice("track", "Good, as on the track")),
    ),
    OptionInfo(
        "march", "Weather of March and April 1942", "The rules have Snow to the end; the track leaves it open.",
        "VI.A", "snow", (Choice("snow", "Snow"), Choice("mud", "Mud")),
    ),
    OptionInfo(
        "sea_capacity", "Sea movement", "Whether the units that may sail in a turn are counted sea by sea or on all "
        "seas together.", "VIII.B", "per_sea", (Choice("per_sea", "On each sea"), Choice("total", "On all together")),
    ),
    OptionInfo(
        "roulette", "Siberian roulette", "Which turns of early entry call for the die.", "IX.B.3", "global",
        (
            Choice("global", "Turns before the first safe turn", "no roll from then on"),
            Choice("per_instalment", "Each instalment before its own safe turn", "one turn after the other"),
        ),
    ),
    OptionInfo(
        "reserve_first_turn", "Soviet armor reserve on the first turn", "Whether the armor points already "
        "gathered may be spent on the first turn of a June game.", "XVI.B.4", "no", NO_YES,
    ),
    OptionInfo(
        "river_cost", "Rivers crossed on the way to an enemy zone of control", "Which crossings cost more.",
        "X.A.2", "whole_move",
        (Choice("whole_move", "Every river of the move"), Choice("last_step", "Only into the zone itself")),
    ),
    OptionInfo(
        "swamp_shift", "Armor attacking into swamp", "Whether the column of an attack by armor alone is shifted.",
        "X.B.9", "armor", (Choice("armor", "Shifted"), Choice("none", "No shift")),
    ),
    OptionInfo(
        "surprise", "First-turn surprise", "Which attacks of the first turn are shifted.", "XVI.B.1", "any",
        (Choice("any", "Any with a German unit"), Choice("all", "Only by Germans alone")),
    ),
    OptionInfo(
        "overrun", "Armor overrun of mixed stacks", "What the attackers' surplus of armor must double: all that "
        "defends, or only what is not pure armor.", "XIII.C.Overrun", "total",
        (
            Choice("total", "The total defence", "defending pure armor counts against the attack twice over"),
            Choice("others", "Only the other defenders", "defending pure armor is subtracted, and no more"),
        ),
    ),
    OptionInfo(
        "short_retreat", "Retreats cut short", "What happens to a unit that can go only two or three of four "
        "hexes.", "XIII.D.6", "literal",
        (Choice("literal", "Three: die roll, two: safe"), Choice("graded", "Two or three: die roll")),
    ),
    OptionInfo(
        "victory_check", "Victory check", "When the Axis counts its victory cities.", "V", "chart",
        (Choice("chart", "After the Soviet answer"), Choice("both", "After either side's operations")),
    ),
    OptionInfo(
        "zone_reentry", "Back into a zone of control just left", "Whether a move may leave an enemy unit's zone of "
        "control and enter another hex of the same unit's zone later on.", "XI.B.2", "allowed",
        (Choice("allowed", "Allowed", "only the direct step is barred"), Choice("barred", "Barred in the same move")),
    ),
    OptionInfo(
        "advance_zones", "Advances after D4, DX, DE and BR", "Whether an advance that enters an ordinary zone of "
        "control may leave it again.", "XIII.E.4", "go_on",
        (
            Choice("go_on", "It goes on", "only an army's or front's zone stops it"),
            Choice("stay", "It goes on inside the zone only", "from zone to zone of the same unit"),
        ),
    ),
    OptionInfo(
        "retreat_room", "Retreats through full hexes", "Whether the attacker may send a D4 retreat through a full hex "
        "while another way is free.", "XIII.D.5", "each_hex",
        (
            Choice("each_hex", "No", "each hex picked has room if there is one with room"),
            Choice("last_hex", "Yes", "only the last hex of the retreat counts"),
        ),
    ),
    OptionInfo(
        "zoc_barriers", "Zones of control across water", "Whether a zone of control reaches across all-sea and "
        "lake sides.", "III", "ignore",
        (Choice("ignore", "Reaches every adjacent hex"), Choice("respect", "Stops at barred sides")),
    ),
)  # fmt: skip


def complete(chosen: Mapping[str, str]) -> dict[str, str]:
    """All options with their values; raises ``SetupError`` for an unknown option or value."""
    return completed(OPTIONS, chosen)
