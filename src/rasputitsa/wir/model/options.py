"""The choices players make about the rules before the game; each default is a ruling of the register."""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.core.game import Choice, OptionInfo, completed

NO_YES = (Choice("no", "No"), Choice("yes", "Yes"))

OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo(
        "level", "Level of play", "A handicap for the Axis: the lower, the stronger the Soviets. Level 3 is "
        "historical.", "10.0", "3",
        (
            Choice("1", "1", "a long run of Siberian groups"),
            Choice("2", "2", "a short run of Siberian groups"),
            Choice("3", "3", "historical"),
            Choice("4", "4", "Soviet winter attacks are weaker"),
        ),
    ),
    OptionInfo(
        "fog", "Hidden information", "What a player sees of the enemy.", "4.6", "manual",
        (Choice("manual", "As in the manual", "where groups stand and of which kind"), Choice("open", "Everything")),
    ),
    OptionInfo(
        "ledger", "Supply and construction points", "Whether players see their own supply pool and construction "
        "points.", "5.2", "hidden", (Choice("hidden", "Not displayed"), Choice("shown", "Displayed")),
    ),
    OptionInfo(
        "dismantle", "Dismantled factories", "Construction points from each factory that is dismantled.", "4.8",
        "die", (Choice("die", "By a die"), Choice("five", "Always the most")),
    ),
    OptionInfo(
        "relief", "Vehicles that more than make up for the way", "Fatigue removed when the vehicle pool brings the "
        "count of penalty hexes below 0.", "5.2", "formula",
        (Choice("formula", "All of it", "the formula goes on"), Choice("table", "The best row of the table")),
    ),
    OptionInfo(
        "mech_defence", "Mechanized defenders", "What a mechanized group in the defence takes from a mechanized "
        "attack.", "7.6", "bonus",
        (Choice("bonus", "Its share of the bonus"), Choice("multiple", "Its share of the whole multiple")),
    ),
    OptionInfo(
        "bombardment", "Bombardment without assault", "What fires on a B plot.", "7.5", "guns",
        (Choice("guns", "Artillery points"), Choice("all", "Artillery points and the units' own guns")),
    ),
    OptionInfo(
        "bombard_entrench", "Digging in while bombarding", "Whether a group with a B plot may entrench.", "6.8", "no",
        NO_YES,
    ),
    OptionInfo(
        "gun_plots", "Plots of groups that add artillery", "Whether a group that adds artillery may plot an attack "
        "or bombardment that does not move it.", "6.5", "barred",
        (Choice("barred", "No plot at all"), Choice("standing", "dS and dB")),
    ),
    OptionInfo(
        "gun_weather", "Artillery in poor weather", "Whether poor weather weakens bombardments as it weakens "
        "air attacks.", "7.5", "reduced", (Choice("reduced", "It does"), Choice("full", "It does not")),
    ),
    OptionInfo(
        "staff_guns", "Artillery by the staff", "Which groups in contact the staff gives artillery. They may "
        "not move afterwards.", "6.5", "works",
        (Choice("works", "Those entrenched", "they mean to stay"), Choice("all", "All without a plot")),
    ),
    OptionInfo(
        "handicap_doubled", "Handicap in the short games", "Whether the handicap points are doubled as well.", "9.1",
        "no", NO_YES,
    ),
    OptionInfo(
        "italian_mot", "Italian motorized division", "Whether it becomes panzer grenadiers when others do.", "8.13",
        "yes", NO_YES,
    ),
    OptionInfo(
        "partisan_guard", "Security forces", "How infantry that the Axis keeps in its pool acts on partisans.", "8.7",
        "added",
        (
            Choice("added", "Each force takes the same off"),
            Choice("compounded", "Each force takes its share of what is left"),
        ),
    ),
    OptionInfo(
        "depot_stops", "Depots in full hexes", "Whether a depot may stop, and rail be marked, in a hex full "
        "of friendly groups.", "6.7", "barred",
        (Choice("barred", "They pass through only"), Choice("allowed", "They may stop there")),
    ),
    OptionInfo(
        "recruits", "Experience and replacements", "What replacements do to the experience of a unit that is hardly "
        "better than they are.", "8.2", "falls",
        (Choice("falls", "It falls by one point at least"), Choice("mean", "It stays where the average is no lower")),
    ),
)  # fmt: skip


def complete(chosen: Mapping[str, str]) -> dict[str, str]:
    """All options with their values; raises ``SetupError`` for an unknown option or value."""
    return completed(OPTIONS, chosen)
