"""Pictures of every kind of question the game asks, at desktop and phone size: `python -m tools.gallery [NAME...]`.

They go to test-results/gallery, where anyone can look at them; `index.html` there shows all of them. The positions
come from a game that the greedy computer player plays against itself, always the same one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

from rasputitsa.ai.budget import TurnBudget
from rasputitsa.ai.players import player
from rasputitsa.core.caching import cached
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.e2e.table import Table
from tools.studio import LIMIT, Act, Save, Scene, gallery, layers, tab, tool

# -- positions -----------------------------------------------------------------------------------------


@cached
def whole_game(seed: int) -> Session:
    """The greedy player against itself, to the end."""
    session = new_session("portfolio", "june22", {}, seed=seed)
    bots = {seat: player("greedy", session.game, {}, seed) for seat in ("axis", "soviet")}
    budgets = {seat: TurnBudget(1.0) for seat in bots}
    while (decision := session.decision()) is not None:
        view = session.game.view_of(session.state, decision.seat)
        with budgets[decision.seat].clock(session.game, view, decision) as clock:
            action = bots[decision.seat].choose(view, decision, clock)
        session.play(session.game.format(session.state, action), decision.seat)
    return session


def part(seed: int, version: int) -> Session:
    """The game up to one of its decisions, with people in both seats."""
    whole = whole_game(seed)
    return Session.from_entries(whole.header, whole.entries[:version])


@cached
def asked(seed: int) -> tuple[tuple[str, str, int], ...]:
    """Kind, seat and turn of every decision of a game."""
    whole, found = whole_game(seed), []
    walk = Session(whole.header)
    for entry in whole.entries:
        decision = walk.decision()
        assert decision is not None
        found.append((decision.kind, decision.seat, walk.state.turn))
        walk.replay_entry(entry)
    return tuple(found)


def when(kind: str, turn: int = 0, seat: str = "", nth: int = 0, seed: int = 1, then: tuple[str, ...] = ()) -> Save:
    """The n-th decision of a kind from a turn on, and what is done there by hand."""

    def save() -> str:
        places = [
            version for version, (what, who, number) in enumerate(asked(seed))
            if what == kind and number >= turn and seat in ("", who)
        ]  # fmt: skip
        session = part(seed, places[nth])
        for text in then:
            session.play(text)
        return session.save()

    return save


def offered(verb: str, kind: str, turn: int = 0, seat: str = "", seed: int = 1, follow: int = 0) -> Save:
    """The first decision of a kind that offers a verb, and its option taken."""

    def save() -> str:
        for version, (what, who, number) in enumerate(asked(seed)):
            if what != kind or number < turn or seat not in ("", who):
                continue
            session = part(seed, version)
            decision = session.decision()
            assert decision is not None
            options = [option for option in decision.options if option.verb == verb]
            if options:
                session.play(session.game.format(session.state, options[follow % len(options)]))
                return session.save()
        raise LookupError(verb)

    return save


def start(scenario: str = "june22", *actions: str, **options: str) -> Save:
    """The beginning of a scenario."""

    def save() -> str:
        session = new_session("portfolio", scenario, options, seed=1)
        for text in actions:
            session.play(text)
        return session.save()

    return save


# -- what is done on the page --------------------------------------------------------------------------


def point(verb: str) -> Act:
    """Point at a place where something can be done."""

    def act(table: Table) -> None:
        places = [option["hex"] for option in table.options() if option["verb"] == verb and option["hex"]]
        if places and not table.touch:
            table.hover(places[len(places) // 2])

    return act


def barred(table: Table) -> None:
    """Point at an enemy on the way."""
    if not table.touch:
        table.hover("N6")


def offline(table: Table) -> None:
    """The way to the server is cut."""
    table.page.route("**/api/**", lambda route: route.abort())
    table.page.context.set_offline(True)
    table.button(table.options()[-1]["action"]).click()
    table.page.get_by_text("Connection lost").wait_for(timeout=LIMIT)


def forward(steps: int) -> Act:
    """Go back in the game with the slider."""

    def act(table: Table) -> None:
        tool("Replay")(table)
        table.page.get_by_label("Position in the game").fill(str(steps))
        table.page.locator('[data-state="past"]').wait_for()

    return act


JOIN = "with"


def gather(table: Table) -> None:
    """Every unit that can joins the attack."""
    while joining := [option for option in table.options() if option["verb"] == JOIN]:
        table.after(partial(table.page.evaluate, SEND, joining[0]["action"]))
    if table.touch:
        tab("Orders")(table)


SEND = "(action) => document.querySelector(`[data-action='${action}']`)?.click()"


def scenes() -> Iterator[Scene]:
    """Every kind of question, then everything else worth a look."""
    free = start("june22", soviet_deployment="free")
    yield Scene("weather", start("june1"))
    yield Scene("deployment", start("july10"))
    called = offered("siberia", "replacement", turn=4, seat="soviet")
    yield Scene("deploying", lambda: first_option(free(), "place"), point("at"))
    yield Scene("replacement", when("replacement", turn=3, seat="soviet"))
    yield Scene("replace", when("replace", turn=3, seat="soviet"), point("at"))
    yield Scene("rail", offered("rail", "replacement", turn=2, seat="axis", follow=3), point("at"))
    yield Scene("sea", offered("sea", "replacement", turn=1, seat="axis"), point("at"))
    yield Scene("reduce", offered("reduce", "replacement", turn=3, seat="soviet"))
    yield Scene("displace", when("displace"))
    yield Scene("displace-to", when("displace_to"), point("at"))
    yield Scene("pick", lambda: until("pick", called()))
    yield Scene("cast", lambda: first_option(until("pick", called()), "pick"))
    yield Scene("reinforce", when("reinforce"), point("at"))
    yield Scene("stop", when("stop"))
    yield Scene("movement", when("movement"))
    yield Scene("moving", start("june22", "done", "done", "move 39Pz"), point("to"))
    yield Scene("moving-together", start("june22", "done", "done", "move 39Pz", "with 2Inf"), barred)
    yield Scene("moving-mud", when("moving", turn=6, seat="axis", nth=5), point("to"))
    yield Scene("moving-snow", when("moving", turn=10, seat="soviet", nth=3), point("to"), dark=True)
    yield Scene("window", when("window"))
    yield Scene("attack", when("attack"))
    yield Scene("build-attack", when("build_attack", turn=2), gather)
    yield Scene("build-attack-dark", when("build_attack", turn=10), gather, dark=True)
    yield Scene("no-retreat", when("no_retreat"))
    yield Scene("resolve", when("resolve"))
    yield Scene("exchange-first", when("exchange_first"))
    yield Scene("exchange", when("exchange"))
    yield Scene("losses", when("losses"))
    yield Scene("retreat-order", when("retreat_order"))
    yield Scene("retreat", when("retreat"), point("to"))
    yield Scene("retreat-length", when("retreat_length"))
    yield Scene("may-retreat", when("may_retreat"))
    yield Scene("overstack", when("overstack"))
    yield Scene("advance", when("advance"))
    yield Scene("advance-step", when("advance_step"), point("to"))
    yield Scene("breakthrough", when("breakthrough"))
    yield Scene("airlift", when("airlift"))
    yield Scene("isolation", when("isolation"))
    later = when("movement", turn=9, seat="axis")
    yield Scene("log", later, tab("Log"))
    yield Scene("situation", later, tab("Situation"))
    yield Scene("forces", later, tab("Forces"), dark=True)
    yield Scene("text", later, tool("Text"))
    yield Scene("help", later, tool("Help"))
    yield Scene("layers", later, tool("Layers"))
    yield Scene("game", later, tool("Game"))
    yield Scene("supply", later, layers("Supply"))
    yield Scene("front", later, layers("Front", "Control"))
    yield Scene("zoc", later, layers("Zones of control"), dark=True)
    yield Scene("replay", later, forward(400))
    yield Scene("offline", when("window"), offline)
    yield Scene("over", lambda: whole_game(1).save())
    for name, address in (("lobby", ""), ("new", "new/portfolio"), ("rules", "rules/portfolio")):
        yield Scene(name, None, address=address)


def first_option(save: str, verb: str) -> str:
    """A position one step on, by the first option of a verb."""
    session = Session.load(save)
    decision = session.decision()
    assert decision is not None
    option = next(option for option in decision.options if option.verb == verb)
    session.play(session.game.format(session.state, option), decision.seat)
    return session.save()


def until(kind: str, save: str) -> str:
    """A position further on, every phase ended, until a kind of question comes."""
    session = Session.load(save)
    while (decision := session.decision()) is not None and decision.kind != kind:
        ends = [option for option in decision.options if option.verb in ("done", "stand_all", "halt", "pass")]
        session.play(session.game.format(session.state, ends[0]), decision.seat)
    return session.save()


if __name__ == "__main__":
    sys.exit(gallery("gallery", scenes(), sys.argv[1:]))
