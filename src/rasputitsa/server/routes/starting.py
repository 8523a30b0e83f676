"""The game that a new match begins with: of a scenario, or of a lesson."""

from __future__ import annotations

from rasputitsa.ai.players import find
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.record.new import lesson_session, new_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.errors import bad_request
from rasputitsa.server.matches.seating import Controller
from rasputitsa.server.models import NewMatch
from rasputitsa.server.naming import check_name
from rasputitsa.server.routes.games import PLAYERS_OPTION, known_game, seat_counts


def check_guests(session: Session, body: NewMatch) -> None:
    """Refuse guests for seats that are not for people, and what is for matches with guests alone."""
    for seat in body.guests:
        if seat not in {known.id for known in session.seats}:
            raise bad_request(f"there is no seat {seat!r}")
        if Controller.of(session, seat).kind != "human":
            raise bad_request(f"{seat} is for the computer, and nobody can be invited to it")
    if body.clock and not body.guests:
        raise bad_request("a clock is for a match with guests")
    if body.behind and not body.guests:
        raise bad_request("a delay for onlookers is for a match with guests")
    if body.guests and body.seed is not None:
        raise bad_request("between people nobody chooses the seed of the dice; the server draws it")


def new_lesson(body: NewMatch) -> Session:
    """A match of a lesson; seats nobody was named for are the learner's and the lesson's own opponent's."""
    if body.scenario is not None or body.options:
        raise bad_request("a lesson brings its own scenario and options")
    game = known_game(body.game)
    lesson = next((info for info in game.lessons() if info.id == body.lesson), None)
    if lesson is None:
        raise bad_request(f"there is no lesson {body.lesson!r}")
    try:
        seats = {seat.id for seat in game.seats(game.lesson(lesson.id).get("options", {}))}
        for seat, chosen in body.controllers.items():
            check_controller(body.game, seats, seat, chosen.controller())
        players = {seat: f"bot {lesson.opponent}" for seat in seats if seat != lesson.seat}
        players |= {seat: str(chosen.controller()) for seat, chosen in body.controllers.items()}
        return lesson_session(body.game, lesson.id, seed=0, title=body.title or lesson.title, controllers=players)
    except RasputitsaError as problem:
        raise bad_request(str(problem)) from problem


def new_scenario(body: NewMatch) -> Session:
    """A match of a scenario, with the options and players that are asked for."""
    if body.scenario is None:
        raise bad_request("a match needs a scenario or a lesson")
    game = known_game(body.game)
    counts = seat_counts(game)
    if str(body.players) not in counts:
        raise bad_request(f"{game.title} is for {' or '.join(counts)} players, not {body.players}")
    options = dict(body.options)
    if any(option.id == PLAYERS_OPTION for option in game.options()):
        options[PLAYERS_OPTION] = str(body.players)
    controllers = {seat: chosen.controller() for seat, chosen in body.controllers.items()}
    try:
        seats = {seat.id for seat in game.seats(options)}
        for seat, controller in controllers.items():
            check_controller(body.game, seats, seat, controller)
        return new_session(
            body.game,
            body.scenario,
            options,
            seed=0,
            title=body.title,
            controllers={seat: str(controller) for seat, controller in controllers.items()},
        )
    except RasputitsaError as problem:
        raise bad_request(str(problem)) from problem


def check_controller(game_id: str, seats: set[str], seat: str, controller: Controller) -> None:
    """Refuse an unknown seat or bot, and a person who would pass for one."""
    if seat not in seats:
        raise bad_request(f"there is no seat {seat!r}; known: {', '.join(sorted(seats))}")
    if controller.kind == "bot" and find(controller.name, game_id) is None:
        raise bad_request(f"there is no computer player {controller.name!r} for this game")
    if controller.kind == "human":
        check_name(controller.name)
