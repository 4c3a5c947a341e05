// The picture: what the server sends of a scene, drawn as `sinew render` draws it.
import {
  DepthTexture, FloatType, Matrix4, NoColorSpace, OrthographicCamera, Scene as Root, Vector2, Vector3, Vector4,
  WebGLRenderTarget, WebGLRenderer,
} from "three";
import { Batches } from "./batches.js";
import { sees, viewOf } from "./camera.js";
import { colourOf } from "./colours.js";
import { LOOK, Geoms } from "./geoms.js";
import { Materials } from "./materials.js";
import { Mirror, mirrorOf } from "./mirror.js";
import { numberedRuns, runOf, runsOf } from "./runs.js";
import { Shadows } from "./shadows.js";
import { Shape } from "./shapes.js";
import { Sky } from "./sky.js";
import { textureOf } from "./textures.js";

/**
 * @typedef {import("../wire.js").Message} Message
 * @typedef {import("three").Object3D} Node
 * @typedef {{width: number, height: number, segids: number[], objects: Record<number, number[]>}} Numbered
 */

// mjtRndFlag
const WIREFRAME = 1, REFLECTION = 2, ADDITIVE = 3, SKYBOX = 4, FOG = 5, HAZE = 6, SEGMENT = 7, IDCOLOR = 8, CULL_FACE = 9;
const MOST_WIRED = 200_000; // triangles of a shape whose sides are shown
const OBJTYPE = 25, OBJID = 26; // columns of looks

/** @param {Shape} shape */
const isLarge = (shape) => shape.triangles.length > 3 * MOST_WIRED;

/** Draws what the server sends. */
export class Scene {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    // depths from 1 at the near plane to 0 where the browser can do so: faces that are far away are told apart
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: false, stencil: true, reversedDepthBuffer: true });
    this.reversed = this.renderer.capabilities.reversedDepthBuffer;
    this.renderer.sortObjects = false;
    this.renderer.autoClear = false;
    this.root = new Root();
    this.root.matrixWorldAutoUpdate = false;
    this.camera = new OrthographicCamera(); // that of shaders is theirs
    this.shared = {
      view: { value: new Matrix4() }, eye: { value: new Vector3() }, forward: { value: new Vector3() },
      size: { value: new Vector3() }, fog: { value: new Vector3() }, fog_range: { value: new Vector2() },
      clip: { value: new Vector4() }, tint: { value: 1 }, sampled: { value: true }, lights: { value: new Float32Array(192) }, light_count: { value: 0 }, ambient: { value: 0 },
    };
    this.shadows = new Shadows(this.renderer);
    Object.assign(this.shared, this.shadows.uniforms);
    this.mirror = new Mirror(this.shared);
    this.materials = new Materials(this.shared);
    this.batches = new Batches();
    /** @type {Map<number, Shape>} */
    this.shapes = new Map();
    /** @type {Map<number, Shape>} */
    this.skins = new Map();
    /** @type {Map<number, Shape>} */
    this.flexes = new Map();
    this.geoms = new Geoms();
    /** @type {Record<string, any>} */
    this.model = {};
    /** @type {Record<string, any> | null} */
    this.frame = null;
    /** @type {Sky | null} */
    this.sky = null;
  }

  /** Leave the graphics card: browsers let a page have few pictures at once. */
  release() {
    this.sky?.release();
    this.batches.release();
    this.materials.release();
    this.shadows.begin(0);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // ---- what is sent

  /**
   * Begin with a model.
   * @param {Record<string, any>} model
   */
  begin(model) {
    this.sky?.release();
    this.batches.release();
    this.materials.release();
    this.shapes.clear();
    this.skins.clear();
    this.flexes.clear();
    this.geoms = new Geoms();
    this.model = model;
    this.frame = null;
    this.sky = new Sky(this.shared, model);
    this.shadows.begin(model.shadowsize);
    this.shared.fog.value.fromArray(model.fog);
    this.shared.fog_range.value.set(model.fogstart, model.fogend);
  }

  /** @param {Message} message */
  addShape({ words, arrays }) {
    const [kind, index] = words.key;
    const vertices = /** @type {Float32Array} */ (arrays.vertices);
    const shape = new Shape(kind, vertices, /** @type {Uint32Array} */ (arrays.triangles));
    this.shapes.set(words.number, shape);
    if (kind === 105) this.flexes.set(index, shape); // mjGEOM_FLEX
    if (kind === 106) this.skins.set(index, shape); // mjGEOM_SKIN
  }

  /** @param {Message} message */
  async addTexture(message) {
    this.materials.dress(message.words.index, await textureOf(message));
  }

  /** @param {Message} message */
  take(message) {
    const { words, arrays } = message;
    this.geoms.take(message);
    this.shared.lights.value.set(arrays.lights);
    this.shared.light_count.value = words.lights;
    this.shared.ambient.value = words.ambient;
    for (const index of words.skins) {
      this.skins.get(index)?.move(/** @type {Float32Array} */ (arrays[`skin_${index}`]));
    }
    for (const index of words.flexes ?? []) {
      const [moved, texture] = [arrays[`flex_${index}`], arrays[`flextex_${index}`]];
      this.flexes.get(index)?.move(/** @type {Float32Array} */ (moved), /** @type {Float32Array} */ (texture));
    }
    this.shadows.take(message);
    this.frame = words;
  }

  // ---- the picture

  /**
   * Let the picture have a size, in pixels of the page; return whether it had another.
   * @param {number} width
   * @param {number} height
   * @param {number} ratio pixels of the screen in one of the page
   */
  resize(width, height, ratio) {
    const before = this.renderer.getSize(new Vector2());
    if (before.x === width && before.y === height && this.renderer.getPixelRatio() === ratio) return false;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    return true;
  }

  /** Draw the newest frame; return the rows of the matrix from the room to clip space, null where there is nothing. */
  draw() {
    const size = this.renderer.getDrawingBufferSize(new Vector2());
    this.shared.sampled.value = true;
    const view = this.look(size.x, size.y);
    this.batches.begin();
    if (view) this.shadows.draw(this.geoms, this.shapes, this.batches);
    this.renderer.setClearColor(0x000000, 1);
    this.renderer.clear();
    if (view) this.show();
    return view;
  }

  /** Draw what is seen, and before it what is seen in a mirror. */
  show() {
    const { flags, camera } = /** @type {Record<string, any>} */ (this.frame);
    if (flags[SEGMENT]) return this.render(this.numbered("segment", flags[IDCOLOR] ? null : colourOf, !!flags[CULL_FACE]));
    const mirror = flags[REFLECTION] ? mirrorOf(this.geoms, this.shapes, camera.pos) : -1;
    const runs = runsOf(this.geoms, this.shapes, camera.pos, !!flags[ADDITIVE], mirror);
    if (mirror >= 0) this.reflect(mirror, runs);
    this.batches.begin();
    const [opaque, transparent] = this.meshes(runs, "");
    if (mirror >= 0) opaque.unshift(...this.meshes([runOf(this.geoms, mirror)], "face")[0]);
    return this.render([...opaque, ...this.surroundings(), ...transparent]);
  }

  /**
   * Draw what is seen in a mirror; depths are left as they were, nothing is drawn yet.
   * @param {number} row the mirror's
   * @param {import("./runs.js").Run[]} runs
   */
  reflect(row, runs) {
    this.mirror.aim(this.geoms, row, /** @type {Shape} */ (this.shapes.get(this.geoms.shape(row))));
    this.render([this.mirror.opening]);
    this.mirror.look(() => this.render(this.meshes(runs, "seen").flat()));
    this.renderer.clear(false, true, true);
  }

  /** @param {Node[]} nodes */
  render(nodes) {
    this.root.children = nodes;
    this.renderer.render(this.root, this.camera);
  }

  /**
   * Let shaders see with the camera of the frame.
   * @param {number} width
   * @param {number} height
   */
  look(width, height) {
    const eye = this.frame?.camera;
    if (!eye || !sees(eye)) return null;
    const view = viewOf(eye, width / height);
    const depth = this.reversed ? view[3].map((w, k) => 0.5 * (w - view[2][k])) : view[2];
    const rows = /** @type {Parameters<Matrix4["set"]>} */ ([view[0], view[1], depth, view[3]].flat());
    this.shared.view.value.set(...rows);
    this.shared.eye.value.fromArray(eye.pos);
    this.shared.forward.value.fromArray(eye.forward);
    this.shared.size.value.set(width, height, (this.model.linewidth ?? 1) * this.renderer.getPixelRatio());
    return view;
  }

  /**
   * Return what draws runs, the opaque and the transparent.
   * @param {import("./runs.js").Run[]} runs
   * @param {"" | "seen" | "face"} mirror
   * @returns {[Node[], Node[]]}
   */
  meshes(runs, mirror) {
    const { flags } = /** @type {Record<string, any>} */ (this.frame);
    const additive = !!flags[ADDITIVE], fog = !!flags[FOG], cull = !!flags[CULL_FACE];
    /** @type {[Node[], Node[]]} */
    const out = [[], []];
    for (const run of runs) {
      const shape = /** @type {Shape} */ (this.shapes.get(run.shape));
      const wires = !!flags[WIREFRAME] && !shape.lines && !isLarge(shape);
      const shadows = run.transparent || mirror === "seen" ? 0 : this.shadows.count;
      const { texture, transparent } = run;
      const way = { texture, transparent, additive, cull, wires, fog, shadows, segment: 0, mirror };
      const how = { wires, purpose: mirror === "face" ? "face" : "picture", colour: null };
      out[Number(transparent)].push(this.batches.mesh(run, shape, this.geoms, this.materials.get(way), how));
    }
    return out;
  }

  /** @returns {Node[]} */
  surroundings() {
    const { flags, camera, horizon, sky } = /** @type {Record<string, any>} */ (this.frame);
    const image = this.materials.images.get(sky);
    if (!flags[SKYBOX] || !image || !this.sky) return [];
    const words = { eye: camera, fog: !!flags[FOG], haze: !!flags[HAZE], horizon };
    const { sky: cylinder, haze } = this.sky.meshes(words, image, this.geoms);
    return haze ? [cylinder, haze] : [cylinder];
  }

  /**
   * Return what draws objects in colours that stand for them.
   * @param {string} purpose
   * @param {((segid: number) => number[]) | null} colour null: they are the numbers
   * @param {boolean} cull
   * @returns {Node[]}
   */
  numbered(purpose, colour, cull) {
    const way = {
      texture: 0, transparent: false, additive: false, cull, wires: false, fog: false, shadows: 0, segment: colour ? 2 : 1,
      mirror: /** @type {""} */ (""),
    };
    const material = this.materials.get(way);
    return numberedRuns(this.geoms, this.shapes).map((run) => {
      const shape = /** @type {Shape} */ (this.shapes.get(run.shape));
      return this.batches.mesh(run, shape, this.geoms, material, { wires: false, purpose, colour });
    });
  }

  /**
   * Return the number of the object at each pixel, -1 where there is none, rows from above; and the type and id of each.
   * @param {number} width
   * @param {number} height
   * @returns {Numbered}
   */
  ids(width, height) {
    const target = new WebGLRenderTarget(width, height, {
      colorSpace: NoColorSpace, generateMipmaps: false, depthTexture: new DepthTexture(width, height, FloatType),
    });
    this.shared.sampled.value = false;
    const view = this.look(width, height);
    const cull = !!this.frame?.flags[CULL_FACE];
    this.batches.begin();
    this.root.children = view ? this.numbered("numbers", null, cull) : [];
    this.renderer.setRenderTarget(target);
    this.renderer.setClearColor(0x000000, 1);
    this.renderer.clear();
    this.renderer.render(this.root, this.camera);
    const pixels = new Uint8Array(4 * width * height);
    this.renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
    this.renderer.setRenderTarget(null);
    target.dispose();
    const segids = Array.from({ length: width * height }, (_, i) => {
      const at = 4 * ((height - 1 - Math.floor(i / width)) * width + (i % width));
      return pixels[at] + 256 * pixels[at + 1] + 65536 * pixels[at + 2] - 1;
    });
    return { width, height, segids, objects: this.objects() };
  }

  /**
   * Say whether there are objects of a type (mjtObj).
   * @param {number} type
   */
  has(type) {
    for (let row = 0; row < this.geoms.count; row++) {
      if (this.geoms.look[LOOK * row + OBJTYPE] === type) return true;
    }
    return false;
  }

  /** Say whether a shape stays solid where wires are wanted. */
  staysSolid() {
    return !!this.frame?.flags[WIREFRAME] && [...this.shapes.values()].some(isLarge);
  }

  /** Return type and id of the object of each number. */
  objects() {
    /** @type {Record<number, number[]>} */
    const out = {};
    for (let row = 0; row < this.geoms.count; row++) {
      out[this.geoms.segid(row)] = [this.geoms.look[LOOK * row + OBJTYPE], this.geoms.look[LOOK * row + OBJID]];
    }
    return out;
  }
}
