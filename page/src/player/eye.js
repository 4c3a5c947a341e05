// The camera: moved by the pointer as mjv_moveCamera does it, and what it sees with, as mjv_updateCamera has it.
import { axisOfPose, placeOfPose } from "./poses.js";

/**
 * @typedef {import("../draw/camera.js").Eye} Eye
 * @typedef {{type: number, fixedcamid: number, trackbodyid: number, lookat: number[], distance: number, azimuth: number,
 *   elevation: number, orthographic: number}} Cam members of MjvCamera
 */

export const FREE = 0, TRACKING = 1, FIXED = 2; // mjtCamera
const ROTATE_V = 1, ROTATE_H = 2, MOVE_V = 3, MOVE_H = 4, ZOOM = 5; // mjtMouse
const PARALLEL = 0.15; // of the picture's height goes a camera whose rays are parallel

const RADIANS = Math.PI / 180;

/** An angle in degrees that has left [-180, 180] by a turn. */
const wrapped = (/** @type {number} */ degrees) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);

/**
 * @param {number} x
 * @param {number} low
 * @param {number} high
 */
const clipped = (x, low, high) => Math.min(Math.max(x, low), high);

/**
 * Return the way of the point that is looked at, in heights of the picture: against the pointer, level or upright.
 * @param {number} action
 * @param {number} dx
 * @param {number} dy
 * @param {number[]} forward
 */
function wayOf(action, dx, dy, forward) {
  const [x, y, z] = action === MOVE_V ? [dx, 0, -dy] : [dx, -dy, 0];
  const length = Math.hypot(forward[0], forward[1]);
  const [s, c] = length < 1e-15 ? [1, 0] : [forward[0] / length, forward[1] / length];
  return [-(x * c + y * s), -(y * c - x * s), -z];
}

/**
 * Move a camera by the pointer.
 * @param {Cam} cam
 * @param {number} action mjtMouse
 * @param {number} dx a way of the pointer in heights of the picture
 * @param {number} dy
 * @param {Eye} eye what it sees with
 * @param {number} extent of the model
 */
export function moveCamera(cam, action, dx, dy, eye, extent) {
  if (cam.type === FIXED) return;
  if (action === ROTATE_V || action === ROTATE_H) {
    cam.azimuth -= 180 * dx;
    cam.elevation -= 180 * dy;
  } else if (action === ZOOM) {
    cam.distance -= 9 * extent * dy * Math.log(1 + cam.distance / extent / 3);
  } else if (action === MOVE_V || action === MOVE_H) {
    if (cam.type === TRACKING) return; // where it looks is the body's to say
    const far = eye.forward.reduce((sum, x, k) => sum + x * (cam.lookat[k] - eye.pos[k]), 0);
    const height = (eye.top - eye.bottom) / (eye.orthographic ? 1 : eye.near);
    const scale = (cam.orthographic ? PARALLEL : 1) * height * far;
    wayOf(action, dx, dy, eye.forward).forEach((x, k) => { cam.lookat[k] += scale * x; });
  }
  cam.azimuth = wrapped(cam.azimuth);
  cam.elevation = clipped(cam.elevation, -89, 89);
  cam.distance = clipped(cam.distance, 0.01 * extent, 100 * extent);
}

/**
 * Return what a camera sees with.
 * @param {Cam} cam one that follows a body looks at this from then on
 * @param {Record<string, any>} model its lenses, the free camera's first, and which pose is whose
 * @param {Float32Array} poses of bodies, cameras, centres of mass that are followed
 * @returns {Eye}
 */
export function eyeOf(cam, model, poses) {
  const bodies = model.nbody, cameras = model.cameras.length;
  if (cam.type === FIXED) {
    const pose = bodies + cam.fixedcamid;
    const forward = axisOfPose(poses, pose, 2).map((x) => -x);
    return { ...model.eyes[1 + cam.fixedcamid], pos: placeOfPose(poses, pose), forward, up: axisOfPose(poses, pose, 1) };
  }
  if (cam.type === TRACKING) {
    cam.lookat = placeOfPose(poses, bodies + cameras + model.followed.findIndex((/** @type {[number, string]} */ [body]) => body === cam.trackbodyid));
  }
  const a = cam.azimuth * RADIANS, e = cam.elevation * RADIANS;
  const forward = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  const up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
  const pos = cam.lookat.map((x, k) => x - cam.distance * forward[k]);
  return { ...model.eyes[0], pos, forward, up };
}
