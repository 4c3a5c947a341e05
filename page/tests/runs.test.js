// The order in which geoms are drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Geoms } from "../src/draw/geoms.js";
import { castingRuns, numberedRuns, runsOf } from "../src/draw/runs.js";
import { PLANE, Shape } from "../src/draw/shapes.js";

const SPHERE = 2;
/** @param {number} kind */
const shape = (kind) => new Shape(kind, new Float32Array(27), Uint32Array.of(0, 1, 2));
const SHAPES = new Map([[0, shape(SPHERE)], [1, shape(PLANE)]]);

/**
 * Return geoms along x.
 * @param {{x?: number, shape?: number, texture?: number, clear?: number, casts?: number, segid?: number}[]} rows
 */
function geomsOf(rows) {
  const pose = new Float32Array(12 * rows.length), look = new Float32Array(28 * rows.length);
  rows.forEach(({ x = 0, shape: one = 0, texture = 0, clear = 0, casts = 1, segid = 0 }, i) => {
    pose[12 * i + 3] = x;
    look.set([segid, one, texture, clear, casts], 28 * i + 20);
  });
  const all = Uint32Array.from(rows.keys());
  const out = new Geoms();
  out.take({ words: { geoms: rows.length }, arrays: { pose_rows: all, pose, look_rows: all, look }, shapes: {} });
  return out;
}

test("opaque geoms of a shape and a texture are drawn together, those without a shape not", () => {
  const geoms = geomsOf([{}, { shape: 1 }, {}, { texture: 2 }, { shape: -1 }]);
  const runs = runsOf(geoms, SHAPES, [0, 0, 0], false);
  assert.deepEqual(runs.map(({ rows }) => rows), [[0, 2], [1], [3]]);
});

test("transparent geoms go from near to far and back, planes are farthest", () => {
  const geoms = geomsOf([{ x: 5, clear: 1 }, { shape: 1, clear: 1 }, { x: 1, clear: 1 }, { x: 3, texture: 1, clear: 1 }]);
  const rows = (/** @type {boolean} */ additive) => runsOf(geoms, SHAPES, [0, 0, 0], additive).flatMap((run) => run.rows);
  assert.deepEqual(rows(false), [2, 3, 0, 1, 1, 0, 3, 2]);
  assert.deepEqual(rows(true), [2, 3, 0, 1]);
});

test("numbers are drawn of what has one, shadows of what casts them", () => {
  const geoms = geomsOf([{ segid: -1 }, { clear: 1, texture: 3 }, { casts: 0 }]);
  assert.deepEqual(numberedRuns(geoms, SHAPES).map(({ rows }) => rows), [[1, 2]]);
  assert.deepEqual(castingRuns(geoms, SHAPES, new Set()).map(({ rows }) => rows), [[0, 1]]);
  assert.deepEqual(castingRuns(geoms, SHAPES, new Set([1])).map(({ rows }) => rows), [[0]]);
});

test("a point is before a plane or behind it", () => {
  const geoms = geomsOf([{}]);
  geoms.pose.set([1, 0, 0, 5, 0, 1, 0, 5, 0, 0, 1, 2]); // a plane at z = 2
  assert.deepEqual([[0, 0, 3], [0, 0, 1], [9, 9, 2]].map((point) => geoms.before(0, point)), [true, false, false]);
  assert.deepEqual([[0, 0, 1], [1, 1, -1]].map((way) => geoms.before(0, way, 0)), [true, false]);
});

test("what has not changed is known to be the same", () => {
  const geoms = geomsOf([{}, {}]);
  const before = geoms.now;
  const rows = Uint32Array.of(1), none = new Uint32Array(0);
  const pose = new Float32Array(12).fill(7);
  geoms.take({
    words: { geoms: 2 }, arrays: { pose_rows: rows, pose, look_rows: none, look: new Float32Array(0) }, shapes: {},
  });
  assert.deepEqual([0, 1].map((row) => geoms.changed[row] > before), [false, true]);
  assert.equal(geoms.pose[12], 7);
});
