"""What a person is shown of a match by letters: what has come about, who writes next, and how it ended."""

from __future__ import annotations

from rasputitsa.core.marks import plain
from rasputitsa.mail.correspondent import Correspondent


def news_of(correspondent: Correspondent, before: int) -> list[str]:
    """What has happened since some entry, as far as this person may know it, in plain words."""
    board = correspondent.reached().board
    if board.veiled or len(board.entries) < before:
        return []
    told = []
    for entry, events in zip(board.entries[before:], board.told[before:], strict=True):
        if entry.seat not in correspondent.seats or entry.dice:
            seen = [event for event in events if board.game.is_visible(board.state, event, correspondent.seats[0])]
            told += [plain(board.game.describe(board.state, event)) for event in seen]
    return told


def decides(correspondent: Correspondent) -> bool:
    """Whether one has orders to give for one's next letter."""
    if not correspondent.due or not correspondent.match.joined:
        return False
    reached = correspondent.reached()
    return not reached.waiting and reached.board.mover in correspondent.seats


def next_words(correspondent: Correspondent) -> str:
    """Who writes the next letter, and what there is to decide; how it ended, when it is over."""
    match = correspondent.match
    due = match.due
    if due is None:
        return _ending(correspondent)
    if due != correspondent.me:
        number = len(match.letters)
        if match.joined:
            return f"{match.name(due)} writes the next letter (number {number})."
        named = {seat.id: seat.named or seat.title for seat in match.game.seats(match.terms.options)}
        seats = " and ".join(named[seat] for seat in match.terms.people[due])
        return f"Somebody is still to join as {seats} (letter {number})."
    if correspondent.reached().waiting:
        return "Your last order waits for the other side: write the letter."
    if not decides(correspondent):
        return "You have nothing to decide: write the letter."
    return f"You decide: {correspondent.question()}"


def _ending(correspondent: Correspondent) -> str:
    match = correspondent.match
    if match.resigned:
        return f"The match is over: {match.name(match.person_of(match.resigned))} has resigned."
    board = match.table.board
    outcome = board.game.outcome(board.state)
    if outcome is None:
        return "The match is over."
    return f"The match is over: {outcome.winner or 'nobody'} wins ({outcome.level}): {outcome.reason}"
