"""Printing, saving, defaults and what the user lends the engine, under the peer's names and as the peer does it."""

import ctypes
import pathlib

import mujoco as peer
import numpy as np
import pytest

import printed_schema
from sinew import mujoco

MODEL = """<mujoco model="mine"><compiler angle="radian"/><option gravity="0 0 -9"/>
<worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="ball" pos="0 0 .09"><freejoint/><geom name="round" size=".1" rgba="1 0 0 1"/></body>
<body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" range="-1 1" damping=".1"/>
<geom size=".1" pos=".2 0 0"/><site name="tip" pos=".2 0 0"/></body></worldbody>
<actuator><general name="servo" joint="hinge" gainprm="2"/></actuator>
<keyframe><key name="start" qpos="0 0 1 1 0 0 0 .1"/></keyframe></mujoco>"""
CHANGES = {
    "body_pos": (2, [1, 2, 3]),
    "geom_size": (1, [0.2, 0, 0]),
    "geom_friction": (1, [0.5, 0.01, 0.001]),
    "jnt_range": (1, [-0.5, 0.25]),
    "site_pos": (0, [0.3, 0.1, 0]),
    "key_qpos": (0, [1, 2, 3, 1, 0, 0, 0, 0.4]),
}


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture
def warned():
    texts = []
    mujoco.set_mju_user_warning(texts.append)
    yield texts
    mujoco.set_mju_user_warning(None)


def lines(path):
    return [line.rstrip() for line in pathlib.Path(path).read_text().splitlines()]


def values(rows, name):
    """The numbers behind a name at its first line."""
    row = next(r for r in rows if r.split()[:1] == [name])
    return [float(x) for x in row.split()[1:]]


def test_model_is_printed_with_the_numbers_of_the_peer(model, tmp_path):
    mujoco.mj_printFormattedModel(model, str(tmp_path / "ours"), "%.10g")
    reference = peer.MjModel.from_xml_string(MODEL)
    peer.mj_printFormattedModel(reference, str(tmp_path / "peer"), "%.10g")
    ours, theirs = lines(tmp_path / "ours"), lines(tmp_path / "peer")
    for name in (
        "gravity",
        "timestep",
        "nq",
        "nv",
        "ngeom",
        "body_mass",
        "meaninertia",
        "jnt_axis",
    ):
        np.testing.assert_allclose(values(ours, name), values(theirs, name), rtol=1e-9, atol=0)
    for title in ("BODY 1:", "JOINT 1:", "GEOM 0:", "SITE 0:", "ACTUATOR 0:"):
        at = ours.index(title)
        assert ours[at + 1].split() == theirs[theirs.index(title) + 1].split()
    sections = [line for line in theirs if line and line == line.upper() and line[-1] != ":"]
    assert {"SIZES", "OPTION", "STATISTIC"} <= set(sections) & set(ours)


def test_data_is_printed_with_the_arrays_of_the_peer(model, tmp_path):
    reference = peer.MjModel.from_xml_string(MODEL)
    texts = []
    for module, m, name in ((mujoco, model, "ours"), (peer, reference, "peer")):
        d = module.MjData(m)
        module.mj_step(m, d, 3)
        module.mj_printFormattedData(m, d, str(tmp_path / name), "%.6f")
        texts.append(lines(tmp_path / name))
    ours, theirs = texts
    for name in ("QPOS", "QVEL", "XPOS", "CVEL", "QFRC_BIAS", "CTRL"):
        numbers = [
            [float(x) for row in rows[rows.index(name) + 1 :][:2] for x in row.split()]
            for rows in texts
        ]
        np.testing.assert_allclose(*numbers, atol=2e-6)
    assert "CONTACT" in ours and "CONTACT" in theirs
    assert any(row.split() == ["geoms", "floor", ":", "round"] for row in ours)


@pytest.mark.parametrize("text", ["%s", "%d", "%n", "%f%f", "", "%", "%*f", "x", "%f "])
def test_a_format_that_is_none_is_a_warning_and_the_default_is_used(model, warned, tmp_path, text):
    mujoco.mj_printFormattedModel(model, str(tmp_path / "odd"), text)
    mujoco.mj_printModel(model, str(tmp_path / "plain"))
    assert lines(tmp_path / "odd") == lines(tmp_path / "plain")
    assert len(warned) == (text != "")


def test_a_file_that_cannot_be_written_is_a_warning(model, warned):
    mujoco.mj_printModel(model, "/nowhere/at/all.txt")
    mujoco.mj_printData(model, mujoco.MjData(model), "/nowhere/at/all.txt")
    assert len(warned) == 2 and all("/nowhere/at/all.txt" in text for text in warned)


def test_models_and_data_are_printed_to_standard_output(model, capfd):
    mujoco.mj_printModel(model, None)
    mujoco.mj_printData(model, mujoco.MjData(model), None)
    out = capfd.readouterr().out
    assert "model name     mine" in out and "\nQPOS\n" in out


def test_schema_has_the_attributes_of_the_peer():
    ours, theirs = (
        printed_schema.attributes(m.mj_printSchema(False, False)) for m in (mujoco, peer)
    )
    assert {path for path in ours if path not in theirs} == {
        "mujoco/(world)body/frame",
        "mujoco/(world)body/replicate",
    }
    missing = ("extension", "plugin", "flex", "composite/", "deformable/flex")
    for path, names in theirs.items():
        if not any(word in path for word in missing):
            assert set(ours[path]) >= set(names), path


@pytest.mark.parametrize("pad", [False, True])
def test_schema_is_written_as_html(pad):
    text = mujoco.mj_printSchema(True, pad)
    assert text.count("<tr>") == text.count("</tr>") > 100
    assert ("padding-left" in text) == pad and ("&nbsp;" in text) != pad


def test_last_model_is_saved_with_its_changes(model, tmp_path):
    path = str(tmp_path / "last.xml")
    reference = peer.MjModel.from_xml_string(MODEL)
    for m in (model, reference):
        for name, (row, value) in CHANGES.items():
            getattr(m, name)[row] = value
        m.opt.timestep = 0.007
        m.dof_damping[6] = 3
    mujoco.mj_saveLastXML(path, model)
    ours = peer.MjModel.from_xml_path(path)
    peer.mj_saveLastXML(path, reference)
    theirs = peer.MjModel.from_xml_path(path)
    for name, (row, value) in CHANGES.items():
        np.testing.assert_allclose(getattr(ours, name)[row], value, rtol=1e-6)
        np.testing.assert_allclose(getattr(theirs, name)[row], value, rtol=1e-6)
    assert ours.opt.timestep == theirs.opt.timestep == 0.007
    assert ours.dof_damping[6] == theirs.dof_damping[6] == 3


def test_degrees_of_the_text_stay_degrees(tmp_path):
    text = """<mujoco><worldbody><body><joint range="-60 60" limited="%s" ref="30"/><geom size=".1"/></body>
    </worldbody></mujoco>"""
    for limited in ("true", "false"):
        model = mujoco.MjModel.from_xml_string(text % limited)
        model.jnt_range[0] /= 2
        model.qpos0[0] /= 2
        mujoco.mj_saveLastXML(str(tmp_path / "a.xml"), model)
        again = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
        np.testing.assert_allclose(again.jnt_range, model.jnt_range, rtol=1e-12)
        np.testing.assert_allclose(again.qpos0, model.qpos0, rtol=1e-12)


def test_saving_the_last_model_where_that_cannot_be_is_fatal(model, capsys):
    with pytest.raises(mujoco.FatalError, match="/nowhere/last.xml"):
        mujoco.mj_saveLastXML("/nowhere/last.xml", model)
    with pytest.raises(TypeError):
        mujoco.mj_saveLastXML("x.xml", None)
    mujoco.mj_saveLastXML(None, model)
    assert '<body name="ball"' in capsys.readouterr().out


def test_saving_another_model_leaves_the_last_as_it_was(model, tmp_path):
    other = mujoco.MjModel.from_xml_string("<mujoco/>")
    mujoco.mj_saveLastXML(str(tmp_path / "a.xml"), model)
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml")).nbody == other.nbody == 1


def test_defaults_are_those_of_the_peer(model):
    reference = peer.MjModel.from_xml_string(MODEL)
    for m in (model, reference):
        m.opt.timestep, m.opt.iterations, m.opt.gravity[:] = 5, 7, 1
        m.vis.map.force, m.vis.rgba.fog[:] = 9, 0.5
    for module, m in ((mujoco, model), (peer, reference)):
        module.mj_defaultOption(m.opt)
        module.mj_defaultVisual(m.vis)
    assert model.opt.timestep == reference.opt.timestep == 0.002
    assert model.opt.iterations == reference.opt.iterations
    np.testing.assert_array_equal(model.opt.gravity, reference.opt.gravity)
    assert model.vis.map.force == reference.vis.map.force
    np.testing.assert_array_equal(model.vis.rgba.fog, reference.vis.rgba.fog)
    ours, theirs = mujoco.MjLROpt(), peer.MjLROpt()
    mujoco.mj_defaultLROpt(ours)
    peer.mj_defaultLROpt(theirs)
    for name in (
        "mode",
        "useexisting",
        "uselimit",
        "accel",
        "maxforce",
        "timeconst",
        "timestep",
        "inttotal",
    ):
        assert getattr(ours, name) == getattr(theirs, name), name
    solref, solimp = np.zeros(2), np.zeros(5)
    mujoco.mj_defaultSolRefImp(solref, solimp)
    np.testing.assert_array_equal(solref, reference.opt.o_solref)
    np.testing.assert_array_equal(solimp, reference.opt.o_solimp)


def test_reset_for_debugging_fills_what_stages_compute(model):
    data, reference = mujoco.MjData(model), peer.MjData(peer.MjModel.from_xml_string(MODEL))
    mujoco.mj_step(model, data)
    mujoco.mj_resetDataDebug(model, data, 7)
    peer.mj_resetDataDebug(reference.model, reference, 7)
    for name in ("xpos", "cvel", "qfrc_bias", "actuator_force", "subtree_com", "qLD"):
        assert (getattr(data, name).view(np.uint8) == 7).all(), name
        assert (getattr(reference, name).view(np.uint8) == 7).all(), name
    for name in ("qpos", "qvel", "qacc", "ctrl", "sensordata", "qacc_warmstart", "act_dot"):
        np.testing.assert_array_equal(getattr(data, name), getattr(reference, name), err_msg=name)
    plain = mujoco.MjData(model)
    mujoco.mj_step(model, data, 5)
    mujoco.mj_step(model, plain, 5)
    np.testing.assert_array_equal(data.qpos, plain.qpos)
    for bad in (-1, 256):
        with pytest.raises((TypeError, ValueError)):
            mujoco.mj_resetDataDebug(model, data, bad)


# ---- what the user lends


def test_bad_numbers_are_told_to_the_user_function(model, warned):
    data = mujoco.MjData(model)
    data.qvel[0] = np.nan
    mujoco.mj_step(model, data)
    mujoco.mj_step(model, data)
    assert len(warned) == 1 and "qvel" in warned[0]
    assert mujoco.get_mju_user_warning() == warned.append


def test_warnings_of_loading_are_told_to_the_user_function(warned):
    mujoco.MjModel.from_xml_string("<mujoco><option timestep='0'/></mujoco>")
    assert len(warned) == 1 and "timestep" in warned[0]


def test_an_exception_of_the_user_function_goes_on(model):
    def refuse(text):
        raise KeyError(text)

    mujoco.set_mju_user_warning(refuse)
    try:
        with pytest.raises(KeyError):
            mujoco.mj_printModel(model, "/nowhere/at/all.txt")
        data = mujoco.MjData(model)
        data.qvel[0] = np.nan
        with pytest.raises(KeyError):
            mujoco.mj_step(model, data)
    finally:
        mujoco.set_mju_user_warning(None)


@pytest.mark.parametrize("module", [mujoco, peer])
def test_functions_of_the_user_are_checked_as_at_the_peer(module):
    pointer = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(lambda size: None)
    for bad in (5, "text", object()):
        with pytest.raises(TypeError, match=r"callback is not an Optional\[Callable\]"):
            module.set_mjcb_control(bad)
        with pytest.raises(TypeError, match=r"callback is not an Optional\[Callable\]"):
            module.set_mju_user_warning(bad)
        with pytest.raises(TypeError, match="must be a C function pointer"):
            module.set_mju_user_malloc(bad)
    with pytest.raises(TypeError):
        module.set_mju_user_malloc(lambda size: None)
    if module is mujoco:  # the peer would call it
        module.set_mju_user_malloc(pointer)
        assert module.get_mju_user_malloc() is pointer
    module.set_mjcb_time(lambda: 1.0)
    module.mj_resetCallbacks()
    module.set_mjcb_time(None)


def test_no_callback_is_left_after_a_reset():
    mujoco.set_mjcb_time(lambda: 1.0)
    mujoco.set_mju_user_warning(print)
    mujoco.mj_resetCallbacks()
    names = ("mjcb_time", "mjcb_control", "mju_user_warning", "mju_user_malloc", "mju_user_free")
    for name in names:
        assert getattr(mujoco, f"get_{name}")() is None


@pytest.mark.parametrize("module", [mujoco, peer])
def test_wrong_results_of_callbacks_are_told_as_at_the_peer(module):
    model = module.MjModel.from_xml_string(MODEL)
    for name, result in (("time", "a number"), ("contactfilter", "an integer")):
        setter = getattr(module, f"set_mjcb_{name}")
        setter(lambda *_: "text")
        try:
            with pytest.raises(TypeError, match=f"^mjcb_{name} callback did not return {result}$"):
                module.mj_step(model, module.MjData(model))
        finally:
            setter(None)


def test_cache_is_there():
    """Ours alone: to shrink the peer's when models have been loaded can crash the process."""
    cache = mujoco.mj_getCache()
    before = mujoco.mj_getCacheCapacity(cache)
    assert mujoco.mj_setCacheCapacity(cache, 1000) == mujoco.mj_getCacheCapacity(cache) == 1000
    assert mujoco.mj_setCacheCapacity(cache, before) == before
    mujoco.mj_clearCache(cache)
    assert mujoco.mj_getCacheSize(cache) == 0
    with pytest.raises(TypeError):
        mujoco.mj_getCacheSize(5)


@pytest.mark.parametrize("module", [mujoco, peer])
def test_plugins_that_are_not_there(module):
    with pytest.raises(module.FatalError, match="/nowhere/plugin.so"):
        module.mj_loadPluginLibrary("/nowhere/plugin.so")
    assert module.mj_loadAllPluginLibraries("/nowhere") is None


def test_folder_of_the_headers():
    assert (pathlib.Path(mujoco.HEADERS_DIR) / "sinew.h").is_file()
    assert mujoco.PLUGIN_HANDLES == []


# ---- files in memory

GEOM = "<mujoco><worldbody><geom name='%s' size='1'/></worldbody></mujoco>"
INCLUDE = "<mujoco><include file='%s'/></mujoco>"


@pytest.mark.parametrize("module", [mujoco, peer])
@pytest.mark.parametrize("asked", ["x.xml", "sub/x.xml", "X.xml", "/nowhere/x.xml"])
@pytest.mark.parametrize("given", ["x.xml", "other/x.xml", "X.XML"])
def test_files_in_memory_go_by_the_last_part_of_their_names(
    module, asked, given, tmp_path, monkeypatch
):
    (tmp_path / "sub").mkdir()
    for path in ("x.xml", "sub/x.xml"):
        (tmp_path / path).write_text(GEOM % "disk")
    monkeypatch.chdir(tmp_path)
    files = {given: (GEOM % "memory").encode()}
    for model in (
        module.MjModel.from_xml_string(INCLUDE % asked, files),
        module.MjModel.from_xml_path(asked, files),
    ):
        assert model.geom(0).name == "memory"


@pytest.mark.parametrize("module", [mujoco, peer])
def test_two_files_in_memory_of_one_name_are_refused(module):
    for names in (("a.xml", "path/a.xml"), ("p/a.obj", "q/A.obj")):
        with pytest.raises(ValueError, match="Repeated file name in assets dict: a"):
            module.MjModel.from_xml_string("<mujoco/>", dict.fromkeys(names, b""))
    for bad in ({5: b""}, {"a": 5}):
        with pytest.raises(TypeError):
            module.MjModel.from_xml_string("<mujoco/>", bad)


@pytest.mark.parametrize("module", [mujoco, peer])
def test_load_errors_say_what_is_missing(module, tmp_path):
    for load, argument in (
        (module.MjModel.from_xml_path, str(tmp_path / "none.xml")),
        (module.MjModel.from_xml_string, INCLUDE % "none.xml"),
    ):
        with pytest.raises(ValueError, match="'.*none.xml': No such file or directory"):
            load(argument)


def test_assets_beside_a_file_are_still_found(tmp_path):
    (tmp_path / "part.xml").write_text(GEOM % "disk")
    (tmp_path / "top.xml").write_text(INCLUDE % "part.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "top.xml"), {"other.xml": b"<mujoco/>"})
    assert model.geom(0).name == "disk"


def test_saving_a_model_fails_as_at_the_peer(model, warned):
    mujoco.mj_saveModel(model, "/nowhere/at/all.mjb")
    assert len(warned) == 1
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_saveModel(model, None, np.zeros(5, np.uint8))
    with pytest.raises(TypeError):
        mujoco.mj_saveModel(model, None, np.zeros(100000))


@pytest.mark.parametrize("module", [mujoco, peer])
def test_what_is_fatal_at_the_peer_is_fatal(module):
    model = module.MjModel.from_xml_string(MODEL)
    data, quat = module.MjData(model), np.zeros(4)
    for call, text in (
        (lambda: module.mj_setKeyframe(model, data, 1), "index must be smaller than 1"),
        (lambda: module.mj_setKeyframe(model, data, -1), "index cannot be negative"),
        (lambda: module.mj_stateSize(model, 1 << 13), "invalid state signature 8192"),
        (lambda: module.mju_euler2Quat(quat, np.zeros(3), "xy"), "exactly 3 characters"),
        (lambda: module.mju_euler2Quat(quat, np.zeros(3), "xYp"), r"seq\[2\] is 'p'"),
    ):
        with pytest.raises(module.FatalError, match=text):
            call()
    with pytest.raises(TypeError):
        module.mj_stateSize(model, -1)
    module.mj_setKeyframe(model, data, 0)
    assert module.mj_stateSize(model, module.mjtState.mjSTATE_QPOS) == model.nq
