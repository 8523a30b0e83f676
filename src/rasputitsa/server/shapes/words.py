"""Words with which requests and answers name a choice."""

from __future__ import annotations

from typing import Literal

Form = Literal["mail", "push", "ntfy", "discord", "slack", "json"]
"""How somebody wants notices: by mail, or as the service at a web address wants it."""
Pace = Literal["live", "day", "week"]
"""Now and in one sitting, about a turn a day, or at any pace."""
Level = Literal["any", "first", "some", "much"]
"""How much the one who is looked for should have played."""
ClockPace = Literal["live", "days"]
Lapse = Literal["computer", "open", "end"]
"""When the time of a seat is up the computer takes it over, it is open to everybody, or its side resigns."""
Mode = Literal["away", "always"]
"""When standing orders answer: while the player does not look, or whenever they can."""
Door = Literal["offered", "taken", "closed"]
"""Whether the holder of a seat of the former match is still to come, has come, or can no longer come in this way."""
LinkKind = Literal["guest", "device"]
"""A link for somebody else, who gets the seat, or for another device of its holder."""
Holding = Literal["yours", "person", "waiting", "computer"]
"""Whose a seat is: the caller's, somebody else's, nobody's yet, or the computer's."""
PlayerKind = Literal["human", "bot"]
Share = Literal["me", "side", "table"]
"""Whom a mark on the map is for."""
Behind = int | Literal["turn"]
"""By how much onlookers are behind the players: minutes, or until the turn is over."""
