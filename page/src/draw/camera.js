// The camera of a frame to a matrix.

/**
 * @typedef {{pos: number[], forward: number[], up: number[], center: number, width: number, bottom: number, top: number,
 *   near: number, far: number, orthographic: boolean}} Eye
 */

/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** @param {number[]} a @param {number[]} b */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/**
 * Say whether a camera is somewhere and looks somewhere; that of a simulation gone wrong may not.
 * @param {Eye} eye
 */
export function sees(eye) {
  const numbers = [...eye.pos, ...eye.forward, ...eye.up];
  return numbers.every(Number.isFinite) && cross(eye.forward, eye.up).some((x) => x !== 0)
    && eye.top !== eye.bottom && 0 < eye.near && eye.near < eye.far;
}

/**
 * Return the rows of the matrix from the room to clip space.
 * @param {Eye} eye
 * @param {number} aspect width over height
 * @returns {number[][]}
 */
export function viewOf(eye, aspect) {
  const side = cross(eye.forward, eye.up);
  const length = Math.hypot(...side);
  const axes = [side.map((x) => x / length), eye.up, eye.forward.map((x) => -x)];
  const look = axes.map((axis) => [...axis, -dot(axis, eye.pos)]);
  look.push([0, 0, 0, 1]);
  const seen = projection(eye, aspect);
  return seen.map((row) => [0, 1, 2, 3].map((k) => row.reduce((sum, x, i) => sum + x * look[i][k], 0)));
}

/**
 * @param {Eye} eye
 * @param {number} aspect
 */
function projection({ center, width, bottom, top, near, far, orthographic }, aspect) {
  const half = width || 0.5 * aspect * (top - bottom);
  const x = 1 / half, y = 2 / (top - bottom);
  const moved = [-center / half, -(top + bottom) / (top - bottom)];
  const deep = far - near;
  if (orthographic) {
    return [[x, 0, 0, moved[0]], [0, y, 0, moved[1]], [0, 0, -2 / deep, -(far + near) / deep], [0, 0, 0, 1]];
  }
  return [
    [near * x, 0, -moved[0], 0], [0, near * y, -moved[1], 0], [0, 0, -(far + near) / deep, (-2 * far * near) / deep],
    [0, 0, -1, 0],
  ];
}

/**
 * Return where a point is in the picture, from 0 to 1 from the left and from below; null: it is not in it.
 * @param {number[][]} view
 * @param {number[]} point
 */
export function placeOf(view, point) {
  const [x, y, z, w] = view.map((row) => dot(row, point) + row[3]);
  if (!(w > 0) || Math.abs(x) > w || Math.abs(y) > w || Math.abs(z) > w) return null;
  return [0.5 + (0.5 * x) / w, 0.5 + (0.5 * y) / w];
}
