"""What a program sees of mujoco.MjVfs, as JSON: run by MuJoCo 4.0.1 and by Sinew with its interface."""

import copy
import json
import os
import pickle
import tempfile

import mujoco

TETRA = b"v 0 0 0\nv %d 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n"
PART = b"<mujoco><worldbody><body/></worldbody></mujoco>"
RESULT = {}


def model(file, extra=""):
    return (
        f'<mujoco>{extra}<asset><mesh name="b" file="{file}"/></asset>'
        '<worldbody><body><geom type="mesh" mesh="b"/></body></worldbody></mujoco>'
    )


def see(what, function):
    """The result of a call, or the class of its error."""
    try:
        value = function()
    except Exception as error:
        kinds = (RuntimeError, ValueError, TypeError, KeyError, AttributeError)
        RESULT[what] = next((k.__name__ for k in kinds if isinstance(error, k)), "another")
        return
    if isinstance(value, mujoco.MjModel):
        value = [value.nbody, value.nmesh, round(float(value.body_mass.sum()), 4)]
    RESULT[what] = value if isinstance(value, bool | int | float | list | type(None)) else "done"


def files(**held):
    vfs = mujoco.MjVfs()
    for name, data in held.items():
        vfs[name.replace("_", ".")] = data
    return vfs


def names():
    vfs = mujoco.MjVfs()
    for key, value in [("a", "text"), ("a", bytearray(b"x")), ("a", memoryview(b"x")), (3, b"x")]:
        see(f"set {key!r} {type(value).__name__}", lambda k=key, v=value: vfs.__setitem__(k, v))
    see("set empty name", lambda: vfs.__setitem__("", b"x"))
    see("set empty bytes", lambda: vfs.__setitem__("e", b""))
    see("set surrogate", lambda: vfs.__setitem__("\udc80", b""))
    vfs["Dir/File.OBJ"] = b"x"
    for name in ("Dir/File.OBJ", "File.OBJ", "dir/file.obj", "Dir\\File.OBJ", "./Dir/File.OBJ"):
        see(f"contains {name}", lambda n=name: n in vfs)
    see("set other folder", lambda: vfs.__setitem__("x/File.OBJ", b"x"))
    see("set again", lambda: vfs.__setitem__("Dir/File.OBJ", b"y"))
    see("contains number", lambda: 3 in vfs)
    see("del missing", lambda: vfs.__delitem__("nothing"))
    for what in (len, iter, pickle.dumps, copy.copy, lambda v: v["e"], lambda v: v.keys()):
        see(f"{getattr(what, '__name__', '')} {len(RESULT)}", lambda f=what: f(vfs))
    see("attribute", lambda: setattr(vfs, "foo", 1))
    see("argument", lambda: mujoco.MjVfs(3))


def models():
    path, text = mujoco.MjModel.from_xml_path, mujoco.MjModel.from_xml_string
    vfs = files(m_xml=model("box.obj").encode(), box_obj=TETRA % 1)
    for name in ("m.xml", "some/where/m.xml", "M.XML", "n.xml"):
        see(f"path {name}", lambda n=name: path(n, vfs=vfs))
    see("by place", lambda: path("m.xml", None, vfs))
    for what, assets in (("none", None), ("empty", {}), ("some", {"a": b""})):
        see(f"assets {what}", lambda a=assets: path("m.xml", assets=a, vfs=vfs))
    for wrong in (3, {"m.xml": b"<mujoco/>"}):
        see(f"vfs {type(wrong).__name__}", lambda w=wrong: path("m.xml", vfs=w))
    for file in ("sub/box.obj", "BOX.obj", "./box.obj", "/abs/box.obj", "../box.obj", "c.obj"):
        see(f"mesh {file}", lambda f=file: text(model(f), vfs=vfs))
    see("meshdir", lambda: text(model("box.obj", '<compiler meshdir="m"/>'), vfs=vfs))
    two = mujoco.MjVfs()
    two["a/box.obj"], two["b/box.obj"] = TETRA % 1, TETRA % 2
    for file in ("a/box.obj", "b/box.obj", "box.obj", "c/box.obj"):
        see(f"of two {file}", lambda f=file: text(model(f), vfs=two))
    parts = files(m_xml=b'<mujoco><include file="p.xml"/></mujoco>', p_xml=PART)
    see("include", lambda: path("m.xml", vfs=parts))
    see("include in a spec", lambda: mujoco.MjSpec.from_file("m.xml", vfs=parts).compile())
    see("broken", lambda: path("m.xml", vfs=files(m_xml=b"<mujoco><\0")))
    see("not of UTF-8", lambda: path("m.xml", vfs=files(m_xml=b"<mujoco model='\xff\xfe'/>")))
    with tempfile.TemporaryDirectory() as folder:
        disk = os.path.join(folder, "m.xml")
        with open(os.path.join(folder, "real.obj"), "wb") as file:
            file.write(TETRA % 1)
        with open(disk, "w", encoding="utf-8") as file:
            file.write(model("real.obj"))
        see("on disk", lambda: path(disk, vfs=mujoco.MjVfs()))
        see("before disk", lambda: path(disk, vfs=files(real_obj=TETRA % 3)))
        binary = os.path.join(folder, "y.mjb")
        mujoco.mj_saveModel(text("<mujoco/>"), binary)
        with open(binary, "rb") as file:
            held = files(y_mjb=file.read())
    for name in ("y.mjb", "q/Y.mjb", "z.mjb"):
        see(f"binary {name}", lambda n=name: mujoco.MjModel.from_binary_path(n, vfs=held))
    see("binary assets", lambda: mujoco.MjModel.from_binary_path("y.mjb", {"a": b""}, vfs=held))


def specs():
    vfs = files(box_obj=TETRA % 1)
    spec = mujoco.MjSpec.from_string(model("box.obj"))
    see("compile without", spec.compile)
    see("compile", lambda: spec.compile(vfs=vfs))
    see("compile without again", spec.compile)
    see("compile other", lambda: spec.compile(vfs=files(box_obj=TETRA % 2)))
    see("recompile", lambda: spec.recompile(spec.compile(vfs=vfs), None, vfs=vfs))
    old = spec.compile(vfs=vfs)
    see("recompile data", lambda: len(spec.recompile(old, mujoco.MjData(old), vfs=vfs)))
    given = mujoco.MjSpec.from_string(model("box.obj"), vfs=vfs)
    see("assets after", lambda: len(given.assets))
    see("of vfs without", given.compile)
    see("of vfs with", lambda: given.compile(vfs=vfs))
    given.assets = {"box.obj": TETRA % 1}
    see("assets and vfs", lambda: given.compile(vfs=vfs))
    see("assets alone", given.compile)
    see("from include and vfs", lambda: mujoco.MjSpec.from_string("<mujoco/>", include={}, vfs=vfs))
    see("vfs of another type", lambda: spec.compile(vfs={}))
    see("still compiles", lambda: spec.compile(vfs=vfs))
    with vfs:
        see("in a with", lambda: "box.obj" in vfs)
    for what, function in (
        ("contains", lambda: "a" in vfs),
        ("set", lambda: vfs.__setitem__("q", b"")),
        ("del", lambda: vfs.__delitem__("q")),
        ("path", lambda: mujoco.MjModel.from_xml_path("m.xml", vfs=vfs)),
        ("text", lambda: mujoco.MjModel.from_xml_string("<mujoco/>", vfs=vfs)),
        ("spec", lambda: mujoco.MjSpec.from_string("<mujoco/>", vfs=vfs)),
        ("compile", lambda: spec.compile(vfs=vfs)),
        ("enter", vfs.__enter__),
        ("close", vfs.close),
    ):
        see(f"closed {what}", function)


names()
models()
specs()
print(json.dumps(RESULT))
