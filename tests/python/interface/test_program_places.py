"""What programs rely on in sinew.mujoco that is no number: which object an array is, whose package `mujoco` is, what
subclasses and C functions of ctypes get."""

import ctypes
import os
import re
import subprocess
import sys
import weakref

import numpy as np
import pytest

import sinew
from sinew import mujoco

peer = pytest.importorskip("mujoco")

ARM = """<mujoco><option jacobian="{}"/><worldbody><geom type="plane" size="1 1 1"/>
<body><joint name="a"/><geom size=".1"/><site name="a"/>
  <body pos="0 0 .3"><joint axis="0 1 0"/><geom size=".1"/><site name="b"/></body></body>
<body pos="1 0 .05"><freejoint/><geom size=".1"/></body></worldbody>
<tendon><spatial><site site="a"/><site site="b"/></spatial><fixed><joint joint="a" coef="2"/></fixed></tendon></mujoco>"""


def pair(module, jacobian="dense"):
    m = module.MjModel.from_xml_string(ARM.format(jacobian))
    d = module.MjData(m)
    d.qpos[1] = 0.3
    module.mj_forward(m, d)
    return m, d


def arrays(thing):
    """Names of attributes that are arrays, and whether each is the same object when asked for again."""
    names = [n for n in dir(thing) if not n.startswith("_")]
    values = {n: getattr(thing, n) for n in names}
    return {n: getattr(thing, n) is v for n, v in values.items() if isinstance(v, np.ndarray)}


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_arrays_are_the_same_objects(jacobian):
    for ours, theirs in zip(pair(mujoco, jacobian), pair(peer, jacobian), strict=True):
        mine = arrays(ours)
        same = arrays(theirs)
        # ours may be the same where the peer makes a new one
        assert same and all(mine[n] for n, is_same in same.items() if is_same)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_arrays_that_are_made_are_brought_up_to_date(jacobian):
    m, d = pair(mujoco, jacobian)
    n, e = pair(peer, jacobian)
    held = d.ten_J, d.M
    for module, model, data in ((mujoco, m, d), (peer, n, e)):
        data.qpos[1] = -0.4
        module.mj_forward(model, data)
    assert d.ten_J is held[0] and d.M is held[1]
    assert d.ten_J.sum() == pytest.approx(e.ten_J.sum(), abs=1e-14)
    # of sparse rows of ten_J Sinew has only what is not zero
    for name in ("M", "qLD", *(["ten_J", "ten_J_rownnz"] if jacobian == "dense" else [])):
        np.testing.assert_allclose(getattr(d, name), getattr(e, name), atol=1e-14, err_msg=name)


def test_an_array_lives_as_long_as_its_data():
    m, d = pair(mujoco)
    proxies = [weakref.proxy(a) for a in (d.qpos, d.ten_J, d.energy, d.solver_fwdinv, m.body_mass)]
    proxies += [weakref.proxy(m.flex_vert), weakref.proxy(m.body_plugin)]
    assert [len(p) for p in proxies] == [m.nq, m.ntendon, 2, 2, m.nbody, 0, m.nbody]
    qpos = d.qpos
    d2 = mujoco.MjData(m)
    assert d2.qpos is not qpos and not np.shares_memory(d2.qpos, qpos)


def test_arrays_of_sinew_are_fresh_views():
    m = sinew.Model.from_xml(ARM.format("dense"))
    d = sinew.Data(m)
    assert d.qpos is not d.qpos and m.body_mass is not m.body_mass


def test_a_subclass_of_scenes_takes_other_arguments():
    for module in (mujoco, peer):

        class Scene(module.MjvScene):
            def __init__(self, model=None, room=None):
                super().__init__(model, room)

        scene = Scene(model=pair(module)[0], room=7)
        assert (scene.maxgeom, len(scene.geoms)) == (7, 7)
        with pytest.raises(TypeError):
            module.MjvScene(pair(module)[0])


def test_warnings_for_c_functions():
    texts = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(texts.append)
    mujoco.set_mju_user_warning(function)
    try:
        assert mujoco.get_mju_user_warning() is function
        m, d = pair(mujoco)
        d.qpos[0] = np.nan
        mujoco.mj_step(m, d)
    finally:
        mujoco.set_mju_user_warning(None)
    assert texts and all(isinstance(text, bytes) for text in texts)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_numbers_that_are_none_are_no_matter_of_inertia(bad):
    for module in (mujoco, peer):
        m, d = pair(module)
        d.qpos[:2] = bad
        module.mj_forward(m, d)
        assert [w.number for w in d.warning] == [0] * len(d.warning), module.__name__


def test_errors_say_the_line():
    text = '<mujoco>\n<worldbody>\n<geom type="x"/></worldbody></mujoco>'
    for module in (mujoco, peer):
        with pytest.raises(ValueError) as caught:
            module.MjModel.from_xml_string(text)
        assert re.search(r"line\s*(\d+)", str(caught.value))[1] == "3"


def test_a_capsule_between_points_is_saved_where_it_is(tmp_path):
    for module in (mujoco, peer):
        m = module.MjModel.from_xml_string(
            '<mujoco><worldbody><body><joint/><geom type="capsule" fromto="0 0 0 0 0 1" size=".1"/>'
            '<site type="box" fromto="0 0 0 1 0 1" size=".1"/></body></worldbody></mujoco>'
        )
        m.geom_pos[0] = [1, 2, 3]
        m.site_size[0, 0] = 0.25
        module.mj_saveLastXML(str(tmp_path / "saved.xml"), m)
        saved = module.MjModel.from_xml_path(str(tmp_path / "saved.xml"))
        for name in ("geom_pos", "geom_quat", "geom_size", "site_pos", "site_quat", "site_size"):
            np.testing.assert_allclose(
                getattr(saved, name), getattr(m, name), atol=1e-6, err_msg=name
            )


def where(folder):
    """The file of `mujoco` in a program under sinew.run that puts a folder before all others."""
    program = (
        f"import sys; sys.path.insert(0, {str(folder)!r}); import mujoco; print(mujoco.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-m", "sinew.run", "-c", program],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path[1:])},
    )  # fmt: skip
    return done.stdout.strip()


def test_ours_is_found_wherever_site_packages_stands(tmp_path):
    (tmp_path / "mujoco").mkdir()
    (tmp_path / "mujoco/__init__.py").touch()
    assert where(tmp_path) == str(tmp_path / "mujoco/__init__.py")  # only has the name
    (tmp_path / "mujoco/_structs.cpython-311-x86_64-linux-gnu.so").touch()
    assert where(tmp_path) == mujoco.__file__


def test_the_environment_keeps_its_sitecustomize(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.was_here = True")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path[1:]])}
    program = (
        "import sitecustomize, mujoco; print(was_here, sitecustomize.__file__, mujoco.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-m", "sinew.run", "-c", program],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    assert done.stdout.split() == ["True", str(tmp_path / "sitecustomize.py"), mujoco.__file__]
