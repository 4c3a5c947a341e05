"""The file: a page with its script, and messages in it as text."""

from __future__ import annotations

import base64
import hashlib
import html
import zlib
from typing import IO

from ..files import page_file

_SCRIPT = '<script type="module" src="page.js"></script>'
_TITLE = "<title>Sinew</title>"
_CHARSET = '<meta charset="utf-8">'
_END = "</body>"
# the one script that stands here may run, and nothing be asked for
_POLICY = (
    "default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


class Document:
    """A page that is written message by message.

    Parameters
    ----------
    title : str
        Any text.

    Attributes
    ----------
    size : int
        Bytes so far.

    Raises
    ------
    RuntimeError
        The package was built without the page.
    """

    def __init__(self, title: str) -> None:
        self.size = 0
        self._stream: IO[bytes] | None = None
        try:
            self._script, page = (page_file(n).decode() for n in ("player.js", "index.html"))
        except FileNotFoundError:
            raise RuntimeError(
                "this package was built without the page: build it again with network"
            ) from None
        assert "</script" not in self._script.lower() and "<!--" not in self._script
        assert all(page.count(part) == 1 for part in (_SCRIPT, _TITLE, _CHARSET, _END))
        digest = base64.b64encode(hashlib.sha256(self._script.encode()).digest()).decode()
        policy = (
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY.format(hash=digest)}">'
        )
        page = page.replace(_SCRIPT, "").replace(_CHARSET, f"{_CHARSET}\n{policy}")
        page = page.replace(_TITLE, f"<title>{html.escape(title)}</title>")
        self._head, self._end = page.split(_END)

    def begin(self, stream: IO[bytes]) -> None:
        """Write into a file from here on."""
        self._stream = stream
        self._write(self._head)

    def _write(self, text: str) -> None:
        assert self._stream is not None
        self.size += self._stream.write(text.encode())

    def add(self, kind: str, message: bytes) -> None:
        """Add a message: a "chunk" of a recording, or a "part" that is read before."""
        text = base64.b64encode(zlib.compress(message, 9)).decode()
        self._write(f'<script type="application/octet-stream" class="{kind}">{text}</script>\n')

    def end(self) -> None:
        """Write the script and what closes the page."""
        self._write(f"<script>{self._script}</script>\n{_END}{self._end}")
