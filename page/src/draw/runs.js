// Which geoms are drawn by one call, and in which order.
import { PLANE } from "./shapes.js";

/**
 * @typedef {{shape: number, texture: number, transparent: boolean, rows: number[]}} Run
 * @typedef {import("./geoms.js").Geoms} Geoms
 * @typedef {Map<number, import("./shapes.js").Shape>} Shapes
 */

const FAR = 1e10; // where planes are when the transparent are ordered

/**
 * Return the calls that draw what hides what is behind it: equal shapes in equal textures together.
 * @param {Geoms} geoms
 * @param {number[]} rows
 * @returns {Run[]}
 */
function together(geoms, rows) {
  /** @type {Map<number, Run>} */
  const found = new Map();
  for (const row of rows) {
    const shape = geoms.shape(row), texture = geoms.texture(row);
    const key = shape * 65536 + texture;
    const run = found.get(key);
    if (run) run.rows.push(row);
    else found.set(key, { shape, texture, transparent: false, rows: [row] });
  }
  return [...found.values()];
}

/**
 * Return the calls that draw rows in their order.
 * @param {Geoms} geoms
 * @param {number[]} rows
 * @returns {Run[]}
 */
function inOrder(geoms, rows) {
  /** @type {Run[]} */
  const out = [];
  for (const row of rows) {
    const shape = geoms.shape(row), texture = geoms.texture(row), last = out.at(-1);
    if (last && last.shape === shape && last.texture === texture) last.rows.push(row);
    else out.push({ shape, texture, transparent: true, rows: [row] });
  }
  return out;
}

/**
 * Return the calls of a picture: what is opaque, then what is transparent, from near to far and once more from far to near,
 * as MuJoCo does it; where light adds up, once.
 * @param {Geoms} geoms
 * @param {Shapes} shapes
 * @param {number[]} eye
 * @param {boolean} additive
 * @param {number} without a geom that is left out; -1: none
 * @returns {Run[]}
 */
export function runsOf(geoms, shapes, eye, additive, without = -1) {
  const opaque = [];
  const clear = [];
  for (let row = 0; row < geoms.count; row++) {
    const shape = shapes.get(geoms.shape(row));
    if (!shape || row === without) continue;
    if (!geoms.transparent(row)) opaque.push(row);
    else clear.push({ row, way: shape.kind === PLANE ? FAR : geoms.nearness(row, eye) });
  }
  const near = clear.sort((a, b) => a.way - b.way).map(({ row }) => row);
  const order = additive ? near : [...near, ...near.toReversed()];
  return [...together(geoms, opaque), ...inOrder(geoms, order)];
}

/**
 * Return the call that draws a geom alone.
 * @param {Geoms} geoms
 * @param {number} row
 * @returns {Run}
 */
export const runOf = (geoms, row) =>
  ({ shape: geoms.shape(row), texture: geoms.texture(row), transparent: false, rows: [row] });

/**
 * Return the calls that draw some geoms where looks do not matter: equal shapes together.
 * @param {Geoms} geoms
 * @param {Shapes} shapes
 * @param {(row: number) => boolean} some
 * @returns {Run[]}
 */
function bare(geoms, shapes, some) {
  /** @type {Map<number, Run>} */
  const found = new Map();
  for (let row = 0; row < geoms.count; row++) {
    const shape = geoms.shape(row);
    if (!shapes.has(shape) || !some(row)) continue;
    const run = found.get(shape);
    if (run) run.rows.push(row);
    else found.set(shape, { shape, texture: 0, transparent: false, rows: [row] });
  }
  return [...found.values()];
}

/**
 * Return the calls of a picture of the numbers of objects: all that has one, and nothing is transparent or wears a texture.
 * @param {Geoms} geoms
 * @param {Shapes} shapes
 */
export const numberedRuns = (geoms, shapes) => bare(geoms, shapes, (row) => geoms.segid(row) >= 0);

/**
 * Return the calls of a shadow map: how clear things are does not matter.
 * @param {Geoms} geoms
 * @param {Shapes} shapes
 * @param {Set<number>} needless geoms that are left out
 */
export const castingRuns = (geoms, shapes, needless) =>
  bare(geoms, shapes, (row) => geoms.casts(row) && !needless.has(row));
