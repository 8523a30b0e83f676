"""Sending a notice to an address that a stranger has given: where it goes, what it holds, and when it is given up."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import get_args

import pytest

from rasputitsa.server.errors import BadAddressError
from rasputitsa.server.notices import webhook
from rasputitsa.server.notices.notice import PUSH, DeliveryError, Notice
from rasputitsa.server.notices.webhook import deliver, is_own, is_public, parsed
from rasputitsa.server.shapes.words import Form
from tests.support import PATIENCE

NOTICE = Notice("It is your turn: Friday", "https://games.example/#/match/7", "https://games.example/#/notices/abc")
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


def says(text: bytes) -> Answer:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(text)
        await writer.drain()

    return answer


@asynccontextmanager
async def endpoint(answer: Answer) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A web server; gives its address and what it was sent."""
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        size = next(
            int(line.split(b":")[1]) for line in head.splitlines() if line.lower().startswith(b"content-length")
        )
        heard.append(head + await reader.readexactly(size))
        try:
            await answer(writer)
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://hook.example:{server.sockets[0].getsockname()[1]}/a?b=c", heard


def leads_to(*numbers: str) -> webhook.Lookup:
    async def lookup(host: str, port: int) -> Sequence[str]:
        return numbers

    return lookup


async def post(answer: Answer, form: Form = "json", *, inside: bool = True) -> list[bytes]:
    async with endpoint(answer) as (address, heard):
        await deliver(address, form, NOTICE, inside=inside, lookup=leads_to("127.0.0.1"))
        return heard


def failing(answer: Answer) -> DeliveryError:
    with pytest.raises(DeliveryError) as caught:
        asyncio.run(post(answer))
    return caught.value


@pytest.mark.parametrize("form", [form for form in get_args(Form) if form != PUSH])
def test_each_service_is_told_in_its_own_form(form: Form) -> None:
    """That of browsers is encrypted, and has tests of its own."""
    (heard,) = asyncio.run(post(says(OK), form))
    head, _, body = heard.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /a?b=c HTTP/1.1" and lines[1].startswith("Host: hook.example:")
    if form == "ntfy":
        assert NOTICE.text in body.decode() and f"Click: {NOTICE.link}" in lines
    else:
        told = json.loads(body)
        key = "content" if form == "discord" else "text"
        assert NOTICE.text in told[key]
        assert form != "discord" or told["allowed_mentions"] == {"parse": []}, "a title calls nobody"
    for needed in (NOTICE.link, NOTICE.stop):
        assert needed in heard.decode()


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1", "0.0.0.0", "10.0.0.1", "172.16.3.4", "192.168.1.1", "100.64.0.1", "169.254.169.254", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fd00::1", "fe80::1", "fe80::1%eth0", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::7f00:1", "::7f00:1", "::ffff:0:7f00:1", "2001:0:7f00:1::1", "fec0::1", 
        "192.0.0.192", "192.88.99.1", "168.63.129.16",
    ],
)  # fmt: skip
def test_no_notice_goes_to_an_address_that_is_not_public(number: str) -> None:
    assert not is_public(number)
    for numbers in ([number], ["8.8.8.8", number]):
        with pytest.raises(DeliveryError, match="not a public one") as caught:
            asyncio.run(deliver("http://hook.example/", "json", NOTICE, lookup=leads_to(*numbers)))
        assert caught.value.for_good


@pytest.mark.parametrize("number", ["8.8.8.8", "1.1.1.1", "2606:4700::1111"])
def test_public_addresses_are_distinguished_from_others(number: str) -> None:
    assert is_public(number)


def test_no_notice_goes_to_a_public_address_of_the_machine_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """There a firewall may keep those outside from what the machine lets itself into."""
    monkeypatch.setattr(webhook, "is_public", lambda number: True)

    async def send() -> list[bytes]:
        async with endpoint(says(OK)) as (address, heard):
            with pytest.raises(DeliveryError, match="not a public one"):
                await deliver(address, "json", NOTICE, lookup=leads_to("127.0.0.1"))
            return heard

    assert asyncio.run(send()) == []
    assert not any(map(is_own, ("192.0.2.1", "2001:db8::1"))), "of documentation, and so of no machine"


@pytest.mark.parametrize("number", ["8.8.8.9", "::ffff:8.8.8.9", "2606:4700::1111"])
@pytest.mark.parametrize("inside", [False, True])
def test_no_notice_goes_to_a_network_that_the_host_bars(number: str, inside: bool) -> None:
    """Such as the public address of a router, which leads from inside to what is closed to those outside."""
    never = ("8.8.8.8/30", "2606:4700::/32")
    for numbers in ([number], ["1.1.1.1", number]):
        send = deliver("http://hook.example/", "json", NOTICE, inside=inside, never=never, lookup=leads_to(*numbers))
        with pytest.raises(DeliveryError, match="lets no notice go") as caught:
            asyncio.run(send)
        assert caught.value.for_good


def test_numbers_in_an_address_are_no_way_round() -> None:
    for address in ("http://127.0.0.1/", "http://[::1]/", "http://2130706433/", "http://0x7f.1/", "http://localhost/"):
        with pytest.raises(DeliveryError):
            asyncio.run(deliver(address, "json", NOTICE))


def test_it_goes_to_what_was_looked_up_and_the_name_is_not_looked_up_again() -> None:
    """Else a name could be public when it is checked, and lead inside when it is called."""
    asked: list[str] = []

    async def lookup(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"]

    async def send() -> list[bytes]:
        async with endpoint(says(OK)) as (address, heard):
            await deliver(address, "json", NOTICE, inside=True, lookup=lookup)
            return heard

    assert len(asyncio.run(send())) == 1
    assert asked == ["hook.example"], "a name that leads nowhere by itself"


@pytest.mark.parametrize(
    "address",
    [
        "", "hook", "ftp://hook.example/", "file:///etc/passwd", "http://", "http:///x", "https://a:b@hook.example/",
        "http://hook.example:0/", "http://hook.example:99999/", "http://hook.example/a b",
        "http://hook.example/\r\nX: y",
        "http://hook.example/\u00e9", "http://[::1/", f"http://hook.example/{'x' * 500}",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadAddressError):
        parsed(address)
    with pytest.raises(DeliveryError) as caught:
        asyncio.run(deliver(address, "json", NOTICE, inside=True))
    assert caught.value.for_good


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("slack", "&lt;!channel&gt; &lt;https://evil.example|Friday&gt; &amp; [Friday](https://evil.example) @here"),
        ("discord", r"\<!channel\> \<https://evil.example\|Friday\> & \[Friday\](https://evil.example) \@here"),
    ],
)
def test_a_title_is_text_wherever_it_is_shown(form: Form, told: str) -> None:
    """Somebody else may have named the match: no link in it leads elsewhere under other words, and it calls nobody."""
    title = "<!channel> <https://evil.example|Friday> & [Friday](https://evil.example) @here"

    async def send() -> bytes:
        async with endpoint(says(OK)) as (address, heard):
            notice = Notice(title, NOTICE.link, NOTICE.stop)
            await deliver(address, form, notice, inside=True, lookup=leads_to("127.0.0.1"))
            return heard[0]

    body = json.loads(asyncio.run(send()).partition(b"\r\n\r\n")[2])
    assert body["content" if form == "discord" else "text"].split("\n") == [
        told, NOTICE.link, f"No more of this: {NOTICE.stop}",
    ]  # fmt: skip


def test_names_that_nobody_answers_for_hold_up_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that wait for a name are none of those that all else is done in."""
    answer = threading.Event()

    def waits(*_: object, **__: object) -> list[object]:
        answer.wait()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", waits)

    async def work() -> str:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        lookups = [asyncio.create_task(webhook.looked_up("slow.example", 80)) for _ in range(3)]
        try:
            await asyncio.sleep(0)
            async with asyncio.timeout(PATIENCE):
                return await asyncio.to_thread(lambda: "done")
        finally:
            answer.set()
            await asyncio.gather(*lookups)

    assert asyncio.run(work()) == "done"


def test_a_redirect_is_not_followed() -> None:
    problem = failing(says(b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\n\r\n"))
    assert problem.for_good and "302" in str(problem)


@pytest.mark.parametrize(
    ("status", "for_good"),
    [(400, True), (404, True), (410, True), (429, False), (408, False), (500, False), (503, False)],
)
def test_what_may_pass_is_tried_again(status: int, for_good: bool) -> None:
    assert failing(says(f"HTTP/1.1 {status} No\r\n\r\n".encode())).for_good is for_good


@pytest.mark.parametrize("text", [b"", b"hello\r\n", b"HTTP/1.1 200" + b"x" * 5000, b"HTTP/9 200 OK\r\n"])
def test_an_answer_that_is_none_is_no_delivery(text: bytes) -> None:
    assert not failing(says(text)).for_good


def test_an_endpoint_that_drips_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "SECONDS", 0.3)

    async def drips(writer: asyncio.StreamWriter) -> None:
        for _ in range(100):
            writer.write(b"H")
            await writer.drain()
            await asyncio.sleep(0.05)

    problem = failing(drips)
    assert not problem.for_good and "no answer within" in str(problem)


def test_a_name_that_nobody_knows_is_no_delivery() -> None:
    async def lookup(host: str, port: int) -> Sequence[str]:
        raise OSError

    with pytest.raises(DeliveryError) as caught:
        asyncio.run(deliver("https://hook.example/", "json", NOTICE, lookup=lookup))
    assert not caught.value.for_good
