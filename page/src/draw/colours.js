// Colours that stand for objects.

/**
 * Return the digits of a number, mirrored at the point: a sequence of low discrepancy.
 * @param {number} number
 * @param {number} base
 */
function mirroredDigits(number, base) {
  let out = 0;
  for (let scale = 1 / base, rest = number; rest > 0; rest = Math.floor(rest / base), scale /= base) {
    out += scale * (rest % base);
  }
  return out;
}

/**
 * Return a colour that stands for an object, as different from others as such are.
 * @param {number} segid
 */
export const colourOf = (segid) => [...[2, 3, 5].map((base) => 0.1 + 0.8 * mirroredDigits(segid + 10, base)), 1];
