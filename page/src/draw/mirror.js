// The mirror of a picture: a plane, or the upper face of a box, that shows what stands over it. As in `sinew render` there
// is one, the first opaque plane or box that reflects and whose upper side is seen. What it shows is drawn first, mirrored
// and where its face is; its own colours are then added.
import {
  AlwaysStencilFunc, BufferAttribute, BufferGeometry, DoubleSide, EqualStencilFunc, GLSL3, Matrix4, Mesh, RawShaderMaterial,
  ReplaceStencilOp,
} from "three";
import { LOOK, POSE } from "./geoms.js";
import { MIRROR_PIXEL, MIRROR_VERTEX } from "./shaders.js";
import { PLANE } from "./shapes.js";

/**
 * @typedef {import("./geoms.js").Geoms} Geoms
 * @typedef {import("./runs.js").Shapes} Shapes
 * @typedef {Record<string, {value: any}>} Uniforms
 */

const BOX = 6; // mjtGeom
const SCALE = 0, REFLECTANCE = 11; // columns of looks
const INSIDE = 1; // what the stencil holds where the mirror's face is

/** How what is mirrored is drawn: where the mirror's face is. */
export const WITHIN = { stencilWrite: true, stencilFunc: EqualStencilFunc, stencilRef: INSIDE };

/**
 * Return the upper side of a plane or box: its normal, its middle, and half its width and depth.
 * @param {Geoms} geoms
 * @param {number} row
 * @param {import("./shapes.js").Shape} shape
 */
export function faceOf(geoms, row, shape) {
  const pose = geoms.pose.subarray(POSE * row, POSE * (row + 1));
  const half = shape.reach().map((x, k) => Math.abs(x * geoms.look[LOOK * row + SCALE + k]));
  const normal = [pose[2], pose[6], pose[10]];
  const height = shape.kind === BOX ? half[2] : 0;
  const middle = [pose[3], pose[7], pose[11]].map((x, k) => x + height * normal[k]);
  return { pose, normal, middle, half };
}

/**
 * Return which geom is the mirror of a picture, -1: none.
 * @param {Geoms} geoms
 * @param {Shapes} shapes
 * @param {number[]} eye
 */
export function mirrorOf(geoms, shapes, eye) {
  for (let row = 0; row < geoms.count; row++) {
    const shape = shapes.get(geoms.shape(row));
    if (shape?.kind !== PLANE && shape?.kind !== BOX) continue;
    if (!(geoms.look[LOOK * row + REFLECTANCE] > 0) || geoms.transparent(row)) continue;
    const { normal, middle } = faceOf(geoms, row, shape);
    if (normal.reduce((sum, x, k) => sum + x * (eye[k] - middle[k]), 0) > 0) return row;
  }
  return -1;
}

/** What shaders and the graphics card know of the mirror. */
export class Mirror {
  /** @param {Uniforms} shared what all shaders know */
  constructor(shared) {
    this.shared = shared;
    this.turn = new Matrix4(); // mirrors points
    this.place = { value: new Matrix4() }; // of the square from -1 to 1 that is the face, into the room
    const square = new BufferGeometry();
    square.setIndex([0, 1, 2, 2, 1, 3]);
    square.setAttribute("corner", new BufferAttribute(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2));
    const material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: MIRROR_VERTEX, fragmentShader: MIRROR_PIXEL, side: DoubleSide, colorWrite: false,
      depthTest: false, depthWrite: false, stencilWrite: true, stencilFunc: AlwaysStencilFunc, stencilRef: INSIDE,
      stencilZPass: ReplaceStencilOp, uniforms: { view: shared.view, place: this.place },
    });
    /** Marks where the face is. */
    this.opening = new Mesh(square, material);
    this.opening.frustumCulled = this.opening.matrixAutoUpdate = false;
  }

  /**
   * Aim at the face of a geom.
   * @param {Geoms} geoms
   * @param {number} row
   * @param {import("./shapes.js").Shape} shape
   */
  aim(geoms, row, shape) {
    const { pose, normal: [x, y, z], middle, half } = faceOf(geoms, row, shape);
    const along = x * middle[0] + y * middle[1] + z * middle[2];
    this.turn.set(
      1 - 2 * x * x, -2 * x * y, -2 * x * z, 2 * along * x,
      -2 * y * x, 1 - 2 * y * y, -2 * y * z, 2 * along * y,
      -2 * z * x, -2 * z * y, 1 - 2 * z * z, 2 * along * z,
      0, 0, 0, 1,
    );
    this.shared.clip.value.set(x, y, z, -along);
    this.shared.tint.value = geoms.look[LOOK * row + REFLECTANCE];
    this.place.value.set(
      pose[0] * half[0], pose[1] * half[1], x, middle[0],
      pose[4] * half[0], pose[5] * half[1], y, middle[1],
      pose[8] * half[0], pose[9] * half[1], z, middle[2],
      0, 0, 0, 1,
    );
  }

  /**
   * Draw with the eye in the mirror; then the eye is where it was.
   * @param {() => void} draw
   */
  look(draw) {
    const { view, eye, forward, tint } = this.shared;
    const kept = [view.value.clone(), eye.value.clone(), forward.value.clone()];
    view.value.multiply(this.turn);
    eye.value.applyMatrix4(this.turn);
    forward.value.transformDirection(this.turn);
    draw();
    view.value.copy(kept[0]);
    eye.value.copy(kept[1]);
    forward.value.copy(kept[2]);
    tint.value = 1;
  }
}
