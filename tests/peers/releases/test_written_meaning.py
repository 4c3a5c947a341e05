"""What is written of a model under either meaning means the same when it is read again, by the peer of 4.0 as well."""

import pytest

import compiled
import newest
import sinew
from test_actuator_defaults import CLASSES, WRITTEN, text, written
from test_compiled_rules import DIAGONAL, FRAMES, FULL, INERTIAL, ORIENTED, RANGE

FIELD = "ntext ntextdata text_adr text_size name_textadr".split()  # the text field with the meaning
SOURCES = {
    "orientations": ORIENTED.format('euler="30 40 50"', 'zaxis="1 0 0"'),
    "inertial": INERTIAL.format(FRAMES.format(DIAGONAL)),
    "tensor": INERTIAL.format(FRAMES.format(FULL)),
    "range finder": RANGE,
} | {
    f"{actuator}, {classes}": text(CLASSES[classes], written(actuator, 'class="c"')).replace('"j"', '"j" range="0 1"', 1)
    for classes in CLASSES for actuator in ("motor", "position", "general")
} | {
    f"velocity and general, {kind}": text(written(kind, WRITTEN[kind][0], ""), written("velocity") + written("general"))
    for kind in WRITTEN if kind != "intvelocity"
}  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
def test_written_models(source):
    for physics in compiled.PHYSICS:
        model = sinew.Model.from_xml(SOURCES[source], physics=physics)
        saved = sinew.Spec.from_xml(SOURCES[source], physics=physics).to_xml()
        again = sinew.Model.from_xml(saved)
        assert again.physics == physics
        assert compiled.differences(model, again, 1e-9) - set(FIELD) == set()
    assert compiled.differences(model, newest.load(saved).get(), 1e-8) - set(FIELD) == set()
