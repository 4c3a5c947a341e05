"""A page of the viewer in a browser: it opens, draws, comes back, and hands over."""

import http.client
import pathlib
import subprocess
import sys
import time
import urllib.parse

import pytest
from browsing import LIMIT, Tab
from lines import Line

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
HUMANOID = ROOT / "examples/models/humanoid.xml"
SCENE = """
<mujoco>
  <visual><quality shadowsize="256"/></visual>
  <option gravity="0 0 0"/>
  <statistic center="0 0 0" extent="1"/>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="ball"><freejoint/><geom size="0.3"/></body>
    <body name="cart" pos="0 0 -0.6">
      <joint name="slide" type="slide" axis="1 0 0" range="-1 1"/>
      <geom type="box" size="0.1 0.1 0.05"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slide" ctrllimited="true" ctrlrange="-1 1"/></actuator>
</mujoco>
"""


@pytest.fixture
def viewing(view):
    """A ball that floats in the middle of the picture, and a cart with a motor."""
    return view(sinew.Model.from_xml(SCENE))


def draws_on(viewing, tab, count=3):
    """Waits until a page has drawn some frames more."""
    before = tab.frames
    viewing.until(lambda: tab.frames >= before + count, "no frames come")


def test_it_draws_and_forgets_the_token(viewing):
    tab = viewing.open()
    draws_on(viewing, tab)
    assert "token=" in viewing.handle.address and "token" not in tab.page.url
    viewing.until(lambda: tab.hook("connected"), "it is not connected")
    assert tab.hook("role") == "controller" and tab.hook("model")
    viewing.until(lambda: min(viewing.handle.size()) > 0, "the program learns no size")


def test_a_reload(viewing):
    """The cookie lets it in, and it controls again."""
    tab = viewing.open()
    for _ in range(2):
        tab.page.reload()
        viewing.until(lambda: tab.frames > 0, "it draws nothing after a reload")
        draws_on(viewing, tab)
    viewing.until(lambda: tab.hook("role") == "controller", "nobody controls")


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_page_that_nobody_sees(viewing):
    """It gets nothing, until it is seen again."""
    tab = viewing.open()
    draws_on(viewing, tab)
    tab.page.evaluate(HIDE, True)
    for _ in range(50):  # what was on its way
        viewing.advance()
    before, time_before = tab.frames, viewing.data.time
    viewing.until(lambda: viewing.data.time > time_before + 0.2, "the simulation stands")
    assert tab.frames == before
    tab.page.evaluate(HIDE, False)
    draws_on(viewing, tab)


def test_what_stands_is_drawn_once(viewing):
    """However often a program says that it stands; what is done in the page is drawn."""
    tab = viewing.open()
    end = time.monotonic() + 20

    def drawn():
        """Frames that 60 states bring."""
        before = tab.frames
        for _ in range(60):
            viewing.handle.sync()
            tab.page.wait_for_timeout(5)
        return tab.frames - before

    while drawn():  # what was on its way, and what pages learn later
        assert time.monotonic() < end, "what stands is drawn again and again"
    before = tab.frames
    tab.page.mouse.move(*tab.point(0.5, 0.5))
    tab.page.mouse.wheel(0, 60)
    tab.until(lambda: tab.frames > before, "the camera stays")


def test_a_connection_that_drops(viewing, windows):
    """The page says so, and is there again by itself; it controls as before."""
    parts = urllib.parse.urlsplit(viewing.handle.address)
    line = Line(parts.port, bits=1e9, delay=0)
    tab = Tab(windows, f"http://127.0.0.1:{line.port}/?{parts.query}")
    viewing.tabs.append(tab)
    draws_on(viewing, tab)
    for _ in range(2):
        line.drop()
        viewing.until(lambda: tab.hook("connected") is False, "the page does not notice")
        viewing.until(lambda: tab.hook("connected"), "it does not come back")
        draws_on(viewing, tab)
    viewing.until(lambda: tab.hook("role") == "controller", "nobody controls")
    line.close()
    viewing.leave(tab)
    assert viewing.handle.is_running() and not [f for f in tab.faults if "WebSocket" not in f]


def test_a_page_below_a_path(viewing, windows):
    """As proxies of notebooks serve it: all addresses are relative."""
    parts = urllib.parse.urlsplit(viewing.handle.address)
    tab = Tab(windows, f"http://{parts.netloc}/user/me/proxy/{parts.port}/?{parts.query}")
    viewing.tabs.append(tab)
    draws_on(viewing, tab)
    assert tab.page.url.endswith(f"/proxy/{parts.port}/")


def test_the_printed_address(windows):
    """What the command prints opens a page of a simulation that runs."""
    words = [sys.executable, "-m", "sinew.view", HUMANOID, "--no-browser"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        tab = Tab(windows, next(word for word in line.split() if word.startswith("http://")))
        end = time.monotonic() + LIMIT
        while tab.frames < 3:
            assert time.monotonic() < end, "it draws nothing"
            tab.page.wait_for_timeout(20)
        tab.leave()
    finally:
        process.kill()
        process.communicate()
    assert tab.faults == []


# ---- who gets in


def asked(address, path=None, **headers):
    """Status and headers of an answer to a request, for the address unless another path is given."""
    parts = urllib.parse.urlsplit(address)
    link = http.client.HTTPConnection(parts.hostname, parts.port, timeout=LIMIT)
    try:
        link.putrequest("GET", path or f"/?{parts.query}", skip_host=True)
        for name, value in {"Host": parts.netloc, **headers}.items():
            link.putheader(name.replace("_", "-"), value)
        link.endheaders()
        answer = link.getresponse()
        return answer.status, answer.headers
    finally:
        link.close()


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


def test_who_gets_in(viewing):
    address = viewing.handle.address
    host = urllib.parse.urlsplit(address).netloc
    port = host.rpartition(":")[2]
    status, headers = asked(address)
    cookie = headers["Set-Cookie"].partition(";")[0]
    assert status == 200 and "SameSite=Strict" in headers["Set-Cookie"]
    assert asked(address, Host=f"localhost:{port}")[0] == 200
    assert asked(address, "/")[0] == asked(address, "/?token=wrong")[0] == 403
    assert asked(address, "/page.js")[0] == 403
    assert asked(address, "/page.js", Cookie=cookie)[0] == 200
    assert asked(address, "/other.js", Cookie=cookie)[0] == 404
    for foreign in ("example.org", f"example.org:{port}", "127.0.0.1.example.org", ""):
        assert asked(address, Host=foreign)[0] == 403


def test_whose_sockets_get_in(viewing):
    address = viewing.handle.address
    host = urllib.parse.urlsplit(address).netloc
    cookie = asked(address)[1]["Set-Cookie"].partition(";")[0]

    def opened(**headers):
        return asked(address, "/socket", **{**UPGRADE, **headers})[0]

    ours = f"http://{host}"
    assert opened(Cookie=cookie, Origin=ours) == 101
    for foreign in ("http://example.org", f"http://{host}.example.org", "null"):
        assert opened(Cookie=cookie, Origin=foreign) == 403
    assert opened(Cookie=cookie) == 403
    assert opened(Origin=ours) == 403


# ---- what is done in it


def push_slider(tab):
    """The slider of the motor."""
    return tab.page.locator("label", has_text="push").locator("input[type=range]")


def test_a_slider(viewing):
    """It moves the control when the program syncs, and nothing moves it before."""
    tab = viewing.open()
    slider = push_slider(tab)
    slider.wait_for(state="attached")
    slider.fill("0.5")
    viewing.until(lambda: viewing.data.ctrl[0] == 0.5, "the control does not follow")
    viewing.until(lambda: viewing.data.qpos[7] > 1e-4, "the cart does not move")
    slider.fill("-1")
    viewing.until(lambda: viewing.data.ctrl[0] == -1, "the control does not follow")


def pull(viewing, tab):
    """Selects the ball in the middle and pulls at it; the button stays down."""
    ball = viewing.model.body("ball").id
    mouse, (x, y) = tab.page.mouse, tab.point(0.5, 0.5)

    def chosen():  # again, where the two clicks were too far apart in time
        if viewing.handle.perturb.select != ball:
            mouse.dblclick(x, y)
        return viewing.handle.perturb.select == ball

    viewing.until(chosen, "nothing is selected")
    tab.page.locator("#right").get_by_text("ball").wait_for()
    tab.page.keyboard.down("Control")
    mouse.move(x, y)
    mouse.down(button="right")
    mouse.move(x + 40, y, steps=4)
    force = viewing.data.xfrc_applied
    viewing.until(lambda: force[ball, :3].any(), "nothing pulls")
    return ball


def test_the_pointer_pulls(viewing):
    tab = viewing.open()
    ball = pull(viewing, tab)
    viewing.until(lambda: abs(viewing.data.qpos[:3]).max() > 0.01, "the ball does not move")
    tab.page.mouse.up(button="right")
    tab.page.keyboard.up("Control")
    force = viewing.data.xfrc_applied
    viewing.until(lambda: not force.any(), "it is not let go")
    draws_on(viewing, tab)
    assert not force.any() and viewing.handle.perturb.select == ball


def test_a_page_that_is_closed_lets_go(viewing):
    """In mid-drag; the other page controls from then on."""
    first, second = viewing.open(), viewing.open()
    pull(viewing, first)
    viewing.leave(first)
    viewing.until(lambda: not viewing.data.xfrc_applied.any(), "it is not let go")
    viewing.until(lambda: second.hook("role") == "controller", "nobody controls")


# ---- several, and none


def test_two_pages(viewing):
    """One controls, the other watches, until it takes over."""
    first, second = viewing.open(), viewing.open()
    viewing.until(lambda: second.hook("role") == "spectator", "two control")
    assert first.hook("role") == "controller"
    second.page.get_by_role("button", name="take control").click()
    viewing.until(lambda: second.hook("role") == "controller", "it does not take over")
    viewing.until(lambda: first.hook("role") == "spectator", "two control")
    push_slider(second).fill("0.25")
    viewing.until(lambda: viewing.data.ctrl[0] == 0.25, "the control does not follow")
    viewing.leave(second)
    viewing.until(lambda: first.hook("role") == "controller", "nobody controls")


def test_the_server_is_killed(viewing):
    """The page stays and says so, and the simulation goes on."""
    tab = viewing.open()
    viewing.until(lambda: tab.hook("connected"), "it is not connected")
    viewing.handle._server._process.kill()
    viewing.until(lambda: not viewing.handle.is_running(), "the program does not notice")
    viewing.until(lambda: tab.hook("connected") is False, "the page does not notice")
    tab.page.get_by_text("lost connection").wait_for()
    before = viewing.data.time
    viewing.advance()
    assert viewing.data.time > before
    assert all("ERR_CONNECTION_" in fault for fault in tab.faults)  # refused, or cut in the middle
    tab.faults.clear()  # a page that tries again is told by the browser
