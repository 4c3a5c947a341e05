"""Firefox, driven by WebDriver BiDi, on a screen that nobody sees: without one it has no WebGL."""

import json
import pathlib
import shutil
import subprocess
import sys
import time

from browsing import LIMIT
from websockets.sync.client import connect

ON_A_SCREEN = pathlib.Path(__file__).parents[1] / "on_a_screen.py"
READY = "WebDriver BiDi listening on "


def program():
    """Its path; None: there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One window of it.

    Parameters
    ----------
    folder : pathlib.Path
        Empty, for its profile and what it downloads.

    Attributes
    ----------
    faults : list of str
        Errors in the console of pages.
    downloads : pathlib.Path
    """

    def __init__(self, folder):
        self.downloads, self.faults, self._count = folder / "downloads", [], 0
        self.downloads.mkdir()
        profile = folder / "profile"
        profile.mkdir()
        wishes = {
            "webgl.force-enabled": True,  # by a processor
            "browser.download.folderList": 2,
            "browser.download.dir": str(self.downloads),
        }
        lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in wishes.items())
        (profile / "user.js").write_text("".join(lines))
        words = [program(), "--no-remote", "--remote-debugging-port", "0", "--profile", profile]
        self._process = subprocess.Popen(
            [sys.executable, ON_A_SCREEN, *words], stderr=subprocess.PIPE, text=True
        )
        address = next(line for line in self._process.stderr if READY in line).split()[-1]
        self._socket = connect(f"{address}/session", max_size=None, legacy=True)
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._context = self._call("browsingContext.getTree")["contexts"][0]["context"]

    def _call(self, method, **given):
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": given}))
        while True:
            answer = json.loads(self._socket.recv(timeout=LIMIT))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.faults.append(answer["params"]["text"])
            if answer.get("id") == self._count:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, address):
        self._call("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, script):
        """The value of an expression, which JSON has."""
        said = self._call(
            "script.evaluate", expression=f"JSON.stringify({script})", target={"context": self._context},
            awaitPromise=True,
        )  # fmt: skip
        assert said["type"] == "success", said
        return json.loads(said["result"].get("value", "null"))

    def until(self, condition, fault):
        """Wait until a condition holds: an expression, or a function."""
        end = time.monotonic() + LIMIT
        while not (condition() if callable(condition) else self.evaluate(condition)):
            assert time.monotonic() < end, fault
            time.sleep(0.02)

    # ---- what one does

    def _act(self, kind, *actions, **more):
        sources = [{"type": kind, "id": kind, "actions": list(actions), **more}]
        self._call("input.performActions", context=self._context, actions=sources)

    def keys(self, *keys):
        """Hold keys, the last one for a moment."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        self._act("key", *down, *({"type": "keyUp", "value": key} for key in reversed(keys)))

    def hold(self, key, down):
        self._act("key", {"type": "keyDown" if down else "keyUp", "value": key})

    def point(self, selector, x=0.5, y=0.5):
        """Pixels of the page at a point of an element, from 0 to 1 from the left and from above."""
        left, top, width, height = self.evaluate(
            f"(({{left, top, width, height}}) => [left, top, width, height])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        return round(left + x * width), round(top + y * height)

    def mouse(self, *steps):
        """Move the pointer to places; press and let go of buttons: 0, `~0`."""
        actions = []
        for step in steps:
            if isinstance(step, tuple):
                actions.append({"type": "pointerMove", "x": step[0], "y": step[1], "duration": 50})
            else:
                kind = "pointerDown" if step >= 0 else "pointerUp"
                actions.append({"type": kind, "button": step if step >= 0 else ~step})
        self._act("pointer", *actions)

    def give(self, selector, *paths):
        """Choose files for an input."""
        said = self._call(
            "browsingContext.locateNodes", context=self._context, locator={"type": "css", "value": selector}
        )  # fmt: skip
        self._call("input.setFiles", context=self._context, element=said["nodes"][0], files=[str(p) for p in paths])  # fmt: skip

    def close(self):
        self._call("browser.close")
        self._socket.close()
        self._process.communicate(timeout=LIMIT)
