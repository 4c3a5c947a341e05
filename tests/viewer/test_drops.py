"""What is dropped into a page: it becomes the model, or an error says what is wrong with it and nothing is harmed."""

import io
import json
import random
import stat
import struct
import subprocess
import zipfile

import pytest
from simulating import Simulating, drop_files, send
from test_handle import kinds, page, until
from worlds import ARM, arm

import sinew
from sinew import viewer
from sinew.viewer import drops
from sinew.viewer.drops import Refused, files_of, pack_drop, shown_of

SCENE = b"<mujoco>\n<include file='robots/arm.xml'/>\n</mujoco>"
BALL = b"<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
STL = bytes(80) + struct.pack("<I", 4)
STL += b"".join(
    struct.pack("<12fH", 0, 0, 0, *(x for corner in face for x in corner), 0)
    for face in (
        ((0, 0, 0), (0, 1, 0), (1, 0, 0)),
        ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
        ((0, 0, 0), (0, 0, 1), (0, 1, 0)),
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    )
)
URDF = b"""<robot name="r"><link name="a">
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="package://one_robot/meshes/a.stl"/></geometry></visual>
  <collision><geometry><box size="1 1 1"/></geometry></collision>
</link></robot>"""
PACKAGE = b"<package><name>one_robot</name></package>"


def zipped(files, **how):
    """An archive of files, by names or entries."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content, **how)
    return out.getvalue()


def entry(name, mode):
    made = zipfile.ZipInfo(name)
    made.external_attr = mode << 16
    return made


# ---- files and models of a drop


def test_files_and_archives():
    inner = zipped({"c.xml": b"1"})
    archive = zipped(
        {"a/b.xml": b"2", "a/empty/": b"", "__MACOSX/x": b"3", "a\\w.xml": b"4", "more.zip": inner}
    )
    drop = pack_drop({"top/robot.zip": archive, "top/x.stl": b"5", ".git/config": b"6"})
    assert files_of(drop) == {
        "top/a/b.xml": b"2",
        "top/a/w.xml": b"4",
        "top/more.zip": inner,
        "top/x.stl": b"5",
    }


@pytest.mark.parametrize(
    "files, models",
    [
        ({"scene.xml": SCENE, "robots/arm.xml": ARM.encode()}, ["scene.xml"]),
        ({"d/scene.xml": SCENE, "d/robots/arm.xml": ARM.encode()}, ["d/scene.xml"]),
        ({"a.xml": BALL, "b.urdf": URDF, "c.snb": b"?", "package.xml": PACKAGE}, ["a.xml", "b.urdf", "c.snb"]),
        ({"a.xml": b"<!-- <x/> --><?xml version='1.0'?>\n<mujoco/>", "r.xml": URDF}, ["a.xml", "r.xml"]),
        ({"a.xml": b"<mujoco><include file='b.xml'/></mujoco>", "b.xml": b"<mujoco><include file='a.xml'/></mujoco>"}, ["a.xml", "b.xml"]),
        ({"a.xml": b"<mujoco><asset><model name='m' file='b.xml'/></asset></mujoco>", "b.xml": BALL}, ["a.xml"]),
    ],
)  # fmt: skip
def test_what_could_be_the_model(files, models):
    assert shown_of(files) == (models, [])


@pytest.mark.parametrize(
    "files, fault",
    [
        ({}, "none of 0 files is a model"),
        ({"a.txt": b"", "b.xml": b"<html/>", "c.xml": b"", "d.xml": b"<!--" * 10000}, "none of 4 files is a model"),
    ],
)  # fmt: skip
def test_drops_without_a_model(files, fault):
    with pytest.raises(Refused, match=fault):
        shown_of(files)


@pytest.mark.parametrize(
    "name", ["../a.xml", "a/../../b.xml", "/etc/passwd", "\\\\host\\x", "c:\\x", "c:x", "..", "a/..", "..\\a.xml"]
)  # fmt: skip
def test_names_that_lead_out(name):
    with pytest.raises(Refused, match="leads out of the drop"):
        files_of(pack_drop({name: b""}))
    with pytest.raises(Refused, match=r"^z\.zip: .*leads out of the drop"):
        files_of(pack_drop({"z.zip": zipped({name: b""})}))


@pytest.mark.parametrize(
    "name", ["", ".", "a\nb", "a\x00b", "\u202ea", "x" * 300, "\udc80", "a/" * 800 + "b"]
)
def test_names_of_no_file(name):
    with pytest.raises(Refused, match="no name of a file|too long"):
        files_of(pack_drop({name: b""}))


@pytest.mark.parametrize(
    "files, fault",
    [
        ({"a": b"", "a/b": b""}, "a: is a file and a folder"),
        ({"a": b"", "./a": b""}, "a: is there twice"),
        ({"z.zip": zipped({entry("link", stat.S_IFLNK | 0o777): b"/etc/passwd"})}, r"^z\.zip: 'link' is a link"),
        ({"z.zip": zipped({entry("pipe", stat.S_IFIFO): b""})}, r"^z\.zip: 'pipe' is a link"),
        ({"z.zip": zipped({"bomb.stl": bytes(1 << 25)})}, r"^z\.zip: 'bomb.stl' is 200 times as large .* zip bomb"),
        ({"z.zip": zipped({f"{i}": b"" for i in range(10001)})}, r"^z\.zip: it has 10001 files, 10000 at most"),
        ({str(i): b"" for i in range(100_000)}, "100000 files are dropped, 10000 at most"),
        ({"z.zip": b""}, r"^z\.zip: cannot be unpacked"),
        ({"z.zip": b"PK" + bytes(100)}, r"^z\.zip: cannot be unpacked"),
        ({"z.zip": zipped({"a.xml": b"x" * 1000})[:-30]}, r"^z\.zip: cannot be unpacked"),
    ],
)  # fmt: skip
def test_drops_that_are_refused(files, fault):
    with pytest.raises(Refused, match=fault):
        files_of(pack_drop(files))


def test_bounds(monkeypatch):
    """Of all files together, of archives as they are unpacked; what an archive says of itself counts for nothing."""
    monkeypatch.setattr(drops, "MOST_BYTES", 3000)
    noise = random.Random(1).randbytes(1600)
    with pytest.raises(Refused, match=r"b: up to this file there are more than"):
        files_of(pack_drop({"a": noise, "b": noise}))
    with pytest.raises(Refused, match=r"z\.zip: unpacked, the files have more than"):
        files_of(pack_drop({"a": noise, "z.zip": zipped({"b": noise})}))
    monkeypatch.setattr(drops, "MOST_FILES", 2)
    with pytest.raises(Refused, match="more than 2 files are dropped"):
        files_of(pack_drop({"a": b"", "z.zip": zipped({"b": b"", "c": b""})}))
    many = zipped({f"{'x' * 200}{i}": b"" for i in range(20_000)})
    with pytest.raises(Refused, match="z.zip: it lists too many files"):
        files_of(pack_drop({"z.zip": many}))


def test_noise_is_refused():
    chance = random.Random(31)
    whole = pack_drop({"a.xml": BALL, "z.zip": zipped({"b.xml": BALL, "c/d.stl": STL})})
    refused = 0
    for _ in range(400):
        noise = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            noise[chance.randrange(len(noise))] = chance.randrange(256)
        cut = chance.randrange(len(noise)) if chance.random() < 0.3 else len(noise)
        try:
            shown_of(files_of(bytes(noise[:cut])))
        except Refused:
            refused += 1
    assert refused > 100


# ---- dropped into a viewer


@pytest.fixture(scope="module")
def simulating():
    made = Simulating(arm()[0])
    yield made
    made.close()


@pytest.fixture
def socket(simulating):
    with simulating.page() as opened:
        kinds(opened, "frame")
        yield opened


def bodies(simulating):
    model = simulating.viewer.m
    return [sinew._core.id2name(model, int(sinew.ObjType.BODY), i) for i in range(1, model.nbody)]


def test_a_model_with_parts_is_shown(simulating, socket):
    files = {"d/scene.xml": SCENE, "d/robots/arm.xml": ARM.encode()}
    assert drop_files(simulating, socket, files) == []
    assert bodies(simulating) == ["upper", "lower"]
    words, _ = kinds(socket, "model")
    assert words["number"] == simulating.viewer._number and not words["source"]
    kinds(socket, "frame")
    simulating.goes_on()


def test_a_package_is_shown_by_its_visual_shapes(simulating, socket):
    """package:// is found by the name that the package has of itself."""
    files = {"repository-main/package.xml": PACKAGE, "repository-main/urdf/r.urdf": URDF, "repository-main/meshes/a.stl": STL}  # fmt: skip
    assert drop_files(simulating, socket, {"r.zip": zipped(files)}) == []
    model = simulating.viewer.m
    groups = dict(zip(model.geom_type.tolist(), model.geom_group.tolist(), strict=True))
    assert groups == {int(sinew.GeomType.MESH): 1, int(sinew.GeomType.BOX): 3}


def test_a_compiled_model_is_shown(simulating, socket, tmp_path):
    arm()[0].save(tmp_path / "arm.snb")
    assert drop_files(simulating, socket, {"arm.snb": (tmp_path / "arm.snb").read_bytes()}) == []
    assert bodies(simulating) == ["upper", "lower"]


def test_the_page_is_asked_which_one(simulating, socket):
    before = simulating.viewer.m
    assert drop_files(simulating, socket, {"a.xml": ARM.encode(), "b/ball.xml": BALL}) == []
    assert simulating.loading.words["choices"] == ["a.xml", "b/ball.xml"]
    assert simulating.viewer.m is before
    socket.send(json.dumps({"do": "open", "name": "c.xml"}))
    fault = "c.xml: is no model of the drop, and no recording"
    until(lambda: fault in simulating.settled())
    assert drop_files(simulating, socket, {"a.xml": ARM.encode(), "b/ball.xml": BALL}) == []
    socket.send(json.dumps({"do": "open", "name": "b/ball.xml"}))
    until(lambda: bodies(simulating) == ["ball"])
    assert drop_files(simulating, socket, {"a.xml": ARM.encode(), "b.xml": BALL}) == []
    socket.send(json.dumps({"do": "open", "name": ""}))
    until(lambda: not simulating.loading.words["choices"])
    simulating.viewer.d.qpos[0] = 3
    before = simulating.viewer.m
    socket.send(json.dumps({"do": "reload"}))  # what was dropped is still there
    until(lambda: simulating.viewer.m is not before)
    assert bodies(simulating) == ["ball"] and simulating.viewer.d.qpos[0] == 0


OUT = [
    ("<asset><mesh name='m' file='/etc/passwd'/></asset>", "is outside of the folders that came with the model"),
    ("<include file='/etc/hostname'/>", "is outside of the folders that came with the model"),
    ("<asset><texture type='2d' file='{0}'/></asset>", "is outside of the folders that came with the model"),
    ("<asset><hfield name='h' file='../../../../../../../..{0}' size='1 1 1 1'/></asset>", "is outside of the folders that came with the model"),
    ("<asset><mesh name='m' file='../../none.stl'/></asset>", "No such file"),
    ("<worldbody><geom sze='1'/></worldbody>", "unknown attribute 'sze', did you mean 'size'?"),
]  # fmt: skip


@pytest.mark.parametrize("inner, fault", OUT)
def test_what_leads_out_is_an_error_and_the_model_stays(simulating, socket, tmp_path, inner, fault):
    before = simulating.viewer.m
    (tmp_path / "secret.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    text = f"<mujoco>\n{inner.format(tmp_path / 'secret.png')}\n</mujoco>"
    first, said = drop_files(simulating, socket, {"d/robot.xml": text.encode()})
    assert first == "robot.xml is not loaded, what was there before stays:"
    assert fault in said and said.endswith(" at d/robot.xml:2")
    assert simulating.viewer.m is before
    simulating.goes_on()


def test_a_urdf_that_leads_out(simulating, socket, tmp_path):
    (tmp_path / "secret.stl").write_bytes(STL)
    text = URDF.replace(b"package://one_robot/meshes/a.stl", bytes(tmp_path / "secret.stl"))
    (said,) = drop_files(simulating, socket, {"r.urdf": text})
    assert "visual shapes are left out" in said and "is outside of the folders" in said
    assert simulating.viewer.m.nmesh == 0
    collision = text.replace(b"visual>", b"collision>")
    said = drop_files(simulating, socket, {"r.urdf": collision})
    assert "is outside of the folders" in said[1] and "at r.urdf" in said[1]


def test_what_cannot_be_opened_is_refused(simulating, socket):
    before = simulating.viewer.m
    assert "cannot be unpacked" in drop_files(simulating, socket, {"z.zip": b"noise"})[1]
    assert "none of 1 files" in drop_files(simulating, socket, {"a.txt": b"x"})[1]
    number = simulating.loading._number
    assert send(socket, random.Random(2).randbytes(1 << 20)) is None
    until(lambda: simulating.loading._number != number)
    until(lambda: "has no list of files" in simulating.settled()[1])
    assert simulating.viewer.m is before
    simulating.goes_on()


def test_who_may_drop(simulating, socket):
    """The page that controls, while it does; one that is closed in the middle leaves nothing."""
    drop, before = pack_drop({"a.xml": BALL}), simulating.viewer.m
    with simulating.page() as other:
        kinds(other, "frame")
        assert send(other, drop) == "only the page that controls opens models"
        other.send(json.dumps({"do": "reload"}))
        socket.send(json.dumps({"do": "drop", "bytes": len(drop), "upload": 1}))
        assert kinds(socket, "drop")[0] == {"kind": "drop", "upload": 1, "taken": 0}
        socket.send(drop[:10])
        assert kinds(socket, "drop")[0]["taken"] == 10
        other.send(json.dumps({"do": "take"}))
        while kinds(other, "role")[0]["role"] != "controller":
            pass
        socket.send(drop[10:20])
        assert "only the page that controls" in kinds(socket, "drop")[0]["refused"]
        socket.send(drop[20:])  # on its way when it was refused
        other.send(json.dumps({"do": "drop", "bytes": len(drop), "upload": 1}))
        assert kinds(other, "drop")[0] == {"kind": "drop", "upload": 1, "taken": 0}
        other.send(drop[:10])
    simulating.goes_on()
    assert simulating.viewer.m is before and not simulating.loading.words["busy"]


@pytest.mark.parametrize(
    "words, piece",
    [
        (None, b"noise"),
        ({"bytes": 3}, b"noise"),
        ({"bytes": 0}, b"noise"),
        ({"bytes": 5}, b""),
        ({"bytes": 1 << 40}, None),
        ({"bytes": -1}, None),
        ({"bytes": "1"}, None),
        ({"bytes": 1, "upload": None}, None),
    ],
)
def test_pieces_that_no_page_sends(simulating, words, piece):
    with simulating.page() as socket:
        kinds(socket, "frame")
        if words is not None:
            socket.send(json.dumps({"do": "drop", "upload": 1, **words}))
        if piece is not None:
            socket.send(piece)
        with pytest.raises(Exception, match="1008"):
            while True:
                socket.recv(timeout=30)
    simulating.goes_on()


def test_the_last_of_two_drops_is_shown(simulating, socket):
    """One that was begun and not sent, one that is still compiled, and one that is shown."""
    socket.send(json.dumps({"do": "drop", "bytes": 1000, "upload": 5}))
    kinds(socket, "drop")
    large = b"<mujoco><worldbody><replicate count='3000' offset='1 0 0'><geom size='.1'/></replicate></worldbody></mujoco>"
    assert send(socket, pack_drop({"large.xml": large})) is None
    assert drop_files(simulating, socket, {"a.xml": ARM.encode()}) == []
    until(lambda: bodies(simulating) == ["upper", "lower"])
    simulating.goes_on()


def test_of_many_wishes_in_a_row_the_last_is_done(simulating, socket, monkeypatch):
    """A page that floods the viewer does not make it begin a process each time."""
    begun, begin = [], subprocess.Popen

    def noted(*given, **more):
        begun.append(given)
        return begin(*given, **more)

    monkeypatch.setattr("sinew.viewer.loading.subprocess.Popen", noted)
    for number in range(200):
        socket.send(json.dumps({"do": "drop", "bytes": 1, "upload": number}))
        socket.send(b"x")
        socket.send(json.dumps({"do": "reload"}))
    assert drop_files(simulating, socket, {"a.xml": BALL}) == []
    until(lambda: bodies(simulating) == ["ball"])
    assert 0 < len(begun) < 100
    simulating.goes_on()


def test_a_compiler_that_takes_long_or_breaks_down(simulating, socket, tmp_path, monkeypatch):
    """The simulation goes on meanwhile, and with what was there before."""
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o700)
    monkeypatch.setattr("sys.executable", str(slow))
    before = simulating.viewer.m
    assert send(socket, pack_drop({"a.xml": BALL})) is None
    until(lambda: simulating.loading._child and simulating.loading._child.poll() is None)
    for _ in range(3):
        simulating.goes_on()
    simulating.loading._child.kill()
    assert "has ended before it was done" in simulating.settled()[1]
    assert simulating.viewer.m is before


def test_in_a_viewer_of_a_program_nothing_is_dropped():
    model, data = arm()
    with viewer.launch_passive(model, data, browser=False) as handle, page(handle) as socket:
        kinds(socket, "frame")
        assert "a program steps this model" in send(socket, pack_drop({"a.xml": BALL}))
        socket.send(json.dumps({"do": "reload"}))
        handle.sync()
        assert handle.m is model and handle.is_running()
