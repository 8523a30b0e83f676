"""Being told that it is one's turn: set at the table, ended from the notice."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Chromium, Open
from tests.e2e.seats.test_company import SIZES, picture, two_people
from tests.e2e.seats.test_seats import close, menu
from tests.e2e.server import Server
from tests.server.seats.test_notices import Endpoint
from tools import client


@pytest.fixture(scope="module")
def telling(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose host lets players be told, also on this machine."""
    client.build()
    options = ["--notices", "http://127.0.0.1", "--notices-inside"]
    server = Server(tmp_path_factory.mktemp("telling"), others=True, options=options)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    yield endpoint
    endpoint.shutdown()
    endpoint.server_close()


@SIZES
def test_a_player_says_where_to_be_told_and_ends_it(
    sit: Open, telling: Server, endpoint: Endpoint, settings: dict[str, object]
) -> None:
    _, two = two_people(sit, telling, settings)
    dialog = menu(two)
    dialog.get_by_text("Get notices when it is your turn").click()
    dialog.get_by_label(re.compile("^By")).select_option("json")
    dialog.get_by_role("textbox", name="Address").fill("nowhere")
    dialog.get_by_role("button", name="Send notices there").click()
    expect(dialog.get_by_role("alert")).to_contain_text("an address begins with https://")
    dialog.get_by_role("textbox", name="Address").fill(endpoint.address())
    dialog.get_by_role("button", name="Send notices there").scroll_into_view_if_needed()
    picture(two, "be-told")
    dialog.get_by_role("button", name="Send notices there").click()
    expect(dialog).to_contain_text("You get notices when it is your turn")
    expect(dialog).to_contain_text(endpoint.address())
    dialog.get_by_role("button", name="Stop these notices").scroll_into_view_if_needed()
    picture(two, "told")
    while not endpoint.told:
        two.page.wait_for_timeout(200)
    stop = endpoint.told[0]["stop"].partition("#")[2]
    close(two)
    table = two.page.url
    two.page.goto(f"{telling.url}/#{stop}")
    picture(two, "stop-notices")
    two.page.get_by_role("button", name="Stop all notices to this address").click()
    expect(two.page.get_by_role("status")).to_contain_text("Nothing more is sent")
    two.page.goto(table)
    two.arrived()
    dialog = menu(two)
    dialog.get_by_text("Get notices when it is your turn").click()
    expect(dialog.get_by_role("textbox", name="Address")).to_have_value(endpoint.address())


def test_where_the_host_has_set_up_nothing_nothing_is_offered(sit: Open, hosted: Server) -> None:
    _, two = two_people(sit, hosted, {})
    with two.page.expect_response(lambda answer: "/notices" in answer.url and answer.ok):
        dialog = menu(two)
    expect(dialog.get_by_role("list", name="Seats")).to_be_visible()
    expect(dialog).not_to_contain_text("when it is your turn")
