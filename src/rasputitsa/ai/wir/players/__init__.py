"""The computer players of War in Russia."""

from rasputitsa.ai.players import BY_TIME, USUAL, LevelInfo, PlayerInfo
from rasputitsa.ai.wir.players.exploits import EXPLOITS

PLAYERS = (
    PlayerInfo(
        "greedy",
        "Greedy",
        "Every group for itself: attacks what it outweighs, marches for the nearest city",
        "rasputitsa.ai.wir.players.greedy:GreedyPlayer",
    ),
    PlayerInfo(
        "planner",
        "Planner",
        "Plans supply, attacks, the line and reserves as a whole",
        "rasputitsa.ai.wir.players.planner:PlannerPlayer",
        (
            LevelInfo(
                "easy",
                "Easy",
                "Attacks only where it is safe, without aircraft, artillery or replacements",
                0.3,
                "rasputitsa.ai.wir.players.levels:EasyPlanner",
            ),
            USUAL,
        ),
    ),
    PlayerInfo(
        "search",
        "Search",
        "Rehearses the planner's week over and over, and changes it for the better",
        "rasputitsa.ai.wir.search.player:SearchPlayer",
        BY_TIME,
    ),
    *EXPLOITS,
)
