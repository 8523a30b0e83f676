"""Every lesson and scenario under an id: ``gymnasium.make("rasputitsa.envs.gym:rasputitsa/GAME-LESSON-v1")``.

Gymnasium imports what stands before the colon; after ``import rasputitsa.envs.gym`` the id alone will do.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from rasputitsa.core.registry import ENCODERS, extended, get_game

VERSION = 1
"""One more whenever an environment of the same id would come to mean something else."""
NAMESPACE = "rasputitsa"
MADE_BY = "rasputitsa.envs.seat:seat_env"
MANY_MADE_BY = "rasputitsa.envs.vector:vector_env"


def environments() -> dict[str, dict[str, Any]]:
    """What each id stands for: the arguments of ``seat_env``."""
    found: dict[str, dict[str, Any]] = {}
    for name in extended(ENCODERS):
        game = get_game(name)
        usual = {"game": name, "take_backs": False, "without": sorted(game.early_ends)}
        for scenario in game.scenarios():
            found[f"{NAMESPACE}/{name}-{scenario.id}-v{VERSION}"] = {
                **usual, "scenario": scenario.id, "seat": game.seats({})[0].id,
            }  # fmt: skip
        for lesson in game.lessons():
            found[f"{NAMESPACE}/{name}-{lesson.id}-v{VERSION}"] = {
                **usual, "lesson": lesson.id, "seat": lesson.seat, "max_decisions": 2000,
            }  # fmt: skip
    return found


for _name, _arguments in environments().items():
    gymnasium.register(_name, entry_point=MADE_BY, vector_entry_point=MANY_MADE_BY, kwargs=_arguments)
