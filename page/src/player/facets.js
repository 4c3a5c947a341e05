// Shapes with fewer facets for round geoms that are small in a picture, as python/sinew/draw/instances.py chooses them.

/** @typedef {import("../draw/camera.js").Eye} Eye */

const POSE = 12, LOOK = 28;
const SCALE = 0, HALF_LENGTH = 3, SHAPE = 21; // columns of looks
const CAPSULE = 3, CYLINDER = 5; // mjtGeom
const MANY = 500; // geoms of a picture in which that matters
const SMALL = 14, TINY = 5; // radii in pixels

/**
 * Let small geoms have the shapes for such.
 * @param {Float32Array} looks
 * @param {Float32Array} pose
 * @param {Record<number, number[]>} fewer of a shape the type of its geoms, its shapes for small and for tiny ones
 * @param {Eye} eye
 * @param {number} height of the picture in pixels
 */
export function chooseFacets(looks, pose, fewer, eye, height) {
  const count = looks.length / LOOK;
  let shown = 0;
  for (let slot = 0; slot < count; slot++) shown += Number(looks[LOOK * slot + SHAPE] >= 0);
  if (shown < MANY) return;
  const unit = (height / (eye.top - eye.bottom)) * (eye.orthographic ? 1 : eye.near);
  for (let slot = 0; slot < count; slot++) {
    const shapes = fewer[looks[LOOK * slot + SHAPE]];
    if (!shapes) continue;
    const [kind, small, tiny] = shapes, at = LOOK * slot + SCALE;
    const [x, y, z] = looks.subarray(at, at + 3), across = Math.max(x, y);
    const wide = kind === CAPSULE || kind === CYLINDER ? across : Math.max(across, z);
    const reach = kind === CAPSULE ? across + looks[at + HALF_LENGTH] : Math.hypot(2 * across, z);
    const own = pose.subarray(POSE * slot, POSE * (slot + 1));
    const far = Math.hypot(...eye.pos.map((p, k) => p - own[4 * k + 3])) - reach;
    const pixels = (wide * unit) / (eye.orthographic ? 1 : Math.max(far, 1e-9));
    if (pixels < SMALL) looks[LOOK * slot + SHAPE] = pixels < TINY ? tiny : small;
  }
}
