"""A viewer beside a simulation, and pages of it in a browser."""

import time
import urllib.parse

import sinew
from sinew.viewer.handle import Handle

LIMIT = 120.0  # seconds in which anything happens, on the slowest machine
LOOPBACK = ("127.0.0.1", "localhost", "::1")
NOT_FETCHED = ("data", "blob", "file")


class Windows:
    """Windows of a browser, of their own cookies each. What was given back is taken again: to open one costs more than
    most tests do.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
    """

    def __init__(self, browser):
        self._browser, self._free = browser, []

    def take(self, size, offline):
        """An empty page of so many pixels."""
        if not self._free:
            context = self._browser.new_context(device_scale_factor=1, reduced_motion="reduce")
            context.set_default_timeout(1000 * LIMIT)
            self._free.append(context.new_page())
        page = self._free.pop()
        width, height = size
        page.set_viewport_size({"width": width, "height": height})
        page.context.set_offline(offline)
        return page

    def give_back(self, page):
        page.goto("about:blank")
        self._free.append(page)


class Tab:
    """A page, and what was wrong with it.

    Parameters
    ----------
    windows : Windows
    address : str
    size : tuple of int
        Width and height in pixels.
    offline : bool
        It has no network.

    Attributes
    ----------
    faults : list of str
    asked : list of str
        Addresses that the page has asked for.
    """

    def __init__(self, windows, address, size=(560, 320), offline=False):
        self.address, self.faults, self.asked = address, [], []
        self._windows, self.page = windows, windows.take(size, offline)
        self._heard = {
            "console": self._console,
            "pageerror": lambda error: self.faults.append(f"error: {error}"),
            "request": lambda request: self._ask(request.url),
            "websocket": lambda socket: self._ask(socket.url),
        }
        for event, hear in self._heard.items():
            self.page.on(event, hear)
        self.page.goto(address)

    def _console(self, message):
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _ask(self, url):
        self.asked.append(url)
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in NOT_FETCHED and parts.hostname not in LOOPBACK:
            self.faults.append(f"a request to {url}")

    def hook(self, name):
        """What the page says of itself, in window.sinew; None before it is there."""
        return self.page.evaluate(f"window.sinew ? window.sinew.{name} : null")

    @property
    def frames(self):
        """Frames that have been drawn."""
        return self.hook("frames") or 0

    @property
    def canvas(self):
        """The picture."""
        return self.page.locator("canvas").first

    def point(self, x, y):
        """Pixels of the page at a point of the picture, from 0 to 1 from the left and from above."""
        box = self.canvas.bounding_box()
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    def until(self, condition, fault):
        """Wait until a condition holds."""
        end = time.monotonic() + LIMIT
        while not condition():
            assert time.monotonic() < end, fault
            self.page.wait_for_timeout(10)

    def close(self):
        """Close it as its user would."""
        self.page.context.close()

    def leave(self):
        """Go elsewhere; its window is used again."""
        for event, hear in self._heard.items():
            self.page.remove_listener(event, hear)
        self._windows.give_back(self.page)


class Viewing:
    """A simulation with a viewer.

    Parameters
    ----------
    windows : Windows
    model : Model
    still : bool
        It stays where it is, so that a page draws it once.
    """

    def __init__(self, windows, model, still=False):
        self.model, self.data = model, sinew.Data(model)
        sinew.forward(model, self.data)
        self._windows, self.tabs, self._still = windows, [], still
        self.handle = Handle(model, self.data, browser=False)

    def open(self, size=(560, 320)):
        """Open a page, and wait until it has drawn."""
        tab = Tab(self._windows, self.handle.address, size)
        self.tabs.append(tab)
        self.until(lambda: tab.frames > 0, "the page draws nothing")
        return tab

    def advance(self):
        """Step once and let the viewer have it, and the pages some time."""
        if not self._still:
            sinew.step(self.model, self.data)
            self.handle.sync()
        if self.tabs:
            self.tabs[-1].page.wait_for_timeout(5)

    def until(self, condition, fault):
        """Step until a condition holds."""
        end = time.monotonic() + LIMIT
        while not condition():
            assert time.monotonic() < end, fault
            self.advance()

    def leave(self, tab):
        """Close a page."""
        self.tabs.remove(tab)
        tab.close()

    def close(self):
        """End all; return what was wrong with pages."""
        tabs, self.tabs = self.tabs, []
        for tab in tabs:  # before the server, whose end they would complain about
            tab.leave()
        self.handle.close()
        return [fault for tab in tabs for fault in tab.faults]
