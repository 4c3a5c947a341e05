// Numbers at axes.

const FAR = 1e150; // farther from zero no axis goes
const STEPS = [1, 2, 5, 10];

/**
 * Return a step of 1, 2 or 5 times a power of ten that is not below a length.
 * @param {number} length above zero
 */
export function niceStep(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  const step = STEPS.find((one) => one * power >= length * (1 - 1e-9)) ?? 10;
  return step * power;
}

/**
 * Return a range with round ends about what there is, and the step between its numbers.
 * @param {number} low
 * @param {number} high
 * @param {number} count steps that there should be at most
 */
export function niceRange(low, high, count) {
  const ends = [low, high].map((end) => Math.min(FAR, Math.max(-FAR, end)));
  const size = Math.max(Math.abs(ends[0]), Math.abs(ends[1]), 1e-150);
  // a line that stays is drawn in the middle, and what differs by rounding alone stays
  if (!(ends[1] - ends[0] > 1e-9 * size)) {
    const about = ends[0] === 0 && ends[1] === 0 ? 1 : size / 2;
    ends[0] -= about;
    ends[1] += about;
  }
  const step = niceStep((ends[1] - ends[0]) / count);
  return { low: Math.floor(ends[0] / step) * step, high: Math.ceil(ends[1] / step) * step, step };
}

/**
 * Return a number as it stands at an axis.
 * @param {number} value
 * @param {number} step between numbers there
 */
export function tickText(value, step) {
  if (Math.abs(value) < step / 2) return "0";
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  if (digits > 3 || Math.abs(value) >= 1e5) return Number(value.toPrecision(5)).toExponential().replace("+", "");
  return value.toFixed(digits);
}
