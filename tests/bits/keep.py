"""Writes the listings that tests/bits keeps, by the build `release`: after a change that is meant to change bits, or that gives
the data another array. Say in the commit which it was."""

from listings import BATCHES, KEPT, MODELS, NAMES, built


def main():
    """All of them."""
    KEPT.mkdir(exist_ok=True)
    program = built("static")
    for name in NAMES:
        (KEPT / f"{name}.txt").write_text(program(MODELS / f"{name}.xml"))
    for name, widths in BATCHES.items():
        path = KEPT / f"{name}_lanes.txt"
        path.write_text(program(MODELS / f"{name}.xml", width=widths[1]))


if __name__ == "__main__":
    main()
