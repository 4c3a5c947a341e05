// Frames as the server of a viewer sends them, made of a row of the recording, a camera and what is to be shown.
import { eyeOf } from "./eye.js";
import { chooseFacets } from "./facets.js";

/**
 * @typedef {import("../wire.js").Message} Message
 * @typedef {import("../draw/camera.js").Eye} Eye
 * @typedef {import("./run.js").Shown} Shown
 * @typedef {import("./skins.js").Skin} Skin
 * @typedef {{cam: import("./eye.js").Cam, opt: Record<string, any>, flags: number[]}} Wanted
 */

const POSE = 12, LOOK = 28;
const SCALE_X = 0, ALPHA = 7, SHAPE = 21, TEXTURE = 22, TRANSPARENT = 23, OBJTYPE = 25; // columns of looks
const BASE = 255; // layer of what no flag adds
const OPAQUE = 0.995; // what covers less than this lets through what is behind it
const BEHIND = 0.3; // how much of a plane is left where it is seen from behind
const LIGHTS = 192, VIEW = 16; // numbers of all lights, of the view of a shadow map
const OF_TEXTURE = 1, OF_TENDON = 7, OF_TRANSPARENT = 18, OF_STATIC = 22, OF_SKIN = 23; // mjtVisFlag
const OF_VERTICES = 24, OF_EDGES = 25, OF_FACES = 26, OF_FLEXSKIN = 27; // of flexes, the last in the place of the others
const SHADOW = 0, WIREFRAME = 1, SEGMENT = 7; // mjtRndFlag
const GEOM = 5, SITE = 6, FLEX = 9, SKIN = 11, TENDON = 18; // mjtObj
/** @type {Record<number, string>} */
const GROUP_OF = { 3: "jointgroup", 5: "geomgroup", 6: "sitegroup", 9: "flexgroup", 11: "skingroup", 18: "tendongroup", 19: "actuatorgroup" };

/**
 * Return the rows of a table that are others than before.
 * @param {Float32Array} now
 * @param {Float32Array} before
 * @param {number} width
 */
function changed(now, before, width) {
  const out = [];
  for (let row = 0; row < now.length / width; row++) {
    for (let i = width * row; i < width * (row + 1); i++) {
      if (Object.is(now[i], before[i])) continue;
      out.push(row);
      break;
    }
  }
  return Uint32Array.from(out);
}

/**
 * Return some rows of a table.
 * @param {Float32Array} table
 * @param {Uint32Array} rows
 * @param {number} width
 */
function taken(table, rows, width) {
  const out = new Float32Array(rows.length * width);
  rows.forEach((row, i) => out.set(table.subarray(width * row, width * (row + 1)), width * i));
  return out;
}

/** Makes frames, each with what has changed since the last. */
export class Frames {
  /**
   * @param {Message} model
   * @param {Map<number, Skin>} skins
   * @param {import("./flexes.js").Flexes} flexes
   */
  constructor({ words, arrays }, skins, flexes) {
    this.model = words;
    this.skins = skins;
    this.flexes = flexes;
    const { layer, group, dynamic } = arrays;
    this.layer = layer;
    this.group = group;
    this.dynamic = dynamic;
    /** @type {Float32Array} */
    this.pose = new Float32Array(0);
    /** @type {Float32Array} */
    this.look = new Float32Array(0);
  }

  /**
   * Return the message of a frame.
   * @param {Shown} shown
   * @param {Wanted} wanted
   * @param {number} height of the picture in pixels
   * @returns {Message}
   */
  message(shown, { cam, opt, flags }, height) {
    const { model } = this;
    const eye = eyeOf(cam, model, shown.poses);
    const pose = shown.poses.slice(POSE * model.before);
    const { looks } = shown;
    this.choose(looks, opt);
    const horizon = this.placePlanes(pose, looks, eye);
    chooseFacets(looks, pose, model.fewer, eye, height);
    const pose_rows = changed(pose, this.pose, POSE), look_rows = changed(looks, this.look, LOOK);
    this.pose = pose;
    this.look = looks;
    const { lights, views, plain, count } = this.lights(shown.shining, eye, flags);
    /** @type {Message["arrays"]} */
    const arrays = {
      pose_rows, pose: taken(pose, pose_rows, POSE), look_rows, look: taken(looks, look_rows, LOOK), lights, shadow_views: views,
    };
    const skins = opt.flags[OF_SKIN] ? [...this.skins.keys()] : [];
    for (const index of skins) arrays[`skin_${index}`] = /** @type {Skin} */ (this.skins.get(index)).at(shown.poses);
    const flexes = this.facesOfFlexes(shown.poses, opt.flags);
    Object.assign(arrays, flexes.arrays);
    const words = {
      kind: "frame", geoms: looks.length / LOOK, camera: eye, horizon, cam, opt, flags, lights: count, plain,
      ambient: model.ambient, sky: model.sky, labels: [], skins, flexes: flexes.numbers, select: 0, status: {},
    };
    return { words, arrays, shapes: {} };
  }

  /**
   * Return the faces of flexes that are shown.
   * @param {Float32Array} poses
   * @param {number[]} flags
   */
  facesOfFlexes(poses, flags) {
    const any = flags[OF_FLEXSKIN] || flags[OF_FACES];
    return any ? this.flexes.at(poses, !!flags[OF_FLEXSKIN]) : { numbers: [], arrays: {} };
  }

  /**
   * Let looks be those of what is to be shown.
   * @param {Float32Array} looks
   * @param {Record<string, any>} opt
   */
  choose(looks, opt) {
    for (let slot = 0; slot < this.layer.length; slot++) {
      const at = LOOK * slot, type = looks[at + OBJTYPE];
      if (!this.shows(slot, type, opt)) looks[at + SHAPE] = -1;
      if (!opt.flags[OF_TEXTURE]) looks[at + TEXTURE] = 0;
      const ofBody = this.layer[slot] === BASE && [GEOM, SITE, SKIN, TENDON].includes(type);
      if (opt.flags[OF_TRANSPARENT] && this.dynamic[slot] && (ofBody || type === FLEX)) looks[at + ALPHA] *= this.model.alpha;
      looks[at + TRANSPARENT] = Number(looks[at + ALPHA] < OPAQUE);
    }
  }

  /**
   * Say whether something is to be shown.
   * @param {number} slot
   * @param {number} type mjtObj
   * @param {Record<string, any>} opt
   */
  shows(slot, type, opt) {
    const groups = opt[GROUP_OF[type]];
    if (groups && !groups[this.group[slot]]) return false;
    if (this.layer[slot] === OF_EDGES || this.layer[slot] === OF_VERTICES) {
      return !!opt.flags[this.layer[slot]] && !opt.flags[OF_FLEXSKIN];
    }
    if (this.layer[slot] !== BASE) return !!opt.flags[this.layer[slot]];
    if (type === FLEX) return !!(opt.flags[OF_FLEXSKIN] || opt.flags[OF_FACES]);
    if (type === TENDON) return !!opt.flags[OF_TENDON];
    if (type === SKIN) return !!opt.flags[OF_SKIN];
    return !!this.dynamic[slot] || !!opt.flags[OF_STATIC];
  }

  /**
   * Put planes without end where the eye is, and show which are seen from behind; return the slot of the first of those
   * without end that is shown, -1: none is.
   * @param {Float32Array} pose
   * @param {Float32Array} looks
   * @param {Eye} eye
   */
  placePlanes(pose, looks, eye) {
    let horizon = -1;
    for (const { slot, steps } of this.model.planes) {
      const own = pose.subarray(POSE * slot, POSE * (slot + 1)), look = looks.subarray(LOOK * slot, LOOK * (slot + 1));
      const way = eye.pos.map((x, k) => x - own[4 * k + 3]);
      const along = (/** @type {number} */ axis) => way.reduce((sum, x, k) => sum + x * own[4 * k + axis], 0);
      const behind = along(2) < 0;
      const [x, y] = [0, 1].map((axis) => steps[axis] && steps[axis] * Math.floor(along(axis) / steps[axis] + 0.5));
      for (let k = 0; k < 3; k++) own[4 * k + 3] += own[4 * k] * x + own[4 * k + 1] * y;
      if (behind) {
        look[SCALE_X] *= -1; // turns the sides of its faces, so that they are not left out
        look[ALPHA] *= BEHIND;
        look[TRANSPARENT] = Number(look[ALPHA] < OPAQUE);
      }
      if (horizon < 0 && steps[0] && steps[1] && look[SHAPE] >= 0) horizon = slot;
    }
    return horizon;
  }

  /**
   * Return the lights; that at the camera, which is the first, shines where this looks.
   * @param {Float32Array} shining
   * @param {Eye} eye
   * @param {number[]} flags
   */
  lights(shining, eye, flags) {
    const lights = shining.slice(0, LIGHTS), views = shining.slice(LIGHTS);
    if (this.model.headlight) {
      lights.set(eye.forward.map((x) => -x));
      lights.set(eye.forward, 4);
    }
    const { plain } = this.model, count = plain + views.length / VIEW;
    const shadows = flags[SHADOW] && !flags[WIREFRAME] && !flags[SEGMENT];
    return shadows ? { lights, views, plain, count } : { lights, views: new Float32Array(0), plain: count, count };
  }
}
