"""The same bits on every kind of processor, from XML and from compiled models, in lanes of every width: the listings that the
repository keeps."""

import pytest
from fused import fused, library
from listings import BATCHES, KINDS, MODELS, NAMES, ROOT, built, hold, kept, parted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_from_xml(name, kind):
    hold(built("static", kind), MODELS / f"{name}.xml", kept(name), built("static"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_from_a_compiled_model(name, kind, compiled):
    hold(built("shared", kind), compiled / f"{name}.snb", kept(name), built("static"))


@pytest.mark.parametrize(
    "name, width", [(name, width) for name, widths in BATCHES.items() for width in widths]
)
def test_lanes(name, width):
    hold(built("shared"), MODELS / f"{name}.xml", kept(f"{name}_lanes"), width=width)


def test_nothing_is_fused():
    assert not fused(library(ROOT / "build/release"))


def test_what_a_listing_says_of_another():
    names = "step all kinematics rne integration\n"
    lines = ["1 aa 1 2 3\n", "2 bb 4 5 6\n", "5 cc 7 8 9\n"]
    text = names + "".join(lines) + "run 00\n"
    assert parted(text, text) == ""
    other = text.replace("5 cc 7 8 9", "5 cd 7 a b").replace("run 00", "run 01")
    says = "they part after step 2, at step 5 or before; differing there: rne, integration"
    assert parted(text, other) == says
    assert "after the start, at step 1 or" in parted(text, text.replace("1 aa", "1 ab"))
    assert parted(text, text.replace("run 00", "run 01")) == (
        "they part and meet again after step 5"
    )
    assert "other columns: rne rna" in parted(text, text.replace("rne", "rna")) or (
        "other columns: rna rne" in parted(text, text.replace("rne", "rna"))
    )
