"""``show`` and ``odds``: a position to look at, and an attack to weigh."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from rasputitsa.ai.memory import Memory, MemoryTracker, answered, common_knowledge
from rasputitsa.cli.console import (
    DEFAULT_GAME,
    CommandError,
    GameOption,
    OptionsOption,
    err,
    known_game,
    out,
    read_options,
    read_text,
)
from rasputitsa.core import files
from rasputitsa.core.data.folder import parsed_toml
from rasputitsa.core.game import Game
from rasputitsa.core.record.session import Session

FileArgument = Annotated[
    Path | None, typer.Argument(help="A saved game, or a position file (.toml); without it, the start of a scenario.")
]
ScenarioOption = Annotated[str | None, typer.Option("--scenario", help="Starting position to show.")]
AtOption = Annotated[
    int | None, typer.Option("--at", min=0, help="Show the position after this many entries of the saved game.")
]


class _Position:
    """A game, a state of it, and what the two are called."""

    def __init__(self, game: Game[Any], state: Any, scenario: str, session: Session | None = None, at: int = 0) -> None:
        """``session``: the saved game it is of; ``at``: how many of its entries have been played."""
        self.game, self.state, self.scenario, self.session, self.at = game, state, scenario, session, at

    def seat_of(self, unit: str) -> str | None:
        """A seat of the side a unit belongs to; None if there is no such unit."""
        side = next((known["side"] for known in self.static()["units"] if known["id"] == unit), None)
        return next((seat.id for seat in self.game.seats(self.options) if seat.side == side), None)

    @property
    def options(self) -> Mapping[str, str]:
        """The options with which the game was begun, by id."""
        return self.game.begun_with(self.state)[1]

    def memory(self, seat: str) -> Memory | None:
        """What a seat remembers: of the whole saved game, else of the position alone."""
        game, session = self.game, self.session
        if session is None or session.floor > self.at:
            return MemoryTracker(game, self.options, self.state, (seat,)).of(seat)
        start = session.state_at(session.floor)
        onlookers = MemoryTracker(game, self.options, start, (seat,), common_knowledge(session))
        onlookers.follow(session, session.floor, self.at)
        return onlookers.of(seat)

    def view(self, seat: str | None = None) -> Mapping[str, Any]:
        """What a seat may know of the position; without a seat what everybody sees."""
        return self.game.observe(self.state, seat)

    def whole(self) -> dict[str, Any]:
        """What all seats together see: the owner of the file has the whole position."""
        found = self.view()
        units = {unit["id"]: unit for unit in found["units"]}
        for seat in self.game.seats(self.options):
            for unit in self.view(seat.id)["units"]:
                if len(unit) > len(units.get(unit["id"], ())):
                    units[unit["id"]] = unit
        return {**found, "units": list(units.values())}

    def static(self) -> Mapping[str, Any]:
        """What does not change while the scenario is played: map, units, charts."""
        return self.game.static(self.scenario)

    def title(self) -> str:
        """The game, the turn and the phase in words."""
        view = self.view()
        words = [self.game.title]
        words += [str(part["label"]) for part in (view.get("turn"), view.get("phase")) if part and part.get("label")]
        return ", ".join(words)


def show(
    file: FileArgument = None,
    scenario: ScenarioOption = None,
    game: GameOption = DEFAULT_GAME,
    option: OptionsOption = None,
    at: AtOption = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the board as SVG.")] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Write the board as PNG.")] = None,
    width: Annotated[
        int | None, typer.Option("--width", min=100, max=20000, help="Width of the PNG in pixels.")
    ] = None,
    units: Annotated[bool, typer.Option("--list", help="List the units by hex instead of drawing a map.")] = False,
    empty: Annotated[bool, typer.Option("--empty", help="The map without units.")] = False,
) -> None:
    """Show a position: as text in the terminal, as SVG or as PNG."""
    position = _position(file, scenario, game, option, at)
    view = None if empty else position.whole()
    if svg or png:
        _write_pictures(position, view, svg, png, width)
        return
    from rasputitsa.render.terminal import LEGEND, text_map, unit_list

    out.print(position.title(), style="bold")
    if units:
        for line in unit_list(position.static(), position.whole()):
            out.print(line, soft_wrap=True)
        return
    out.print(text_map(position.static(), view), soft_wrap=True, end="")
    out.print(LEGEND, style="dim", soft_wrap=True)


def _write_pictures(
    position: _Position, view: dict[str, Any] | None, svg: Path | None, png: Path | None, width: int | None
) -> None:
    from rasputitsa.render.board import Board
    from rasputitsa.render.png import png as to_png

    with err.status("Drawing"):
        picture = Board(position.static()).svg(view, position.title() if view else position.game.title)
        if svg:
            files.write_text(svg, picture)
        if png:
            files.write_bytes(png, to_png(picture, width))
    for path in (svg, png):
        if path:
            out.print(f"wrote {path}", soft_wrap=True)


def odds(
    attack: Annotated[str, typer.Option("--attack", "-a", help="Hexes attacked, such as N7+N8.")],
    units: Annotated[str, typer.Option("--with", "-w", help="Attacking units, such as 39Pz,56Pz.")],
    file: FileArgument = None,
    scenario: ScenarioOption = None,
    game: GameOption = DEFAULT_GAME,
    option: OptionsOption = None,
    at: AtOption = None,
) -> None:
    """Work out the odds of an attack: each factor with its paragraph, and the chance of each result.

    What is hidden from the attacker is estimated from what that side has seen in the saved game.
    """
    position = _position(file, scenario, game, option, at)
    targets, names = attack.replace("+", ","), units.replace("+", ",")
    args = {"targets": targets, "target": targets, "units": names}
    seat = position.seat_of(names.split(",")[0].strip())
    answer = answered(
        position.game, position.state, seat, "odds", args, lambda: position.memory(seat) if seat else None
    )
    _print_odds(answer)
    if not answer.get("legal", True):
        raise CommandError(f"not a legal attack now: {answer.get('reason')} ({answer.get('rule')})")


def _print_odds(answer: Mapping[str, Any]) -> None:
    table = Table("", "", "rule", box=None, show_header=False)
    for item in answer.get("items", ()):
        table.add_row(str(item["text"]), str(item["value"]), str(item.get("rule", "")))
    table.add_row("attack : defence", f"{answer.get('attack')} : {answer.get('defence')}", "")
    if "basic" in answer:
        table.add_row("basic odds", str(answer["basic"]), "")
    for shift in answer.get("shifts", ()):
        table.add_row(str(shift["text"]), f"{shift['value']:+}", str(shift.get("rule", "")))
    for factor in answer.get("modifiers", ()):
        table.add_row(str(factor["text"]), f"x {factor['value']}", str(factor.get("rule", "")))
    if "final" in answer:
        table.add_row("final column", str(answer["final"]), "", style="bold")
    out.print(table)
    if "retreat" in answer:
        _print_prospects(answer)
    for chance in answer.get("chances", ()):
        out.print(f"  {chance['result']:<5} {chance['p']:.0%}")


def _print_prospects(answer: Mapping[str, Any]) -> None:
    """The odds as a number, with what they lead to; a range, where the defender is hidden."""
    if answer.get("unknown") and "estimate" not in answer:
        out.print("The defender is hidden, and nothing is known of it.")
        return
    estimate = answer.get("estimate")
    out.print(f"{'likeliest' if estimate else 'odds'}: {_prospect(answer)}", style="bold")
    if estimate:
        for name in ("best", "worst"):
            out.print(f"at {name}: {_prospect(estimate[name])}")
        out.print(f"An estimate: {estimate['likelihood']} times in 100 the defender is between the two.")
        for told in estimate["groups"]:
            out.print(
                f"group {told['group']}: about {told['points']} points ({told['least']} to {told['most']}), experience "
                f"{told['experience']}, fatigue {told['fatigue']}, entrenchment {told['entrenchment']}: {told['why']}",
            )  # fmt: skip


def _prospect(found: Mapping[str, Any]) -> str:
    odds, losses = found["odds"], found["losses"]
    text = "against nothing" if odds is None else f"{odds:g}-1" if odds >= 1 else f"1-{1 / max(odds, 0.01):.3g}"
    return (
        f"{text}, retreat {found['retreat']:.0f} %, losses {losses['attacker']:.0f} % of the attacker, "
        f"{losses['defender']:.0f} % of the defender"
    )


def _position(
    file: Path | None, scenario: str | None, game: str, option: list[str] | None, at: int | None
) -> _Position:
    if file is None:
        if at is not None:
            raise CommandError("--at needs a saved game")
        rules = known_game(game)
        name = scenario or rules.scenarios()[0].id
        return _Position(rules, rules.setup(name, read_options(rules, option)), name)
    if scenario or option:
        raise CommandError("a file has its own scenario and options")
    if file.suffix == ".toml":
        return _from_toml(file, game)
    session = Session.load(read_text(file))
    state = session.state if at is None else session.state_at(at)
    return _Position(session.game, state, session.header.scenario, session, session.version if at is None else at)


def _from_toml(file: Path, game: str) -> _Position:
    try:
        table = parsed_toml(read_text(file))
    except ValueError as problem:
        raise CommandError(f"{file}: {problem}") from problem
    table = table.get("position", table)  # a conformance case holds its position in a table of that name
    if not isinstance(table, dict):
        raise CommandError(f"{file}: position is a table, not {table!r:.40}")
    rules = known_game(str(table.get("game", game)))
    scenario = str(table.get("scenario", rules.scenarios()[0].id))
    return _Position(rules, rules.load_position(table), scenario)
