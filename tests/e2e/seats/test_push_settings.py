"""Notices that the browser shows: turned on at the table, sent through a push service, shown by the service worker."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Chromium, Open
from tests.e2e.seats.test_company import SIZES, picture, two_people
from tests.e2e.seats.test_seats import menu
from tests.e2e.server import Server
from tests.server.seats.test_push import Browser, Service
from tools import client

SUBSCRIBED = """([endpoint, p256dh, auth]) => {
  PushManager.prototype.subscribe = async () => ({ toJSON: () => ({ endpoint, keys: { p256dh, auth } }) });
}"""
"""In place of the push service of the browser's maker, which is not to be reached from here."""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map((one) => [one.body, one.data.link]);
}"""


@pytest.fixture(scope="module")
def pushing(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    client.build()
    options = ["--notices", "http://127.0.0.1", "--notices-inside", "--push-contact", "host@games.example"]
    server = Server(tmp_path_factory.mktemp("pushing"), others=True, options=options)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.shutdown()
    service.server_close()


@SIZES
def test_a_notice_comes_to_the_browser_and_is_shown(
    sit: Open, pushing: Server, service: Service, settings: dict[str, object]
) -> None:
    _, two = two_people(sit, pushing, settings)
    browser = Browser(service)
    endpoint, _, keys = browser.address.partition("#")
    two.page.context.grant_permissions(["notifications"], origin=pushing.url)
    two.page.evaluate(SUBSCRIBED, [endpoint, *keys.split(".")])
    dialog = menu(two)
    dialog.get_by_text("Get notices when it is your turn").click()
    dialog.get_by_label(re.compile("^By")).select_option("push")
    expect(dialog.get_by_role("textbox", name="Address")).to_have_count(0)
    picture(two, "push")
    dialog.get_by_role("button", name="Send notices there").click()
    expect(dialog).to_contain_text("By the browser in which this was turned on")
    picture(two, "pushed")
    while not service.given:
        two.page.wait_for_timeout(200)
    told = browser.opened(service.given[0][1]).decode()
    session = two.page.context.new_cdp_session(two.page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        two.page.wait_for_timeout(100)
    message = {"origin": pushing.url, "registrationId": found[0], "data": told}
    session.send("ServiceWorker.deliverPushMessage", message)
    while not (shown := two.page.evaluate(SHOWN)):
        two.page.wait_for_timeout(100)
    ((text, link),) = shown
    assert text.startswith("You will get notices here when it is your turn")
    assert link.startswith("http://127.0.0.1/#/match/")
