// What plays a recording: numbers are unpacked as they were packed, poses, time, the camera.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../src/player/clock.js";
import { floatsOf, putColumns, unpackColumns } from "../src/player/columns.js";
import { eyeOf, moveCamera } from "../src/player/eye.js";
import { chooseFacets } from "../src/player/facets.js";
import { ridePose, setPose } from "../src/player/poses.js";
import { Skin } from "../src/player/skins.js";
import { bytesOf, printed } from "./python.js";

const near = (/** @type {ArrayLike<number>} */ found, /** @type {number[]} */ expected) => {
  assert.equal(found.length, expected.length);
  expected.forEach((x, i) => assert.ok(Math.abs(found[i] - x) < 1e-5, `${i}: ${found[i]}, not ${x}`));
};

test("numbers come as they were packed", () => {
  for (const packed of printed("columns.py")) {
    const [columns, table, first] = ["columns", "table", "first"].map((name) => new Int32Array(bytesOf(packed[name])));
    const changes = new Uint8Array(bytesOf(packed.changes));
    const rows = table.length / first.length;
    const found = unpackColumns(columns, changes, rows, first);
    assert.ok(columns.length < first.length || rows === 4);
    for (let row = 0; row < rows; row++) {
      const whole = first.slice();
      putColumns(whole, columns, found, row);
      assert.deepEqual(whole, table.slice(first.length * row, first.length * (row + 1)));
    }
  }
});

test("bits are floats", () => near(floatsOf(Int32Array.of(0x3f800000, -0x40000000)), [1, -2]));

test("poses are those of their numbers, and of bodies that they ride on", () => {
  const poses = new Float32Array(24), held = new Float32Array(24);
  // a quarter turn about z, at (1, 2, 3)
  setPose(poses, 0, Int32Array.of(10, 20, 30, 5, 0, 0, 5), 0.1);
  near(poses.subarray(0, 12), [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3]);
  held.set([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0], 12); // one metre along its x
  ridePose(poses, 1, 0, held);
  near(poses.subarray(12), [0, -1, 0, 1, 1, 0, 0, 3, 0, 0, 1, 3]);
});

test("time goes by, ends or begins anew, and rows are the last ones up to now", () => {
  const clock = new Clock([5, 5.1, 5.2, 5.4]);
  assert.deepEqual([clock.row, clock.length.toFixed(3)], [0, "0.400"]);
  clock.run(true);
  clock.speed = 0.5;
  clock.pass(0.3);
  assert.equal(clock.row, 1);
  clock.pass(0.6);
  assert.deepEqual([clock.row, clock.running], [0, true]); // anew, 0.05 s from the start
  clock.loops = false;
  clock.pass(10);
  assert.deepEqual([clock.row, clock.running], [3, false]);
  clock.run(true);
  assert.equal(clock.row, 0);
  clock.row = 99;
  assert.equal(clock.row, 3);
  const one = new Clock([7]);
  one.run(true);
  one.pass(1);
  assert.deepEqual([one.row, one.running], [0, false]);
});

const EYE = { center: 0, width: 0, bottom: -0.5, top: 0.5, near: 1, far: 10, orthographic: false };
const MODEL = { nbody: 1, cameras: ["fixed"], followed: [[3, "body"]], eyes: [EYE, { ...EYE, near: 2 }] };
const FREE = { type: 0, fixedcamid: -1, trackbodyid: -1, lookat: [0, 0, 0], distance: 2, azimuth: 90, elevation: 0, orthographic: 0 };
const POSES = new Float32Array([
  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, // the world
  1, 0, 0, 4, 0, 0, -1, 5, 0, 1, 0, 6, // a camera that looks along y
  1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9, // what is followed
]);

test("cameras see from where they are", () => {
  const free = eyeOf({ ...FREE }, MODEL, POSES);
  near([...free.pos, ...free.forward, ...free.up, free.near], [0, -2, 0, 0, 1, 0, 0, 0, 1, 1]);
  const fixed = eyeOf({ ...FREE, type: 2, fixedcamid: 0 }, MODEL, POSES);
  near([...fixed.pos, ...fixed.forward, ...fixed.up, fixed.near], [4, 5, 6, 0, 1, 0, 0, 0, 1, 2]);
  const tracking = { ...FREE, type: 1, trackbodyid: 3 };
  near(eyeOf(tracking, MODEL, POSES).pos, [7, 6, 9]);
  near(tracking.lookat, [7, 8, 9]);
});

test("the pointer turns, zooms and moves the camera", () => {
  const eye = eyeOf({ ...FREE }, MODEL, POSES);
  const after = (/** @type {number} */ action, /** @type {number} */ dx, /** @type {number} */ dy, /** @type {any} */ more = {}) => {
    const cam = { ...FREE, ...more, lookat: [0, 0, 0] };
    moveCamera(cam, action, dx, dy, eye, 1);
    return cam;
  };
  const turned = after(1, -0.6, -0.6);
  near([turned.azimuth, turned.elevation], [-162, 89]); // 198 and 108, wrapped and held
  near([after(5, 0, 0.1).distance], [2 - 0.9 * Math.log(1 + 2 / 3)]);
  near([after(5, 0, 99).distance, after(5, 0, -99).distance], [0.01, 100]);
  near(after(3, 0.5, 0.25).lookat, [-1, 0, 0.5]); // the picture is 2 m high there
  near(after(4, 0.5, 0.25).lookat, [-1, 0.5, 0]);
  near(after(3, 0.5, 0.25, { orthographic: 1 }).lookat, [-0.15, 0, 0.075]);
  assert.deepEqual(after(3, 1, 1, { type: 1 }), { ...FREE, type: 1 });
  assert.deepEqual(after(1, 1, 1, { type: 2 }), { ...FREE, type: 2 });
});

test("skins go where their bones go", () => {
  const vertices = new Float32Array(27);
  vertices[9] = 1; // the second vertex at (1, 0, 0), the third at (0, 1, 0)
  vertices[19] = 1;
  const skin = new Skin(vertices, Uint32Array.of(0, 1, 2), { bones: [0, 2], inflate: 0.5 }, {
    bone_body: Int32Array.of(0, 1), bone_pos: new Float32Array(6), bone_quat: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0),
    bone_first: Int32Array.of(0, 3), bone_count: Int32Array.of(3, 1), bone_vertices: Int32Array.of(0, 1, 2, 1),
    bone_weights: Float32Array.of(1, 0.5, 1, 0.5),
  });
  const poses = new Float32Array(24);
  poses.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0]); // the second bone is 2 m along x
  near(skin.at(poses), [0, 0, 0.5, 2, 0, 0.5, 0, 1, 0.5, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
});

test("round geoms that are small in a picture have fewer facets where there are many", () => {
  const looks = new Float32Array(28 * 500), pose = new Float32Array(12 * 500);
  for (let slot = 0; slot < 500; slot++) {
    looks.set([0.1, 0.1, 0.1], 28 * slot);
    looks[28 * slot + 21] = slot % 2; // spheres, and what has no others
    pose[12 * slot + 7] = [1, 1, 3, 3, 30, 30][slot % 6]; // ahead
  }
  const eye = { ...EYE, pos: [0, 0, 0], forward: [0, 1, 0], up: [0, 0, 1] };
  const shapes = () => [0, 1, 2, 3, 4, 5].map((slot) => looks[28 * slot + 21]);
  chooseFacets(looks.subarray(0, 28 * 499), pose, { 0: [2, 8, 9] }, eye, 300);
  assert.deepEqual(shapes(), [0, 1, 0, 1, 0, 1]);
  chooseFacets(looks, pose, { 0: [2, 8, 9] }, eye, 300);
  assert.deepEqual(shapes(), [0, 1, 8, 1, 9, 1]);
});
