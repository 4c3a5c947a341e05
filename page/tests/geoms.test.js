// Poses come whole, or as places and quaternions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Geoms, POSE } from "../src/draw/geoms.js";

const none = new Float32Array(0), rows = new Uint32Array(0);

/**
 * @param {Record<string, import("../src/wire.js").Numbers>} arrays
 * @returns {import("../src/wire.js").Message}
 */
const frame = (arrays) => ({
  words: { geoms: 2 }, shapes: {}, arrays: { pose_rows: rows, pose: none, look_rows: rows, look: none, ...arrays },
});

test("a quaternion turns a geom", () => {
  const geoms = new Geoms();
  geoms.take(frame({ pose_rows: new Uint32Array([0, 1]), pose: new Float32Array(2 * POSE).fill(7) }));
  const half = Math.round(32767 * Math.SQRT1_2);
  geoms.take(frame({ place: new Float32Array([1, 2, 3]), turn: new Int16Array([half, 0, 0, half]), place_rows: new Uint32Array([1]) }));
  assert.ok(geoms.pose.subarray(0, POSE).every((x) => x === 7));
  const wanted = [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3];
  wanted.forEach((x, k) => assert.ok(Math.abs(geoms.pose[POSE + k] - x) < 1e-6, `${k}: ${geoms.pose[POSE + k]}`));
  assert.deepEqual([...geoms.changed.subarray(0, 2)], [1, 2]);
});

test("without rows all have moved", () => {
  const geoms = new Geoms();
  geoms.take(frame({ place: new Float32Array([1, 2, 3, 4, 5, 6]), turn: new Int16Array([32767, 0, 0, 0, 0, 0, 0, 32767]) }));
  assert.deepEqual([3, 7, 11].map((k) => geoms.pose[POSE + k]), [4, 5, 6]);
  assert.deepEqual([0, 5, 10].map((k) => Math.round(geoms.pose[POSE + k])), [-1, -1, 1]);
});
