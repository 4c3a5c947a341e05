"""Films of what a page sees, which the server draws."""

import io

import av
import numpy as np
import pytest
from worlds import arm, show, world

import sinew
from sinew._viewer import filming
from sinew._viewer.view import View

SIZE = 160, 120


def pictures(film):
    """Those of an MP4, and how many it has a second."""
    with av.open(io.BytesIO(film)) as container:
        stream = container.streams.video[0]
        return [f.to_ndarray(format="rgb24") for f in container.decode(stream)], stream.average_rate


def run(model, data, states, made, film, seconds):
    """Show what runs, every 1/60 s."""
    end = data.time + seconds
    while data.time < end:
        sinew.step(model, data, 8)
        show(states, data)
        made.look()
        film.take()


def test_a_film_is_in_simulated_time():
    model, data = arm()
    made, states = world(model, data)
    view = View(made)
    view.size = SIZE
    film = filming.Filming(made, view)
    run(model, data, states, made, film, 0.5)
    view.cam.azimuth += 40
    run(model, data, states, made, film, 0.5)
    sinew.resetData(model, data)  # time goes back, and the film goes on
    sinew.forward(model, data)
    show(states, data)
    made.look()
    film.take()
    run(model, data, states, made, film, 0.2)
    shown, rate = pictures(film.film())
    assert rate == 30 and shown[0].shape == (120, 160, 3)
    assert (
        36 <= len(shown) <= 40
    )  # runs end up to a step late, and there is a picture at the beginning
    with sinew.Renderer(model, 120, 160) as renderer:
        sinew.resetData(model, data)
        sinew.forward(model, data)
        first = View(made).cam
        renderer.update_scene(data, first)
        expected = renderer.render().astype(int)
    assert abs(shown[0] - expected).mean() < 3  # of what H.264 loses
    assert abs(shown[-1] - expected).mean() > 3


def test_a_film_is_bounded(monkeypatch):
    model, data = arm()
    made, _ = world(model, data)
    monkeypatch.setattr(filming, "MOST_BYTES", 1000)
    film = filming.Filming(made, View(made))
    made.data.time += 1
    assert not film.take()


def test_the_page_keeps_a_film(view):
    viewing = view(sinew.Model.from_xml("<mujoco model='ball'><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"))  # fmt: skip
    tab = viewing.open((900, 500))
    tab.page.get_by_text("File", exact=True).click()
    tab.page.get_by_role("button", name="Film").click()
    tab.page.get_by_role("button", name="End film").wait_for()
    end = viewing.data.time + 0.3
    viewing.until(lambda: viewing.data.time > end, "it stands")
    with tab.page.expect_download() as found:
        tab.page.get_by_role("button", name="End film").click()
    assert found.value.suggested_filename == "ball.mp4"
    with open(found.value.path(), "rb") as file:
        shown, _ = pictures(file.read())
    assert len(shown) >= 8 and np.ptp(shown[-1]) > 0
    tab.page.get_by_role("button", name="Film").wait_for()


def test_the_page_says_that_it_films_what_stands(view):
    tab = view(sinew.Model.from_xml("<mujoco/>"), still=True).open((900, 500))
    tab.page.get_by_text("File", exact=True).click()
    tab.page.wait_for_timeout(300)  # no frame is on its way
    for said in ("End film", "Film"):
        tab.page.get_by_role(
            "button", name="Film" if said == "End film" else "End film", exact=True
        ).click()
        tab.page.get_by_role("button", name=said, exact=True).wait_for()


def test_what_cannot_be_drawn_is_told(monkeypatch):
    model, data = arm()
    made, _ = world(model, data)
    film = filming.Filming(made, View(made))
    monkeypatch.setattr(filming, "_LARGEST", 1 << 20)
    film._view.size = 1 << 18, 1 << 18
    with pytest.raises(Exception, match="this OpenGL draws"):
        film.film()
