"""Requests about matches of several people: tables, links, talk, map notes, clocks, ends, standing orders, notices."""

from __future__ import annotations

from collections.abc import Iterator

from rasputitsa.server.store import new_secret
from tests.fuzz.http import Browser
from tests.fuzz.mutate import written

KIND = {"content-type": "application/json", "host": "127.0.0.1:8000"}
ONCE = "a request of some length"


class People(Browser):
    """``$axis`` is the key of whoever began match ``$id``, ``$soviet`` that of a guest; in match ``$open``, begun with
    ``$host``, the other seat is in the list of open tables, and ``$link`` leads to it."""

    name = "people"
    rounds = 3

    def begin(self) -> None:
        clock = {"pace": "days", "bank_minutes": 600, "turn_minutes": 60, "holiday_days": 10, "lapse": "computer"}
        two = {"game": "portfolio", "scenario": "june22", "guests": ["soviet"], "clock": clock}
        made = self.made("/api/matches", two)
        claim = {"token": made["invitations"]["soviet"], "request_id": new_secret(), "name": "Boris"}
        guest = self.made("/api/invitations/claim", claim)
        other = {"game": "wir", "scenario": "minsk_1941", "guests": ["soviet"], "publish": {"pace": "day"}}
        waiting = self.made("/api/matches", other)
        self.names = {
            "id": made["id"], "axis": made["keys"]["axis"], "soviet": guest["key"], "open": waiting["id"],
            "link": waiting["invitations"]["soviet"], "host": waiting["keys"]["axis"],
        }  # fmt: skip

    def end(self) -> None:
        for row in self._store.matches():
            self._store.delete(row.id)

    def seeds(self) -> Iterator[bytes]:
        axis = {"seat": "axis", "key": "$axis"}
        soviet = {"seat": "soviet", "key": "$soviet"}
        host = {"seat": "axis", "key": "$host"}
        asked = "?seat=axis&key=$axis"
        mark = {"at": "N6", "to": "N7", "text": "here", "share": "table"}
        for row in (
            [("map-notes", {**axis, "marks": [mark, {"at": "N8"}]}), ("map-notes", {**soviet, "marks": []})],
            [("talk", {**axis, "text": "Hello", "to": "side", "request_id": ONCE}), ("notes", {**axis, "text": "A"})],
            [("standing", {**axis, "mode": "always", "policies": {"withdraw": "3:1", "hold": "computer"}})],
            [("end", {**axis, "how": "draw"}), ("end", {**soviet, "how": "draw"})],
            [
                ("end", {**axis, "how": "resign"}),
                ("rematch", axis),
                ("rematch", soviet),
                ("holiday", {**axis, "days": 1}),
            ],
            [("holiday", {**axis, "days": 3}), ("holiday", {**axis, "days": 0})],
            [
                ("agree", {"topic": "hints", **axis}),
                ("agree", {"topic": "hints", **soviet}),
                ("undo", {**axis, "version": 0}),
            ],
            [("agree", {"topic": "computer", "of": "soviet", "bot": "random", **axis})],
            [("leave", soviet), ("agree", {"topic": "invite", "of": "soviet", **axis})],
            [("keys", axis), ("keys/only", axis), ("sit", {"keys": {"axis": "$axis", "soviet": "$soviet"}})],
            [("invitations", {**axis, "of": "axis", "kind": "device"}), ("invitations/revoke", {**axis, "of": "axis"})],
            [("notices", {**axis, "form": "ntfy", "address": "https://127.0.0.1/x"}), ("notices/off", axis)],
            [("calendar", axis), ("calendar", {**soviet, "calendar": "x"}), ("calendar/off", axis)],
        ):
            yield written([["POST", f"/api/matches/$id/{path}", KIND, body] for path, body in row]).encode()
        for path in ("map-notes", "talk", "notes", "standing", "clock", "notices", "calendar", "seats"):
            yield written([["GET", f"/api/matches/$id/{path}{asked}", {}, ""]]).encode()
        open_seat = {"match": "$open", "seat": "soviet"}
        for rest in (
            [("/api/invitations/look", {"token": "$link"}),
             ("/api/invitations/claim", {"token": "$link", "request_id": ONCE, "name": "C", "share": "0" * 32})],
            [("/api/tables/look", open_seat), ("/api/tables/take", {**open_seat, "request_id": ONCE, "name": "D"})],
            [("/api/matches/$open/publish", {**host, "of": "soviet", "pace": "live"}),
             ("/api/matches/$open/publish/withdraw", {**host, "of": "soviet"})],
            [("/api/matches/$open/invitations", {**host, "of": "soviet"})],
            [("/api/lobby", {"keys": {"$id": {"axis": "$axis"}, "$open": {"axis": "$host"}}})],
            [("/api/notices/confirm", {"token": "x"}), ("/api/notices/stop", {"token": "x"}),
             ("/api/notices/stop/x", "List-Unsubscribe=One-Click"), ("/api/calendar/void", {"token": "x"})],
        ):  # fmt: skip
            yield written([["POST", path, KIND, body] for path, body in rest]).encode()
        paths = ("/api/tables", "/api/matches", "/api/calendar/x.ics")
        yield written([["GET", path, {}, ""] for path in paths]).encode()
