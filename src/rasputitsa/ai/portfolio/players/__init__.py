"""The computer players of The Russian Portfolio."""

from rasputitsa.ai.players import BY_TIME, USUAL, LevelInfo, PlayerInfo
from rasputitsa.ai.portfolio.players.exploits import EXPLOITS

PLAYERS = (
    PlayerInfo(
        "greedy",
        "Greedy",
        "A novice: every unit for itself, the nearest gain, attacks wherever the odds are good",
        "rasputitsa.ai.portfolio.players.greedy:GreedyPlayer",
    ),
    PlayerInfo(
        "planner",
        "Planner",
        "Beats the novice in nearly every game: plans attacks, encirclements and lines as a whole",
        "rasputitsa.ai.portfolio.players.planner:PlannerPlayer",
        (
            LevelInfo(
                "beginner",
                "Beginner",
                "For first games, beaten by the novice every other time: the first plan, whatever the enemy does next",
                0.3,
                "rasputitsa.ai.portfolio.players.levels:beginner",
            ),
            LevelInfo(
                "easy",
                "Easy",
                "Beats the novice, loses to the usual one five times in six: one plan only, misjudges attacks",
                0.3,
                "rasputitsa.ai.portfolio.players.levels:easy",
            ),
            USUAL,
        ),
        usual=True,
        first="beginner",
    ),
    PlayerInfo(
        "search",
        "Search",
        "The strongest, beats the planner five times in six: plays many plans out, with the enemy's answer",
        "rasputitsa.ai.portfolio.search.player:SearchPlayer",
        BY_TIME,
    ),
    *EXPLOITS,
)
