"""What Python says of Sinew here, as one line of JSON, and under Wine: the same in every word.

python windows_session.py FOLDER        a folder of models; what is written goes into the current one
"""

import hashlib
import json
import os
import pathlib
import sys

import numpy as np

import sinew

# Names of files as people give them.
FOLDER = "Grüße aus Köln, ε δ"
NAME = "ein Roboter – 机器人 🤖.xml"
BALL = '<mujoco><worldbody><body><freejoint/><geom {} size=".1"/></body></worldbody></mujoco>'


def digest(*arrays):
    """Of all bits."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()


def steps(path):
    """States of a model after a while, and of each stage's numbers in the last step."""
    model = sinew.Model.from_path(path)
    data = sinew.Data(model)
    rng = np.random.default_rng(1)
    for _ in range(200):
        data.ctrl[:] = rng.normal(size=model.nu)
        sinew.step(model, data)
    hashes = sinew.stageHashes(model, data)
    return [digest(data.qpos, data.qvel, data.sensordata), data.time, hashes["all"], model.nv]


def batch(path):
    """Forty worlds in two threads."""
    model = sinew.Model.from_path(path)
    worlds = sinew.Batch(model, 40, threads=2)
    worlds.qvel[:] = np.random.default_rng(2).normal(size=worlds.qvel.shape)
    worlds.step(nstep=100)
    return digest(worlds.qpos, worlds.qvel)


def refusal(call, *arguments):
    """The type and text of what a call raises."""
    try:
        call(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def names():
    """Models below a folder with letters of many kinds: loaded, refused, missing, written."""
    folder = pathlib.Path(FOLDER)
    folder.mkdir(exist_ok=True)
    path = folder / NAME
    path.write_text(BALL.format("").replace("><", ">\r\n<"), "utf-8", newline="")
    model = sinew.Model.from_path(path)
    binary = folder / "ganz – neu.snb"
    model.save(binary)
    again = sinew.Model.from_path(binary)
    wrong = folder / "falsch – 錯.xml"
    wrong.write_text(BALL.format('type="kugel"'), "utf-8")
    missing = BALL.format('type="mesh" mesh="a"').replace(
        "<worldbody>", '<asset><mesh name="a" file="fehlt – 無.stl"/></asset><worldbody>'
    )
    lacking = folder / "ohne.xml"
    lacking.write_text(missing, "utf-8")
    texts = [
        refusal(sinew.Model.from_path, where)
        for where in (wrong, lacking, folder / "nichts.xml", folder)
    ]
    endless = refusal(sinew.Model.from_path, folder / ("lang" * 200 + ".xml"))
    whole = refusal(sinew.Model.from_path, wrong.resolve())
    return {
        "ngeom": [model.ngeom, again.ngeom],
        "binary": digest(np.frombuffer(binary.read_bytes(), np.uint8)),
        "errors": [text.replace("\\", "/") for text in texts],
        "endless": endless.replace("\\", "/").rpartition(": ")[0],  # systems differ in why
        "whole": str(wrong.resolve()) in whole or wrong.resolve().as_posix() in whole,
        "left": sorted(os.listdir(folder)),
    }


def main():
    """All of it."""
    models = sorted(pathlib.Path(sys.argv[1]).glob("*.xml"))
    said = {
        "steps": {path.stem: steps(path) for path in models},
        "batches": {
            path.stem: batch(path) for path in models if path.stem in ("humanoid", "walker")
        },
        "names": names(),
    }
    print(json.dumps(said))


main()
