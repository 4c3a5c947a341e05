"""What holds for every test: Ctrl-C is heard, and nothing is left behind that another test of the process could see."""

import gc
import locale
import os
import signal
import sys

import numpy as np
import pytest

import memory

# Also where whoever started the tests ignores it: nohup, jobs in the background of a script.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Variables that our tests set; others are set by packages when they are first imported, wherever that is.
OURS = ("SINEW_", "PATH", "HOME", "TMPDIR", "DISPLAY", "LD_")
NAMES = ["SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGXCPU"]  # Windows has the first two
SIGNALS = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]


def callbacks():
    """Functions that both packages call for whoever uses them."""
    for package in ("sinew.mujoco", "mujoco"):
        module = sys.modules.get(package)
        for name in dir(module) if module else ():
            if name.startswith(("get_mjcb_", "get_mju_user_")):
                yield f"{package}.{name}", getattr(module, name)()


def state():
    """What tests of one process share, by names."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return {
        "working directory": os.getcwd(),
        **{f"${name}": value for name, value in os.environ.items() if name.startswith(OURS)},
        "path of modules": list(sys.path),
        "errors of NumPy": np.geterr(),
        "locale": locale.setlocale(locale.LC_ALL),
        "figures": pyplot.get_fignums() if pyplot else [],
        **{f"handler of {number.name}": signal.getsignal(number) for number in SIGNALS},
        **{name: function for name, function in callbacks() if function is not None},
    }


@pytest.fixture(autouse=True)
def nothing_is_left():
    """Which tests run in one process, and in which order, is nobody's to know."""
    before = state()
    yield
    after = state()
    left = [name for name in before | after if before.get(name) != after.get(name)]
    assert not left, {name: (before.get(name), after.get(name)) for name in left}
    memory.give_back_if_grown()


def pytest_collection_finish():
    """Files ask models which of them they are about. What is there now stays: nobody looks for garbage in it again."""
    memory.give_back()
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def memory_is_given_back(request):
    """A process runs a hundred files: what one keeps is forgotten, and goes back to the system, before the next."""
    yield
    for kept in vars(request.module).values():
        forget = getattr(kept, "cache_clear", None)
        if forget:
            forget()
    memory.give_back()
