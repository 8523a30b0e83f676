"""``balance``: what many games of equal opponents say about a scenario, as a report with pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rasputitsa.cli.checks import playable
from rasputitsa.cli.console import DEFAULT_GAME, CommandError, OptionsOption, known_game, out, read_options
from rasputitsa.cli.contests import (
    AddressOption,
    ClockOption,
    ClusterOption,
    EditedOption,
    GameArgument,
    ProcessesOption,
    SecondsOption,
    SeedOption,
    check_clock,
    check_players,
    open_results,
    play_jobs,
)
from rasputitsa.core import files
from rasputitsa.core.registry import game_with_data

if TYPE_CHECKING:
    from rasputitsa.render.chart import Series

SHIPPED, EDITED = "shipped", "edited"
PNG_WIDTH = 1400
COUNTED_AS = {"cpu": "of processor time ", "work": "of counted work "}
Games = Sequence[Mapping[str, Any]]


def balance(
    game: GameArgument = DEFAULT_GAME,
    scenario: Annotated[str | None, typer.Argument(help="Starting position; by default the first.")] = None,
    player: Annotated[str, typer.Option("--player", "-p", help="The computer player of all sides.")] = "greedy",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 20,
    seed: SeedOption = 1,
    option: OptionsOption = None,
    bot_seconds: SecondsOption = 10.0,
    clock: ClockOption = "wall",
    processes: ProcessesOption = 1,
    cluster: ClusterOption = False,
    address: AddressOption = "auto",
    data: EditedOption = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder of the report; run the command again to continue.")
    ] = None,
    png: Annotated[bool, typer.Option("--png", help="Draw the pictures as PNG too.")] = False,
) -> None:
    """Play a scenario many times between equal opponents and report wins, course, front lines and supply.

    With --data both the shipped data and yours are played, with the same seeds, and laid side by side.
    """
    rules = known_game(game)
    known = [info.id for info in rules.scenarios()]
    name = scenario or known[0]
    if name not in known:
        raise CommandError(f"there is no scenario {name!r}; known: {', '.join(known)}")
    check_players(game, [player])
    check_clock(clock)
    options = read_options(rules, option)
    edited = playable(game, data)
    folder = to or Path(f"balance-{game}-{name}")
    folder.mkdir(parents=True, exist_ok=True)
    sets: dict[str, list[dict[str, Any]]] = {}
    for label, source in {SHIPPED: "", **({EDITED: edited} if edited else {})}.items():
        played, finished = _play(folder, label, source, game, name, player, games, seed, options, bot_seconds,
                                 clock, processes, cluster, address)  # fmt: skip
        sets[label] = played
        if not finished:
            break
    if not sets.get(SHIPPED):
        raise CommandError("no game was played")
    pace = f"{bot_seconds:g} s {COUNTED_AS.get(clock, '')}a player-turn"
    report = _Report(folder, game, name, f"{player} against itself, {pace}", sets, data, png)
    report.write()
    out.print(f"wrote {folder / 'report.md'}", soft_wrap=True)


def _play(
    folder: Path, label: str, data: str, game: str, scenario: str, player: str, games: int, seed: int,
    options: dict[str, str], seconds: float, clock: str, processes: int, cluster: bool, address: str,
) -> tuple[list[dict[str, Any]], bool]:  # fmt: skip
    from rasputitsa.ai.contests.contest import Job
    from rasputitsa.ai.players import WALL

    rules = game_with_data(game, Path(data) if data else None)
    sides = dict.fromkeys(seat.side for seat in rules.seats(options))
    header = {
        "format": "rasputitsa-ladder", "format_version": 1, "balance": True, "game": game, "scenario": scenario,
        "options": options, "seconds": seconds, "data": data, "player": player,
        **({"clock": clock} if clock != WALL else {}),
    }  # fmt: skip
    file = open_results(folder / f"games-{label}.jsonl", header, list(sides))
    jobs = [
        Job(
            str(n),
            game,
            dict.fromkeys(sides, player),
            n,
            scenario,
            "",
            options,
            seconds,
            data,
            samples=True,
            clock=clock,
        )
        for n in range(seed, seed + games)
    ]
    wanted = {job.id for job in jobs}
    missing = [job for job in jobs if job.id not in file.ids()]
    finished = play_jobs(missing, len(jobs), file, processes, cluster, address)
    return sorted((g for g in file.played if g["id"] in wanted), key=lambda g: int(g["id"])), finished


class _Report:
    """The report and its pictures."""

    def __init__(
        self, folder: Path, game: str, scenario: str, contest: str, sets: Mapping[str, Games], data: Path | None,
        png: bool,
    ) -> None:  # fmt: skip
        self._folder, self._sets, self._png = folder, sets, png
        self._rules = game_with_data(game, None)
        self._static = self._rules.static(scenario)
        self._sides = list(dict.fromkeys(seat.side for seat in self._rules.seats({})))
        count = ", ".join(f"{len(games)} games with the {label} data" for label, games in sets.items())
        title = next(info.title for info in self._rules.scenarios() if info.id == scenario)
        self._lines = [
            f"# {self._rules.title}: {title}", "", f"{contest}; {count}.",
            *([f"Edited data: `{data}`."] if data else []), "",
            "A report of this kind tells as much of the player as of the game: it shows what the scenario is for "
            "opponents of this strength. Bands hold the middle four fifths of the games; later turns count only the "
            "games that reached them.", "",
        ]  # fmt: skip

    def write(self) -> None:
        """Everything."""
        self._wins()
        self._courses()
        self._fronts()
        files.write_text(self._folder / "report.md", "\n".join(self._lines) + "\n")

    def _picture(self, name: str, svg: str, words: str) -> None:
        files.write_text(self._folder / f"{name}.svg", svg)
        shown = f"{name}.svg"
        if self._png:
            from rasputitsa.render.png import png

            files.write_bytes(self._folder / f"{name}.png", png(svg, PNG_WIDTH))
            shown = f"{name}.png"
        self._lines += [f"![{words}]({shown})", ""]

    def _wins(self) -> None:
        from rasputitsa.ai.contests.balance import reasons, wins
        from rasputitsa.render.chart import Bar, bars

        self._lines += ["## Who wins", "", "| data | side | won | games | share | 95 % |", "|---|---|---|---|---|---|"]
        shown = []
        for label, games in self._sets.items():
            for side, won, total, low, high in wins(games, self._sides):
                share = won / total
                self._lines.append(f"| {label} | {side} | {won} | {total} | {share:.0%} | {low:.0%}-{high:.0%} |")
                shown.append(Bar(f"{side}" + (f", {label}" if len(self._sets) > 1 else ""), share, low, high,
                                 f"{won} of {total}"))  # fmt: skip
        self._lines += ["", "| data | winner | how | games | mean last turn |", "|---|---|---|---|---|"]
        for label, games in self._sets.items():
            for ending in reasons(games):
                self._lines.append(
                    f"| {label} | {ending.winner} | {ending.words} | {ending.games} | {ending.turn:.1f} |"
                )
        self._lines.append("")
        self._picture("wins", bars("Share of games won, with 95 % intervals", shown), "Share of games won")

    def _courses(self) -> None:
        from rasputitsa.ai.contests.balance import of_side

        sides = self._sides
        self._chart("points", "Victory points", {"points": lambda sample: float(sample["points"])})
        self._prizes()
        for name, field, words in (
            ("strength", "strength", "Attack factors on the map"),
            ("units", "standing", "Units on the map"),
            ("supply", "unsupplied", "Units out of supply"),
            ("fuel", "fuel_short", "Units short of fuel"),
        ):
            self._chart(name, words, {side: of_side(field, side) for side in sides})

    def _prizes(self) -> None:
        """Which victory cities the side whose control is counted holds, turn by turn."""
        from rasputitsa.ai.contests.balance import holders, turns

        places = [p for p in self._static.get("map", {}).get("places", ()) if p.get("victory")]
        if not places:
            return
        names = " | ".join(str(p["name"]) for p in places)
        self._lines += ["### Victory cities held, share of the games", ""]
        for label, games in self._sets.items():
            reached = turns(games)
            courses = [holders(games, reached.numbers, str(p["hex"])) for p in places]
            self._lines += [f"| {label} | {names} |", "|---|" + "---|" * len(places)]
            for n, date in enumerate(reached.dates):
                told = " | ".join("" if (share := held[n]) is None else f"{share:.0%}" for held in courses)
                self._lines.append(f"| {date} | {told} |")
            self._lines.append("")

    def _chart(self, name: str, words: str, values: Mapping[str, Callable[[Mapping[str, Any]], float | None]]) -> None:
        from rasputitsa.ai.contests.balance import course, turns
        from rasputitsa.render.chart import Series, lines

        reached = turns([game for games in self._sets.values() for game in games])
        series: list[Series] = []
        for label, games in self._sets.items():
            for what, value in values.items():
                found = course(games, reached.numbers, value)
                if any(v is not None for v in found.mean):
                    title = f"{what}, {label}" if len(self._sets) > 1 else what
                    series.append(Series(title, found.mean, found.low, found.high))
        if not series:
            return
        self._lines += [f"## {words}", "", f"| turn | games | {' | '.join(s.name for s in series)} |",
                        "|---|---|" + "---|" * len(series)]  # fmt: skip
        for place, date in enumerate(reached.dates):
            told = ("" if s.values[place] is None else f"{s.values[place]:.1f}" for s in series)
            self._lines.append(f"| {date} | {reached.games[place]} | {' | '.join(told)} |")
        self._lines.append("")
        self._picture(name, lines(words, reached.dates, series), words)

    def _fronts(self) -> None:
        from rasputitsa.ai.contests.balance import control
        from rasputitsa.render.front import front_board, row_differences

        fronts = self._static.get("history", {}).get("fronts", [])
        if not fronts:
            return
        self._lines += ["## The front, and where it ran", ""]
        table = ["| date | data | games | hexes a row ahead (+) or behind (-): north | centre | south | all |",
                 "|---|---|---|---|---|---|---|"]  # fmt: skip
        pictures = []
        for front in fronts:
            for label, games in self._sets.items():
                side, shares, count = control(games, front["turn"])
                if not count:
                    table.append(f"| {front['date']} | {label} | 0 | | | | |")
                    continue
                found = list(row_differences(self._static, shares, front["line"]).values())
                third = max(1, len(found) // 3)
                parts = [found[:third], found[third : 2 * third], found[2 * third :], found]
                told = " | ".join(f"{sum(part) / len(part):+.1f}" if part else "" for part in parts)
                table.append(f"| {front['date']} | {label} | {count} | {told} |")
                title = f"{front['date']}: {side} control in {count} games ({label} data)"
                svg = front_board(self._static, shares, front["line"], title)
                pictures.append((f"front-{front['turn']:02}-{label}", svg, f"{title}. History: {front['note']}"))
        self._lines += [*table, "", f"The historical line: {fronts[0]['source']}.", ""]
        for name, svg, words in pictures:
            self._picture(name, svg, words)
