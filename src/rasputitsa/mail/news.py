"""What a person is shown of a match by letters: what has come about, who writes next, and how it ended."""

from __future__ import annotations

from rasputitsa.core.marks import plain
from rasputitsa.mail.desk import Desk


def news_of(desk: Desk, before: int) -> list[str]:
    """What one may know of what has come about after a number of entries, in plain words."""
    board = desk.reached().board
    if board.veiled or len(board.entries) < before:
        return []
    told = []
    for entry, events in zip(board.entries[before:], board.told[before:], strict=True):
        if entry.seat not in desk.seats or entry.dice:
            seen = [event for event in events if board.game.is_visible(board.state, event, desk.seats[0])]
            told += [plain(board.game.describe(board.state, event)) for event in seen]
    return told


def decides(desk: Desk) -> bool:
    """Whether one has orders to give for one's next letter."""
    if not desk.due or not desk.match.joined:
        return False
    reached = desk.reached()
    return not reached.waiting and reached.board.mover in desk.seats


def next_words(desk: Desk) -> str:
    """Who writes the next letter, and what there is to decide; how it ended, when it is over."""
    match = desk.match
    due = match.due
    if due is None:
        return _ending(desk)
    if due != desk.me:
        number = len(match.letters)
        if match.joined:
            return f"{match.name(due)} writes the next letter (number {number})."
        titles = {seat.id: seat.title for seat in match.game.seats(match.terms.options)}
        seats = " and ".join(titles[seat] for seat in match.terms.people[due])
        return f"{seats}: somebody is to join (letter {number})."
    if desk.reached().waiting:
        return "Your last order waits for the other side: write the letter."
    if not decides(desk):
        return "You have nothing to decide: write the letter."
    return f"You decide: {desk.question()}"


def _ending(desk: Desk) -> str:
    if desk.match.resigned:
        return f"The match is over: {desk.match.name(desk.match.person_of(desk.match.resigned))} has resigned."
    board = desk.match.table.board
    outcome = board.game.outcome(board.state)
    if outcome is None:
        return "The match is over."
    return f"The match is over: {outcome.winner or 'nobody'} wins ({outcome.level}): {outcome.reason}"
