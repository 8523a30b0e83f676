"""Tickets of passkeys: that one has served is remembered as long as it is good, and no longer."""

from __future__ import annotations

import pytest

from rasputitsa.server.accounts.passkeys import TICKET_SECONDS, PasskeyDesk, Ticket
from rasputitsa.server.errors import ApiError


def test_what_has_served_does_not_serve_again_after_others(monkeypatch: pytest.MonkeyPatch) -> None:
    now, desk = 1000.0, PasskeyDesk()
    monkeypatch.setattr("time.monotonic", lambda: now)

    def serve(*tickets: Ticket) -> None:
        for ticket in tickets:
            with desk.serving(ticket):
                pass

    served = [desk.give("sign-in", "play.example")[1] for _ in range(3)]
    serve(*served)
    for ticket in served:
        with pytest.raises(ApiError, match="done already"):
            serve(ticket)
    now += TICKET_SECONDS + 1
    _, last = desk.give("sign-in", "play.example")
    serve(last)
    assert list(desk._used) == [last.challenge]
