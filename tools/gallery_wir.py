"""Pictures of every phase and menu of War in Russia, at desktop and phone size.

`python -m tools.gallery_wir [NAME...]` puts them into test-results/gallery-wir; `index.html` there shows all of them.
Later weeks come from a game that the greedy computer player plays against itself, always the same one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.core.caching import cached
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.e2e.table import Table
from tools.studio import LIMIT, Act, Save, Scene, gallery, layers, tab, tool

SEED = 1941

# -- positions -----------------------------------------------------------------------------------------


def start(*lines: str, scenario: str = "barbarossa", **options: str) -> Save:
    """The beginning of a scenario, and orders given there."""

    def save() -> str:
        session = new_session("wir", scenario, options, seed=SEED)
        for line in lines:
            session.play(line)
        return session.save()

    return save


@cached
def played(scenario: str, turn: int) -> str:
    """The greedy player against itself up to the start of a week; people in both seats from there."""
    session = new_session("wir", scenario, {}, seed=SEED)
    minds = {seat: player("greedy", session.game, {}, SEED) for seat in ("axis", "soviet")}
    while (decision := session.decision()) is not None and session.state.turn < turn:
        view = session.game.view_of(session.state, decision.seat)
        action = minds[decision.seat].choose(view, decision, TimedClock(1.0))
        session.play(session.game.format(session.state, action), decision.seat)
    return session.save()


def week(turn: int, *lines: str, scenario: str = "barbarossa") -> Save:
    """A later week, and orders given there."""

    def save() -> str:
        session = Session.load(played(scenario, turn))
        for line in lines:
            session.play(line)
        return session.save()

    return save


def offered(verb: str, save: Save, *, then: str = "") -> Save:
    """One step on, by the first option of a verb."""

    def further() -> str:
        session = Session.load(save())
        decision = session.decision()
        assert decision is not None
        option = next((option for option in decision.options if option.verb == verb), None)
        if option is None:
            raise LookupError(verb)
        session.play(session.game.format(session.state, option), decision.seat)
        if then:
            session.play(then)
        return session.save()

    return further


SUPPLIED = ("done", "done", "auto supply", "done", "auto supply")
"""From the start of a week to the movement of the Axis: the Soviet side does nothing but supply."""
SOVIETS = ("done", "done", "auto supply")
"""From the start of a week to the movement of the Soviet side."""
PLOTS = (
    "get 3; plot 3; halt", "get 5; plot 2; halt", "get 7; plot 2S; halt", "get 21; plot 2B; halt",
    "get 54; ground 0519; halt", "get 1; plot 3; halt",
)  # fmt: skip


# -- what is done on the page --------------------------------------------------------------------------


def click(hex_id: str, then: Act | None = None) -> Act:
    """Click a hex, and go on from there."""

    def act(table: Table) -> None:
        table.click_hex(hex_id)
        table.page.wait_for_timeout(500)
        if then:
            then(table)

    return act


def hover(hex_id: str) -> Act:
    """Point at a hex; a finger cannot."""

    def act(table: Table) -> None:
        if not table.touch:
            table.hover(hex_id)
            table.page.wait_for_timeout(600)

    return act


def panel(act: Act | None = None) -> Act:
    """Open the panels on a phone, where they are closed."""

    def opened(table: Table) -> None:
        if table.touch:
            tab("Orders")(table)
            table.page.wait_for_timeout(500)
        if act:
            act(table)

    return opened


def press(name: str, times: int = 1) -> Act:
    """Press a button by its name."""

    def act(table: Table) -> None:
        for _ in range(times):
            table.page.get_by_role("button", name=re.compile(name)).first.click()
            table.page.wait_for_timeout(400)

    return act


def unfold(*menus: str) -> Act:
    """Open menus of the adjustment."""

    def act(table: Table) -> None:
        for menu in menus:
            table.page.locator("summary", has_text=menu).first.click()
            table.page.wait_for_timeout(200)

    return panel(act)


def suppose(table: Table) -> None:
    """Suppose something of every hidden group of the attack in the panel."""
    for _ in range(2):
        button = table.page.get_by_role("button", name=re.compile("^As an average")).first
        if button.is_visible():
            button.click()
            table.page.wait_for_timeout(500)
    table.page.locator(".odds").first.scroll_into_view_if_needed()


def ledger(name: str) -> Act:
    """One of the tables and charts."""

    def act(table: Table) -> None:
        press("Tables and charts")(table)
        table.page.get_by_role("tab", name=name).click()
        table.page.wait_for_timeout(1500)

    return panel(act)


def watched(table: Table) -> None:
    """The execution of the week, stopped at an assault."""
    player_ = table.page.get_by_role("region", name="Execution of the week")
    player_.wait_for(timeout=LIMIT)
    pause = player_.get_by_role("button", name="Pause")
    if pause.is_visible():
        pause.click()
    for _ in range(20):
        if table.page.locator("#map .burst rect").count():
            return
        player_.get_by_role("button", name="One step on").click()
        table.page.wait_for_timeout(150)


def end_of_movement(table: Table) -> None:
    """The last orders are given; the week is executed."""
    table.page.get_by_role("button", name=re.compile("^End movement")).first.click()
    table.page.wait_for_timeout(400)
    table.page.get_by_role("button", name=re.compile("^Really")).first.click()


def both(*acts: Act) -> Act:
    """One thing after the other."""

    def act(table: Table) -> None:
        for one in acts:
            one(table)
            table.page.wait_for_timeout(300)

    return act


def forward(share: float, *acts: Act) -> Act:
    """Go back in the game with the slider."""

    def act(table: Table) -> None:
        tool("Replay")(table)
        slider = table.page.get_by_label("Position in the game")
        slider.fill(str(int(int(slider.get_attribute("max") or 0) * share)))
        table.page.locator('[data-state="past"]').wait_for()
        table.page.wait_for_timeout(500)
        for one in acts:
            one(table)

    return act


def scenes() -> Iterator[Scene]:
    """The phases of a week in their order, menu by menu, then everything else worth a look."""
    yield from adjustment()
    yield from supply()
    yield from movement()
    yield from execution()
    yield from around()


def adjustment() -> Iterator[Scene]:
    """4.0"""
    yield Scene("adjust", start())
    yield Scene("adjust-group", start(), click("0415", panel()))
    yield Scene("adjust-city", start(), click("0118", panel()))
    yield Scene("adjust-menus", start(), unfold("Transfer units", "Divide a group", "Transfer aircraft"))
    yield Scene("adjust-more", start(), unfold("Transfer by sea", "Dismantle", "Propose"))
    yield Scene("divide", start("divide 16"), panel())
    yield Scene("divide-send", start("divide 16", "form 2", "send 2"), panel())
    yield Scene("transfer", start("transfer 18 17"), panel(), dark=True)
    yield Scene("aircraft", start("aircraft 57 54"), panel())
    yield Scene("aircraft-pool", start("reinforce 54"), panel())
    yield Scene("naval", start("naval 14 46"), panel())
    yield Scene("build", start("build Germany"), panel())
    yield Scene("build-type", start("build Germany", "form 2"), panel())
    yield Scene("build-strength", start("build Germany", "form 1", "type 1"), panel())
    yield Scene("factory", offered("factory", week(4)), panel())
    yield Scene("proposal", start("level 2"), panel())
    yield Scene("adjust-soviet", start("done"))


def supply() -> Iterator[Scene]:
    """5.0"""
    axis = ("done", "done", "auto supply", "done")
    yield Scene("depot", start(*axis), hover("0415"))
    yield Scene("depot-penalty", start(*axis, "depot 0217"), panel())
    yield Scene("depot-rail", start(*axis, "supply", "supply", "supply", "supply", "depot 0427"), panel())
    yield Scene("depot-retrace", week(3, *axis), panel())
    yield Scene("depot-soviet", start("done", "done"), dark=True)


def movement() -> Iterator[Scene]:
    """6.0"""
    yield Scene("movement", start(*SUPPLIED))
    yield Scene("movement-plots", start(*SUPPLIED, *PLOTS), panel())
    yield Scene("march", start(*SUPPLIED, "get 8"), hover("0520"))
    yield Scene("march-moved", start(*SUPPLIED, "get 8; step 2"))
    yield Scene("rail-move", start(*SUPPLIED, "get 25"), press("^Rail"))
    yield Scene("plot", start(*SUPPLIED, "get 3; plot 32"), panel())
    yield Scene("attack-unknown", start(*SUPPLIED, *PLOTS[:2], "get 6; plot 3"), panel())
    yield Scene("attack-supposed", start(*SUPPLIED, "get 6; plot 3"), panel(suppose))
    yield Scene("attack-open", start(*SUPPLIED, "get 6; plot 3", fog="open"), panel(), dark=True)
    yield Scene("strike", start(*SUPPLIED, "get 54"), hover("0519"))
    yield Scene("strike-plotted", start(*SUPPLIED, "get 54; ground 0519"), panel())
    yield Scene("replacements", start(*SUPPLIED, "get 16"), panel())
    yield Scene("movement-soviet", start(*SOVIETS))
    yield Scene("supply-scan", start(*SUPPLIED), layers("Supply"))


def execution() -> Iterator[Scene]:
    """7.0"""
    week_over = start(*SUPPLIED, *PLOTS)
    yield Scene("execution", week_over, both(end_of_movement, watched), pace="slow")
    yield Scene("report", week_over, both(end_of_movement, lambda t: t.page.wait_for_timeout(1200)))
    yield Scene("curtain", start(), both(press("^End adjustment")), curtain="turn")


def around() -> Iterator[Scene]:
    """Tables, charts, panels, layers, seasons, the end."""
    late = week(14)
    yield Scene("situation", late, tab("Situation"))
    yield Scene("forces", late, tab("Forces"), dark=True)
    yield Scene("log", late, tab("Log"))
    for name in ("Production", "Cities", "Groups", "Losses", "Charts"):
        yield Scene(f"tables-{name.lower()}", late, ledger(name), dark=name == "Losses")
    yield Scene("text", late, tool("Text"))
    yield Scene("help", late, tool("Help"))
    yield Scene("layers", late, tool("Layers"))
    yield Scene("game", late, tool("Game"))
    yield Scene("front", late, layers("Front", "Control"))
    yield Scene("zoc", late, layers("Zones of control"), dark=True)
    yield Scene("winter", week(30))
    yield Scene("replay", late, forward(0.6))
    yield Scene("replay-week", late, forward(0.6, press("^Watch(?! on)"), watched), pace="slow")
    yield Scene("case-blue", start(scenario="case_blue"))
    yield Scene("zitadelle", start("done", scenario="zitadelle"))
    yield Scene("over", start("end_game", "agree"))


if __name__ == "__main__":
    sys.exit(gallery("gallery-wir", scenes(), sys.argv[1:]))
