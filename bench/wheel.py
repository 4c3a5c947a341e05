"""What the wheel costs: the command of the manylinux wheel beside one that this machine's compiler has optimised across files.

    wheel.py [--rounds N] COMMAND [MODEL...]

Both have the same sources; the wheel's is by zig's Clang, without that. They run in turns from the model's first state under
noise, as many steps as take a fifth of a second. A figure is the least of all rounds, so that what interrupts one does not
count; the ratio is the wheel's time over the other's, and beside it stands the middle one of the ratios of neighbours.
"""

import argparse
import importlib.util
import json
import math
import pathlib
import platform
import statistics
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SECONDS = 0.2
SUITE = "humanoid cheetah hopper walker humanoid_CMU quadruped dog".split()


def of_wheel() -> pathlib.Path:
    """The command that is in the wheel of this machine."""
    wheels = sorted((ROOT / "dist").glob(f"*manylinux*_{platform.machine()}.whl"))
    if not wheels:
        name = {"x86_64": "linux-x86_64", "aarch64": "linux-arm64"}.get(platform.machine(), "NAME")
        sys.exit(f"bench: no wheel of this machine in dist; run ./dev wheels {name}")
    newest = max(wheels, key=lambda path: path.stat().st_mtime)
    out = ROOT / "build/bench-wheel/sinew"
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(newest) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".data/scripts/sinew"))
        out.write_bytes(archive.read(name))
    out.chmod(0o755)
    return out


def models() -> list[str]:
    """Those of the bench, where their packages are installed."""
    suite = importlib.util.find_spec("dm_control").submodule_search_locations[0]
    gymnasium = importlib.util.find_spec("gymnasium").submodule_search_locations[0]
    own = [f"{suite}/suite/{name}.xml" for name in SUITE]
    return [*own, f"{gymnasium}/envs/mujoco/assets/humanoid.xml"]


def run(command: pathlib.Path, model: str, steps: int) -> float:
    """Seconds that the steps took, without loading."""
    words = [command, "simulate", "--json", "--anywhere", "--ctrl", "noise:0.3", model]
    done = subprocess.run([*words, "--steps", str(steps)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench: {command} with {model}: {done.stderr}{done.stdout[-500:]}")
    return json.loads(done.stdout)["wall_time"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("models", nargs="*")
    given = parser.parse_args()
    wheel, ratios = of_wheel(), []
    print("| model | steps | wheel us | build us | ratio | middle ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    for model in given.models or models():
        steps = max(100, int(SECONDS / run(given.command, model, 500) * 500))
        pairs = [
            (run(wheel, model, steps), run(given.command, model, steps))
            for _ in range(given.rounds)
        ]
        ours, other = (min(times) / steps * 1e6 for times in zip(*pairs, strict=True))
        middle = statistics.median(a / b for a, b in pairs)
        ratios.append(ours / other)
        name = pathlib.Path(model).stem
        row = [name, steps, f"{ours:.2f}", f"{other:.2f}", f"{ours / other:.3f}", f"{middle:.3f}"]
        print(f"| {' | '.join(map(str, row))} |", flush=True)
    mean = math.exp(statistics.mean(map(math.log, ratios)))
    print(f"geometric mean of the ratios: {mean:.3f}")


if __name__ == "__main__":
    main()
