"""What games leave unsaid: every member of the common shapes is there, whatever a game says of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from rasputitsa.core.game import Game
from rasputitsa.core.shapes import Observation, outcome
from rasputitsa.server.shapes.lists import StaticTold

NO_MAP = {"width": 0, "height": 0, "hexes": [], "sides": [], "places": []}
TURN = {"number": 0, "label": "", "weather": "", "weather_title": "", "last": None, "first": 0}
PHASE = {"id": "", "label": "", "rule": "", "reserve": None, "side": None}
POSITION: Mapping[str, Any] = {"order": [], "control": {}, "attacks": [], "victory": {}, "goal": None}
UNIT = {"nation": "", "type": "", "size": ""}
PIECE = {"hex": None, "where": ""}
PLACE = {"kind": "town", "victory": 0, "factory": False, "port": [], "fortress": False, "fuel": None}


def whole_position(game: Game[Any], state: Any, told: Mapping[str, Any]) -> Observation:
    """A position as ``Game.observe`` tells it, with nothing where it says nothing of a member of ``Observation``."""
    turn = _whole(told.get("turn") or {}, TURN)
    position = {
        **_whole(told, POSITION),
        "turn": _whole(turn, {"short": turn["label"]}),
        "phase": _whole(told.get("phase") or {}, PHASE),
        "units": [_whole(unit, PIECE) for unit in told.get("units") or []],
    }
    if "outcome" not in told:
        position["outcome"] = outcome(game.outcome(state))
    return cast(Observation, position)  # whatever the game has given, nothing of it is missing now


def whole_static(told: Mapping[str, Any]) -> StaticTold:
    """Map, units and charts as ``Game.static`` tells them, likewise; a game without a map has one without hexes."""
    sheet = dict(_whole(told.get("map") or {}, NO_MAP))
    sheet["places"] = [_whole(place, PLACE) for place in sheet["places"]]
    units = [
        _whole(unit, {**UNIT, "name": unit["id"], "type_title": unit.get("type", "")})
        for unit in told.get("units") or []
    ]
    return cast(StaticTold, {**_whole(told, {"charts": {}, "signs": {}, "grounds": {}}), "map": sheet, "units": units})


def _whole(told: Mapping[str, Any], usual: Mapping[str, Any]) -> Mapping[str, Any]:
    """A table with what is missing in it; what it says stays in its order."""
    if usual.keys() <= told.keys():
        return told
    return {**told, **{name: value for name, value in usual.items() if name not in told}}
