"""A simple way to play a turn: a few moves towards the enemy, attacks at good odds, and the questions that follow."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Option = dict[str, Any]

ENDS = ("done", "halt", "stand", "stand_all", "pass", "refrain", "continue", "decline", "ready", "back", "drop")


@dataclass
class Plan:
    """Which option to take next; it remembers what has been done in this phase."""

    moves: int = 2
    attacks: int = 2
    advances: int = 2
    eastward: bool = True
    done: Counter[str] = field(default_factory=Counter)
    phase: str = ""

    def choose(self, view: dict[str, Any]) -> Option:
        decision = view["decision"]
        phase = f"{view['turn']['number']} {view['phase']['id']} {view['phase']['side']} {view['phase']['reserve']}"
        if phase != self.phase:
            self.phase = phase
            self.done.clear()
        by_verb: dict[str, list[Option]] = {}
        for option in decision["options"]:
            by_verb.setdefault(option["verb"], []).append(option)
        chosen = self._of_kind(decision["kind"], by_verb)
        self.done[chosen["verb"]] += 1
        return chosen

    def _of_kind(self, kind: str, by_verb: dict[str, list[Option]]) -> Option:
        if kind == "movement" and self.done["move"] < self.moves:
            return self._first(by_verb, "move", "done", skip=self.done["move"] * 3)
        if kind == "moving":
            if "halt" in by_verb:
                return by_verb["halt"][0]
            return self._far(by_verb["to"]) if "to" in by_verb else by_verb["back"][0]
        if kind == "attack":
            wanted = self.done["attack"] < self.attacks
            return self._first(by_verb, *(("attack",) if wanted else ()), *ENDS)
        if kind in ("build_attack", "breakthrough") and ("with" in by_verb or "ready" in by_verb):
            return self._first(by_verb, "with", "ready", "drop")
        if kind == "advance":
            wanted = self.done["advance"] < self.advances
            return self._first(by_verb, *(("advance",) if wanted else ()), *ENDS)
        if kind in ("resolve", "exchange"):
            return self._first(by_verb, "resolve", "exchange", *ENDS)
        if kind in ("advance_step", "retreat", "retreat_length") and "to" in by_verb:
            return by_verb["to"][0]
        return self._first(by_verb, *ENDS)

    def _far(self, options: list[Option]) -> Option:
        """The hex farthest ahead: columns count eastward."""
        ahead = sorted(options, key=lambda o: int("".join(c for c in str(o["hex"]) if c.isdigit())))
        return ahead[-1] if self.eastward else ahead[0]

    def _first(self, by_verb: dict[str, list[Option]], *verbs: str, skip: int = 0) -> Option:
        for verb in verbs:
            if options := by_verb.get(verb):
                return options[min(skip, len(options) - 1)]
        return next(iter(by_verb.values()))[0]
