"""URDF from Python: packages, actuators, and what errors and warnings tell to do."""

import os
import pathlib
import subprocess
import sys
import warnings

import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARM = ROOT / "examples/models/desk_arm.urdf"
COMMAND = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build/release")) / "bin/sinew"
LINK = (
    '<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    "{}</link>"
)
MESH = '<collision><geometry><mesh filename="package://p/m.obj"/></geometry></collision>'


def robot(folder, inside="", shape=""):
    path = folder / "r.urdf"
    path.write_text(f'<robot name="r">\n{LINK.format(shape)}\n{inside}</robot>')
    return path


def test_the_example_with_all_options():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spec = sinew.Spec.from_urdf(
            ARM,
            [ARM.parent],
            floating_base=True,
            keep_fixed=True,
            keep_visuals=True,
            actuators=True,
        )
        model = spec.compile()
        plain = sinew.Model.from_path(ARM)
    assert (model.nu, model.neq, model.nv) == (4, 1, 11)
    assert model.body("hand").id > 0 and (model.geom_group == 1).sum() == 9
    assert (plain.nu, plain.nv, plain.nbody) == (0, 5, 6)


@pytest.mark.parametrize(
    "load",
    [
        sinew.Spec.from_urdf,
        sinew.Spec.from_path,
        sinew.Model.from_path,
        lambda p: sinew.Model.from_xml(p.read_text()),
        lambda p: sinew.Spec.from_xml(p.read_text()),
    ],
)
def test_a_missing_package_names_what_python_has(load, tmp_path):
    path = robot(tmp_path, shape=MESH)
    with pytest.raises(OSError, match=r"the package 'p' .*; give package_dirs=\[\.\.\.\]") as error:
        load(path)
    assert "--" not in str(error.value)
    assert error.value.line == 2


@pytest.mark.parametrize("command", ["inspect", "check", "simulate", "convert", "render", "view"])
def test_a_missing_package_names_the_option(command, tmp_path):
    path = robot(tmp_path, shape=MESH)
    more = {"convert": ["o.xml"], "render": ["-o", "o.png"], "view": ["--no-browser"]}
    run = [COMMAND, command, path, *more.get(command, [])]
    done = subprocess.run(
        run,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=dict(os.environ, SINEW_PYTHON=sys.executable),
    )
    assert done.returncode == 1, done.stderr
    told = done.stdout if command == "check" else done.stderr
    assert "; give --package-dir" in told
    assert "package_dirs" not in told


@pytest.mark.parametrize("many", [False, True])
def test_package_dirs(many, tmp_path):
    """A path alone, and more of them than anybody has, the right one last."""
    (tmp_path / "there/p").mkdir(parents=True)
    (tmp_path / "there/p/m.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    path = robot(tmp_path, shape=MESH)
    dirs = (
        [*(f"/nowhere/{i}" for i in range(100)), tmp_path / "there"] if many else tmp_path / "there"
    )
    assert sinew.Spec.from_urdf(path, dirs).compile().nmesh == 1
    model = sinew.Model.from_path(path, package_dirs=dirs)
    assert model.nmesh == 1
    model.save(tmp_path / "m.snb")
    assert sinew.Model.from_path(tmp_path / "m.snb", package_dirs=dirs).nmesh == 1


def test_package_dirs_of_what_is_attached(tmp_path):
    (tmp_path / "there/p").mkdir(parents=True)
    (tmp_path / "there/p/m.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    robot(tmp_path, shape=MESH)
    scene = tmp_path / "scene.xml"
    scene.write_text(
        '<mujoco><asset><model name="r" file="r.urdf"/></asset>'
        '<worldbody><attach model="r" body="a" prefix="x_"/></worldbody></mujoco>'
    )
    with pytest.raises(OSError, match="give package_dirs"):
        sinew.Model.from_path(scene)
    assert sinew.Model.from_path(scene, package_dirs=[tmp_path / "there"]).nmesh == 1


@pytest.mark.parametrize(
    "inside, says",
    [
        ("", '<robot name="r">: actuators are asked for, and there is no <transmission>'),
        (
            '<transmission name="t"><joint name="none"/></transmission>',
            '<transmission name="t">: it gives no motor: it needs a <joint name=',
        ),
    ],
)
def test_actuators_without_transmissions_warn(inside, says, tmp_path):
    path = robot(tmp_path, inside)
    with pytest.warns(sinew.ModelWarning) as told:
        sinew.Spec.from_urdf(path, actuators=True)
    assert len(told) == 1 and says in str(told[0].message)
    with pytest.raises(sinew.ModelError):
        sinew.Spec.from_urdf(path, actuators=True, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sinew.Spec.from_urdf(path)
    run = [COMMAND, "convert", path, tmp_path / "o.xml", "--actuators"]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr.startswith("warning: ") and says in done.stderr
