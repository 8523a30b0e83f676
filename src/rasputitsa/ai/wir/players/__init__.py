"""The computer players of War in Russia."""

from rasputitsa.ai.players import BY_TIME, USUAL, LevelInfo, PlayerInfo
from rasputitsa.ai.wir.players.exploits import EXPLOITS

PLAYERS = (
    PlayerInfo(
        "greedy",
        "Greedy",
        "A novice: every group for itself, attacks what it outweighs, marches for the nearest city",
        "rasputitsa.ai.wir.players.greedy:GreedyPlayer",
    ),
    PlayerInfo(
        "planner",
        "Planner",
        "Beats the novice in 19 games of 20: plans supply, attacks, the line and reserves as a whole",
        "rasputitsa.ai.wir.players.planner:PlannerPlayer",
        (
            LevelInfo(
                "easy",
                "Easy",
                "Loses to the usual one nine times in ten: attacks only where safe, without aircraft or guns",
                0.3,
                "rasputitsa.ai.wir.players.levels:EasyPlanner",
            ),
            USUAL,
        ),
        usual=True,
        first="easy",
    ),
    PlayerInfo(
        "search",
        "Search",
        "The strongest, beats the planner five times in six: simulates its week over and over, and improves the plan",
        "rasputitsa.ai.wir.search.player:SearchPlayer",
        BY_TIME,
    ),
    *EXPLOITS,
)
