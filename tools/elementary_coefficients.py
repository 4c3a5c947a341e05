"""Writes src/math/elementary/coefficients.h: polynomials, tables and constants of the elementary functions.

Everything is computed here in decimals of 100 digits and rounded once, so that no machine's own functions enter. A
polynomial interpolates its function in Chebyshev's nodes, which is within a bit of the best one; beside each stands its
largest error found. `--check` compares with the file that there is.
"""

import sys
from decimal import Decimal as D
from decimal import getcontext
from pathlib import Path

getcontext().prec = 100
PATH = Path(__file__).resolve().parent.parent / "src/math/elementary/coefficients.h"
TINY = D(10) ** -98


def series(first, ratio):
    """Sum of terms that start with `first`, each `ratio(n)` times the one before, n = 1, 2, ..."""
    total, term, n = first, first, 1
    while abs(term) > TINY * max(abs(total), TINY):
        term *= ratio(n)
        total += term
        n += 1
    return total


def atan(x):
    """Arctangent of x, by halving the angle until the series is short."""
    factor = 1
    while abs(x) > D("0.05"):
        x = x / (1 + (1 + x * x).sqrt())
        factor *= 2
    return factor * series(x, lambda n: -x * x * (2 * n - 1) / (2 * n + 1))


PI = 4 * atan(D(1))
LN2 = D(2).ln()


def sin(x):
    """Sine of x."""
    return series(x, lambda n: -x * x / ((2 * n) * (2 * n + 1)))


def cos(x):
    """Cosine of x."""
    return series(D(1), lambda n: -x * x / ((2 * n - 1) * (2 * n)))


def sinh(x):
    """Hyperbolic sine of x."""
    return series(x, lambda n: x * x / ((2 * n) * (2 * n + 1)))


def asin(x):
    """Arcsine of x, |x| < 1."""
    return atan(x / (1 - x * x).sqrt())


def tanh(x):
    """Hyperbolic tangent of x."""
    return sinh(x) / (1 + sinh(x) ** 2).sqrt()


def nodes(low, high, count):
    """Where a polynomial meets its function: Chebyshev's nodes of [low, high].

    From 0 on, where the weight of the error is 0, too, they are those of one node more, which is at 0.
    """
    more = count + (low == 0)
    x = [cos(PI * (2 * i + 1) / (2 * more)) for i in range(more)]
    half = high / (1 + x[0]) if low == 0 else (high - low) / 2
    middle = half * x[0] if low == 0 else (high + low) / 2
    return [middle + half * each for each in x[:count]]


def interpolate(f, low, high, count):
    """Coefficients, lowest first, of the polynomial through f at `count` nodes of [low, high]."""
    x = nodes(low, high, count)
    divided = [f(each) for each in x]
    for level in range(1, count):
        for i in range(count - 1, level - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) / (x[i] - x[i - level])
    result = [D(0)] * count
    for i in range(count - 1, -1, -1):  # result = result (x - x[i]) + divided[i]
        result = [
            (result[k - 1] if k else D(0)) - x[i] * result[k] + (divided[i] if k == 0 else 0)
            for k in range(count)
        ]
    return result


def bits_of(error):
    """Error as a power of two, rounded up to tenths."""
    return (error.ln() / LN2).quantize(D("0.1"))


def number(x):
    """A decimal, rounded to a double, as C has it."""
    return float(x).hex().replace("0x0.0p+0", "0.0")


def rounded(x, unit):
    """x to the nearest multiple of a power of two."""
    return (x / unit).to_integral_value() * unit


def polynomial(name, text, f, low, high, count, weight):
    """Lines of a polynomial; weight(x) times its error is relative to the function that it serves."""
    low, high = D(low), D(high)
    exact = interpolate(f, low, high, count)
    coefficients = [D(float(c)) for c in exact]
    worst = TINY
    for i in range(400):
        x = low + (high - low) * (D(2 * i + 1) / 800)
        value = sum(c * x**k for k, c in enumerate(coefficients))
        worst = max(worst, abs((value - f(x)) * weight(x)))
    yield f"// {text}: 2^{bits_of(worst)}"
    for k, c in enumerate(coefficients):
        yield f"#define SN_{name}_{k} {number(c)}"
    yield ""


def even(f):
    """(f(x)/x - 1)/x^2 as a function of x^2, f odd with slope 1."""
    return lambda u: (f(u.sqrt()) / u.sqrt() - 1) / u


def relative_to(f):
    """Weight of an error of even(f): times x^3/f(x)."""
    return lambda u: u * u.sqrt() / f(u.sqrt())


def constants():
    """Lines of single numbers."""
    one = D(2)

    def parts(name, x, *units):
        for letter, unit in zip("ABC", (*units, None), strict=False):
            part = rounded(x, unit) if unit else D(float(x))
            yield f"#define SN_{name}_{letter} {number(part)}"
            x -= part

    yield "// pi/2 in parts: k times either of the first two is exact for k < 2^16"
    yield from parts("PIO2", PI / 2, one**-36, one**-73)
    yield "// ... in floats: for k < 2^13"
    pio2 = PI / 2
    for letter, unit in (("A", one**-10), ("B", one**-21), ("C", one**-47)):
        part = rounded(pio2, unit)
        yield f"#define SN_PIO2_SINGLE_{letter} {number(part)}"
        pio2 -= part
    yield f"#define SN_TWO_OVER_PI {number(2 / PI)}"
    yield "// multiples of pi/4 as a double and what is left"
    for k in range(1, 5):
        high = D(float(k * PI / 4))
        yield f"#define SN_PIO4_{k} {number(high)}"
        yield f"#define SN_PIO4_{k}_REST {number(k * PI / 4 - high)}"
    yield f"#define SN_TAN_PI_8 {number(D(2).sqrt() - 1)}"
    yield "// ln(2)/128: k times the first is exact for k < 2^18"
    yield from parts("LN2_128", LN2 / 128, one**-42)
    yield f"#define SN_128_LN2 {number(128 / LN2)}"
    yield "// ln(2): k times the first is exact for k < 2^11"
    yield from parts("LN2", LN2, one**-42)
    yield "// 1/ln(2) and 1/ln(10): the first of 26 bits"
    yield from parts("LOG2E", 1 / LN2, one**-25)
    yield from parts("LOG10E", 1 / D(10).ln(), one**-27)
    yield "// log10(2): k times the first is exact for k < 2^11"
    yield from parts("LOG10_2", LN2 / D(10).ln(), one**-42)
    yield "// cube roots of 2 and 4"
    yield f"#define SN_CBRT_TWO {number(D(2) ** (D(1) / 3))}"
    yield f"#define SN_CBRT_FOUR {number(D(4) ** (D(1) / 3))}"
    yield ""


def polynomials():
    """Lines of all polynomials."""
    quarter = str((PI / 4 + D("1e-9")) ** 2)
    yield from polynomial(
        "SIN",
        "sin(r) = r + r^3 p(r^2), |r| <= pi/4",
        even(sin),
        "0",
        quarter,
        6,
        relative_to(sin),
    )
    yield from polynomial(
        "COS",
        "cos(r) = 1 - r^2/2 + r^4 p(r^2), |r| <= pi/4",
        lambda u: (cos(u.sqrt()) - 1 + u / 2) / u**2,
        "0",
        quarter,
        6,
        lambda u: u**2 / cos(u.sqrt()),
    )
    yield from polynomial(
        "TAN",
        "tan(r) = r + r^3 p(r^2), |r| <= pi/8",
        even(lambda x: sin(x) / cos(x)),
        "0",
        str((PI / 8 + D("1e-9")) ** 2),
        9,
        relative_to(lambda x: sin(x) / cos(x)),
    )
    yield from polynomial(
        "ATAN",
        "atan(t) = t + t^3 p(t^2), |t| <= tan(pi/8)",
        even(atan),
        "0",
        str((D(2).sqrt() - 1) ** 2),
        12,
        relative_to(atan),
    )
    yield from polynomial(
        "ASIN",
        "asin(x) = x + x^3 p(x^2), |x| <= 1/2",
        even(asin),
        "0",
        "0.25",
        13,
        relative_to(asin),
    )
    yield from polynomial(
        "EXP",
        "exp(r) = 1 + r + r^2 p(r), |r| <= ln(2)/256 + 0.006",
        lambda r: series(D(1) / 2, lambda n: r / (n + 2)),
        "-0.0088",
        "0.0088",
        5,
        lambda r: r**2 / r.exp(),
    )
    yield from polynomial(
        "EXPM1",
        "exp(x) - 1 = x + x^2/2 + x^3 p(x), |x| <= 1/4",
        lambda x: series(D(1) / 6, lambda n: x / (n + 3)),
        "-0.25",
        "0.25",
        9,
        lambda x: x**3 / (x.exp() - 1) if x else D(0),
    )
    yield from polynomial(
        "LOG",
        "log(1 + r) = r - r^2/2 + r^3 p(r), |r| <= 0.0054",
        lambda r: series(D(1) / 3, lambda n: -r * (n + 2) / (n + 3)),
        "-0.0054",
        "0.0054",
        7,
        lambda r: r**3 / (1 + r).ln(),
    )
    yield from polynomial(
        "SINH",
        "sinh(x) = x + x^3 p(x^2), |x| <= 1/2",
        even(sinh),
        "0",
        "0.25",
        6,
        relative_to(sinh),
    )
    yield from polynomial(
        "TANH",
        "tanh(x) = x + x^3 p(x^2), |x| <= 1/8",
        even(tanh),
        "0",
        str(D(1) / 64),
        6,
        relative_to(tanh),
    )
    yield from polynomial(
        "CBRT",
        "cbrt(x) = p(x), 1 <= x <= 2",
        lambda x: x ** (D(1) / 3),
        "1",
        "2",
        6,
        lambda x: x ** -(D(1) / 3),
    )


def exp_table():
    """Lines of 2^(j/128) as a double and the relative rest."""
    yield "// 2^(j/128) is scale (1 + rest)"
    yield "#define SN_EXP_TABLE \\"
    for j in range(128):
        value = D(2) ** (D(j) / 128)
        scale = D(float(value))
        yield f"    {{{number(scale)}, {number((value - scale) / scale)}}}, \\"
    yield ""


LOG_START = (
    0x3FE6900000000000  # bits of the least reduced mantissa, 0.705...: 1 is amid an interval
)


def log_table():
    """Lines of the 128 intervals of mantissas: 1/c to 10 bits after the point, and -log of it in two parts."""
    import struct

    yield "// Intervals of mantissas from this one's bits on, of 2^45 each: 1/c, multiples of 2^-10, and log(c) in two parts."
    yield f"#define SN_LOG_START 0x{LOG_START:x}u"
    worst = D(0)
    rows = []
    for j in range(128):
        ends = [
            D(struct.unpack("d", struct.pack("Q", LOG_START + (j + k << 45)))[0]) for k in (0, 1)
        ]
        inverse = rounded(2 / (ends[0] + ends[1]), D(2) ** -10)
        if ends[0] <= 1 <= ends[1]:
            inverse = D(1)
        worst = max(worst, *(abs(end * inverse - 1) for end in ends))
        high = rounded(-inverse.ln(), D(2) ** -42) if inverse != 1 else D(0)
        low = -inverse.ln() - high if inverse != 1 else D(0)
        rows.append(f"    {{{number(inverse)}, {number(high)}, {number(low)}}}, \\")
    assert worst <= D("0.0054"), worst
    yield f"// |x/c - 1| is at most {float(worst):.5f}."
    yield "#define SN_LOG_TABLE \\"
    yield from rows
    yield ""


def two_over_pi():
    """Lines of the binary digits of 2/pi, for arguments of any size."""
    getcontext().prec = 500
    start = atan_machin()
    bits = int((2 / start) * D(2) ** 1280)
    getcontext().prec = 100
    yield "// A word of zeros and 1280 binary digits of 2/pi"
    yield "#define SN_TWO_OVER_PI_WORDS \\"
    yield "    0x0000000000000000u, \\"
    for i in range(20):
        yield f"    0x{(bits >> (64 * (19 - i))) & (2**64 - 1):016x}u, \\"
    yield f"// pi/2 times 2^63\n#define SN_PIO2_WORD 0x{int(PI / 2 * D(2) ** 63):016x}u"
    yield ""


def atan_machin():
    """Pi to the precision that is set (Machin's formula, in integers)."""
    unit = 10**490

    def inverse(n):
        total, term, k = 0, unit // n, 1
        while term:
            total += term // k if k % 4 == 1 else -(term // k)
            term //= n * n
            k += 2
        return total

    return D(4 * (4 * inverse(5) - inverse(239))) / D(unit)


def text():
    """The whole header."""
    lines = [
        "// Made by tools/elementary_coefficients.py, which says how: polynomials with their relative errors, tables",
        "// and constants of the elementary functions.",
        "#ifndef SINEW_MATH_ELEMENTARY_COEFFICIENTS_H",
        "#define SINEW_MATH_ELEMENTARY_COEFFICIENTS_H",
        "",
        "// clang-format off",
        *constants(),
        *polynomials(),
        *exp_table(),
        *log_table(),
        *two_over_pi(),
        "// clang-format on",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def main():
    """Writes the header, or compares it."""
    if sys.argv[1:] == ["--check"]:
        if PATH.read_text(encoding="utf-8") == text():
            return 0
        print(f"{PATH}:1: is not what tools/elementary_coefficients.py makes: run it")
        return 1
    PATH.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
