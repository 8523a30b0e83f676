"""A calendar of turns: its address is had at the table, read by a program, and made void."""

from __future__ import annotations

import re
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_company import SIZES, picture, two_people
from tests.e2e.seats.test_seats import menu
from tests.e2e.server import Server
from tests.support import PATIENCE


@SIZES
def test_a_player_gets_an_address_and_makes_it_void(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    _, two = two_people(sit, hosted, settings)
    dialog = menu(two)
    dialog.get_by_text("Your turns in a calendar").click()
    dialog.get_by_role("button", name="Put my turns in a calendar").click()
    expect(dialog).to_contain_text("Your turns are in a calendar")
    field = dialog.get_by_label("Address of the calendar")
    address = field.input_value()
    assert re.fullmatch(rf"{re.escape(hosted.url)}/api/calendar/[\w-]{{32}}\.ics", address)
    field.scroll_into_view_if_needed()
    picture(two, "calendar")
    with urlopen(address, timeout=PATIENCE) as answer:
        assert answer.read().startswith(b"BEGIN:VCALENDAR\r\n")
    dialog.get_by_role("button", name="Make the address void").click()
    expect(dialog.get_by_role("button", name="Put my turns in a calendar")).to_be_visible()
    with pytest.raises(HTTPError, match="404"):
        urlopen(address, timeout=PATIENCE)
    dialog.get_by_role("button", name="Put my turns in a calendar").click()
    expect(field).to_have_value(re.compile("ics"))
    assert field.input_value() != address
    dialog.get_by_role("button", name="Leave this match out").click()
    expect(dialog.get_by_role("button", name="Put my turns in a calendar")).to_be_visible()
