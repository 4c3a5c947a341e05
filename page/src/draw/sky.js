// What surrounds the geoms: the sky, a cylinder about the eye, and haze that hides the line where an endless plane meets it.
import { BufferAttribute, BufferGeometry, GLSL3, Matrix4, Mesh, RawShaderMaterial, Vector3 } from "three";
import { SKY_PIXEL, SKY_VERTEX } from "./shaders.js";

/**
 * @typedef {import("./geoms.js").Geoms} Geoms
 * @typedef {Record<string, {value: any}>} Uniforms
 * @typedef {number[]} Point place, and how much haze covers
 */

const NEARNESS = 0.7; // radius of the sky over the distance of the far plane
const SLICES = 28;
const ABOVE = 1e-6;
// by which the cylinder is turned: some graphics cards draw nothing right between corners that are level with the eye,
// where those of the first camera would be
const TURN = 0.1;

/**
 * @param {number} radius
 * @param {number} z
 * @param {number} cover
 * @param {number} [first] angle of the first point
 * @returns {Point[]}
 */
function ring(radius, z, cover, first = 0) {
  return Array.from({ length: SLICES + 1 }, (_, i) => {
    const turn = first + (2 * Math.PI * i) / SLICES;
    return [radius * Math.cos(turn), radius * Math.sin(turn), z, cover];
  });
}

/**
 * Return the triangles between rings, which face inwards.
 * @param {Point[][]} rings
 */
function between(rings) {
  const out = [];
  for (let k = 0; k + 1 < rings.length; k++) {
    const [low, high] = [rings[k], rings[k + 1]];
    for (let i = 0; i < SLICES; i++) {
      out.push(low[i], high[i + 1], low[i + 1], low[i], high[i], high[i + 1]);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setIndex(out.map((_, i) => i));
  geometry.setAttribute("v_position", new BufferAttribute(new Float32Array(out.flat()), 4));
  return geometry;
}

/**
 * Return the rings of haze over a plane at z = 0 whose horizon is at 1 and whose eye is at (0, 0, 1). It covers all on the
 * line from the eye to the horizon, and nothing from 1 - haze on the plane, and where the sky is as high as the eye.
 * @param {number} haze
 */
const hazeRings = (haze) => [ring(1 - haze, 0, 0), ring(1 / (1 + haze), haze / (1 + haze), 1), ring(1, 1, 0)];

/** Draws the sky of a model, and haze. */
export class Sky {
  /**
   * @param {Uniforms} shared what all shaders know
   * @param {Record<string, any>} model
   */
  constructor(shared, model) {
    this.shared = shared;
    this.place = { value: new Matrix4() };
    this.tilted = { value: new Matrix4() };
    const cylinder = [[0, -1], [1, -1], [1, 1], [0, 1]].map(([radius, z]) => ring(radius, z, 1, TURN));
    this.cylinder = this.mesh(between(cylinder));
    this.haze = this.mesh(between(hazeRings(model.hazewidth)));
    this.colour = { value: new Vector3(...model.haze.slice(0, 3)) };
    /** @type {Map<string, RawShaderMaterial>} */
    this.materials = new Map();
  }

  /** @param {BufferGeometry} geometry */
  mesh(geometry) {
    const out = new Mesh(geometry);
    out.frustumCulled = out.matrixAutoUpdate = false;
    return out;
  }

  /**
   * Return what is drawn of the sky: the sky itself, and haze if there is a plane for it.
   * @param {{eye: import("./camera.js").Eye, fog: boolean, haze: boolean, horizon: number}} frame
   * @param {any} image
   * @param {Geoms} geoms
   * @returns {{sky: Mesh, haze: Mesh | null}}
   */
  meshes({ eye, fog, haze, horizon }, image, geoms) {
    const radius = NEARNESS * eye.far;
    const [x, y, z] = eye.pos;
    this.place.value.set(radius, 0, 0, x, 0, radius, 0, y, 0, 0, radius, z, 0, 0, 0, 1);
    this.cylinder.material = this.material(true, fog, image);
    if (!haze || horizon < 0 || !this.tilt(geoms.pose.subarray(12 * horizon, 12 * horizon + 12), eye.pos, radius)) {
      return { sky: this.cylinder, haze: null };
    }
    this.haze.material = this.material(false, fog, null);
    return { sky: this.cylinder, haze: this.haze };
  }

  /**
   * Set the matrix from the ring of haze into the room; return whether the eye is above the plane.
   * @param {Float32Array} pose the plane's
   * @param {number[]} eye
   * @param {number} radius
   */
  tilt(pose, eye, radius) {
    const normal = [pose[2], pose[6], pose[10]];
    const height = [3, 7, 11].reduce((sum, k, i) => sum + normal[i] * (eye[i] - pose[k]), 0) / radius;
    if (!(height >= ABOVE)) return false;
    const turn = new Matrix4().set(
      pose[0], pose[1], pose[2] * height, -height * normal[0], pose[4], pose[5], pose[6] * height, -height * normal[1],
      pose[8], pose[9], pose[10] * height, -height * normal[2], 0, 0, 0, 1,
    );
    this.tilted.value.copy(this.place.value).multiply(turn);
    return true;
  }

  /**
   * @param {boolean} sky
   * @param {boolean} fog
   * @param {any} image
   */
  material(sky, fog, image) {
    const key = `${sky} ${fog}`;
    const known = this.materials.get(key);
    if (known) {
      if (sky) known.uniforms.image.value = image;
      return known;
    }
    /** @type {Uniforms} */
    const own = sky ? { place: this.place, image: { value: image } } : { place: this.tilted, colour: this.colour };
    const out = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: SKY_VERTEX, fragmentShader: SKY_PIXEL,
      defines: { SKY: Number(sky), FOG: Number(fog) }, uniforms: { ...this.shared, ...own },
      transparent: !sky, depthWrite: sky, side: 2, forceSinglePass: true,
    });
    this.materials.set(key, out);
    return out;
  }

  /** Free what is on the graphics card. */
  release() {
    for (const material of this.materials.values()) material.dispose();
    this.cylinder.geometry.dispose();
    this.haze.geometry.dispose();
  }
}
