"""Matches by letters over HTTP: what a browser sends, and what somebody on the other side may write."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from rasputitsa.mail import envelope
from rasputitsa.mail.book import Book
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.server.store.copies import ENDING, FOLDER
from tests.fuzz.http import Browser
from tests.fuzz.mutate import mutated, written
from tests.mail.pair import decide, seated

KIND = {"content-type": "application/json", "host": "127.0.0.1:8000"}
SAID = "$said:"
"""What follows is what a letter says, and is signed by the other side and wrapped."""
GAMES = {"p": ("portfolio", "june22"), "w": ("wir", "minsk_1941"), "o": ("portfolio", "june22")}
MINE = "o"
"""The match in which the next letter is not the other side's."""


class Letters(Browser):
    """``$p`` and ``$w`` are matches of the two games in which a letter of the other side is awaited, ``$letterp`` and
    ``$letterw``; in match ``$o`` orders are given; ``$invitation`` leads to another one."""

    name = "letters"
    rounds = 4

    def __init__(self) -> None:
        super().__init__()
        self._shelf = self._app.state.config.data / FOLDER
        self._shelf.mkdir(exist_ok=True)
        self._others: dict[str, Correspondent] = {}
        self._begun: dict[str, bytes] = {}
        inviting = Correspondent.inviting(seated(*GAMES["p"])[0].match.terms, "C")
        self._known: dict[str, str] = {"invitation": _in_one_line(inviting.letter(0))}
        self._known["host"] = inviting.keys.public
        self._keys = {inviting.keys.public: inviting.keys}
        for short, (game, scenario) in GAMES.items():
            first, second = seated(game, scenario)
            mine, other = (first, second) if bool(first.due) == (short == MINE) else (second, first)
            code = mine.match.code
            Book.begin(self._shelf / f"{code}{ENDING}", mine)
            self._begun[code] = (self._shelf / f"{code}{ENDING}").read_bytes()
            self._known[short] = code
            if short != MINE:
                decide(other, random.Random(1))
                self._known[f"letter{short}"] = _in_one_line(other.write())
            self._others[short] = other
            self._keys[code] = other.keys
            last = other.match.letters[-1 if short != MINE else other.me].letter
            self._known |= {f"{what}of{short}": said for what in ("following", "share", "promise", "after", "key")
                            if (said := getattr(last, what))}  # fmt: skip

    def begin(self) -> None:
        self.names = dict(self._known)
        for code, content in self._begun.items():
            path = self._shelf / f"{code}{ENDING}"
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
        for short, other in self._others.items():
            view = self._client.get(f"/api/letters/{self._known[short]}/view", params={"seat": self._seat(other)})
            self.names[f"version{short}"] = str(view.json()["version"])

    @staticmethod
    def _seat(other: Correspondent) -> str:
        """The seat of whoever has this server."""
        return other.match.terms.people[1 - other.me][0]

    def _general(self, content: str) -> str:
        """What a letter says, with names for what is another one in each run."""
        for name, value in self._known.items():
            content = content.replace(f'"{value}"', f'"${name}"')
        return content

    @staticmethod
    def _line(other: Correspondent) -> str:
        """Something that may be ordered at first."""
        state, game = other.match.table.board.state, other.match.game
        decision = game.decision(state)
        return game.format(state, decision.options[0]) if decision else "done"

    def end(self) -> None:
        for row in self._client.get("/api/letters").json():
            json.dumps(row).encode()
            if row["id"] not in self._begun:
                assert self._client.delete(f"/api/letters/{row['id']}").status_code == 200

    def _filled(self, text: str) -> str:
        for short in GAMES:
            text = text.replace(f'"$version{short}"', self.names[f"version{short}"])  # a number
        text = super()._filled(text)
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            return text
        if isinstance(body, dict) and isinstance(body.get("text"), str) and body["text"].startswith(SAID):
            return written({**body, "text": self._signed(body["text"].removeprefix(SAID))})
        return text

    def _signed(self, content: str) -> str:
        """What somebody has said, as a letter with the signature of whoever its match or key names."""
        raw = content.encode("utf-8", "surrogatepass")
        keys = next((keys for name, keys in self._keys.items() if f'"{name}"' in content), self._others["p"].keys)
        return envelope.wrapped(keys.sign(raw), raw)

    def mutate(self, data: bytes, chooser: random.Random) -> bytes | None:
        try:
            asked = json.loads(data)
            places = [n for n, one in enumerate(asked) if one[3]["text"].startswith(SAID)]
            number = chooser.choice(places)
            content = json.loads(asked[number][3]["text"].removeprefix(SAID))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            return super().mutate(data, chooser)
        if chooser.random() < 0.2:
            return super().mutate(data, chooser)
        asked[number][3]["text"] = SAID + written(
            mutated(content, chooser, list(content) if isinstance(content, (dict, list, str)) else [])
        )
        return written(asked).encode("utf-8", "surrogatepass")

    def seeds(self) -> Iterator[bytes]:
        for short, other in self._others.items():
            code, seat = f"/api/letters/${short}", self._seat(other)
            version = f"$version{short}"
            said = self._general(other.match.letters[-1 if short != MINE else other.me].content.decode())
            now = {"seat": seat, "key": "", "version": version}
            order = self._line(other)
            read = ["POST", f"{code}/read", KIND, {"text": f"$letter{short}" if short != MINE else "$letterp"}]
            forged: list[Any] = ["POST", f"{code}/read", KIND, {"text": SAID + said}]
            asked = [["GET", f"{code}{path}", {}, ""] for path in (
                "", "/letters/1", f"/view?seat={seat}", f"/view?seat={seat}&at=0", f"/log?seat={seat}&from=0",
                f"/query?kind=reach&units=39Pz&seat={seat}", "/export",
            )]  # fmt: skip
            for rows in (
                [forged, asked[0], asked[2], ["POST", f"{code}/write", KIND, {"note": "A"}]],
                [read, asked[2], asked[4], ["POST", f"{code}/sit", KIND, {}]],
                [read, read, ["POST", f"{code}/write", KIND, {"resign": True}], asked[6]],
                [["POST", f"{code}/actions", KIND, {**now, "action": order, "request_id": "1"}], asked[4]],
                [["POST", f"{code}/undo", KIND, {**now, "to": 0}]],
                asked[1:6],
                [["DELETE", code, {}, ""], asked[0]],
            ):
                yield written(rows).encode()
        begun = {"game": "portfolio", "scenario": "june22", "name": "Anna", "title": "T", "each_seat": False}
        yield written([["POST", "/api/letters", KIND, begun], ["GET", "/api/letters", {}, ""]]).encode()
        yield written([
            ["POST", "/api/letters/look", KIND, {"text": "$invitation"}],
            ["POST", "/api/letters/join", KIND, {"text": "$invitation", "name": "D", "trusting": False}],
        ]).encode()  # fmt: skip
        first = self._general(envelope.unwrapped(self._known["invitation"])[1].decode())
        yield written([["POST", "/api/letters/join", KIND, {"text": SAID + first, "name": "D"}]]).encode()


def _in_one_line(letter: str) -> str:
    """A letter as it can stand in a text of JSON; any space will do between its lines."""
    return " ".join(letter.split("\n"))
