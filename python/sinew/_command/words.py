"""The command line of commands written in Python: options from a table, as the command in C reads them."""

from __future__ import annotations

import math
import re
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from .. import _core
from .._fatal import FatalError
from ..picture.looks import unknown

BAD_INPUT, BAD_USAGE, UNSTABLE, SIGNALLED = 1, 2, 3, 128


class Stop(Exception):
    """Ends a command: its exit code, and what it says: on stderr, with code 0 on stdout."""

    def __init__(self, code: int, text: str = "") -> None:
        super().__init__(text)
        self.code = code


def usage(text: str) -> NoReturn:
    """End with wrong usage."""
    raise Stop(BAD_USAGE, text)


@dataclass(frozen=True)
class Option:
    """An option: "--name", and if `argument` is not empty a value after it, or after "="."""

    name: str
    argument: str  # how the help calls the value; "A|B": one of these words; "": a flag
    help: str  # lines separated by "\n"
    short: str = ""  # "-o"
    again: bool = (
        False  # it may be given several times: `Command.parse` sets its values behind each other
    )


PHYSICS = Option(
    "physics",
    "3.3.7|4.0",
    "which MuJoCo's rules the model is compiled and stepped by, whatever\nit says (see docs/releases.md)",
)

_BETWEEN = "\0"  # values of an option that is given again: no word of a command line holds it


def several(values: dict[str, str], name: str) -> list[str]:
    """Return the values of an option that may be given several times."""
    return values[name].split(_BETWEEN) if name in values else []


def _load_plugins(words: list[str]) -> list[str]:
    """Load the library of each --plugin FILE; return the other words."""
    rest: list[str] = []
    while words and words[0] != "--":
        name, equals, path = words.pop(0).partition("=")
        if name != "--plugin":
            rest.append(name + equals + path)
            continue
        if not equals and not words:
            usage("--plugin needs a file")
        _core.loadPluginLibrary(path if equals else words.pop(0))
    return rest + words


@dataclass
class Command:
    """A command: its name, operands, options, and the texts of its help."""

    name: str
    operands: str
    summary: str
    options: Sequence[Option]
    notes: str = ""
    values: dict[str, str] = field(default_factory=dict)

    def help(self) -> str:
        """The text of --help."""
        lines = [f"sinew {self.name} {self.operands}", "", self.summary, ""]
        for option in (*self.options, Option("help", "", "this text")):
            head = f"{option.short}, " if option.short else ""
            left = f"  {head}--{option.name}" + (f" {option.argument}" if option.argument else "")
            for k, text in enumerate(option.help.split("\n")):
                lines.append(f"{left if not k else '':<26} {text}")
        return "\n".join(lines) + (f"\n\n{self.notes}\n" if self.notes else "\n")

    def parse(self, words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
        """Return the values of the options that are given ("" for flags) and the operands."""
        values: dict[str, str] = {}
        operands: list[str] = []
        rest = _load_plugins(list(words))
        while rest:
            word = rest.pop(0)
            if word in ("--help", "-h"):
                raise Stop(0, self.help())
            if word == "--":
                operands += rest
                break
            if not word.startswith("-") or word == "-":
                operands.append(word)
                continue
            option, given = self._option(word)
            if option.name in values and not option.again:
                usage(f"{word}: given twice; see sinew {self.name} --help")
            before = [values[option.name]] if option.name in values else []
            values[option.name] = _BETWEEN.join([*before, self._value(option, given, word, rest)])
        return values, operands

    def _option(self, word: str) -> tuple[Option, str | None]:
        name, equals, given = word.partition("=")
        for option in self.options:
            if name in (f"--{option.name}", option.short):
                return option, given if equals else None
        if not word.startswith("--"):
            usage(f"unknown option: {word}; see sinew {self.name} --help")
        error = unknown("option", name[2:], [option.name for option in self.options])
        near = re.search(r'did you mean "(.*)"', str(error))
        usage(
            f"unknown option {name}; "
            + (f"did you mean --{near[1]}?" if near else f"see sinew {self.name} --help")
        )

    def _value(self, option: Option, given: str | None, word: str, rest: list[str]) -> str:
        if not option.argument:
            if given is not None:
                usage(f"takes no value: {word}; see sinew {self.name} --help")
            return ""
        if given is None:
            if not rest:
                usage(f"needs a value: {word}; see sinew {self.name} --help")
            given = rest.pop(0)
        if "|" in option.argument and given not in option.argument.split("|"):
            usage(f"--{option.name} {given}: wants {option.argument}")
        return given


def number(
    values: dict[str, str], name: str, default: float | None = None, positive: bool = False
) -> float | None:
    """Return an option's number, which is finite."""
    if name not in values:
        return default
    try:
        value = float(values[name])
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or positive and value <= 0:
        usage(f"--{name} {values[name]}: wants a {'positive ' if positive else ''}number")
    return value


def numbers(values: dict[str, str], name: str, count: int) -> list[float] | None:
    """Return an option's numbers, separated by commas."""
    if name not in values:
        return None
    try:
        found = [float(word) for word in values[name].split(",")]
    except ValueError:
        found = []
    if len(found) != count or not all(map(math.isfinite, found)):
        usage(f"--{name} {values[name]}: wants {count} numbers separated by commas")
    return found


# Control characters but line ends and tabs, and bytes that are no text.
_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]"
# Characters that are not seen, but turn or break the text around them, as src/base/utf8.c has them.
_UNSEEN = (
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def printable(text: str) -> str:
    """Return a text with control characters but line ends and tabs as \\xNN, unseen ones as \\uNNNN."""
    text = re.sub(_CONTROL, lambda m: f"\\x{ord(m[0]) & 0xFF:02x}", text)
    return re.sub(_UNSEEN, lambda m: ascii(m[0])[1:-1].replace("\\xad", "\\u00ad"), text)


def complain(text: str) -> None:
    """Print a message to stderr."""
    sys.stderr.write(f"sinew: {printable(text)}\n")


def _message(error: BaseException) -> str:
    """What an error says; of files in the words of the command in C."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"cannot read '{error.filename}': {error.strerror}"
    if isinstance(error, FatalError):
        return str(error).partition(": ")[2]  # without the function's name
    return str(error) or type(error).__name__


def _exit_code(run: Callable[[], int]) -> int:
    try:
        return run()
    except Stop as stop:
        if str(stop) and stop.code:
            complain(str(stop))
        else:
            sys.stdout.write(str(stop))
        return stop.code
    except KeyboardInterrupt:
        return SIGNALLED + signal.SIGINT
    except BrokenPipeError:  # who reads the output has enough, as in sinew plot --list | head
        raise
    except MemoryError:
        complain("out of memory")
    except (ValueError, ImportError, RuntimeError, OSError, FatalError) as error:
        complain(_message(error))
    return BAD_INPUT


def finished(run: Callable[[], int]) -> int:
    """Run a command; what goes wrong becomes a message. Returns its exit code."""
    try:
        code = _exit_code(run)
        sys.stdout.flush()
        return code
    except OSError as error:  # of stdout
        if not isinstance(error, BrokenPipeError):
            complain(f"cannot write to standard output: {error.strerror}")
        sys.stdout = None  # type: ignore[assignment]  # its last words would fail again
        return BAD_INPUT
