"""Settings of rigid contact in Python: options, fields of the model, edits of a spec, what is refused."""

import copy
import pathlib
import pickle

import numpy as np
import pytest

import sinew
import sinew.loops
import sinew.mujoco

BOX = """
<mujoco>
  {option}
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="body" pos="0 0 .0999"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 1"><joint name="knee" range="-30 30"/><geom size=".1" pos="0 .3 0"/></body>
  </worldbody>
  <custom>
    <text name="sinew_contact" data="{contact}"/>
    <text name="sinew_lcp" data="method=blocksor omega=1.25"/>
    <text name="sinew_restitution_box" data="0.5"/>
    <text name="sinew_maxforce_knee" data="7"/>
  </custom>
</mujoco>
"""
RIGID = BOX.format(option="", contact="lcp")
SOFT = BOX.format(option="", contact="soft")


def test_fields_and_options_arrive():
    m = sinew.Model.from_xml(RIGID)
    assert m.opt.contact == sinew.ContactModel.LCP
    assert m.opt.lcp_method == sinew.LcpMethod.BLOCKSOR and m.opt.lcp_omega == 1.25
    assert m.opt.lcp_stabilise == sinew.Stabilise.BAUMGARTE
    assert m.opt.lcp_coordinates == sinew.Coordinates.MIXED
    assert m.geom_restitution.tolist() == [-1, 0.5, -1]
    assert m.jnt_maxforce.tolist() == [0, 7]
    for other in (copy.copy(m), pickle.loads(pickle.dumps(m))):
        assert other.opt.contact == 1 and np.array_equal(other.geom_restitution, m.geom_restitution)


def test_enumerations_have_their_names():
    assert [e.name for e in sinew.ContactModel] == ["SOFT", "LCP"]
    assert sinew.LcpRow.CONE == 2 and sinew.LcpStatus.SOLVED == 0
    assert sinew.Warning.LCP == 10


def test_the_peer_has_none_of_them():
    names = dir(sinew.mujoco)
    for name in ("mjtContactModel", "mjtLcpMethod", "mjtLcpRow", "mjtStabilise", "mjtCoordinates"):
        assert name not in names
    assert not hasattr(sinew.mujoco.mjtWarning, "mjWARN_LCP")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("contact", 2, "must be one of: soft (0), lcp (1)"),
        ("lcp_method", 7, "must be one of: jacobi (0)"),
        ("lcp_omega", 0, "above 0 and below 2"),
        ("lcp_omega", 2, "above 0 and below 2"),
        ("lcp_omega", np.nan, "above 0 and below 2"),
        ("lcp_sweeps", 0, "must be 1 or more"),
        ("lcp_tolerance", -1, "must be 0 or more"),
        ("lcp_tolerance", np.inf, "must be finite"),
        ("lcp_erp", 1.5, "must be 0 to 1"),
        ("lcp_restitution", -0.1, "must be 0 to 1"),
        ("lcp_slop", -1, "must be 0 or more"),
        ("lcp_bounce", -1, "must be 0 or more"),
        ("lcp_symmetric", 2, "must be 0 or 1"),
        ("lcp_accelerate", 2, "must be 0 or 1"),
        ("lcp_fallback", 2, "must be 0 or 1"),
    ],
)
def test_values_out_of_range_change_nothing(name, value, message):
    m = sinew.Model.from_xml(RIGID)
    before = getattr(m.opt, name)
    with pytest.raises(ValueError, match=f"option {name} is") as error:
        setattr(m.opt, name, value)
    assert message in str(error.value) and getattr(m.opt, name) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("integrator", sinew.Integrator.RK4),
        ("integrator", sinew.Integrator.IMPLICIT),
        ("integrator", sinew.Integrator.IMPLICITFAST),
        ("noslip_iterations", 3),
        ("enableflags", int(sinew.EnableBit.FWDINV)),
    ],
)
def test_what_does_not_go_together_is_refused(name, value):
    m = sinew.Model.from_xml(RIGID)
    with pytest.raises(ValueError, match="contact lcp .* contact to soft"):
        setattr(m.opt, name, value)
    m.opt.contact = sinew.ContactModel.SOFT
    setattr(m.opt, name, value)
    with pytest.raises(ValueError, match="contact lcp .* contact to soft"):
        m.opt.contact = sinew.ContactModel.LCP
    assert m.opt.contact == sinew.ContactModel.SOFT


@pytest.mark.parametrize(
    "option", ['<option integrator="RK4"/>', '<option><flag fwdinv="enable"/></option>']
)
def test_models_are_refused_with_the_place(option):
    with pytest.raises(sinew.ModelError, match='<text name="sinew_contact">: contact lcp') as error:
        sinew.Model.from_xml(BOX.format(option=option, contact="lcp"))
    assert error.value.line == 10
    sinew.Model.from_xml(BOX.format(option=option, contact="soft"))


def test_jacobi_takes_omega_from_the_spectral_radius():
    m = sinew.Model.from_xml(SOFT)
    m.opt.lcp_method = sinew.LcpMethod.BLOCKJACOBI
    m.opt.lcp_omega = 0
    with pytest.raises(ValueError, match="option lcp_omega is 0"):
        m.opt.lcp_method = sinew.LcpMethod.GS
    assert m.opt.lcp_method == sinew.LcpMethod.BLOCKJACOBI


def test_inverse_dynamics_are_refused():
    m = sinew.Model.from_xml(SOFT)
    d = sinew.Data(m)
    sinew.forward(m, d)
    sinew.inverse(m, d)
    m.opt.contact = sinew.ContactModel.LCP
    before = d.qfrc_inverse.copy()
    calls = [
        lambda: sinew.inverse(m, d),
        lambda: sinew.inverseSkip(m, d, sinew.Stage.VEL, 0),
        lambda: sinew.invConstraint(m, d),
        lambda: sinew.compareFwdInv(m, d),
        lambda: sinew.loops.inverse(m, d),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="contact lcp has no inverse dynamics"):
            call()
    assert np.array_equal(d.qfrc_inverse, before) and np.isfinite(d.qfrc_constraint).all()


def test_the_peers_name_is_refused_too():
    m = sinew.mujoco.MjModel.from_xml_string(RIGID)
    d = sinew.mujoco.MjData(m)
    with pytest.raises(ValueError, match="contact lcp has no inverse dynamics"):
        sinew.mujoco.mj_inverse(m, d)


def test_specs_are_told():
    spec = sinew.Spec.from_xml("<mujoco><worldbody><geom name='g' size='1'/></worldbody></mujoco>")
    spec.set_contact("lcp", method="direct", sweeps=80, restitution=0.25)
    opt = spec.compile().opt
    assert opt.contact == sinew.ContactModel.LCP and opt.lcp_method == sinew.LcpMethod.DIRECT
    assert opt.lcp_sweeps == 80 and opt.lcp_restitution == 0.25
    spec.set_contact(settings="method=gs")
    assert spec.compile().opt.lcp_method == sinew.LcpMethod.GS
    assert spec.compile().opt.lcp_sweeps == 50
    spec.set_contact("soft")
    assert spec.compile().opt.contact == sinew.ContactModel.SOFT
    assert len(spec.elements("text")) == 1
    spec.set_contact(None)
    assert not spec.elements("text")
    with pytest.raises(sinew.ModelError, match='model of contact "hard" is not known'):
        spec.set_contact("hard")
    with pytest.raises(
        sinew.ModelError, match='setting "sweps" is not known, did you mean "sweeps"'
    ):
        spec.set_contact("lcp", sweps=3)
    assert not spec.elements("text")


def test_names_follow_edits():
    spec = sinew.Spec.from_xml(SOFT)
    spec.find("geom", "box").name = "crate"
    m = spec.compile()
    assert m.geom("crate").restitution == 0.5


MANUAL = pathlib.Path(__file__).resolve().parents[2] / "docs/contact_lcp.md"
KINDS = {"method": "LcpMethod", "stabilise": "Stabilise", "coordinates": "Coordinates"}


def test_the_manual_has_every_setting_with_its_default():
    rows = [line.split("|")[1:4] for line in MANUAL.read_text().splitlines() if line[:3] == "| `"]
    table = {key.strip(" `"): default.strip(" `") for key, default, _ in rows}
    opt = sinew.Model.from_xml("<mujoco/>").opt
    names = [name for name in dir(opt) if name.startswith("lcp_")]
    assert len(names) == 15
    for name in names:
        key, value = name.removeprefix("lcp_"), getattr(opt, name)
        if key in KINDS:
            assert table[key] == getattr(sinew, KINDS[key])(value).name.lower(), key
        else:
            assert float(table[key]) == value, key
