"""VI Weather: what it is this turn; its effects (VI.B) stand with what they change."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.events import Event, event
from rasputitsa.portfolio.model.actions import BARE
from rasputitsa.portfolio.model.frames import Context, Frame, pop, question
from rasputitsa.portfolio.model.indices import SeatNumber
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET


def begin_turn(s: State, context: Context) -> None:
    """VI.A, TRACK: the weather of the turn; where the track leaves it to a die, the die was cast at set-up."""
    name = s.rules.turns[s.turn].weather
    if name is not None:
        s.weather = s.rules.weather[name]
    context.note(TurnBegan(s.turn, s.weather.title))


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
        context.note(WeatherRolled(die, s.weather.title))
        pop(s)


def order(s: State) -> tuple[int, int]:
    """V.B: the sides in the order of their operations; the Axis is first until Snow."""
    return (AXIS, SOVIET) if s.weather.axis_first else (SOVIET, AXIS)


@event("weather_die", "VI.A", "number", "text")
class WeatherRolled(Event):
    """The weather die is cast."""

    die: int
    weather: str

    def words(self, s: State) -> str:
        return f"Weather die: {self.die}, {self.weather}"


@event("turn", "VI.A", "number", "text")
class TurnBegan(Event):
    """A game-turn begins."""

    turn: int
    weather: str

    def words(self, s: State) -> str:
        return f"Game-turn {self.turn}, {s.rules.turns[self.turn].date}: {self.weather}"
