"""URDF files: the peer's import on texts of our own, and the robots of example-robot-data against the peer's import
and against Pinocchio's inertia matrix and bias forces."""

import ctypes
import os
import pathlib
import re

import mujoco
import numpy as np
import pinocchio
import pytest

import bridge
from test_model import compare, load, load_text
from test_write import same_models, save

lib = bridge.lib
ROBOTS = pathlib.Path(pinocchio.__file__).parents[4] / "share/example-robot-data/robots"
URDFS = sorted(ROBOTS.glob("**/*.urdf"))
SHAPES = re.compile(r"<(visual|collision)\b.*?</\1\s*>", re.DOTALL)

INERTIAL = (
    '<inertial><origin xyz="0 0 .1" rpy="0 0 0"/><mass value="2"/>'
    '<inertia ixx=".1" ixy="0" ixz="0" iyy=".2" iyz="0" izz=".25"/></inertial>'
)
BOX = (
    '<collision name="col"><origin xyz="1 0 0" rpy=".1 .2 .3"/><geometry><box size="1 2 3"/>'
    "</geometry></collision>"
)
BALL = (
    '<visual><geometry><sphere radius=".5"/></geometry><material name="red"><color rgba="1 0 0 1"/>'
    "</material></visual>"
)
ROD = '<visual name="vis"><geometry><cylinder radius=".5" length="2"/></geometry><material name="red"/></visual>'
PLAIN = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
CAPSULE = '<collision><geometry><capsule radius="1" length="2"/></geometry></collision>'
LIMITS = (
    '<limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping=".5" friction=".7"/>'
)
KEEP = '<mujoco><compiler fusestatic="false" discardvisual="false"/><option timestep="1"/><size nuserdata="3"/></mujoco>'


def link(name, *parts):
    return f'<link name="{name}">{INERTIAL}{"".join(parts)}</link>'


def joint(kind, parent, child, *parts):
    return (
        f'<joint name="{parent}{child}" type="{kind}"><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><parent link="{parent}"/>'
        f'<child link="{child}"/><axis xyz="0 2 0"/>{"".join(parts)}</joint>'
    )


def visual(material):
    return f'<visual><geometry><box size="1 1 1"/></geometry><material name="{material}"/></visual>'


OWN = {
    "revolute": [link("a", BOX, BALL), link("b", BOX, BALL, ROD), joint("revolute", "a", "b", LIMITS)],
    "fixed": [
        link("a", BOX, BALL), link("b", BOX, BALL), link("c", BOX, BALL), joint("revolute", "a", "b", LIMITS),
        joint("fixed", "b", "c"),
    ],
    "kept": [
        KEEP, link("a", BOX, BALL), link("b", BOX, BALL, ROD), link("c"), joint("revolute", "a", "b", LIMITS),
        joint("fixed", "b", "c"),
    ],
    **{
        kind: [link("a"), link("b"), link("c"), joint(kind, "a", "b", LIMITS), joint(kind, "b", "c", LIMITS)]
        for kind in ("continuous", "prismatic", "planar")
    },
    "spherical": [link("a"), link("b"), joint("spherical", "a", "b")],
    "floating": [link("a"), link("b", BOX), joint("floating", "a", "b")],
    "one link": [link("a", BOX)],
    "two roots": [link("a", BOX), link("b", BOX)],
    "no links": [],
    "no limit": [link("a"), link("b"), joint("revolute", "a", "b")],
    "equal limits": [
        link("a"), link("b"), joint("revolute", "a", "b", '<limit lower="1" upper="1" effort="0" velocity="0"/>'),
    ],
    "reversed limits": [
        link("a"), link("b"), joint("revolute", "a", "b", '<limit lower="3" upper="1" effort="0" velocity="0"/>'),
    ],
    "no origin": [
        link("a"), link("b"), '<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>',
    ],
    "shape inertia": [link("a"), f'<link name="b">{BOX}{BALL}</link>', joint("revolute", "a", "b", LIMITS)],
    "capsule": [link("a"), link("b", CAPSULE), joint("revolute", "a", "b", LIMITS)],
    "world": ['<link name="world"/>', link("a"), link("b"), joint("fixed", "world", "a"), joint("revolute", "a", "b")],
    "order": [
        link("z"), link("c"), link("b"), link("a"), joint("revolute", "a", "z"), joint("revolute", "a", "b"),
        joint("revolute", "b", "c"),
    ],
    **{
        f"colours {'kept' if keep else 'left out'}": [
            keep, '<material name="glass"><color rgba="0 0 1 .5"/></material>', link("a", BOX, PLAIN, CAPSULE),
            link("b", BALL, CAPSULE, PLAIN, BOX.replace("col", "c2"), visual("glass"), visual("none"), CAPSULE, BALL),
            joint("revolute", "a", "b"),
        ]
        for keep in ("", KEEP)
    },
    "strangers": [
        "<gazebo>text</gazebo><transmission name='t'><type>T</type></transmission>", link("a"), link("b"),
        joint("revolute", "a", "b", "<safety_controller k_velocity='1'/>"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_own(name):
    text = f'<robot name="r">{"".join(OWN[name])}</robot>'
    ours, error = load_text(text)
    assert ours, error.message.decode()
    # the import marks its inertias as exact; the trees of merged bodies are our own
    skip = {"ntext", "ntextdata", "text_adr", "text_size", "text_data", "nnames", "names", "name_textadr", "nbvh", "nbvhstatic",
            "bvh_depth", "bvh_child", "bvh_nodeid", "bvh_aabb", "body_bvhadr", "body_bvhnum", "name_keyadr"}  # fmt: skip
    if name == "fixed":  # see test_robot_as_the_peer
        skip |= {
            "body_ipos",
            "body_sameframe",
            "body_inertia",
            "body_invweight0",
            "dof_invweight0",
            "dof_M0",
            "stat",
            "geom_sameframe",
        }
    compare(ours, mujoco.MjModel.from_xml_string(text), None, skip)


MISTAKES = {
    "<link/>": "attribute 'name' is missing",
    "<link name='a'/><link name='a'/>": "names must differ",
    "<link name='a'/><joint name='j' type='fixed'><parent link='a'/></joint>": "are needed",
    "<link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>": "no link 'b'",
    link("a") + link("b") + joint("revolute", "a", "b") + joint("revolute", "b", "a"): "ring",
    link("a")
    + link("b")
    + link("c")
    + joint("fixed", "a", "c")
    + joint("fixed", "b", "c"): "another parent",
    link("a") + link("b") + joint("hinge", "a", "b"): "expected revolute",
    link("a", BOX.replace("1 2 3", "1 2")) + "": 'size="1 2": expected 3 numbers',
    link("a", BOX.replace("box", "cone")): "unknown shape",
    "<link name='a'><inertial/></link>": "<mass> is missing",
    "<xacro:macro xmlns:xacro='x' name='m'/>": "run `xacro",
    link(
        "a", '<collision><geometry><mesh filename="package://p/m.stl"/></geometry></collision>'
    ): "give package_dirs in snUrdfOptions",
    link(
        "a", '<collision><geometry><mesh filename="m.stl"/></geometry></collision>'
    ): "there is no such file",
}


@pytest.mark.parametrize("text", MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_are_named(text):
    ours, error = load_text(f"<robot name='r'>\n{text}</robot>")
    assert not ours
    assert MISTAKES[text] in error.message.decode()
    assert error.line in (1, 2), error.message


class Options(ctypes.Structure):
    _fields_ = [
        ("package_dirs", ctypes.POINTER(ctypes.c_char_p)),
        ("npackage_dirs", ctypes.c_int),
        *(
            (name, ctypes.c_bool)
            for name in ("floating_base", "keep_fixed", "keep_visuals", "actuators")
        ),
    ]


lib.sn_loadUrdf.restype = ctypes.c_void_p
lib.sn_compile.restype = ctypes.c_void_p


def load_urdf(path, **options):
    error = bridge.Error()
    spec = lib.sn_loadUrdf(
        str(path).encode(),
        ctypes.byref(Options(**options)),
        None,
        0,
        bridge.AS_PINNED,
        ctypes.byref(error),
    )
    assert spec, error.message.decode()
    pointer = lib.sn_compile(ctypes.c_void_p(spec), None, ctypes.byref(error))
    lib.sn_deleteSpec(ctypes.c_void_p(spec))
    assert pointer, error.message.decode()
    return bridge.Struct(pointer)


def names(model, kind, count):
    lib.sn_id2name.restype = ctypes.c_char_p
    return [(lib.sn_id2name(model.pointer, kind, i) or b"").decode() for i in range(count)]


def test_requests(tmp_path):
    text = [
        link("a", BOX, BALL), link("b"), link("c"), link("d", ROD), joint("revolute", "a", "b"),
        joint("prismatic", "b", "c", '<mimic joint="ab" multiplier="2" offset=".5"/>'), joint("fixed", "c", "d"),
        '<transmission name="t"><joint name="ab"/><actuator name="m"><mechanicalReduction>50</mechanicalReduction>'
        "</actuator></transmission>",
    ]  # fmt: skip
    (tmp_path / "r.urdf").write_text(f'<robot name="r">{"".join(text)}</robot>')
    plain = load_urdf(tmp_path / "r.urdf")
    assert names(plain, 1, len(plain.body_mass)) == ["world", "b", "c"]
    assert len(plain.actuator_gear) == 0
    np.testing.assert_array_equal(plain.eq_data[0, :5], [0.5, 2, 0, 0, 0])
    full = load_urdf(
        tmp_path / "r.urdf", floating_base=True, keep_fixed=True, keep_visuals=True, actuators=True
    )
    assert names(full, 1, len(full.body_mass)) == ["world", "a", "b", "c", "d"]
    assert names(full, 3, len(full.jnt_type)) == ["floating_base", "ab", "bc"]
    assert len(full.geom_type) == 3
    assert full.actuator_gear[0, 0] == 50


def without_shapes(path, tmp_path):
    """The robot without its shapes: their files are for other tests."""
    text = SHAPES.sub("", path.read_text())
    (tmp_path / path.name).write_text(text)
    return tmp_path / path.name, text


@pytest.mark.parametrize("path", URDFS, ids=lambda p: p.stem)
def test_robot_loads(path):
    ours, error = load(path)
    assert ours, error.message.decode()


REFUSED = ("A + B >= C", "moving bodies must be larger", "inertia must have positive eigenvalues")
UNFUSED = '<mujoco><compiler fusestatic="false"/></mujoco></robot>'
COMPARED = (
    "body_parentid body_mass body_inertia body_ipos body_pos body_quat jnt_type jnt_bodyid jnt_pos jnt_axis jnt_range"
    " jnt_limited jnt_actfrcrange jnt_actfrclimited dof_damping dof_frictionloss dof_armature"
).split()


@pytest.mark.parametrize("path", URDFS, ids=lambda p: p.stem)
def test_robot_as_the_peer(path, tmp_path):
    file, text = without_shapes(path, tmp_path)
    # Merging bodies on fixed joints, 3.3.7 puts the centre of mass of the outer one in the wrong place; Pinocchio
    # knows better, below.
    text = text.replace("</robot>", UNFUSED)
    file.write_text(text)
    ours, error = load(file)
    assert ours, error.message.decode()
    try:
        peer = mujoco.MjModel.from_xml_string(text)
    except ValueError as reason:  # inertias that no rigid body has; Sinew takes them as they stand
        assert any(r in str(reason) for r in REFUSED), reason
        return
    assert names(ours, 1, len(ours.body_mass)) == [peer.body(i).name for i in range(peer.nbody)]
    assert names(ours, 3, len(ours.jnt_type)) == [peer.jnt(i).name for i in range(peer.njnt)]
    for name in COMPARED:
        mine, theirs = getattr(ours, name), np.asarray(getattr(peer, name))
        np.testing.assert_allclose(
            mine.ravel().astype(float),
            theirs.ravel().astype(float),
            rtol=1e-9,
            atol=1e-12,
            err_msg=name,
        )


@pytest.mark.parametrize("path", URDFS, ids=lambda p: p.stem)
def test_robot_as_pinocchio(path, tmp_path):
    file, text = without_shapes(path, tmp_path)
    ours, error = load(file)
    assert ours, error.message.decode()
    if "<link" not in text:  # nothing to move; Pinocchio refuses it
        assert len(ours.body_mass) == 1
        return
    other = pinocchio.buildModelFromXML(text)
    data = other.createData()
    joints = names(ours, 3, len(ours.jnt_type))
    d = bridge.make_data(ours)
    nv = len(ours.dof_bodyid)
    assert other.nv == nv
    order = [other.joints[other.getJointId(name)].idx_v for name in joints]
    rng = np.random.default_rng(5)
    for _ in range(50):
        q, v = pinocchio.neutral(other), np.zeros(nv)
        for i, name in enumerate(joints):
            part = other.joints[other.getJointId(name)]
            angle, v[part.idx_v] = rng.uniform(-1, 1, 2)
            d.qpos[i], d.qvel[i] = angle, v[part.idx_v]
            q[part.idx_q : part.idx_q + part.nq] = (
                [angle] if part.nq == 1 else [np.cos(angle), np.sin(angle)]
            )
        for stage in ("kinematics", "comPos", "makeM", "comVel"):
            bridge.call(stage, ours, d)
        bias = np.zeros(nv)
        bridge.call("rne", ours, d, 0, bias.ctypes.data_as(ctypes.c_void_p))
        M = np.zeros((nv, nv))
        lib.sn_fullM(
            ours.pointer, d.qM.ctypes.data_as(ctypes.c_void_p), M.ctypes.data_as(ctypes.c_void_p)
        )
        theirs = pinocchio.crba(other, data, q)
        theirs = np.triu(theirs) + np.triu(theirs, 1).T
        scale = np.abs(theirs).max(initial=1e-3)
        np.testing.assert_allclose(M, theirs[np.ix_(order, order)], rtol=0, atol=1e-9 * scale)
        expected = pinocchio.nonLinearEffects(other, data, q, v)[order]
        np.testing.assert_allclose(
            bias, expected, rtol=0, atol=1e-9 * np.abs(expected).max(initial=1e-3)
        )


def test_packages(tmp_path, monkeypatch):
    """package:// by the environment, by the folders above, by name."""
    mesh = tmp_path / "share/arm/meshes/m.obj"
    mesh.parent.mkdir(parents=True)
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    text = f"""<robot name="r">{
        link(
            "a",
            '<collision><geometry><mesh filename="package://arm/meshes/m.obj"/></geometry>'
            "</collision>",
        )
    }</robot>"""
    elsewhere = tmp_path / "r.urdf"
    elsewhere.write_text(text)
    _, error = load(elsewhere)
    assert b"give package_dirs in snUrdfOptions" in error.message
    for variable, folder in (
        ("ROS_PACKAGE_PATH", "share"),
        ("ROS_PACKAGE_PATH", "share/arm"),
        ("AMENT_PREFIX_PATH", ""),
    ):
        with monkeypatch.context() as patch:
            patch.setitem(os.environ, variable, f"/nowhere:{tmp_path / folder}")
            ours, error = load(elsewhere)
            assert ours, error.message.decode()
    inside = tmp_path / "share/arm/urdf/r.urdf"
    inside.parent.mkdir()
    inside.write_text(text)
    ours, error = load(inside)
    assert ours, error.message.decode()
    folders = (ctypes.c_char_p * 1)(str(tmp_path / "share").encode())
    assert len(load_urdf(elsewhere, package_dirs=folders, npackage_dirs=1).mesh_vertadr) == 1


# Small robots, one with Collada meshes, one whose inertias the peer refuses; all of them in long runs.
WRITTEN = {"so100", "panda", "solo12", "double_pendulum", "TwoDofs", "anymal", "kinova"}


def of_the_peer(path):
    """Its reader takes any errno for a mistake in a number, also one that malloc leaves when it had to look elsewhere for memory."""
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        if "unknown error in attribute" not in str(error):
            raise
        return mujoco.MjModel.from_xml_path(str(path))


@pytest.mark.parametrize("path", URDFS, ids=lambda p: p.stem)
def test_robot_written_as_mjcf(path, tmp_path):
    if path.stem not in WRITTEN and not os.environ.get("SINEW_LONG"):
        return
    ours, error = load(path)
    assert ours, error.message.decode()
    spec = lib.sn_loadSpec(str(path).encode(), None, 0, bridge.AS_PINNED, ctypes.byref(error))
    save(spec, tmp_path / "out.xml")
    again, error = load(tmp_path / "out.xml")
    assert again, error.message.decode()
    same_models(again, ours)
    try:
        peer = of_the_peer(tmp_path / "out.xml")
    except ValueError as reason:  # the peer knows no ASCII STL, either
        assert any(
            r in str(reason) for r in (*REFUSED, "faces should be between", "volume is too small")
        ), reason
        return
    assert peer.nq == len(ours.qpos0)
    np.testing.assert_allclose(peer.body_mass, ours.body_mass.ravel(), rtol=1e-12)
    np.testing.assert_allclose(peer.geom_pos, ours.geom_pos, atol=1e-6)


def test_paths_from_anywhere(tmp_path, monkeypatch):
    """Relative names of the file and of package folders, from another folder."""
    mesh = tmp_path / "bot/meshes/m.obj"
    mesh.parent.mkdir(parents=True)
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    monkeypatch.chdir(tmp_path)
    for uri in ("meshes/m.obj", "package://bot/meshes/m.obj", mesh.as_uri()):
        shape = f'<collision><geometry><mesh filename="{uri}"/></geometry></collision>'
        (tmp_path / "bot/r.urdf").write_text(f'<robot name="r">{link("a", shape)}</robot>')
        ours, error = load("bot/r.urdf")
        assert ours, error.message.decode()
        folders = (ctypes.c_char_p * 1)(b".")
        assert len(load_urdf("bot/r.urdf", package_dirs=folders, npackage_dirs=1).mesh_vertadr) == 1


TETRAHEDRON = "v 0 0 0\nv {0} 0 0\nv 0 {0} 0\nv 0 0 {0}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def mesh_shape(kind, uri, more=""):
    return f'<{kind}><geometry><mesh filename="{uri}" {more}/></geometry></{kind}>'


@pytest.mark.parametrize("meshdir", ["", 'meshdir="meshes"'])
@pytest.mark.parametrize("uri", ["package://x.obj", "package:///x.obj", "model://x.obj"])
def test_uri_without_package(tmp_path, uri, meshdir):
    """The file alone: beside the URDF, or in meshdir."""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "x.obj").write_text(TETRAHEDRON.format(1))
    (tmp_path / "meshes/x.obj").write_text(TETRAHEDRON.format(2))
    path = tmp_path / "r.urdf"
    path.write_text(
        f'<robot name="r"><mujoco><compiler {meshdir}/></mujoco>'
        f"{link('a', mesh_shape('collision', uri))}</robot>"
    )
    ours, error = load(path)
    assert ours, error.message.decode()
    peer = mujoco.MjModel.from_xml_path(str(path))
    np.testing.assert_allclose(np.ptp(ours.mesh_vert), np.ptp(peer.mesh_vert), rtol=1e-6)


@pytest.mark.parametrize("uri", ["package://y.obj", "package://", "package:///", "package://sub/"])
def test_uri_without_package_not_found(tmp_path, uri):
    (tmp_path / "sub").mkdir()
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r">\n{link("a", mesh_shape("collision", uri))}</robot>')
    ours, error = load(path)
    assert not ours
    assert f'filename="{uri}"' in error.message.decode()
    assert "expected package://NAME/PATH" in error.message.decode()
    assert error.line == 2


BRANCHES = (
    '<joint name="{0}{1}" type="revolute"><parent link="{0}"/><child link="{1}"/><axis xyz="0 0 1"/>'
    '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
)
MESH_ORDERS = {
    "visual and collision": ["vb ca vc cd"],
    "duplicates": ["ca cb ca cc"],
    "scales": ["cb2 ca ca2 cb ca1 cb3"],
    "scale of one": ["ca1 ca cb"],
    "links beside the tree's order": ["ca", "cb", "cc"],
    "root last": ["cc", "vb cb2", "va ca"],
}


@pytest.mark.parametrize("discard", ["true", "false"])
@pytest.mark.parametrize("root", [0, -1])
@pytest.mark.parametrize("order", MESH_ORDERS)
def test_mesh_ids(tmp_path, order, root, discard):
    """Meshes stand in the order in which the file's links name them, whatever the tree is."""
    for i, letter in enumerate("abcd"):
        (tmp_path / f"{letter}.obj").write_text(TETRAHEDRON.format(i + 1))
    links, tree = [], list("rst"[: len(MESH_ORDERS[order])])
    for link_name, shapes in zip(tree, MESH_ORDERS[order], strict=True):
        parts = [
            mesh_shape(
                {"v": "visual", "c": "collision"}[s[0]],
                f"{s[1]}.obj",
                f'scale="{s[2]} {s[2]}.0 {s[2]}"' if s[2:] else "",
            )
            for s in shapes.split()
        ]
        links.append(link(link_name, *parts))
    base = tree.pop(root)
    joints = [BRANCHES.format(base, child) for child in reversed(tree)]
    path = tmp_path / "r.urdf"
    path.write_text(
        f'<robot name="r"><mujoco><compiler discardvisual="{discard}"/></mujoco>'
        f"{''.join(links + joints)}</robot>"
    )
    ours, error = load(path)
    assert ours, error.message.decode()
    peer = mujoco.MjModel.from_xml_path(str(path))
    np.testing.assert_array_equal(ours.geom_dataid.ravel(), peer.geom_dataid)
    expected = [peer.mesh(i).name for i in range(peer.nmesh)]
    assert names(ours, int(mujoco.mjtObj.mjOBJ_MESH), len(ours.mesh_vertadr)) == expected


def test_scale_again(tmp_path):
    """A second scale of a file that comes again is the mesh of that scale; the peer gives the first one's."""
    (tmp_path / "a.obj").write_text(TETRAHEDRON.format(1))
    scales = (1, 2, 2, 3, 2, 3, 1)
    shapes = [mesh_shape("collision", "a.obj", f'scale="{s} {s} {s}"') for s in scales]
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r">{link("a", *shapes)}</robot>')
    ours, error = load(path)
    assert ours, error.message.decode()
    np.testing.assert_array_equal(ours.geom_dataid.ravel(), np.subtract(scales, 1))
    peer = mujoco.MjModel.from_xml_path(str(path))
    expected = [peer.mesh(i).name for i in range(peer.nmesh)]
    assert names(ours, int(mujoco.mjtObj.mjOBJ_MESH), len(ours.mesh_vertadr)) == expected
    assert peer.geom_dataid[2] == 0
