"""Small pictures of the model's cameras in the large one."""

import base64
import io

import numpy as np
import PIL.Image
import pytest
from talking import kinds, page, until

import sinew
from sinew import viewer

SCENE = """
<mujoco>
  <visual><quality shadowsize="256"/></visual>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="3 3 .1" rgba=".2 .6 .3 1"/>
    <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 1 2"/>
    <camera name="&lt;b&gt;wide&lt;/b&gt;" pos="0 0 3" resolution="640 320"/>
    <camera name="tall" pos="0 0 3" resolution="9 900"/>
    <body pos="0 0 .5"><geom size=".3" rgba=".9 .2 .1 1"/><camera pos="0 0 2" resolution="200 200"/></body>
    <camera name="last" pos="0 0 9"/>
  </worldbody>
</mujoco>
"""
GROUP = 0  # of all geoms


def pixels(tab, which):
    """A picture of the page, [height, width, 3]; 0 is the large one."""
    url = tab.page.evaluate(f"window.sinewPicture({which})")
    image = PIL.Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    return np.array(image.convert("RGB")).astype(int)


def reds(picture):
    """How many pixels are the ball's."""
    return int((picture[:, :, 0] > picture[:, :, 1] + 30).sum())


class Sockets:
    """The connections of a page to cameras, as it opens them."""

    def __init__(self, tab):
        self.made = []
        tab.page.on("websocket", lambda socket: self.made.append(socket))

    def open(self):
        return [s for s in self.made if "camera=" in s.url and not s.is_closed()]


@pytest.fixture
def opened(view):
    """A page of a scene with cameras, its part Cameras unfolded."""
    viewing = view(sinew.Model.from_xml(SCENE), still=True)
    tab = viewing.open((900, 500))
    tab.page.locator("summary", has_text="Cameras").click()
    return tab


def names(tab):
    return tab.page.locator(".inset button").all_text_contents()


def test_insets(opened):
    """They show what cameras see, in their shape, with what the picture shows; closed they are gone."""
    tab, page, sockets = opened, opened.page, Sockets(opened)
    boxes = page.locator("#left input[type=checkbox]:visible")
    tab.until(lambda: boxes.count() == 5, "there is no box for each camera")
    for name in ("<b>wide</b>", "camera 4"):
        page.get_by_label(name, exact=True).click()
    tab.until(lambda: names(tab) == ["<b>wide</b> ×", "camera 4 ×"], "there are no insets")
    for which, aspect in ((1, 2), (2, 1)):
        frame = f"window.sinewFrame({which})"
        tab.until(lambda f=frame: page.evaluate(f"!!{f}"), "an inset has nothing to show")
        height, width, _ = pixels(tab, which).shape
        assert width == pytest.approx(aspect * height, abs=2) and height > 40
        assert reds(pixels(tab, which)) > 30
    before = reds(pixels(tab, 0))
    assert before > 100
    page.keyboard.press(f"Digit{GROUP}")
    for which in (0, 1, 2):
        tab.until(lambda k=which: reds(pixels(tab, k)) == 0, f"picture {which} shows the group")
    page.get_by_role("button", name="close camera 4").click()
    tab.until(lambda: len(sockets.open()) == 1, "the connection stays")
    assert names(tab) == ["<b>wide</b> ×"]
    tab.until(
        lambda: not page.get_by_label("camera 4", exact=True).is_checked(), "its box stays ticked"
    )
    page.get_by_label("<b>wide</b>", exact=True).click()
    tab.until(lambda: not sockets.open(), "the connection stays")
    assert page.locator("canvas").count() == 1 and page.locator(".inset").count() == 0


def test_at_most_four(opened):
    """They stand along the lower edge, and come and go often."""
    tab, page = opened, opened.page
    for _ in range(2):
        for name in ("side", "<b>wide</b>", "tall", "camera 4"):
            page.get_by_label(name, exact=True).click()
        tab.until(lambda: len(names(tab)) == 4, "there are not four")
        last = page.get_by_label("last", exact=True)
        tab.until(last.is_disabled, "a fifth may be opened")
        picture = page.locator("#picture").bounding_box()
        for inset in page.locator(".inset").all():
            box = inset.bounding_box()
            assert picture["x"] <= box["x"] and box["width"] < picture["width"] / 4
            assert box["x"] + box["width"] <= picture["x"] + picture["width"]
            assert box["y"] + box["height"] == pytest.approx(picture["y"] + picture["height"] - 8)
            assert box["height"] < picture["height"] / 2
        for name in ("side", "<b>wide</b>", "tall", "camera 4"):
            page.get_by_role("button", name=f"close {name}").click()
        tab.until(lambda: not last.is_disabled(), "no place is free again")


def test_a_camera_of_the_model_is_no_page():
    """It sees from there, and whoever asks for one that is not there sees nothing."""
    model = sinew.Model.from_xml(SCENE)
    data = sinew.Data(model)
    sinew.forward(model, data)
    with viewer.launch_passive(model, data, browser=False) as handle:
        with page(handle, "camera=4") as inset, page(handle, "camera=5") as none:
            words, _ = kinds(inset, "model")
            assert words["resolutions"][4] == [200, 200]
            with page(handle) as main:
                assert kinds(main, "role")[0]["role"] == "controller"
                handle.set_texts((None, None, "over", "it"))
                kinds(main, "texts")
                inset.send('{"do": "size", "width": 30, "height": 20}')

                def there():
                    words, _ = kinds(inset, "frame")
                    assert words["cam"]["fixedcamid"] == 4
                    return np.allclose(words["camera"]["pos"], [0, 0, 2.5], atol=1e-6)

                until(there)
            with pytest.raises(TimeoutError):
                none.recv(timeout=0.01)
