"""Modules of the peer that draw or describe: importing them works anywhere, what is called says what is missing."""

import importlib
import os
import subprocess
import sys

import numpy as np
import pytest

import sinew
from sinew import mujoco

DRAWING = (
    "gl_context", "egl", "egl.egl_ext", "glfw", "osmesa", "cgl", "cgl.cgl", "renderer", "viewer", "_simulate",
    "usd", "usd.exporter", "usd.camera", "usd.lights", "usd.objects", "usd.shapes", "usd.utils", "usd.demo",
)  # fmt: skip
EMPTY = "<mujoco><worldbody/></mujoco>"


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


def test_version_is_that_of_the_interface():
    assert mujoco.__version__ == mujoco.mj_versionString() == "3.3.7"
    assert mujoco.mj_version() == mujoco.mjVERSION_HEADER == 337
    assert sinew.__version__ != mujoco.__version__


def test_drawing_is_imported_where_no_package_for_it_is_installed():
    code = """
import importlib, sys
for name in ("glfw", "OpenGL", "pxr", "PIL"):
    sys.modules[name] = None
for name in %r:
    importlib.import_module("sinew.mujoco." + name)
from sinew.mujoco.glfw import glfw
try:
    glfw.init()
except ImportError as error:
    assert "pip install glfw" in str(error)
"""
    done = run(code % (DRAWING,))
    assert done.returncode == 0, done.stderr


def makers():
    model = mujoco.MjModel.from_xml_string(EMPTY)

    def call(module, name, *arguments):
        function = getattr(importlib.import_module(f"sinew.mujoco.{module}"), name)
        return lambda: function(*arguments)

    return {
        "USDExporter": call("usd.exporter", "USDExporter", model),
        "Simulate": call("_simulate", "Simulate", *[None] * 6),
    }


@pytest.mark.parametrize("name", makers())
def test_drawing_says_that_it_is_missing(name):
    with pytest.raises(NotImplementedError, match=f"{name}: drawing is not in Sinew yet"):
        makers()[name]()


@pytest.mark.parametrize(
    "choice, module", [("", "glfw"), ("egl", "egl"), ("osmesa", "osmesa"), ("off", None)]
)
def test_context_is_the_one_that_the_environment_asks_for(choice, module):
    code = "from sinew import mujoco; print(getattr(mujoco, 'GLContext', type).__module__)"
    done = run(code, MUJOCO_GL=choice)
    assert done.stdout.strip() == (f"sinew.mujoco.{module}" if module else "builtins"), done.stderr


def test_wrong_choice_of_a_context_is_refused():
    done = run("from sinew import mujoco", MUJOCO_GL="vulkan")
    assert "invalid value for environment variable MUJOCO_GL: vulkan" in done.stderr


def test_errors_are_no_value_errors():
    for error in (mujoco.FatalError, mujoco.UnexpectedError):
        assert issubclass(error, Exception) and not issubclass(error, ValueError)


@pytest.mark.parametrize(
    "module, names",
    [
        ("_structs", "MjModel MjData MjvScene MjvCamera MjContact MjOption"),
        ("_functions", "mj_step mju_mulQuat mjd_transitionFD mjv_updateScene mj_printModel"),
        ("_render", "MjrContext MjrRect mjr_render"),
        ("_callbacks", "set_mjcb_control get_mju_user_warning"),
        ("_specs", "MjSpec MjsBody"),
    ],
)
def test_the_peers_own_modules_have_their_public_names(module, names):
    ours = importlib.import_module(f"sinew.mujoco.{module}")
    for name in names.split():
        assert getattr(ours, name) is getattr(mujoco, name)


def test_fields_are_of_the_classes_themselves():
    peer = pytest.importorskip("mujoco")
    for cls, theirs in ((mujoco.MjModel, peer.MjModel), (mujoco.MjData, peer.MjData)):
        assert set(theirs._all_fields) <= set(vars(cls))


def test_sizes_of_a_model_in_the_peers_order():
    peer = pytest.importorskip("mujoco")
    text = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    ours, theirs = mujoco.MjModel.from_xml_string(text), peer.MjModel.from_xml_string(text)
    assert ours._size_fields == theirs._size_fields
    assert ours._sizes.dtype == theirs._sizes.dtype and not ours._sizes.flags.writeable
    own = [ours._size_fields.index(name) for name in ("narena", "nbuffer")]  # bytes of memory
    same = ours._sizes == theirs._sizes
    assert np.delete(same, own).all()


def test_packages_that_others_put_into_the_folder_of_mujoco_are_found(tmp_path):
    guest = tmp_path / "site" / "mujoco" / "guest"
    guest.mkdir(parents=True)
    (guest / "__init__.py").write_text("import mujoco\nfrom mujoco.guest import part\n")
    (guest / "part.py").write_text("import mujoco\nMjModel = mujoco.MjModel\n")
    (guest.parent / "single.py").write_text(
        ""
    )  # a module of the real package, not a package of others
    (guest.parent / "__init__.py").write_text("raise ImportError('the real one')\n")
    code = """
import sinew.as_mujoco
from mujoco import guest
import mujoco.guest.part
assert guest is mujoco.guest and guest.__name__ == "mujoco.guest"
assert guest.part.MjModel is mujoco.MjModel is sinew.mujoco.MjModel
try:
    import mujoco.single
except ImportError:
    pass
else:
    raise AssertionError
try:
    from mujoco import nowhere
except ImportError:
    pass
else:
    raise AssertionError
"""
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    done = run(code, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
