"""Who is signed in: the cookie of a browser, and what it stands for.

The cookie is looked at where somebody signs in or out, blocks others, lists matches or open tables, opens one, or sits
down, and nowhere else. It lets nobody look or act: that takes the key of a seat, which no other site and no WebSocket
gets from a browser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from fastapi import Request, Response

from rasputitsa.server.accounts.passwords import PasswordDesk
from rasputitsa.server.errors import ApiError, forbidden
from rasputitsa.server.limits import is_loopback
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.store import AccountRow, SessionRow, Store, new_secret

SAFE, PLAIN = "__Host-rasputitsa", "rasputitsa"
"""The cookie under https, which no other host and no page in clear can set, and the one under http."""
KEPT_SECONDS = 400 * 24 * 3600
"""As long as browsers keep one; the server ends a session sooner that is not used."""
_TOKEN = re.compile(r"[\w-]{32}")
_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "Mac"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that is signed in."""

    session: SessionRow
    account: AccountRow


def offered(request: Request) -> bool:
    """Whether this server keeps accounts."""
    return bool(request.app.state.config.accounts)


def require_offered(request: Request) -> None:
    """Refuse where this server keeps no accounts; raises ``ApiError`` 403."""
    if not offered(request):
        raise forbidden("no_accounts", "this server keeps no accounts")


def desk_of(request: Request) -> PasswordDesk:
    """Where passwords are looked at."""
    return cast(PasswordDesk, request.app.state.passwords)


def shown_token(request: Request) -> str:
    """What the browser shows, with the name of its cookie; empty if nothing, or more than one of a kind.

    Under https only the cookie counts that no other host and no page in clear can set: with one of somebody else's,
    what is played here would be kept with that account.
    """
    pairs = [part.strip().partition("=") for part in "; ".join(request.headers.getlist("cookie")).split(";")]
    for name in (SAFE,) if _under_tls(request) else (SAFE, PLAIN):
        found = [value for known, _, value in pairs if known == name]
        if len(found) == 1 and _TOKEN.fullmatch(found[0]):
            return f"{name} {found[0]}"
        if found:
            return ""
    return ""


def find_signed_in(request: Request, store: Store, *, note: bool = True) -> SignedIn | None:
    """Who is signed in, if anybody; ``note`` that the session is in use, which a larger transaction is not to hold."""
    token = shown_token(request) if offered(request) else ""
    if not token:
        return None
    found = store.session(token, note=note)
    return None if found is None else SignedIn(*found)


def require_signed_in(request: Request, store: Store) -> SignedIn:
    """Who is signed in; raises ``ApiError`` 403 if nobody is."""
    require_offered(request)
    found = find_signed_in(request, store)
    if found is None:
        raise not_signed_in()
    return found


def not_signed_in() -> ApiError:
    """Nobody is signed in in this browser."""
    return forbidden("not_signed_in", "you are not signed in in this browser; please sign in")


def new_token(request: Request) -> str:
    """What a browser is to show from now on, with the name of the cookie that it belongs to.

    A session that was made under https is good there alone.
    """
    return f"{SAFE if _under_tls(request) else PLAIN} {new_secret()}"


def give_cookie(response: Response, token: str) -> None:
    """Have the browser show a token."""
    name, _, value = token.partition(" ")
    _set(response, name, value, KEPT_SECONDS)


def take_cookie(response: Response) -> None:
    """Have the browser show nothing any more."""
    for name in (SAFE, PLAIN):
        _set(response, name, "", 0)


def _set(response: Response, name: str, value: str, seconds: int) -> None:
    response.set_cookie(
        name, value, max_age=seconds, path="/", httponly=True, samesite="strict", secure=name == SAFE
    )  # fmt: skip


def _under_tls(request: Request) -> bool:
    """Whether the page is under https, also where a proxy speaks it: browsers say so in the origin, which was checked
    to be this host. Where they send none, they tell the kind of site under https alone, and on one's own machine."""
    if origin := request.headers.get("origin"):
        return origin.startswith("https://")
    name = request.url.hostname or ""
    own = name == "localhost" or name.endswith(".localhost") or is_loopback(name)
    return request.url.scheme == "https" or ("sec-fetch-site" in request.headers and not own)


def browser_of(request: Request) -> str:
    """What kind of browser asks, in words of ours."""
    told = request.headers.get("user-agent", "")
    browser = next((name for sign, name in _BROWSERS if sign in told), "A browser")
    system = next((name for sign, name in _SYSTEMS if sign in told), "")
    return f"{browser} on {system}" if system else browser


def held_here(request: Request, rooms: Rooms, match_id: int) -> list[str]:
    """The seats of a match that are kept with the account of the person signed in."""
    found = find_signed_in(request, rooms.store)
    return [] if found is None else rooms.store.seats_of_account(found.session.digest, match_id).get(match_id, [])
