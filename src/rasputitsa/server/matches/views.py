"""What a seat is shown: the engine's observation, the decision asked of it, and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rasputitsa.ai.memory import Memory, answered
from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached_up_to
from rasputitsa.core.errors import IllegalAction, NotationError, RasputitsaError
from rasputitsa.core.events import Event
from rasputitsa.core.game import Decision, Details, Game
from rasputitsa.core.record.entries import (
    CAME,
    CONTROL,
    DRAWN,
    HINTS_OFF,
    HINTS_ON,
    LEFT,
    OPENED,
    RESIGNED,
    RESTORED,
    RESUMED,
    SHOWN,
    TIMED,
    Entry,
)
from rasputitsa.core.record.session import Session
from rasputitsa.core.shapes import Observation
from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.seating import Controller
from rasputitsa.server.matches.view_defaults import whole_position
from rasputitsa.server.matches.visibility import Sight
from rasputitsa.server.shapes import views as shapes
from rasputitsa.server.shapes.lists import Summary
from rasputitsa.server.shapes.views import DecisionOption, GameEvent, LogEntry

MOST_OPTIONS = 2000
"""How many options are kept as they are written, for each of a few sets of rules."""
LOG_PAGE = 2000
"""How many log items are sent at once; the client asks again after as many."""
RECENT = 40
"""How many log items a view carries when the viewer has not said what it saw last."""


@dataclass(frozen=True, slots=True)
class Place:
    """Turn and phase of an entry, as the log shows them."""

    turn: str
    phase: str


def decision_json(
    game: Game[Any], state: Any, decision: Decision | None, seat: str | None, secret: bool, *, answered: bool = False
) -> shapes.Decision | None:
    """The decision as a seat may see it: its own with every option, another's without, a secret one not at all.

    ``answered``: a standing order of the seat is about to answer, and nothing is asked of its player.
    """
    if decision is None:
        return None
    if secret:
        prompt, rule = game.secret_words
        decision = decision._replace(kind="secret", prompt=prompt, rule=rule, options=(), units=(), hexes=())
    mine = decision.seat == seat and not answered
    options = options_json(game, state, decision.options) if mine else []
    return {
        "seat": decision.seat,
        "side": decision.side,
        "mine": mine,
        "prompt": decision.prompt,
        "marked": decision.prompt if secret else game.question(state),
        "rule": decision.rule,
        "kind": decision.kind,
        "options": options,
        "units": list(decision.units) if mine else [],
        "hexes": list(decision.hexes) if mine else [],
        "auto": mine and len(options) == 1,
        "answered": answered,
    }


def options_json(game: Game[Any], state: Any, actions: Iterable[Action]) -> list[DecisionOption]:
    """Legal actions, each with its arguments named by what they are; not to be changed, since they are kept."""
    worded = game.worded_by(state)
    if worded is None:
        return [_option_json(game, state, action, game.gives_up(state, action)) for action in actions]
    known, options = _known(game.id, worded), []
    if len(known) > MOST_OPTIONS:
        known.clear()
    for action in actions:
        asked = action, game.gives_up(state, action)
        option = known.get(asked)
        if option is None:
            option = known[asked] = _option_json(game, state, *asked)
        options.append(option)
    return options


@cached_up_to(8)
def _known(game_id: str, worded: Hashable) -> dict[tuple[Action, str], DecisionOption]:
    """The options that are written already, of a game in which their words depend on no more than that."""
    return {}


def _option_json(game: Game[Any], state: Any, action: Action, lost: str) -> DecisionOption:
    kinds = game.verbs[action.verb] if action.args else ()
    return _option(
        game.format(state, action), action.verb, kinds, game.label(state, action), game.details(state, action), lost
    )


@cached_up_to(1 << 12)
def _option(text: str, verb: str, kinds: tuple[str, ...], label: str, details: Details, lost: str) -> DecisionOption:
    units, hex_, number = _arguments(kinds, text)
    option: DecisionOption = {
        "action": text, "verb": verb, "units": [*units], "hex": hex_, "number": number, "label": label,
    }  # fmt: skip
    if lost:
        option["gives_up"] = lost
    _point_out(option, details)
    if len(units) == 1:
        option["unit"] = units[0]
    return option


def _point_out(option: DecisionOption, details: Details) -> None:
    """What a client may show of an action besides its label, as far as there is anything."""
    if details.title:
        option["title"] = details.title
    if details.note:
        option["note"] = details.note
    if details.attack is not None:
        option["attack"] = details.attack
    if details.member is not None:
        option["member"] = details.member
    if details.plot:
        option["plot"] = details.plot
    if details.source:
        option["source"] = details.source
    if details.target:
        option["target"] = details.target
    if details.marked:
        option["marked"] = details.marked


def _arguments(kinds: tuple[str, ...], text: str) -> tuple[tuple[str, ...], str | None, int | str | None]:
    """The units, the hex and the number that an action names; of several hexes or numbers the last."""
    units: list[str] = []
    hex_: str | None = None
    number: int | str | None = None
    for kind, word in zip(kinds, text.split()[1:], strict=False):
        if kind == "unit":
            units.append(word)
        elif kind == "hex":
            hex_ = word
        else:
            number = int(word) if word.isdecimal() else word
    return tuple(units), hex_, number


def controllers_json(session: Session) -> dict[str, shapes.Controller]:
    """Who plays each seat."""
    return {seat.id: Controller.of(session, seat.id).to_json() for seat in session.seats}


def log_of(sight: Sight, seat: str | None, start: int, end: int, given: Collection[int] = ()) -> list[LogEntry]:
    """The log from one ply of a seat to another, as the seat may read it; ``given``: by its standing orders."""
    session, items = sight.session, sight.items(start, end)
    if not items:
        return []
    first, last = min(item.entries[0] for item in items), items[-1].end
    entries, events, places = session.entries[first:last], session.events[first:last], session.places[first:last]
    log: list[LogEntry] = []
    for ply, item in enumerate(items, start):
        entry, place = entries[item.end - 1 - first], Place(*places[item.end - 1 - first])
        told = [event for number in item.entries for event in events[number - first]]
        line = _log_item(session, ply, seat, entry, told, place, item.secret)
        if item.entries[-1] in given:
            _tell_given(line, session, entry)
        log.append(line)
    return log


def _tell_given(line: LogEntry, session: Session, entry: Entry) -> None:
    """Say of an answer that a standing order gave it."""
    game, state = session.game, session.state
    line["standing"] = True
    with suppress(NotationError, ValueError):  # it may not be readable any more where the match stands now
        action = game.read(state, entry.action)
        line["words"] = game.details(state, action).marked or game.label(state, action)


def events_of(sight: Sight, seat: str | None, since: int | None, given: Collection[int] = ()) -> list[LogEntry]:
    """What happened after a ply of a seat, no more than the latest."""
    start = max(sight.count - RECENT, 0 if since is None else sight.since(since))
    return log_of(sight, seat, sight.latest(start), sight.count, given)


def observed(session: Session, state: Any, seat: str | None) -> Observation:
    """A position of a match as a seat may see it: whole once the match is over, however far back one looks."""
    game = session.game
    told = game.peek(state, seat, everything=session.outcome() is not None)
    return whole_position(game, state, told)


def asked_of(
    session: Session, seat: str | None, kind: str, args: Mapping[str, Any], memory: Callable[[], Memory | None]
) -> Mapping[str, Any]:
    """The answer to a read-only question about a position; raises ``ApiError``."""
    try:
        return answered(session.game, session.state, seat, kind, args, memory)
    except IllegalAction as problem:
        raise ApiError(422, "illegal", problem.reason, rule=problem.rule) from problem
    except (RasputitsaError, ValueError, KeyError) as problem:
        raise ApiError(422, "bad_question", str(problem)) from problem


def _log_item(
    session: Session, ply: int, seat: str | None, entry: Entry, events: Iterable[Event], place: Place, secret: bool
) -> LogEntry:
    """A line of the log; of secret orders with what is shown of all of them."""
    game, state = session.game, session.state
    return {
        "ply": ply,
        "seat": entry.seat,
        "action": "" if secret else entry.action,
        "events": _shown_at_the_table(session, entry)
        or [
            {
                "kind": event.kind,
                "text": game.describe(state, event),
                "rule": event.rule,
                "data": game.event_data(state, event),
            }
            for event in events
            if game.is_visible(state, event, seat)
        ],
        "turn": place.turn,
        "phase": place.phase,
    }


_REMARKS = {
    HINTS_ON: "All players have agreed to hints from the computer",
    HINTS_OFF: "Hints from the computer are off from here on: not all players agree to them",
    RESTORED: "The server was set back to a backup: what came after it is gone, and the dice come from a new seed",
    SHOWN: "{}: before this player came the whole game was saved or copied, or was over for a while, and lay open",
    OPENED: "From here on one person sees both sides",
    CAME: "{}: a new player takes over from here",
    RESIGNED: "{} resigns, and the game is over",
    DRAWN: "All players have agreed to a draw, and the game is over",
    LEFT: "{}: the player has given up the seat",
    TIMED: "{}: the time of this player is up",
    RESUMED: "The program was updated and its rules have changed; from here on the match is played by those of today",
}


def _shown_at_the_table(session: Session, entry: Entry) -> list[GameEvent]:
    """An entry that is no order, in words."""
    if not entry.action.startswith("@"):
        return []
    titles = {seat.id: seat.title for seat in session.seats}
    text = _REMARKS.get(entry.action, "").format(titles.get(entry.seat, entry.seat))
    if not text:
        player = Controller.from_text(entry.action.removeprefix(CONTROL).strip(), session.header.game)
        who = "the computer" if player.kind == "bot" else player.name or "a person"
        text = f"{titles.get(entry.seat, entry.seat)}: {who} plays from here on"
    return [{"kind": "table", "text": text, "rule": "", "data": {}}]


def place_shown(game: Game[Any], state: Any, seat: str | None) -> Place:
    """Turn and phase as a seat sees them: of a phase in secret, what the others may know."""
    told = game.peek(state, seat)
    turn, phase = told.get("turn") or {}, told.get("phase") or {}
    return Place(str(turn.get("label", "")), str(phase.get("label", "")))


def summary_of(session: Session) -> Summary:
    """What the list of matches shows without opening one."""
    place = place_shown(session.game, session.state, None)
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
