// Meshes of three.js for the calls of a picture, kept from one to the next.
import { DynamicDrawUsage, InstancedBufferGeometry, InstancedInterleavedBuffer, InterleavedBufferAttribute, Mesh } from "three";
import { LOOK, POSE } from "./geoms.js";

/**
 * @typedef {import("./geoms.js").Geoms} Geoms
 * @typedef {import("./runs.js").Run} Run
 * @typedef {import("./shapes.js").Shape} Shape
 * @typedef {import("three").RawShaderMaterial} Material
 */

const STRIDE = 32; // numbers of an instance
const COLOUR = 16, SEGID = 28; // where some of them are
/** @type {[string, number, number][]} */
const COLUMNS = [
  ["g_x", 4, 0], ["g_y", 4, 4], ["g_z", 4, 8], ["g_scale", 4, 12], ["g_colour", 4, 16], ["g_look", 4, 20],
  ["g_texture", 4, 24], ["g_segid", 1, 28],
];

/** A shape many times. */
class Batch {
  /**
   * @param {Shape} shape
   * @param {boolean} wires
   * @param {number} room instances
   */
  constructor(shape, wires, room) {
    const parts = wires ? shape.wires() : shape.solid;
    const geometry = new InstancedBufferGeometry();
    for (const [name, attribute] of Object.entries(parts.attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(parts.index);
    this.data = new InstancedInterleavedBuffer(new Float32Array(room * STRIDE), STRIDE);
    this.data.setUsage(DynamicDrawUsage);
    for (const [name, size, at] of COLUMNS) {
      geometry.setAttribute(name, new InterleavedBufferAttribute(this.data, size, at));
    }
    this.room = room;
    this.geometry = geometry;
    this.mesh = new Mesh(geometry);
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    /** @type {number[]} */
    this.rows = [];
    this.filled = 0; // at which frame
  }

  /**
   * @param {Geoms} geoms
   * @param {number[]} rows
   * @param {((segid: number) => number[]) | null} colour colours that stand for objects
   */
  fill(geoms, rows, colour) {
    const same = rows.length === this.rows.length
      && rows.every((row, i) => row === this.rows[i] && geoms.changed[row] <= this.filled);
    if (same) return;
    const into = /** @type {Float32Array} */ (this.data.array);
    rows.forEach((row, i) => {
      const at = STRIDE * i;
      into.set(geoms.pose.subarray(POSE * row, POSE * (row + 1)), at);
      into.set(geoms.look.subarray(LOOK * row, LOOK * row + 16), at + POSE);
      into[at + SEGID] = geoms.segid(row);
      if (colour) into.set(colour(geoms.segid(row)), at + COLOUR);
    });
    this.rows = rows;
    this.filled = geoms.now;
    this.geometry.instanceCount = rows.length;
    this.data.clearUpdateRanges();
    this.data.addUpdateRange(0, STRIDE * rows.length);
    this.data.needsUpdate = true;
  }
}

/** All batches; a kind of call finds again what it has filled. */
export class Batches {
  constructor() {
    /** @type {Map<string, Batch[]>} */
    this.kept = new Map();
    /** @type {Map<string, number>} */
    this.used = new Map();
    /** @type {Batch[]} */
    this.left = [];
  }

  /** Begin a picture. */
  begin() {
    this.used.clear();
  }

  /**
   * Return the mesh of a call.
   * @param {Run} run
   * @param {Shape} shape
   * @param {Geoms} geoms
   * @param {Material} material
   * @param {{wires: boolean, purpose: string, colour: ((segid: number) => number[]) | null}} how
   */
  mesh(run, shape, geoms, material, { wires, purpose, colour }) {
    const key = `${purpose} ${Boolean(colour)} ${run.shape} ${run.texture} ${run.transparent} ${wires}`;
    const nth = this.used.get(key) ?? 0;
    this.used.set(key, nth + 1);
    const batches = this.kept.get(key) ?? [];
    this.kept.set(key, batches);
    if (!batches[nth] || batches[nth].room < run.rows.length) {
      if (batches[nth]) this.left.push(batches[nth]);
      batches[nth] = new Batch(shape, wires, Math.max(4, 2 * run.rows.length));
    }
    batches[nth].fill(geoms, run.rows, colour);
    batches[nth].mesh.material = material;
    return batches[nth].mesh;
  }

  /** Free all that is on the graphics card. */
  release() {
    for (const batch of [...this.left, ...[...this.kept.values()].flat()]) batch.geometry.dispose();
    this.kept.clear();
    this.left = [];
  }
}
