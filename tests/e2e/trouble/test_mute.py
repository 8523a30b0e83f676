"""A network that falls silent without closing anything, as after sleep, or behind a router that forgot a connection."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Open
from tests.e2e.play.test_questions import NO_CURTAIN
from tests.e2e.proxy import Proxy
from tests.e2e.server import Server
from tests.e2e.table import Table

BANNER_MS = 14_000
"""It is due after ten seconds of silence."""
WHOLE_SECONDS = 2.0
BUSY = 2.5
"""How much slower than meant the machine may be."""


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
        table.page.goto(f"{proxy.url}/#/match/{self.id}")
        table.arrived()
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

    def is_whole_at(self, ply: int) -> float:
        """Wait for the banner to go and the page to show an entry; gives the seconds it took."""
        started = time.monotonic()
        expect(self.lost).to_be_hidden(timeout=20_000)
        while self.table.ply != ply:
            assert time.monotonic() - started < 20, f"the page shows {self.table.ply}, not {ply}"
            self.table.page.wait_for_timeout(20)
        return time.monotonic() - started


@pytest.mark.parametrize("forget", [False, True])
def test_a_silent_network_is_told_and_the_page_catches_up(sit: Open, proxy: Proxy, forget: bool) -> None:
    """With ``forget`` the old connections stay dead when the network returns."""
    muted = Muted(sit(at_once=False), proxy)
    page = muted.table.page
    page.wait_for_timeout(500)
    proxy.mute()
    ply = muted.act_elsewhere()
    page.wait_for_timeout(5000)
    expect(muted.lost).to_have_count(0)
    expect(muted.lost).to_be_visible(timeout=BANNER_MS - 5000)
    assert muted.table.ply < ply
    page.wait_for_timeout(3000)
    expect(muted.lost).to_be_visible()
    proxy.unmute(forget)
    took = muted.is_whole_at(ply)
    print(f"\nwhole again after {took:.2f} s (aim {WHOLE_SECONDS})")
    assert took < WHOLE_SECONDS * BUSY
    # and it hears what happens from now on
    assert muted.is_whole_at(muted.act_elsewhere()) < WHOLE_SECONDS * BUSY


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
    expect(muted.lost).to_contain_text("Your order is kept", timeout=BANNER_MS)
    proxy.unmute(forget=True)
    muted.is_whole_at(ply + 1)
    page.wait_for_timeout(1500)
    assert table.ply == ply + 1


def test_a_page_that_is_looked_at_again_asks_at_once(sit: Open, proxy: Proxy) -> None:
    muted = Muted(sit(at_once=False), proxy)
    page = muted.table.page
    page.wait_for_timeout(500)
    proxy.mute()
    ply = muted.act_elsewhere()
    page.wait_for_timeout(1000)
    proxy.unmute(forget=True)
    page.evaluate("() => { document.dispatchEvent(new Event('visibilitychange')) }")
    took = muted.is_whole_at(ply)
    print(f"\nwhole again after {took:.2f} s (aim {WHOLE_SECONDS})")
    assert took < WHOLE_SECONDS * BUSY
