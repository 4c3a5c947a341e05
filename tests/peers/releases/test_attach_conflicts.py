"""`compiler conflict`: settings of an attached model against 4.0.1's, and what is told."""

import warnings

import numpy as np
import pytest

import compiled
import newest
import sinew

PARENT = (
    '<mujoco><compiler {}/>{}<asset><model name="c" file="c.xml"/></asset><worldbody><body name="p"><geom size="1"/>'
    '<attach model="c" body="b" prefix="c_"/></body></worldbody></mujoco>'
)
CHILD = '<mujoco>{}<worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>'
MODES = ["", 'conflict="warning"', 'conflict="merge"', 'conflict="error"']
PAIRS = [
    ('<option timestep="0.005"/>', '<option timestep="0.001"/>'),
    ('<option timestep="0.001"/>', '<option timestep="0.005"/>'),
    ("", '<option timestep="0.001"/>'),
    ('<option timestep="0.005"/>', ""),
    ('<option timestep="0.002"/>', '<option timestep="0.001"/>'),
    ('<option timestep="0.001"/>', '<option timestep="1e-3"/>'),
    ('<option timestep="0.005" gravity="0 0 1"/>', '<option timestep="0.001" gravity="0 0 2"/>'),
    ('<option solver="CG" cone="elliptic"/>', '<option solver="PGS" cone="pyramidal"/>'),
    ('<option><flag contact="disable"/></option>', '<option><flag contact="enable" energy="enable"/></option>'),
    ('<option><flag contact="enable"/></option>', '<option><flag contact="disable"/></option>'),
    ('<option><flag energy="disable"/></option>', '<option><flag energy="enable"/></option>'),
    ('<option actuatorgroupdisable="1 2"/>', '<option actuatorgroupdisable="2 3"/>'),
    ('<size memory="1M"/>', '<size memory="2M"/>'),
    ('<size nuserdata="3" nkey="2"/>', '<size nuserdata="5" nkey="7"/>'),
    ('<size nuser_body="3"/>', '<size nuser_body="5"/>'),
    ('<visual><map znear=".02" zfar="3"/></visual>', '<visual><map znear=".01" zfar="5"/></visual>'),
    ('<visual><global fovy="30"/></visual>', '<visual><global fovy="40" realtime=".5"/></visual>'),
    ('<visual><rgba fog="0 0 1 1"/></visual>', '<visual><rgba fog="1 0 0 1"/></visual>'),
    ('<statistic extent="3"/>', '<statistic extent="4"/>'),
    ("", '<option gravity="1 2 3" integrator="RK4" wind="1 1 1"><flag energy="enable"/></option><size nuserdata="4" memory="3M"/>'),
    ('<option o_solimp=".9 .95 .001 .5 2.000000000000001"/>', '<option o_solimp=".9 .95 .001 .5 2"/>'),
    ('<option iterations="5" impratio="2"/>', '<option iterations="9" impratio="2"/>'),
    ('<option timestep=".005"/><option timestep=".004"/>', '<option timestep=".003"/><option/>'),
]  # fmt: skip


def settings(model):
    opt = [np.ravel(getattr(model.opt, n)) for n in "timestep gravity wind solver cone integrator iterations impratio".split()]  # fmt: skip
    flags = [model.opt.disableflags, model.opt.enableflags & 15, model.opt.disableactuator]
    sizes = [model.nuserdata, model.nkey, model.nuser_body]
    return np.concatenate([*opt, np.array(flags + sizes, float)])


@pytest.mark.parametrize("mode", MODES)
def test_settings(mode):
    for own, other in PAIRS:
        text, files = PARENT.format(mode, own), {"c.xml": CHILD.format(other).encode()}
        try:
            theirs = newest.load(text, files)
        except ValueError as wrong:
            with pytest.raises(sinew.ModelError, match="settings conflict") as error:
                sinew.Model.from_xml(text, assets=files)
            named = [
                line.split(":")[0] for line in str(wrong).splitlines()[1:-1] if ": parent" in line
            ]
            for name in named:
                assert name.removeprefix("flag '").removesuffix("'").lower() in str(error.value)
            continue
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            m = sinew.Model.from_xml(text, assets=files)
        np.testing.assert_allclose(
            settings(m), settings(theirs.get()), rtol=1e-6, err_msg=f"{own} {other}"
        )
        if "memory" in own:
            assert m.narena == theirs.get().narena
        assert bool(told) == bool(theirs.warnings), (own, other, told)


def test_of_specs():
    """In specs the same, and what is refused leaves the spec as it was."""
    child = sinew.Spec.from_xml(
        CHILD.format('<option timestep="0.001" iterations="200" cone="elliptic"/>')
    )
    host = sinew.Spec()
    host.section("compiler").conflict = "merge"
    host.section("option").timestep = 0.005
    with pytest.warns(
        sinew.ModelWarning, match="timestep is 0.005 here and 0.001 there, the second holds"
    ):
        host.attach(child, what=child.body("b"), prefix="a_")
    assert (host.section("option").timestep, host.section("option").iterations) == (0.001, 200)
    host.section("option").cone = "pyramidal"
    before = host.to_xml()
    assert 'conflict="merge"' in before
    with pytest.raises(sinew.ModelError, match="cone is pyramidal here and elliptic there"):
        host.attach(child, what=child.body("b"), prefix="b_")
    assert host.to_xml() == before
    host.section("option").cone = None
    child.section("option").timestep = 0.0005
    with pytest.raises(sinew.ModelError, match="name is taken"):
        host.attach(child, what=child.body("b"), prefix="a_")
    assert host.section("option").timestep == 0.001 and host.section("option").cone == "pyramidal"
    host.section("compiler").conflict = "warning"
    with pytest.warns(sinew.ModelWarning, match="which stays behind"):
        host.attach(child, what=child.body("b"), prefix="c_")
    host.set_physics("3.3.7")
    host.section("compiler").conflict = None
    host.attach(child, what=child.body("b"), prefix="b_")
    assert host.section("option").timestep == 0.001


def test_depth_and_time():
    own, other = (
        PAIRS[15][0] + '<visual><global realtime="1"/></visual>',
        PAIRS[15][1] + PAIRS[16][1],
    )
    for mode, expected in (("warning", (0.02, 3, 1)), ("merge", (0.01, 5, 0.5))):
        with pytest.warns(sinew.ModelWarning, match="zfar"):
            m = sinew.Model.from_xml(
                PARENT.format(f'conflict="{mode}"', own),
                assets={"c.xml": CHILD.format(other).encode()},
            )
        found = m.vis.map.znear, m.vis.map.zfar, m.vis.global_.realtime
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_words():
    for bad in ('conflict="maybe"', 'conflict=""'):
        with pytest.raises(sinew.ModelError, match="conflict"):
            compiled.ours(f"<mujoco><compiler {bad}/></mujoco>", "4.0")
    with pytest.raises(sinew.NotSupportedError, match="came after"):
        compiled.ours('<mujoco><compiler conflict="merge"/></mujoco>', "3.3.7")
