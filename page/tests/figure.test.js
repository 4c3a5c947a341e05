// Axes of figures, as C's printf writes them and as MjvFigure says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { printed, rangeOf } from "../src/draw/figure.js";

test("numbers are written as by C's printf", () => {
  /** @type {[string, number, string][]} */
  const cases = [
    ["%.2g", 0.000074, "7.4e-05"], ["%.2g", -3, "-3"], ["%.2g", 0, "0"], ["%.2g", 123, "1.2e+02"], ["%.2g", 0.15, "0.15"],
    ["%.3g", 100, "100"], ["%.3g", 1000, "1e+03"], ["%g", 1e100, "1e+100"], ["%.0f", 2.4, "2"], ["%.1f s", 2.26, "2.3 s"],
    ["%.2e", 12345, "1.23e+04"], ["%5.1lf", 1, "1.0"], ["none", 5, "5"], ["%.2g", NaN, "NaN"], ["%.2g", 99.6, "1e+02"],
  ];
  for (const [format, value, text] of cases) assert.equal(printed(format, value), text, `${format} of ${value}`);
});

test("ranges are as given, by the data, or both", () => {
  assert.deepEqual(rangeOf([0, 0], [5, NaN, -5], false, false), [-5, 5]);
  assert.deepEqual(rangeOf([0, 1], [5, -5], true, false), [-5, 5]);
  assert.deepEqual(rangeOf([0, 9], [5, 3], true, false), [0, 9]);
  assert.deepEqual(rangeOf([-1, 9], [], false, true), [-9, 9]);
  const [low, high] = rangeOf([0, 0], [2, 2], false, false);
  assert.ok(low < 2 && high > 2);
});
