"""All there is to ask: every kind of question with arguments that are answered, and every request about the table."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.record.session import Session
from tests.server.conftest import rooms_of
from tests.server.secrecy.twins import GIVEN, Twin

OUTSIDE = {
    ("GET", "/api/health"): "of no match",
    ("GET", "/api/ready"): "of no match",
    ("GET", "/api/metrics"): "for the host, who can read the database",
    ("GET", "/api/games"): "of no match",
    ("GET", "/api/games/{game_id}/glossary"): "of no match",
    ("GET", "/api/games/{game_id}/guides"): "of no match",
    ("GET", "/api/games/{game_id}/static"): "of no match",
    ("GET", "/api/games/{game_id}/rules"): "of no match",
    ("GET", "/api/classes"): "of no match",
    ("GET", "/api/ratings/{game_id}"): "of no match",
    ("POST", "/api/matches"): "makes another match",
    ("POST", "/api/import"): "makes another match",
    ("GET", "/api/import"): "of no match",
    **dict.fromkeys(
        [
            ("POST", "/api/classes"),
            ("POST", "/api/classes/matches"),
            ("POST", "/api/classes/boards"),
            ("POST", "/api/classes/door"),
            ("POST", "/api/classes/delete"),
            ("POST", "/api/classes/pause"),
            ("POST", "/api/classes/back"),
            ("POST", "/api/classes/computer"),
            ("POST", "/api/classes/pupils/word"),
            ("POST", "/api/classes/pupils/remove"),
            ("POST", "/api/classes/cards"),
            ("POST", "/api/classes/join"),
            ("POST", "/api/matches/{match_id}/class"),
            ("POST", "/api/matches/{match_id}/class/answer"),
        ],
        "for a class, to which the twins do not belong; see server/classroom",
    ),
    **dict.fromkeys(
        [
            ("GET", "/api/account"),
            ("POST", "/api/account/register"),
            ("POST", "/api/account/sign-in"),
            ("POST", "/api/account/sign-out"),
            ("POST", "/api/account/password"),
            ("POST", "/api/account/profile"),
            ("POST", "/api/account/sessions/end"),
            ("POST", "/api/account/seats"),
            ("POST", "/api/account/blocks"),
            ("POST", "/api/account/blocks/remove"),
            ("POST", "/api/account/export"),
            ("POST", "/api/account/delete"),
            ("POST", "/api/account/passkeys/ask"),
            ("POST", "/api/account/passkeys/sign-in"),
            ("POST", "/api/account/passkeys/register/ask"),
            ("POST", "/api/account/passkeys/register"),
            ("POST", "/api/account/passkeys/add/ask"),
            ("POST", "/api/account/passkeys/add"),
            ("POST", "/api/account/passkeys/remove"),
        ],
        "of a person, with nothing of a match but its number, title and date; see server/accounts",
    ),
    **dict.fromkeys(
        [
            ("GET", "/api/letters"),
            ("POST", "/api/letters"),
            ("POST", "/api/letters/look"),
            ("POST", "/api/letters/join"),
            ("GET", "/api/letters/{code}"),
            ("GET", "/api/letters/{code}/file"),
            ("DELETE", "/api/letters/{code}"),
            ("GET", "/api/letters/{code}/letters/{number}"),
            ("POST", "/api/letters/{code}/read"),
            ("POST", "/api/letters/{code}/write"),
            ("POST", "/api/letters/{code}/sit"),
            ("GET", "/api/letters/{code}/view"),
            ("GET", "/api/letters/{code}/log"),
            ("GET", "/api/letters/{code}/query"),
            ("POST", "/api/letters/{code}/actions"),
            ("POST", "/api/letters/{code}/undo"),
            ("GET", "/api/letters/{code}/export"),
        ],
        "of a match by letters, which holds nothing of a match at the table",
    ),
}
"""Requests that nothing of a match can be in the answer to, and why."""

ARGUMENTS = frozenset(
    {
        "action", "assume", "depot", "group", "groups", "hex", "join", "room", "side", "target", "targets", "to",
        "unit", "units", "what",
    }
)  # fmt: skip
"""Names of arguments of questions that spies give."""

TRIED = 300


class Read(Mapping[str, str]):
    """Arguments of a question that know which of them were looked at."""

    def __init__(self, args: Mapping[str, str]) -> None:
        self._args = args
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return self._args[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._args)

    def __len__(self) -> int:
        return len(self._args)


def kinds_of(description: Mapping[str, Any], game: str) -> list[str]:
    """Every kind of question of a game, as the interface describes them, and the one of every game."""
    schema = description["components"]["schemas"][f"{game.capitalize()}Answers"]
    return [*schema["properties"], "asides"]


def session_of(twin: Twin) -> Session:
    """The match itself, as it stands."""
    twin.players.view(None)
    match = rooms_of(twin.players.client)._rooms[int(twin.players.id)].match
    assert match is not None
    return match.session


def differing(pair: tuple[Twin, Twin], seat: str) -> list[str]:
    """Units of which a seat that knows the secrets sees something else in one twin than in the other: one for each
    field that differs."""
    first, second = ({unit["id"]: unit for unit in twin.players.view(seat)["units"]} for twin in pair)
    found = {name: id_ for id_, unit in first.items() for name in unit if unit[name] != second[id_].get(name)}
    return sorted(set(found.values()))


def answerable(
    session: Session, seat: str | None, kinds: list[str], units: list[str], chooser: random.Random
) -> tuple[list[tuple[str, dict[str, str]]], set[str]]:
    """Questions of each kind that are answered, with whatever arguments they take; and all names that were read.

    Some are about ``units``, some about others.
    """
    game, state = session.game, session.state
    found: list[tuple[str, dict[str, str]]] = []
    names: set[str] = set()
    for kind in kinds:
        shapes: set[tuple[str, ...]] = set()
        for about, args in itertools.islice(_arguments(session, units, chooser), TRIED):
            if (about, *args) in shapes:
                continue
            read = Read(args)
            try:
                if kind != "asides":
                    game.query(state, seat, kind, read)
            except (RasputitsaError, ValueError, KeyError):
                continue
            finally:
                names |= read.names
            shapes.add((about, *args))
            found.append((kind, args))
    return found, names


def _arguments(session: Session, units: list[str], chooser: random.Random) -> Iterator[tuple[str, dict[str, str]]]:
    """Arguments that may be to the point, each with what they are about: first each of some units where it stands and
    the hexes beside it, then any unit of a side."""
    game = session.game
    grid = session.state.rules.grid
    numbers = {name: number for number, name in enumerate(grid.names)}
    side = {unit["id"]: unit["side"] for unit in game.static(session.header.scenario)["units"]}
    view = game.observe(session.state, None)
    places = {unit["id"]: unit["hex"] for unit in view["units"] if unit.get("hex") in numbers}
    decision = session.decision()
    orders = [game.format(session.state, option) for option in decision.options[:3]] if decision else []
    yield from (("", {"action": order}) for order in ("nonsense", "done", *orders))
    yield from (("", {"side": name}) for name in ("axis", "soviet"))
    yield from (("", {"what": what}) for what in ("supply", "replace", "all"))
    yield "", {}
    some = [(unit, unit) for unit in units if unit in places]
    for unit, about in [*some, *((unit, side.get(unit, "")) for unit in chooser.sample(list(places), len(places)))]:
        place = numbers[places[unit]]
        near = chooser.choice([name for name, number in numbers.items() if grid.adjacent[place] >> number & 1])
        others = [other for other, hex_ in places.items() if hex_ == near]
        group = ",".join(other for other in places if places[other] == places[unit])
        for args in (
            {"depot": unit}, {"hex": places[unit]}, {"unit": unit}, {"unit": unit, "room": "1"},
            {"unit": unit, "to": near}, {"group": unit, "to": near}, {"unit": unit, "target": near},
            {"units": unit, "targets": near}, {"units": unit, "target": near}, {"groups": group, "target": near},
            {"units": unit, "target": near, "join": "plots"},
            {"units": unit, "target": near, "assume": ",".join(f"{other}:250:50:0" for other in others)},
        ):  # fmt: skip
            yield about, args


def ask_all(twin: Twin, seat: str | None, questions: list[tuple[str, dict[str, str]]]) -> set[str]:
    """Ask what was found to be answered; gives the kinds that were."""
    done = set()
    for kind, args in questions:
        name = f"{kind} {args}"
        twin.ask(name, "GET", "query", params={**twin.params(seat), "kind": kind, **args})
        if twin.answers[name][0] == 200:
            done.add(kind)
    return done


def look_around(twin: Twin, seat: str | None, *, may_delete: bool = False) -> None:
    """What can be looked at, and what is refused, besides what ``spy_on`` asks."""
    params = twin.params(seat)
    for path in ("seats", "talk", "notes", "map-notes"):
        twin.ask(path, "GET", path, params=params)
    keys = {seat: params["key"]} if seat else {}
    twin.ask("lobby", "POST", "/api/lobby", GIVEN, json={"keys": {twin.players.id: keys}})
    twin.ask("matches", "GET", "/api/matches")
    twin.ask("tables", "GET", "/api/tables")
    if not may_delete:  # the owner of the machine may
        twin.ask("delete", "DELETE", "", params=params)
    twin.ask("stop", "DELETE", "analysis/none", params=params)
    for at in (None, 0):
        twin.ask(f"copy {at}", "POST", "copy", json={**params, "at": at} if at is not None else params)
    twin.ask("sit", "POST", "sit", GIVEN, json={"keys": keys})
    if seat:
        twin.ask("hurry", "POST", "hurry", json=params)


def at_the_table(twin: Twin, seat: str) -> None:
    """All that a player can do besides playing, to the last: giving the seat up."""
    auth = twin.players.auth(seat)

    def post(path: str, **body: Any) -> Any:
        return twin.ask(f"{path} {sorted(body.items(), key=str)}", "POST", path, GIVEN, json={**auth, **body})

    post("course")
    for yes in (True, False):
        post("agree", topic="hints", yes=yes)
        post("end", how="draw", yes=yes)
    post("rematch")
    twin.ask("told", "GET", "notices", params=auth)
    post("notices", form="json", address="https://hook.example/")
    post("notices/off")
    twin.ask("in a calendar", "GET", "calendar", params=auth)
    token = post("calendar")["token"]
    twin.ask("the calendar", "GET", f"/api/calendar/{token}")
    twin.ask("void calendar", "POST", "/api/calendar/void", json={"token": token})
    post("calendar/off")
    twin.ask("clock", "GET", "clock")
    post("holiday", days=1)
    post("standing", mode="always", policies={"none": "never"})
    post("standing", mode="away", policies={})
    twin.ask("standing orders", "GET", "standing", params=auth)
    twin.ask("agree to mail", "POST", "/api/notices/confirm", json={"token": "x"})
    twin.ask("one click", "POST", "/api/notices/stop/x", json={})
    twin.ask("stop notices", "POST", "/api/notices/stop", json={"token": "x"})
    post("publish", of=seat, pace="day")
    post("publish/withdraw", of=seat)
    open_seat = {"match": twin.players.id, "seat": seat}
    twin.ask("look at a table", "POST", "/api/tables/look", GIVEN, json=open_seat)
    sitting_down = {**open_seat, "request_id": f"{twin.players.id:0>20}"}
    twin.ask("take a seat", "POST", "/api/tables/take", GIVEN, json=sitting_down)
    post("agree", topic="invite", of=seat)
    said = {"text": "Good luck!", "request_id": "a message of some length"}
    twin.ask("say", "POST", "talk", GIVEN, json={**auth, **said})
    post("notes", text="We hold")
    twin.ask("draw", "POST", "map-notes", GIVEN, json={**auth, "marks": []})
    twin.ask("said", "GET", "talk", GIVEN, params=auth)
    twin.ask("noted", "GET", "notes", params=auth)
    for controller in ({"kind": "bot", "bot": "none"}, {"kind": "human", "name": "Me"}):
        post("controllers", controller=controller)
    post("invitations", of=seat, kind="device")
    post("invitations/revoke", of=seat)
    token = twin.ask("link", "POST", "invitations", GIVEN, json={**auth, "of": seat, "kind": "device"})["token"]
    twin.ask("look", "POST", "/api/invitations/look", GIVEN, json={"token": token})
    taking = {"token": token, "request_id": f"{twin.players.id:0>20}", "keys": {seat: auth["key"]}}
    twin.ask("claim", "POST", "/api/invitations/claim", GIVEN, json=taking)
    auth["key"] = post("keys")["key"]
    twin.ask("only", "POST", "keys/only", GIVEN, json=auth)
    twin.ask("seats then", "GET", "seats", params=auth)
    twin.ask("leave", "POST", "leave", GIVEN, json=auth)
    twin.ask("seats at last", "GET", "seats", params=auth)
