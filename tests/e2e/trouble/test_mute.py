"""A network that falls silent without closing anything, as after sleep, or behind a router that forgot a connection."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Open
from tests.e2e.play.test_questions import NO_CURTAIN
from tests.e2e.proxy import Proxy
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE, Table

COUNT_MESSAGES = """
window.sent = 0;
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (message) {
  window.sent += 1;
  return send.call(this, message);
};
"""
LOOK_AGAIN = """() => {
  const before = window.sent;
  document.dispatchEvent(new Event("visibilitychange"));
  return window.sent - before;
}"""
"""What the page asks of the server before anything else can happen in it."""


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    proxy = Proxy(server.port)
    yield proxy
    proxy.close()


class Muted:
    """A table behind the proxy, and somebody who plays the same seat elsewhere."""

    def __init__(self, table: Table, proxy: Proxy) -> None:
        self.table, self.proxy = table, proxy
        made = table.server.ask("POST", "/matches", {"game": "portfolio", "scenario": "june22", "seed": 1})
        self.id, self.keys = str(made["id"]), made["keys"]
        # one person plays all seats here: behind a curtain there would be no entry to read
        table.page.context.add_init_script(NO_CURTAIN)
        table.page.context.add_init_script(COUNT_MESSAGES)
        with table.page.expect_websocket() as connection:
            table.page.goto(f"{proxy.url}/#/match/{self.id}")
            table.arrived()
        connection.value.wait_for_event("framereceived")
        table.until("mine")

    @property
    def lost(self) -> Locator:
        return self.table.page.get_by_role("alert").filter(has_text="Connection lost")

    def act_elsewhere(self) -> int:
        """One action past the proxy; gives the number of entries then."""
        seat = next(iter(self.keys))
        view = self.table.server.ask("GET", f"/matches/{self.id}/view?seat={seat}&key={self.keys[seat]}")
        seat = view["decision"]["seat"]
        view = self.table.server.ask("GET", f"/matches/{self.id}/view?seat={seat}&key={self.keys[seat]}")
        action = next(o for o in view["decision"]["options"] if o["verb"] == "done")["action"]
        body = {
            "seat": seat, "key": self.keys[seat], "version": view["version"], "action": action,
            "request_id": secrets.token_hex(8),
        }  # fmt: skip
        answer = self.table.server.ask("POST", f"/matches/{self.id}/actions", body)
        return int(answer["view"]["ply"])

    def is_whole_at(self, ply: int) -> None:
        """Wait for the banner to go and the page to show an entry."""
        expect(self.lost).to_be_hidden(timeout=PATIENCE)
        expect(self.table.prompt).to_have_attribute("data-ply", str(ply), timeout=PATIENCE)


@pytest.mark.parametrize("forget", [False, True])
def test_a_silent_network_is_reported_and_the_page_catches_up(sit: Open, proxy: Proxy, forget: bool) -> None:
    """With ``forget`` the old connections stay dead when the network returns."""
    muted = Muted(sit(at_once=False), proxy)
    proxy.mute()
    ply = muted.act_elsewhere()
    expect(muted.lost).to_be_visible(timeout=PATIENCE)
    assert muted.table.ply < ply
    proxy.unmute(forget)
    muted.is_whole_at(ply)
    # and it hears what happens from now on
    muted.is_whole_at(muted.act_elsewhere())


def test_an_order_given_into_the_silence_is_carried_out_once(sit: Open, proxy: Proxy) -> None:
    muted = Muted(sit(at_once=False), proxy)
    table, page = muted.table, muted.table.page
    ply = table.ply
    action = next(o for o in table.options() if o["verb"] != "done")["action"]
    for _ in range(2):
        page.locator(".panel details:not([open]) > summary").evaluate_all("(all) => all.forEach((e) => e.click())")
    button = page.locator(f'.panel [data-action="{action}"]').first
    expect(button).to_be_visible()
    proxy.mute()
    button.evaluate("(e) => e.click()")
    expect(muted.lost).to_contain_text("Your order is kept", timeout=PATIENCE)
    proxy.unmute(forget=True)
    muted.is_whole_at(ply + 1)
    page.wait_for_timeout(1500)
    assert table.ply == ply + 1


def test_a_page_that_is_looked_at_again_asks_at_once(sit: Open, proxy: Proxy) -> None:
    muted = Muted(sit(at_once=False), proxy)
    page = muted.table.page
    assert page.evaluate(LOOK_AGAIN) == 1
    proxy.mute()
    ply = muted.act_elsewhere()
    proxy.unmute(forget=True)
    page.evaluate(LOOK_AGAIN)
    muted.is_whole_at(ply)
