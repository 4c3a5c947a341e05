"""Who gets in: browsers of this machine (or the name that was given) that know the token, from pages of ours alone."""

from __future__ import annotations

import hmac
import secrets
import urllib.parse
from http.cookies import CookieError, SimpleCookie

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Refused(Exception):
    """Somebody does not get in; the text says why."""


def _host(address: str) -> str:
    """Return the name of a Host header, without its port."""
    try:
        return urllib.parse.urlsplit(f"//{address}").hostname or ""
    except ValueError:
        return ""


class Gate:
    """Lets in, by token and cookie.

    Parameters
    ----------
    host : str
        Address that is served: what browsers may call it, beside names of this machine.
    """

    def __init__(self, host: str) -> None:
        self.token = secrets.token_urlsafe(24)
        # ports share cookies: two viewers have names of their own
        self.cookie = f"sinew-{secrets.token_hex(4)}"
        self._names = {*LOOPBACK, host.lower()}

    def check_host(self, host: str | None) -> None:
        """Refuse pages of other names: a name of an attacker's may lead here, too (DNS rebinding)."""
        if host is None or _host(host) not in self._names:
            raise Refused(f"the host {host!r} is not served here")

    def check_origin(self, origin: str | None, host: str) -> None:
        """Refuse sockets that pages of others open."""
        if origin is None or urllib.parse.urlsplit(origin).netloc != host:
            raise Refused(f"a page of {origin!r} does not get in")

    def knows(self, query: str) -> bool:
        """Return whether the query of a first address has the token."""
        given = urllib.parse.parse_qs(query).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self.token.encode())

    def remembers(self, cookies: str | None) -> bool:
        """Return whether a browser has shown the token before."""
        try:
            jar = SimpleCookie(cookies or "")
        except CookieError:
            return False
        given = jar[self.cookie].value if self.cookie in jar else ""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def set_cookie(self) -> str:
        """Return the header by which a browser remembers."""
        return f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"
