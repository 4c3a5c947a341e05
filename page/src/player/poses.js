// Poses, rows of 3 x 4 matrices in an array, from whole numbers and from each other.

const POSE = 12, NUMBERS = 7;

/**
 * Set a pose by position and quaternion.
 * @param {Float32Array} out
 * @param {number} index of the pose
 * @param {Int32Array} numbers of all poses
 * @param {number} step of positions
 */
export function setPose(out, index, numbers, step) {
  const at = NUMBERS * index;
  let [w, x, y, z] = numbers.subarray(at + 3, at + 7);
  // whatever their step, they are as long as this
  const length = Math.hypot(w, x, y, z) || 1;
  w /= length; x /= length; y /= length; z /= length;
  const to = POSE * index;
  out[to] = 1 - 2 * (y * y + z * z);
  out[to + 1] = 2 * (x * y - w * z);
  out[to + 2] = 2 * (x * z + w * y);
  out[to + 4] = 2 * (x * y + w * z);
  out[to + 5] = 1 - 2 * (x * x + z * z);
  out[to + 6] = 2 * (y * z - w * x);
  out[to + 8] = 2 * (x * z - w * y);
  out[to + 9] = 2 * (y * z + w * x);
  out[to + 10] = 1 - 2 * (x * x + y * y);
  for (let k = 0; k < 3; k++) out[to + 4 * k + 3] = step * numbers[at + k];
}

/**
 * Set a pose by that of a body and the pose as this has it.
 * @param {Float32Array} out
 * @param {number} index
 * @param {number} body
 * @param {Float32Array} held
 */
export function ridePose(out, index, body, held) {
  const to = POSE * index, from = POSE * body;
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 4; k++) {
      let sum = k === 3 ? out[from + 4 * i + 3] : 0;
      for (let j = 0; j < 3; j++) sum += out[from + 4 * i + j] * held[to + 4 * j + k];
      out[to + 4 * i + k] = sum;
    }
  }
}

/** Return the position of a pose. */
export const placeOfPose = (/** @type {Float32Array} */ poses, /** @type {number} */ index) =>
  [3, 7, 11].map((k) => poses[POSE * index + k]);

/** Return an axis of a pose: a column of its orientation. */
export const axisOfPose = (/** @type {Float32Array} */ poses, /** @type {number} */ index, /** @type {number} */ axis) =>
  [0, 4, 8].map((k) => poses[POSE * index + k + axis]);
