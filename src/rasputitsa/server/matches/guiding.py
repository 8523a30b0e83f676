"""The guide of a lesson as its learner is shown it: the present step, and at the end what was good."""

from __future__ import annotations

from rasputitsa.core.lessons.guide import Happening
from rasputitsa.core.record.session import Session
from rasputitsa.server.shapes.views import Guide


def happenings(session: Session, seat: str) -> list[Happening]:
    """What a seat may read of all that has happened."""
    game, state = session.game, session.state
    entries, events = session.entries[0:], session.events[0:]
    return [
        Happening(
            entry.seat == seat,
            entry.action if entry.seat == seat else "",
            [(event.kind, game.event_data(state, event)) for event in told if game.is_visible(state, event, seat)],
        )
        for entry, told in zip(entries, events, strict=True)
        if not entry.action.startswith("@")
    ]


def guide_json(session: Session, seat: str | None) -> Guide | None:
    """The step a learner is at, or the remarks when the lesson is over; None for anybody else, and without a guide."""
    game, lesson = session.game, session.header.lesson
    if lesson is None:
        return None
    info = next((info for info in game.lessons() if info.id == lesson), None)
    if info is None or seat != info.seat or session.floor:
        return None
    guide = game.guide(info.id)
    if guide is None:
        return None
    entries = happenings(session, seat)
    number = guide.at(entries)
    step = guide.steps[number] if number < len(guide.steps) and session.outcome() is None else None
    over = session.outcome() is not None
    return {
        "number": number,
        "steps": len(guide.steps),
        "text": step.text if step else "",
        "why": step.why if step else "",
        "units": list(step.units) if step else [],
        "hexes": list(step.hexes) if step else [],
        "button": step.button if step else "",
        "astray": guide.astray(entries) if step else "",
        "remarks": [
            {"good": met, "text": remark.good if met else remark.otherwise}
            for remark in (guide.remarks if over else ())
            for met in [any(sign.met(entries) for sign in remark.when)]
        ],
    }
