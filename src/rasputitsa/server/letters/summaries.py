"""What the pages of letters show of a match."""

from __future__ import annotations

from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.match import MailMatch
from rasputitsa.mail.news import decides, next_words
from rasputitsa.server.matches.views import place_shown
from rasputitsa.server.shapes.letters import LetterMatch, LetterTerms


def terms_json(match: MailMatch, me: int) -> LetterTerms:
    """What is played, and by whom."""
    terms, game = match.terms, match.game
    titles = {known.id: known.title for known in game.seats(terms.options)}
    return {
        "id": match.code,
        "game": terms.game,
        "scenario": terms.scenario,
        "options": dict(terms.options),
        "title": terms.title or game.title,
        "trusting": terms.trusting,
        "people": [
            {
                "name": match.name(number) if number < len(match.letters) else "",
                "seats": list(seats),
                "titles": [titles[seat] for seat in seats],
                "me": number == me,
            }
            for number, seats in enumerate(terms.people)
        ],
    }


def match_json(correspondent: Correspondent) -> LetterMatch:
    """How a match stands, and the letter to be sent."""
    match, board = correspondent.match, correspondent.reached().board
    place = place_shown(board.game, board.state, correspondent.seats[0])
    last = max(number for number, one in enumerate(match.letters) if one.letter.writer == correspondent.me)
    return {
        **terms_json(match, correspondent.me),
        "turn_label": place.turn,
        "phase_label": place.phase,
        "stands": next_words(correspondent),
        "due": correspondent.due and match.joined,
        "decides": decides(correspondent),
        "writable": correspondent.due and match.joined and not decides(correspondent),
        "over": match.due is None,
        "joined": match.joined,
        "check": match.check,
        "draft": list(correspondent.draft),
        "sent": [
            {
                "number": number,
                "writer": match.name(one.letter.writer),
                "mine": one.letter.writer == correspondent.me,
                "note": one.letter.note,
            }
            for number, one in enumerate(match.letters)
        ],
        "last": last,
        "text": correspondent.letter(last),
    }
