"""Checks that src/ calls no function of libm whose last bit is the library's choice: those of
src/math/elementary/elementary.h have the same bits everywhere, and fmax and fmin are sn_max and sn_min there, which are
instructions. What IEEE 754 defines to the bit may be called.

Prints each fault as FILE:LINE: text and exits with 1 if there is one.
"""

import re
import sys

import c_source
from c_source import ROOT

ROUNDED = (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 hypot j0 j1 jn lgamma log log10 log1p "
    "log2 pow sin sincos sinh tan tanh tgamma y0 y1 yn fmax fmin fma"
).split()
OURS = {"fmax": "sn_max", "fmin": "sn_min"}
CALL = re.compile(rf"(?<![\w.>])(?:__builtin_)?({'|'.join(ROUNDED)})([fl]?)\s*\(")


def faults_of(path):
    """Faults of one file."""
    text = c_source.code(path.read_text(encoding="utf-8"))
    for match in CALL.finditer(text):
        name = match[1] + match[2]
        yield (
            f"{path.relative_to(ROOT)}:{c_source.line_of(text, match.start())}: {name} has other bits on other machines: "
            f"{OURS.get(match[1], 'sn_' + match[1])} of math/elementary/elementary.h"
        )


def main():
    """Checks every C file of the library and the command."""
    return c_source.report([fault for path in c_source.files("src") for fault in faults_of(path)])


if __name__ == "__main__":
    sys.exit(main())
