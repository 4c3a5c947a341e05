"""The force of a contact and its derivative by distance, where the contact begins: the default solimp and one with d0 = 0.

python contact_derivative.py [FOLDER]

A ball of 1 kg at rest touches the ground or not; a touch sensor measures the force f. Prints, for both, f and df/dz where the
contact has just begun, and what differences say there; with a FOLDER draws f and df/dz over the distance, exact and by
differences, as derivative_contact.svg.
"""

import pathlib
import sys

import charts
import numpy as np

import sinew

BALL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1" solimp="{solimp}" priority="1"/>
    <body>
      <joint type="slide" axis="0 0 1"/>
      <geom size=".1" mass="1"/>
      <site name="skin" size=".12"/>
    </body>
  </worldbody>
  <sensor><touch site="skin"/></sensor>
</mujoco>
"""
SOLIMPS = {"default": "0.9 0.95 0.001", "d0 = 0": "0 0.95 0.001"}
EPS = 2e-5  # of differences, m
RADIUS = 0.1


def measure(model, data, distance):
    """Force, its derivative by distance, exact and by centred differences, with the ball at rest that far off."""
    data.qpos[0] = RADIUS + distance
    exact = sinew.transitionDerivative(model, data)[2][0, 0]
    differences = sinew.transitionFD(model, data, EPS, centered=True)[2][0, 0]
    sinew.forward(model, data)
    return data.sensordata[0], exact, differences


def curves(solimp, distances):
    """Rows of `measure` (distances, 3)."""
    model = sinew.Model.from_xml(BALL.format(solimp=solimp))
    data = sinew.Data(model)
    return np.array([measure(model, data, distance) for distance in distances])


def draw():
    distances = np.linspace(-1.2e-3, 4e-4, 321)
    ends = -1.2, 0.4
    shapes = []
    for row, (name, solimp) in enumerate(SOLIMPS.items()):
        force, exact, differences = curves(solimp, distances).T
        top = 24 + 132 * row
        zero = [((0, 0), (-1e9, 1e9), "#888", "thin")]
        line = [(1e3 * distances, force, charts.BLUE)]
        title = f"{name}: force, N, over distance"
        shapes += charts.chart(title, (44, top), (290, 90), ends, (0, 14), zero + line, "mm")
        lines = [
            (1e3 * distances, differences / 1e3, charts.RED, "thin"),
            (1e3 * distances, exact / 1e3, charts.BLUE),
        ]
        title = "its derivative, N/mm: exact; dashed, differences"
        shapes += charts.chart(title, (410, top), (290, 90), ends, (-30, 5), zero + lines, "mm")
    return charts.picture(shapes, 730, 270)


if __name__ == "__main__":
    print("at the distance 0    f, N             df/dz, N/mm")
    print("                   inside     outside    inside   differences")
    for name, solimp in SOLIMPS.items():
        outside, inside = curves(solimp, [1e-9, -1e-9])
        print(
            f"{name:16} {inside[0]:8.3f} {outside[1] / 1e3:11.3f} {inside[1] / 1e3:9.3f}"
            f" {inside[2] / 1e3:13.3f}"
        )
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "derivative_contact.svg").write_text(draw())
