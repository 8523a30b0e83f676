"""What the guide of a lesson goes by: the learner's own orders, and what the learner may read of the opponent's."""

from __future__ import annotations

import random

import pytest

from rasputitsa.core.record.new import lesson_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.matches.guiding import guide_json, happenings
from tests.property.test_wir_games import choose
from tests.server.secrecy.test_twins import UNSEEN

LEARNER, OPPONENT = "axis", "soviet"


def played(lesson: str, orders: int) -> Session:
    """The learner ends every phase at once; the opponent first gives some orders at random that stay secret."""
    session, chooser = lesson_session("wir", lesson, seed=1), random.Random(orders)
    asked = ""
    while (decision := session.decision()) is not None:
        if (decision.seat, decision.kind, asked) == (LEARNER, "depot", OPPONENT):
            return session
        asked = decision.seat
        options = [option for option in decision.options if option.verb in UNSEEN]
        if decision.seat == OPPONENT and decision.kind in ("movement", "orders") and options and orders:
            orders -= 1
            session.play(session.game.format(session.state, choose(chooser, options)))
        else:
            verbs = {option.verb for option in decision.options}
            session.play(next(verb for verb in ("done", "skip", "halt", "back") if verb in verbs))
    raise AssertionError("the learner was never asked after the opponent")


@pytest.mark.parametrize("lesson", ["first_attack", "depots"])
def test_a_guide_goes_by_nothing_that_the_opponent_does_in_secret(lesson: str) -> None:
    one, other = played(lesson, 2), played(lesson, 30)
    assert one.version != other.version, "there are secrets"
    told = [[found for found in happenings(session, LEARNER) if found.own or found.events] for session in (one, other)]
    assert told[0] == told[1]
    assert guide_json(one, LEARNER) == guide_json(other, LEARNER)
