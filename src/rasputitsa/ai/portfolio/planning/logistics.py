"""Replacements, rail and sea movement, and setting up."""

from __future__ import annotations

import random
from collections.abc import Callable

from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.ai.portfolio.planning.default_policy import by_verb, fallback
from rasputitsa.ai.portfolio.planning.deployment import deploy_hex, deploy_order
from rasputitsa.ai.portfolio.planning.phase_planner import Level
from rasputitsa.ai.portfolio.planning.siberia import call_siberia
from rasputitsa.ai.portfolio.planning.transport import Journey, Transport
from rasputitsa.core.actions import Action
from rasputitsa.core.frames import asked
from rasputitsa.core.game import Decision
from rasputitsa.portfolio.model.indices import Side
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.logistics.arrivals import ChooseHex


class LogisticsPlanner:
    """Plans one replacement phase, or one set-up."""

    def __init__(self, key: tuple[int, ...], side: Side, level: Level, rng: random.Random) -> None:
        self.key = key
        self.side = side
        self.level = level
        self.rng = rng
        self.tried: set[Action] = set()
        self.journey: Journey | None = None

    def answer(self, s: State, decision: Decision, going: Callable[[], bool]) -> Action | None:
        """The next order, or where a unit goes."""
        if decision.kind == "replacement":
            return self.order(s, decision, going)
        if decision.kind in ("rail", "sea"):
            return self.detrain(decision)
        if decision.kind in ("replace", "reinforce"):
            return self.arrival(s, decision)
        if decision.kind in ("deploying", "deployment"):
            return self.deploy(s, decision)
        return None

    def order(self, s: State, decision: Decision, going: Callable[[], bool]) -> Action:
        """Journeys first, while the trains have a choice of stations; then the best units the points allow."""
        options = decision.options
        if Action("siberia") in options and Action("siberia") not in self.tried:
            self.tried.add(Action("siberia"))
            if call_siberia(s):
                return Action("siberia")
        if going():
            self.journey = Transport(s, self.side).best(decision, self.tried)
            if self.journey is not None:
                self.tried.add(self.journey.action)
                return self.journey.action
        for verb in ("reinforce", "replace"):
            found = [a for a in by_verb(options, verb) if a not in self.tried]
            if found:
                worth = knowledge_of(s.rules).worth
                best = max(found, key=lambda a: (worth[a.args[0]], -a.args[0]))
                self.tried.add(best)
                return best
        return Action("done")

    def detrain(self, decision: Decision) -> Action:
        """Where the journey goes."""
        if self.journey is not None:
            action = Action("at", (self.journey.target,))
            if action in decision.options:
                return action
        return Action("back")

    def arrival(self, s: State, decision: Decision) -> Action:
        """The hex where the unit spares most harm and will be most useful."""
        hexes = [a.args[0] for a in by_verb(decision.options, "at")]
        if not hexes:
            return fallback(decision.options)
        frame = asked(s, ChooseHex)
        unit = frame.unit
        stations = Transport(s, self.side)
        place = stations.arrival(unit, hexes, self.level.candidates, decision.kind == "replace")
        return Action("at", (place,))

    def deploy(self, s: State, decision: Decision) -> Action:
        """Where the plan of deployment has the unit."""
        if decision.kind == "deployment":
            found = by_verb(decision.options, "place")
            return min(found, key=lambda a: deploy_order(s, a.args[0])) if found else Action("done")
        frame = asked(s, ChooseHex)
        unit = frame.unit
        hexes = [a.args[0] for a in by_verb(decision.options, "at")]
        return Action("at", (deploy_hex(s, unit, hexes),)) if hexes else fallback(decision.options)
