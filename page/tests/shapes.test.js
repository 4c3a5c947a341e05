// Wires show the sides of faces: of quads not where they are cut.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Shape, sides } from "../src/draw/shapes.js";

const QUAD = Uint32Array.of(0, 1, 3, 1, 2, 3);

test("a quad has four sides", () => {
  assert.deepEqual(sides(QUAD, true), [0, 1, 3, 3, 0, 1, 1, 2, 3, 2, 3, 1]);
});

test("triangles that meet as those of a quad have three sides each in a mesh", () => {
  assert.equal(sides(QUAD, false).length, 3 * 6);
});

test("triangles beside a quad keep their sides", () => {
  assert.equal(sides(Uint32Array.of(4, 0, 1, ...QUAD, 5, 2, 3), true).length, 3 * (3 + 4 + 3));
});

test("a skin that moves takes its wires along", () => {
  const vertices = new Float32Array(27);
  const shape = new Shape(106, vertices, Uint32Array.of(0, 1, 2));
  const { v_position: position, v_other: other } = shape.wires().attributes;
  const moved = Float32Array.of(1, 0, 0, 0, 2, 0, 0, 0, 3, ...[0, 0, 1, 0, 0, 1, 0, 0, 1]);
  shape.move(moved);
  assert.equal(position.getX(0), 1);
  assert.equal(other.getY(0), 2);
  assert.deepEqual([...vertices.subarray(18, 25)], [0, 0, 3, 0, 0, 0, 1]);
});
