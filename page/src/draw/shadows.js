// Shadow maps: the scene as lights see it.
import {
  DepthTexture, DoubleSide, GLSL3, GreaterEqualCompare, LessEqualCompare, Matrix4, OrthographicCamera, RawShaderMaterial,
  Scene as Root, UnsignedIntType, WebGLRenderTarget,
} from "three";
import { castingRuns } from "./runs.js";
import { DEPTH_PIXEL, DEPTH_VERTEX } from "./shaders.js";
import { PLANE } from "./shapes.js";

/**
 * @typedef {import("./geoms.js").Geoms} Geoms
 * @typedef {import("./batches.js").Batches} Batches
 */

const MOST = 4; // lights with maps; shaders have no room for more
const LARGEST = 2048; // pixels along a side of a map
const OFFSET = [1.5, 4]; // away from the light, by slope and by steps of depth, so that no face shades itself
// from clip space of the server, whose depth goes from 1 to 0, to that of WebGL where it does not; from either to places in a
// map
const TURNED = new Matrix4().set(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -2, 1, 0, 0, 0, 1);
const TO_MAP = new Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);
const REVERSED_TO_MAP = new Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, 1);

/** The maps of the lights that cast shadows. */
export class Shadows {
  /** @param {import("three").WebGLRenderer} renderer */
  constructor(renderer) {
    this.renderer = renderer;
    this.reversed = renderer.capabilities.reversedDepthBuffer;
    this.size = 0;
    this.count = 0;
    this.root = new Root();
    this.root.matrixWorldAutoUpdate = false;
    this.camera = new OrthographicCamera();
    this.views = Array.from({ length: MOST }, () => new Matrix4());
    const places = Array.from({ length: MOST }, () => new Matrix4());
    /** @type {Record<string, {value: any}>} */
    this.uniforms = { first_shadow: { value: 0 }, to_shadow: { value: places } };
    for (let i = 0; i < MOST; i++) this.uniforms[`shadow_map${i}`] = { value: null };
    /** @type {Record<string, any>} */
    this.frame = {};
    /** @type {import("../wire.js").Numbers} */
    this.lights = new Float32Array(0);
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: DEPTH_VERTEX, fragmentShader: DEPTH_PIXEL, side: DoubleSide, colorWrite: false,
      uniforms: { light_view: { value: this.views[0] } },
      polygonOffset: true, polygonOffsetFactor: OFFSET[0], polygonOffsetUnits: OFFSET[1],
    });
    /** @type {WebGLRenderTarget[]} */
    this.maps = [];
  }

  /** @param {number} size of the maps as the model says */
  begin(size) {
    this.size = Math.min(LARGEST, size);
    for (const map of this.maps) map.dispose();
    this.maps = [];
  }

  /** @param {number} index */
  map(index) {
    while (this.maps.length <= index) {
      const depthTexture = new DepthTexture(this.size, this.size, UnsignedIntType);
      depthTexture.compareFunction = this.reversed ? GreaterEqualCompare : LessEqualCompare;
      const made = new WebGLRenderTarget(this.size, this.size, { depthTexture });
      // the border stays empty, so that all beyond is lit
      made.viewport.set(1, 1, this.size - 2, this.size - 2);
      this.maps.push(made);
    }
    return this.maps[index];
  }

  /** @param {import("../wire.js").Message} frame */
  take({ words, arrays }) {
    const views = arrays.shadow_views;
    this.frame = words;
    this.lights = arrays.lights;
    this.count = this.size > 2 ? Math.min(MOST, views.length / 16) : 0;
    this.uniforms.first_shadow.value = words.plain;
    for (let i = 0; i < this.count; i++) {
      // three.js has columns one after the other, NumPy rows
      const [view, place] = [this.views[i], this.uniforms.to_shadow.value[i]];
      view.fromArray(Array.from(views), 16 * i).transpose();
      if (!this.reversed) view.premultiply(TURNED);
      place.copy(view).premultiply(this.reversed ? REVERSED_TO_MAP : TO_MAP);
    }
  }

  /**
   * Return the planes that eye and lights are before, and that nothing is behind: they take light only from what nobody
   * sees, and in a map, most of which they would be, steps of depth would show.
   * @param {Geoms} geoms
   * @param {import("./runs.js").Shapes} shapes
   * @returns {Set<number>}
   */
  needless(geoms, shapes) {
    const { camera, plain } = this.frame;
    /** @type {ArrayLike<number>[]} */
    const lights = Array.from({ length: this.count }, (_, i) => this.lights.subarray(24 * (plain + i), 24 * (plain + i) + 4));
    const rows = Array.from({ length: geoms.count }, (_, row) => row).filter((row) => shapes.has(geoms.shape(row)));
    const out = new Set(rows.filter((row) => shapes.get(geoms.shape(row))?.kind === PLANE && !geoms.transparent(row)
      && geoms.before(row, camera.pos) && lights.every((light) => geoms.before(row, light, light[3]))));
    // other planes like these count as nothing: floors may lie one below the other
    const rest = out.size ? rows.filter((row) => geoms.casts(row) && !out.has(row)) : [];
    for (const row of out) {
      if (row !== this.frame.horizon && rest.some((other) => !geoms.before(row, geoms.place(other)))) out.delete(row);
    }
    return out;
  }

  /**
   * Draw the maps.
   * @param {Geoms} geoms
   * @param {import("./runs.js").Shapes} shapes
   * @param {Batches} batches
   */
  draw(geoms, shapes, batches) {
    if (!this.count) return;
    const how = { wires: false, purpose: "shadow", colour: null };
    this.root.children = castingRuns(geoms, shapes, this.needless(geoms, shapes)).map((run) => {
      const shape = /** @type {import("./shapes.js").Shape} */ (shapes.get(run.shape));
      return batches.mesh(run, shape, geoms, this.material, how);
    });
    for (let i = 0; i < this.count; i++) {
      const map = this.map(i);
      this.uniforms[`shadow_map${i}`].value = map.depthTexture;
      this.material.uniforms.light_view.value = this.views[i];
      this.renderer.setRenderTarget(map);
      this.renderer.clear();
      this.renderer.render(this.root, this.camera);
    }
    this.renderer.setRenderTarget(null);
  }
}
