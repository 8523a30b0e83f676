"""What a seat is shown: the engine's observation, the decision asked of it, and what has happened."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rasputitsa.core.actions import Action, Event
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.record import Entry, Session
from rasputitsa.server.seating import Controller


@dataclass(frozen=True, slots=True)
class Place:
    """Turn and phase of an entry, as the log shows them."""

    turn: str
    phase: str

    @classmethod
    def of(cls, observed: Mapping[str, Any]) -> Place:
        """The place an observation speaks of."""
        turn, phase = observed.get("turn") or {}, observed.get("phase") or {}
        return cls(str(turn.get("label", "")), str(phase.get("label", "")))


def decision_json(game: Game[Any], state: Any, decision: Decision | None, seat: str | None) -> Any:
    """The decision as a seat may see it: its own with every option, another's without."""
    if decision is None:
        return None
    mine = decision.seat == seat
    options = [option_json(game, state, action) for action in decision.options] if mine else []
    return {
        "seat": decision.seat,
        "side": decision.side,
        "mine": mine,
        "prompt": decision.prompt,
        "rule": decision.rule,
        "kind": decision.kind,
        "options": options,
        "units": list(decision.units) if mine else [],
        "hexes": list(decision.hexes) if mine else [],
        "auto": mine and len(options) == 1,
    }


def option_json(game: Game[Any], state: Any, action: Action) -> dict[str, Any]:
    """One legal action, its arguments named by what they are."""
    text = game.format(state, action)
    option: dict[str, Any] = {
        "action": text,
        "verb": action.verb,
        "units": [],
        "hex": None,
        "number": None,
        "label": game.label(state, action),
    }
    for kind, word in zip(game.verbs[action.verb], text.split()[1:], strict=False):
        if kind == "unit":
            option["units"].append(word)
        elif kind == "hex":
            option["hex"] = word
        else:
            option["number"] = int(word) if word.isdecimal() else word
    return option


def controllers_json(session: Session) -> dict[str, dict[str, str]]:
    """Who plays each seat."""
    return {
        seat.id: Controller.from_text(session.controllers.get(seat.id, "human")).to_json()
        for seat in session.game.seats(session.header.options)
    }


def log_item(
    session: Session, ply: int, entry: Entry, events: Iterable[Event], seat: str | None, place: Place
) -> dict[str, Any]:
    """A line of the log as a seat may read it."""
    game, state = session.game, session.state
    return {
        "ply": ply,
        "seat": entry.seat,
        "action": _readable(session, entry, seat),
        "events": [
            {"kind": event.kind, "text": game.describe(state, event), "data": _plain(event.args)}
            for event in events
            if game.sees(state, event, seat)
        ],
        "turn": place.turn,
        "phase": place.phase,
    }


def dice_json(session: Session) -> dict[str, Any]:
    """The promise about the dice: a digest of the seed from the start, the seed itself at the end."""
    seed = str(session.header.seed)
    over = session.decision() is None
    return {"digest": hashlib.sha256(seed.encode()).hexdigest(), "seed": seed if over else None}


def summary_of(session: Session) -> dict[str, Any]:
    """What the list of matches shows without opening one."""
    place = Place.of(session.game.observe(session.state, None))
    decision = session.decision()
    to_move = decision.seat if decision else None
    return {
        "game": session.header.game,
        "scenario": session.header.scenario,
        "turn_label": place.turn,
        "phase_label": place.phase,
        "to_move": to_move,
        "controllers": controllers_json(session),
    }


def _readable(session: Session, entry: Entry, seat: str | None) -> str:
    verb = entry.action.partition(" ")[0]
    secret = verb in session.game.secret_verbs and entry.seat != seat
    return verb if secret and session.game.outcome(session.state) is None else entry.action


def _plain(value: Any) -> Any:
    """JSON values of event arguments; marks and other objects become text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    return str(value)
