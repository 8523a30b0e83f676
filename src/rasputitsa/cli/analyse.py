"""``analyse``: the course of a saved game, and where it turned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rasputitsa.cli.console import CommandError, err, out, progress, read_text, write_text
from rasputitsa.core.marks import plain
from rasputitsa.core.record.session import Session

if TYPE_CHECKING:
    from rasputitsa.ai.advice.course import Course, Turn

BAR = 30
MOST_ATTACKS = 5


def analyse(
    file: Annotated[Path, typer.Argument(help="A saved game; - for standard input.")],
    seat: Annotated[
        str | None, typer.Option("--seat", help="Judge by what this seat could see; by default by everything.")
    ] = None,
    turning_points: Annotated[
        int, typer.Option("--turning-points", "-n", min=0, help="How many turning points to look into.")
    ] = 8,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, help="Seconds of thinking time for the plan at each turning point.")
    ] = 5.0,
    output: Annotated[Path | None, typer.Option("--json", help="File for the whole analysis.")] = None,
) -> None:
    """Show which side was ahead throughout a saved game, the turning points, and what the computer would do there."""
    from rasputitsa.ai.advice.analysis import knows
    from rasputitsa.ai.advice.course import course, goal_side

    session = Session.load(read_text(file))
    game = session.game
    if not knows(game.id):
        raise CommandError(f"the computer has no advice for {game.title}")
    seats = [known.id for known in game.seats(session.header.options)]
    if seat is not None and seat not in seats:
        raise CommandError(f"there is no seat {seat!r}; known: {', '.join(seats)}")
    found: Course | None = None
    try:
        with progress() as bar:
            task = bar.add_task("analysing", total=None)

            def report(done: int, total: int, text: str) -> None:
                bar.update(task, completed=done, total=total or None, description=text.lower() or "analysing")

            for part in course(session, seat, report, seconds=seconds, most=turning_points):
                found = part
    except KeyboardInterrupt:
        if found is None:
            raise
        err.print(f"stopped after {len(found.turns)} turning points")
    assert found is not None
    goal = goal_side(session, seat)
    _print_course(found, lesson=goal is not None)
    for number, turn in enumerate(found.turns, start=1):
        _print_turn(number, turn, _change(turn, found.sides[0], goal))
    if output is not None:
        write_text(output, json.dumps(found.to_json(), ensure_ascii=False, indent=1) + "\n")


def _print_course(found: Course, *, lesson: bool) -> None:
    """One line for every game-turn; how far the goal of a lesson is reached is no chance and has no figure."""
    first, second = found.sides[0], found.sides[-1]
    scale = "how far the goal was reached" if lesson else f"{first}{' ' * (BAR - len(first) - len(second))}{second}"
    table = Table("turn", "entry", "" if lesson else first, scale, box=None)
    seen = ""
    for point in found.points:
        if point.turn != seen or point is found.points[-1]:
            seen = point.turn
            full = round(point.value * BAR)
            last = point is found.points[-1]
            figure = "" if lesson else f"{point.value:.0%}"
            table.add_row("the end" if last else point.turn, str(point.ply), figure, "#" * full + "." * (BAR - full))
    out.print(table)


def _change(turn: Turn, first: str, goal: str | None) -> str:
    """What a turning point changed for its side; in a lesson, for the goal of a side."""

    def own(value: float) -> float:
        return value if turn.side == first else 1 - value

    if goal is None:
        return f"{own(turn.before):.0%} -> {own(turn.after):.0%} for {turn.side}"
    gain = own(turn.after) - own(turn.before)
    if not gain:
        return "the goal no nearer"
    return "the goal nearer" if (gain > 0) == (turn.side == goal) else "the goal farther"


def _print_turn(number: int, turn: Turn, change: str) -> None:
    """A turning point: what happened, what the computer makes of it, and what it would have done."""
    out.print()
    out.print(f"{number}. {turn.turn}, {turn.phase} ({turn.side}), entry {turn.ply}: {change}", style="bold")
    for text in (turn.text, turn.verdict):
        if text:
            out.print(f"   {plain(text)}", soft_wrap=True)
    out.print(f"   The computer: {plain(turn.hint['headline'])}.", soft_wrap=True)
    attacks = [step for step in turn.hint["steps"] if step["kind"] == "attack"]
    for step in attacks[:MOST_ATTACKS]:
        odds = f" at {step['odds']}" if step["odds"] else ""
        why = f": {plain(step['why'])}" if step["why"] else ""
        out.print(f"     {plain(step['text'])}{odds}{why}", soft_wrap=True, style="dim")
