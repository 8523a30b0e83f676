"""VI Weather: what it is this turn; its effects (VI.B) stand with what they change."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.event_records import record
from rasputitsa.portfolio.model.actions import BARE
from rasputitsa.portfolio.model.frames import Context, Frame, pop, question
from rasputitsa.portfolio.model.indices import SeatNumber
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET


def begin_turn(s: State, context: Context) -> None:
    """VI.A: the weather of the turn; where the track leaves it to a die, the die was cast at set-up."""
    name = s.rules.turns[s.turn].weather
    if name is not None:
        s.weather = s.rules.weather[name]
    context.note("turn", s.turn, s.weather.title)


@question
class WeatherDie(Frame):
    """XVI.C.1.c: an invasion on 1 June casts for the weather, before anything else."""

    kind = "weather"
    rule = "XVI.C.1.c"
    ask_single = True

    def seat(self, s: State) -> SeatNumber:
        return s.rules.commander(AXIS)

    def prompt(self, s: State) -> str:
        return "Cast the die for the weather of 1 June: even is Good, odd is Mud"

    def options(self, s: State) -> list[Action]:
        return [BARE["cast"]]

    def apply(self, s: State, action: Action, context: Context) -> None:
        die = context.roll("weather")
        s.weather = s.rules.weather[s.rules.scenario["first_turn_weather"]["odd" if die % 2 else "even"]]
        context.note("weather_die", die, s.weather.title)
        pop(s)


def order(s: State) -> tuple[int, int]:
    """V.B: the sides in the order of their operations; the Axis is first until Snow."""
    return (AXIS, SOVIET) if s.weather.axis_first else (SOVIET, AXIS)


DESCRIBE = {
    "weather_die": lambda s, args: f"Weather die: {args[0]}, {args[1]}",
    "turn": lambda s, args: f"Game-turn {args[0]}, {s.rules.turns[int(str(args[0]))].date}: {args[1]}",
}
RECORDS = {
    "weather_die": record("VI.A", die="number", weather="text"),
    "turn": record("VI.A", turn="number", weather="text"),
}
