"""A new game: from a scenario, a position file or a lesson."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.core.record.entries import Header
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game, rules_digest


def new_session(
    game: str,
    scenario: str,
    options: Mapping[str, str] | None = None,
    *,
    seed: int,
    title: str = "",
    controllers: Mapping[str, str] | None = None,
    position: Mapping[str, Any] | None = None,
) -> Session:
    """Start a game from a scenario, or from a position file's table; raises ``SetupError``."""
    rules = get_game(game)
    header = Header(
        game=game, scenario=scenario, options=dict(options or {}), seed=seed,
        rules_version=rules.rules_version, title=title, controllers=dict(controllers or {}),
        position=None if position is None else dict(position),
        data=rules.data_version, rules=rules_digest(game),
    )  # fmt: skip
    session = Session(header)
    header.start = session.game.fingerprint(session.state)
    return session


def lesson_session(
    game: str, lesson: str, *, seed: int, title: str = "", controllers: Mapping[str, str] | None = None
) -> Session:
    """Start a lesson; raises ``SetupError``."""
    position = get_game(game).lesson(lesson)
    return new_session(
        game, str(position.get("scenario", "")), position.get("options", {}), seed=seed, title=title,
        controllers=controllers, position=position,
    )  # fmt: skip
