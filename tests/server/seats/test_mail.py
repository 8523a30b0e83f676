"""Notices by mail: nobody is written to who has not agreed, and one who has hears once for a turn, through a real
mail server on this machine."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.server.config import NoticeSettings, ServerConfig
from rasputitsa.server.errors import BadAddressError
from rasputitsa.server.mail_server import Smtp, check_mail, smtp_of
from rasputitsa.server.notices import mail
from rasputitsa.server.notices.mail import send
from rasputitsa.server.notices.notice import DeliveryError, Notice
from rasputitsa.server.store.people.mails import MOST_ASKED
from tests.server.conftest import connect
from tests.server.mailbox import Mail, Mailbox
from tests.server.player import Duelist
from tests.server.seats.test_notices import MINUTE, URL, House, way
from tests.server.seats.test_notices import noticing as noticing
from tests.server.seats.test_rematch import refusal
from tests.server.seats.test_seats import post

DAY = 24 * 60 * MINUTE
SENDER = "games@games.example"
ANNA = "anna@mail.example"
TURN = [("red", "hide 3"), ("blue", "guess 2"), ("blue", "roll"), ("red", "done"), ("blue", "done")]


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture
def mailing(noticing: ServerConfig, mailbox: Mailbox) -> ServerConfig:
    smtp = Smtp("127.0.0.1", mailbox.port, "plain", SENDER)
    return replace(noticing, notices=NoticeSettings(URL, smtp=smtp))


@pytest.fixture
def house(mailing: ServerConfig) -> Iterator[House]:
    with connect(mailing, host="10.0.0.1") as client:
        yield House(client)


def ask(duel: Duelist, seat: str = "blue", address: str = ANNA, **body: Any) -> None:
    answer = post(duel, "notices", seat, form="mail", address=address, **body)
    assert answer.status_code == 200, answer.text


def asked(house: House, mailbox: Mailbox, duel: Duelist, address: str = ANNA) -> Mail:
    """The mail that asks its reader whether to be told."""
    ask(duel, address=address)
    house.look()
    (question,) = mailbox.read()
    return question


def agree(house: House, question: Mail) -> dict[str, str]:
    answer = house.client.post("/api/notices/confirm", json={"token": question.token})
    assert answer.status_code == 200, answer.text
    agreed: dict[str, str] = answer.json()
    return agreed


def table(house: House, mailbox: Mailbox, title: str = "Friday", proof: str = "") -> Duelist:
    """A match of two people, in which Blue is told by mail."""
    duel = Duelist.between_two(house.client, title=title)
    if proof:
        ask(duel, proof=proof)
    else:
        agree(house, asked(house, mailbox, duel))
    return duel


def test_nobody_is_told_before_whoever_reads_the_mail_has_agreed(house: House, mailbox: Mailbox) -> None:
    duel = Duelist.between_two(house.client, title="Buy at spam.example!")
    question = asked(house, mailbox, duel)
    assert question.to == [ANNA] and question.sender == SENDER
    assert question.message["Subject"] == "Do you want notices of your turns at games.example?"
    assert "spam" not in question.message.as_string(), "nothing that others have written"
    assert question.links[0].startswith(f"{URL}/#/confirm/") and question.links[1].startswith(f"{URL}/#/notices/")
    assert way(duel, "blue") == {"form": "mail", "address": ANNA, "trouble": "", "waiting": True}
    duel.act("red", "hide 3")
    for _ in range(3):
        house.away(DAY)
    assert mailbox.read() == []
    agree(house, question)
    assert way(duel, "blue")["waiting"] is False
    house.away()
    (told,) = mailbox.read()
    assert told.message["Subject"].startswith("It is your turn: match ")
    assert refusal(house.client, "/api/notices/confirm", {"token": question.token}) == "unknown_notice"
    assert refusal(house.client, "/api/notices/confirm", {"token": ""}) == "unknown_notice"


def test_a_turn_is_announced_once_as_text_and_as_html(house: House, mailbox: Mailbox) -> None:
    duel = table(house, mailbox, "Friday <b>&")
    duel.act("red", "hide 3")
    house.away()
    house.away(DAY)
    (told,) = mailbox.read()
    stop = told.links[1].rpartition("/")[2]
    assert told.message["Subject"].startswith("It is your turn: Friday <b>& (")
    assert told.links == [f"{URL}/#/match/{duel.id}", f"{URL}/#/notices/{stop}"]
    assert told.message["List-Unsubscribe"] == f"<{URL}/api/notices/stop/{stop}>"
    assert told.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert told.message["Auto-Submitted"] == "auto-generated"
    assert told.message["From"] == SENDER and told.message["To"] == ANNA
    assert "Friday &lt;b&gt;&amp;" in told.html and "<b>" not in told.html
    assert f'href="{URL}/#/match/{duel.id}"' in told.html
    assert not any(secret in told.message.as_string() for secret in (*duel.keys.values(), *duel.links.values()))


def test_a_title_makes_no_link_and_no_header(house: House, mailbox: Mailbox) -> None:
    proof = agree(house, asked(house, mailbox, Duelist.between_two(house.client)))["proof"]
    titles = ("go to https://spam.example", "spam.example", "me@spam.example", "a\r\nBcc: b@spam.example", "\0\n\n.")
    for title in titles:
        duel = table(house, mailbox, proof=proof)
        with house.store._writing() as connection:
            connection.exec_driver_sql("UPDATE matches SET title = ? WHERE id = ?", (title, int(duel.id)))
        duel.act("red", "hide 3")
        house.away(20 * MINUTE)
        (told,) = mailbox.read()
        assert told.to == [ANNA] and told.message["Bcc"] is None
        assert "spam" not in told.message.as_string()


@pytest.mark.parametrize(
    "hidden", ["=0D=0ABcc=3A_b=40c=2Eexample", "=0D=0A=0D=0Anew_text", "=00=1B[2J", "spam=2Eexample"]
)
def test_what_headers_would_unfold_stays_as_it_was_written(house: House, mailbox: Mailbox, hidden: str) -> None:
    """In a subject, ``=?utf-8?q?...?=`` stands for other signs: line ends, and with them headers and text."""
    duel = table(house, mailbox, title=f"=?utf-8?q?{hidden}?=")
    duel.act("red", "hide 3")
    house.away(20 * MINUTE)
    (told,) = mailbox.read()
    assert told.message["Bcc"] is None and told.text.startswith("It is your turn: ")
    assert hidden in told.message["Subject"] and "spam.example" not in told.message["Subject"]


def test_an_address_is_one_of_one_mailbox(house: House, mailbox: Mailbox) -> None:
    duel = Duelist.between_two(house.client)
    bad = [
        "anna", "@mail.example", "anna@", "anna@mail", "anna@mail.example\r\nBcc: x@y.zz", "anna@mail.example,b@c.de",
        "anna@mail.example>", "<anna@mail.example>", '"a b"@mail.example', "anna@127.0.0.1", "anna@[127.0.0.1]",
        "a..b@mail.example", ".a@mail.example", "anna@mail..example", "anna@-mail.example", "a b@mail.example",
        "anna@mäil.example", f"{'a' * 65}@mail.example", f"anna@{'a' * 64}.example", f"a@{'a.' * 130}example",
        "a@b.c\n", "=?utf-8?q?a=40b.example=2C?=@mail.example", "=?=?q?=40?=?=FF@mail.example",
        "=?utf-8?q?=00?=@b.example",
    ]  # fmt: skip
    for address in bad:
        body = {**duel.auth("blue"), "form": "mail", "address": address}
        assert refusal(house.client, duel.url("notices"), body) == "bad_request", address
    for address in (ANNA, "a.b+c_d-e@sub.mail.example", "o'neil@mail.example"):
        check_mail(address)
    house.look()
    assert mailbox.read() == []


def test_no_mailbox_is_asked_more_than_a_few_times_in_a_day(house: House, mailbox: Mailbox) -> None:
    duels = [Duelist.between_two(house.client) for _ in range(2)]
    spellings = ["anna@mail.example", "anna+1@mail.example", "An.na@MAIL.example", "anna+2@mail.example"]
    for number, address in enumerate(spellings):
        duel = duels[number % 2]
        body = {**duel.auth("blue"), "form": "mail", "address": address}
        answer = house.client.post(duel.url("notices"), json=body)
        assert answer.status_code == (200 if number < MOST_ASKED else 429), answer.text
        house.look()
    assert len(mailbox.read()) == MOST_ASKED
    ask(duels[0], address="berta@mail.example")
    house.look(DAY)
    assert len(mailbox.read()) == 1
    ask(duels[0])
    house.look()
    assert len(mailbox.read()) == 1, "the next day"


def test_requests_for_consent_are_limited_by_the_day(mailing: ServerConfig, mailbox: Mailbox) -> None:
    limited = replace(mailing, limits=mailing.limits.changed(["mails=2"]))
    with connect(limited, host="10.0.0.1") as client:
        duel = Duelist.between_two(client)
        for name in ("anna", "berta"):
            ask(duel, address=f"{name}@mail.example")
        body = {**duel.auth("blue"), "form": "mail", "address": "carla@mail.example"}
        assert refusal(client, duel.url("notices"), body) == "too_many"
        assert way(duel, "blue")["address"] == "berta@mail.example", "nothing was changed"


def test_who_refuses_is_not_asked_again(house: House, mailbox: Mailbox) -> None:
    duel = Duelist.between_two(house.client)
    question = asked(house, mailbox, duel)
    stop = question.links[1].rpartition("/")[2]
    assert house.client.post("/api/notices/stop", json={"token": stop}).status_code == 200
    assert way(duel, "blue") is None
    for address in (ANNA, "anna+x@mail.example"):
        body = {**duel.auth("blue"), "form": "mail", "address": address}
        assert refusal(house.client, duel.url("notices"), body) == "refused"
    house.now += 100 * DAY
    house.store.forget_old_addresses()
    assert (
        refusal(house.client, duel.url("notices"), {**duel.auth("blue"), "form": "mail", "address": ANNA}) == "refused"
    )
    house.now += 300 * DAY
    house.store.forget_old_addresses()
    asked(house, mailbox, duel)


def test_one_click_in_a_mail_program_ends_it_and_looking_ends_nothing(house: House, mailbox: Mailbox) -> None:
    duel = table(house, mailbox)
    duel.act("red", "hide 3")
    house.away()
    (told,) = mailbox.read()
    path = told.message["List-Unsubscribe"].strip("<>").removeprefix(URL)
    look = house.client.get(path, headers={"sec-fetch-site": "cross-site"}, follow_redirects=False)
    assert look.status_code == 303 and look.headers["location"] == told.links[1]
    assert way(duel, "blue") is not None
    form = {"content-type": "application/x-www-form-urlencoded"}
    answer = house.client.post(path, content="List-Unsubscribe=One-Click", headers=form)
    assert answer.status_code == 200 and way(duel, "blue") is None
    assert house.client.post(path, content="List-Unsubscribe=One-Click", headers=form).status_code == 404
    other = house.client.post("/api/notices/stop", content="token=x", headers=form)
    assert other.status_code == 415, "nowhere else"
    elsewhere = house.client.post(path, content="", headers={**form, "origin": "https://evil.example"})
    assert elsewhere.status_code == 403


def test_who_has_agreed_once_need_not_for_the_next_game_in_that_browser(house: House, mailbox: Mailbox) -> None:
    first = Duelist.between_two(house.client)
    agreed = agree(house, asked(house, mailbox, first))
    assert agreed["address"] == ANNA
    table(house, mailbox, proof=agreed["proof"])
    house.look()
    assert mailbox.read() == [], "no second question, and nothing to tell yet"
    stranger = Duelist.between_two(house.client)
    ask(stranger, proof="x" * 32)
    assert way(stranger, "blue")["waiting"] is True
    ask(stranger, address="berta@mail.example", proof=agreed["proof"])
    assert way(stranger, "blue")["waiting"] is True, "it is no proof for others"
    house.look()
    mailbox.read()
    again = agree(house, asked(house, mailbox, Duelist.between_two(house.client), ANNA.replace("mail.", "MAIL.")))
    assert again == agreed, "another browser of the same person"


def asked_two(house: House, mailbox: Mailbox) -> tuple[Duelist, Duelist, str]:
    first = Duelist.between_two(house.client, title="Friday")
    proof = agree(house, asked(house, mailbox, first))["proof"]
    return first, table(house, mailbox, "Sunday", proof), proof


def test_stopping_ends_all_games_and_what_was_agreed(house: House, mailbox: Mailbox) -> None:
    first, second, proof = asked_two(house, mailbox)
    for duel in (first, second):
        duel.act("red", "hide 3")
    house.away()
    (told,) = mailbox.read()
    assert told.message["Subject"].startswith("It is your turn in 2 games: Friday")
    stop = told.links[1].rpartition("/")[2]
    assert house.client.post("/api/notices/stop", json={"token": stop}).status_code == 200
    assert [way(duel, "blue") for duel in (first, second)] == [None, None]
    ask(first, proof=proof)
    assert way(first, "blue")["waiting"] is True


def test_between_two_mails_to_one_address_is_a_pause(house: House, mailbox: Mailbox) -> None:
    first, second, _ = asked_two(house, mailbox)
    first.act("red", "hide 3")
    house.away()
    assert len(mailbox.read()) == 1
    second.act("red", "hide 3")
    house.away()
    first.play(TURN[1:])
    first.act("red", "hide 3")
    house.away()
    assert mailbox.read() == []
    house.look(10 * MINUTE)
    (told,) = mailbox.read()
    assert told.message["Subject"].startswith("It is your turn in 2 games: ")


def test_what_the_mail_server_refuses_for_now_is_tried_again_and_for_good_is_not(
    house: House, mailbox: Mailbox
) -> None:
    duel = table(house, mailbox)
    duel.act("red", "hide 3")
    mailbox.recipient = "450 greylisted"
    house.away()
    assert way(duel, "blue")["trouble"] == "the host's mail server does not take it (450)"
    mailbox.recipient, mailbox.answer = "250 fine", "451 later"
    house.look(MINUTE)
    assert way(duel, "blue")["trouble"] == "the host's mail server does not take it (451)"
    mailbox.answer = "250 fine"
    house.look(20 * MINUTE)
    assert len(mailbox.read()) == 1 and way(duel, "blue")["trouble"] == ""
    duel.play(TURN[1:])
    duel.act("red", "hide 3")
    mailbox.recipient = "550 no such mailbox"
    house.away(20 * MINUTE)
    mailbox.recipient = "250 fine"
    for _ in range(3):
        house.look(DAY)
    assert mailbox.read() == [] and way(duel, "blue")["trouble"] == "the host's mail server does not take it (550)"


def test_what_may_have_arrived_is_not_sent_again(house: House, mailbox: Mailbox) -> None:
    duel = table(house, mailbox)
    duel.act("red", "hide 3")
    mailbox.hangs_up = True
    house.away()
    mailbox.hangs_up = False
    for _ in range(3):
        house.look(DAY)
    assert len(mailbox.read()) == 1 and way(duel, "blue")["trouble"] == mail.UNSURE


def test_a_restart_neither_repeats_a_mail_nor_forgets_who_has_agreed(mailing: ServerConfig, mailbox: Mailbox) -> None:
    with connect(mailing, host="10.0.0.1") as client:
        house = House(client)
        duel = table(house, mailbox)
        duel.act("red", "hide 3")
        house.look()
        house.now += MINUTE
        house.store.note_asked(set())
        assert len(house.store.due_notices()) == 1  # under way, and the server is killed
    with connect(mailing, host="10.0.0.1") as client:
        house = House(client)
        house.begin()
        house.away(DAY)
        assert mailbox.read() == [], "it may have arrived"
        duel.client = client
        duel.play(TURN[1:])
        duel.act("red", "hide 3")
        house.away()
        assert len(mailbox.read()) == 1


def test_where_the_host_has_set_up_no_mail_none_is_offered(noticing: ServerConfig, mailing: ServerConfig) -> None:
    with connect(noticing, host="10.0.0.1") as client:
        duel = Duelist.between_two(client)
        assert client.get(duel.url("notices")).json() == {"offered": True, "mail": False, "push": "", "way": None}
        body = {**duel.auth("blue"), "form": "mail", "address": ANNA}
        assert refusal(client, duel.url("notices"), body) == "no_notices"
    with connect(mailing, host="10.0.0.1") as client:
        assert client.get(Duelist.between_two(client).url("notices")).json()["mail"] is True


def test_addresses_at_which_nobody_is_told_are_forgotten(house: House, mailbox: Mailbox) -> None:
    duel = Duelist.between_two(house.client)
    asked(house, mailbox, duel)
    assert addresses(house) == 1
    house.now += 2 * DAY
    house.store.forget_old_addresses()
    assert addresses(house) == 1, "the question still stands"
    assert post(duel, "notices/off", "blue").status_code == 200
    house.store.forget_old_addresses()
    assert addresses(house) == 0
    table(house, mailbox)
    with house.store._reading() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM mail_addresses").all()
    assert "anna" not in repr(rows)


def addresses(house: House) -> int:
    with house.store._reading() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM mail_addresses").scalar_one())


# -- the way to the mail server ----------------------------------------------------------------------

NOTICE = Notice("It is your turn", f"{URL}/#/", f"{URL}/#/notices/x", f"{URL}/api/notices/stop/x")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine that signs itself."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", path, "-out", path.with_name("cert.pem")],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_bytes(path.read_bytes() + path.with_name("cert.pem").read_bytes())
    return path


@pytest.fixture(params=["tls", "starttls"])
def secure(request: pytest.FixtureRequest, certificate: Path) -> Iterator[tuple[Mailbox, Smtp]]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    box = Mailbox(**{request.param: context})
    yield box, Smtp("localhost", box.port, request.param, SENDER, "games", "secret")
    box.close()


def test_password_and_mail_go_over_tls(
    secure: tuple[Mailbox, Smtp], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, smtp = secure
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    send(smtp, ANNA, NOTICE)
    assert box.users == [(b"games", b"secret")] and len(box.read()) == 1
    with pytest.raises(DeliveryError, match=r"SMTPAuthenticationError") as told:
        send(replace(smtp, password="wrong"), ANNA, NOTICE)
    assert not told.value.for_good and box.read() == []


def test_a_mail_server_that_cannot_prove_its_name_gets_nothing(secure: tuple[Mailbox, Smtp]) -> None:
    box, smtp = secure
    with pytest.raises(DeliveryError, match=r"SSLCertVerificationError"):
        send(smtp, ANNA, NOTICE)
    assert box.users == [] and box.read() == []


def test_without_starttls_nothing_goes_in_clear(mailbox: Mailbox) -> None:
    smtp = Smtp("127.0.0.1", mailbox.port, "starttls", SENDER, "games", "secret")
    with pytest.raises(DeliveryError, match=r"SMTPNotSupportedError"):
        send(smtp, ANNA, NOTICE)
    assert mailbox.users == [] and mailbox.read() == []


def test_a_mail_server_that_is_not_there_is_tried_again(mailbox: Mailbox) -> None:
    mailbox.close()
    with pytest.raises(DeliveryError, match=r"ConnectionRefusedError") as told:
        send(Smtp("127.0.0.1", mailbox.port, "plain", SENDER), ANNA, NOTICE)
    assert not told.value.for_good


def test_a_mail_server_is_named_without_its_password() -> None:
    assert smtp_of("smtp://me%40x@mail.example", SENDER, "p") == Smtp(
        "mail.example", 587, "starttls", SENDER, "me@x", "p"
    )
    assert smtp_of("smtps://mail.example", SENDER) == Smtp("mail.example", 465, "tls", SENDER)
    assert smtp_of("smtp+plain://localhost:2525", SENDER) == Smtp("localhost", 2525, "plain", SENDER)
    for url in (
        "mail.example",
        "http://mail.example",
        "smtp://",
        "smtp://m.example/x",
        "smtp://m.example:0x",
        "smtp://[",
    ):
        with pytest.raises(ValueError, match="a mail server is named as in"):
            smtp_of(url, SENDER)
    with pytest.raises(ValueError, match="does not belong on the command line"):
        smtp_of("smtp://me:p@mail.example", SENDER)
    with pytest.raises(ValueError, match="needs a password"):
        smtp_of("smtp://me@mail.example", SENDER)
    for user, password in (("me", "pä"), ("m%C3%A4", "p")):
        with pytest.raises(ValueError, match="in plain letters"):
            smtp_of(f"smtp://{user}@mail.example", SENDER, password)
    with pytest.raises(ValueError, match="in clear"):
        smtp_of("smtp+plain://me@localhost", SENDER, "p")
    with pytest.raises(BadAddressError):
        smtp_of("smtp://mail.example", "Games <games@games.example>")
