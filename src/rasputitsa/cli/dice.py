"""``check-dice``: whether the dice of a saved game come from where it says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rasputitsa.cli.console import FAILED, cell, out, read_text, shown
from rasputitsa.core.dice import Draw
from rasputitsa.core.errors import SaveError
from rasputitsa.core.record.entries import Entry, read_save
from rasputitsa.core.record.seeds import CHOSEN, DRAWN, LETTERS, SERVER, Audit, Source
from rasputitsa.core.record.session import Session

UNCONFIRMED = 3
"""Exit code when the saved game does not hold what is needed to tell."""

MADE = {
    CHOSEN: "seed chosen by the player who started the game",
    LETTERS: "seed made of a letter and a share promised before it",
}
CLASSES = 10
"""Dice with more sides than twice this are counted in this number of classes of equal size."""
FEWEST = 5
"""A class that is expected less often than this says nothing."""


def check_dice(
    file: Annotated[Path, typer.Argument(help="A saved game; - for standard input.")],
    digest: Annotated[
        str | None, typer.Option("--digest", help="The digest you noted during the game, or its beginning.")
    ] = None,
    share: Annotated[str | None, typer.Option("--share", help="The share you noted, or its beginning.")] = None,
) -> None:
    """Check every die of a saved game against its seed. Exit code 1: one differs; 3: it cannot be checked."""
    text = read_text(file)
    header, entries, _ = read_save(text)
    problem, floor = "", 0
    try:
        session = Session.load(text)
        entries, floor = list(session.entries), session.floor
    except SaveError as found:
        problem = f"The game cannot be replayed: {found}."
    audit = Audit(header.sources)
    for entry in entries:
        audit.add(entry.dice)
    for line in _sources(header.sources):
        out.print(line, soft_wrap=True)
    _print_streams(audit, header.sources)
    _print_frequencies(entries)
    noted = _noted(header.sources, digest, share)
    replayed = problem or (
        f"The game was replayed from the position stored in entry {floor} on; nothing before that can be replayed."
        if floor
        else "The game was replayed by its rules to the position it claims."
    )
    out.print(*map(shown, (*noted, replayed, audit.words)), sep="\n", soft_wrap=True)
    if not audit.sound or noted or problem:
        raise typer.Exit(FAILED)
    if audit.unknown:
        raise typer.Exit(UNCONFIRMED)


def _sources(sources: Iterable[Source]) -> Iterable[str]:
    """Each source of dice with its digest, in words."""
    for source in sources:
        if source.made == DRAWN:
            shares = [f"{one.seat} ({'by the server' if one.by == SERVER else 'its own'})" for one in source.shares]
            made = f"seed drawn by the server, with the share of {', '.join(shares) or 'nobody'}"
        else:
            made = MADE.get(source.made, "seed given in the header")
        if source.seed is None:
            word = "the seed is not in this file"
        else:
            word = "the seed fits it" if source.kept_word else "the seed does NOT fit it"
        yield f"from entry {source.start + 1}: {made}; digest {source.digest or 'none'}: {word}"


def _noted(sources: Sequence[Source], digest: str | None, share: str | None) -> list[str]:
    """What a player noted during the game and does not find again."""
    wrong = []
    if digest and not any(source.digest.startswith(digest.lower()) for source in sources):
        wrong.append(f"The digest you noted, {digest}, is not that of this game.")
    if share and not any(one.text.startswith(share.lower()) for source in sources for one in source.shares):
        wrong.append(f"The share you noted, {share}, is not among those of this game.")
    return wrong


def _print_streams(audit: Audit, sources: Sequence[Source]) -> None:
    skipped: Counter[str] = Counter()
    for source in sources:
        skipped.update(dict(source.skip))
    faults = Counter(fault.stream for fault in audit.faults)
    table = Table("stream", "numbers", "taken back", "confirmed", "unknown", "different", box=None)
    for stream, count in sorted(audit.counts.items()):
        found = (skipped[stream], audit.confirmed.get(stream, 0), audit.unknown.get(stream, 0), faults[stream])
        table.add_row(cell(stream), f"0 to {count - 1}", *map(str, found))
    if audit.counts:
        out.print(table)
    for fault in audit.faults[:10]:
        out.print(
            f"entry {fault.entry + 1}: {shown(fault.stream)} die number {fault.number} shows {fault.value}; "
            f"the seed gives {fault.due}",
            soft_wrap=True,
        )  # fmt: skip


def _print_frequencies(entries: Iterable[Entry]) -> None:
    """How often each number fell, by stream and kind of die, where there are enough to say anything."""
    rolled: dict[tuple[str, int], list[Draw]] = {}
    for entry in entries:
        for draw in entry.dice:
            rolled.setdefault((draw.stream, draw.sides), []).append(draw)
    table = Table("stream", "sides", "dice", "how often each fell", "chi-square", "degrees", "p", box=None)
    for (stream, sides), draws in sorted(rolled.items()):
        if sides > 1:
            counts, expected = frequencies([draw.value for draw in draws], sides)
            if min(expected) >= FEWEST:
                square, free = chi_square(counts, expected), len(counts) - 1
                told = (f"{square:.2f}", str(free), f"{chance_of(square, free):.3f}")
            else:
                told = ("", "", "too few")
            table.add_row(cell(stream), str(sides), str(len(draws)), " ".join(map(str, counts)), *told)
    if table.rows:
        out.print(table)


def frequencies(values: Sequence[int], sides: int) -> tuple[list[int], list[float]]:
    """How often each side fell and should have; of dice with many sides, each class of neighbouring sides."""
    classes = sides if sides <= 2 * CLASSES else CLASSES
    counts = [0] * classes
    for value in values:
        if 1 <= value <= sides:
            counts[(value - 1) * classes // sides] += 1
    firsts = [-(-number * sides // classes) for number in range(classes + 1)]
    return counts, [len(values) * (end - first) / sides for first, end in pairwise(firsts)]


def chi_square(counts: Sequence[int], expected: Sequence[float]) -> float:
    """How far the counts are from what they should be."""
    return sum((count - due) ** 2 / due for count, due in zip(counts, expected, strict=True))


def chance_of(square: float, free: int) -> float:
    """How likely fair dice give a figure at least this large, by the approximation of Wilson and Hilferty."""
    spread = 2 / (9 * free)
    z = ((square / free) ** (1 / 3) - 1 + spread) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2)) / 2
