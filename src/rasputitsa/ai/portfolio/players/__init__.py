"""The computer players of The Russian Portfolio."""

from rasputitsa.ai.players import BY_TIME, USUAL, LevelInfo, PlayerInfo

PLAYERS = (
    PlayerInfo(
        "greedy",
        "Greedy",
        "Every unit for itself: the nearest gain, attacks wherever the odds are good",
        "rasputitsa.ai.portfolio.players.greedy:GreedyPlayer",
    ),
    PlayerInfo(
        "planner",
        "Planner",
        "Plans attacks, encirclements and lines as a whole",
        "rasputitsa.ai.portfolio.players.planner:PlannerPlayer",
        (
            LevelInfo(
                "easy",
                "Easy",
                "Considers one plan only, and misjudges its attacks",
                0.3,
                "rasputitsa.ai.portfolio.players.levels:easy",
            ),
            USUAL,
        ),
    ),
    PlayerInfo(
        "search",
        "Search",
        "Plays many plans out, with the enemy's answer, and takes the best",
        "rasputitsa.ai.portfolio.search.player:SearchPlayer",
        BY_TIME,
    ),
)
