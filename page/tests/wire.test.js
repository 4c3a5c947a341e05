// wire.js takes apart what wire.py packs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { unpack } from "../src/wire.js";
import { bytesOf, printed } from "./python.js";

const [full, bare, gone, half] = printed("messages.py").map(bytesOf);

test("words and arrays come as they were packed", () => {
  const { words, arrays, shapes } = unpack(full);
  assert.deepEqual(words, { kind: "frame", name: "<b>Ünïcode</b> 🤖" });
  assert.deepEqual(arrays.f4, Float32Array.of(1.5, -2, 3, 4, 5, 6));
  assert.deepEqual(shapes.f4, [2, 3]);
  assert.deepEqual(arrays.u1, Uint8Array.of(0, 1, 2, 3, 4));
  assert.deepEqual(arrays.f8, Float64Array.of(Math.PI, -0, 1e300));
  assert.deepEqual(arrays.i4, Int32Array.of(-1, 2));
  assert.deepEqual(arrays.u4, Uint32Array.of(4294967295));
  assert.equal(arrays.none.length, 0);
  assert.deepEqual(arrays.turned, Float32Array.of(1, 2));
});

test("a message may have no arrays", () => {
  assert.deepEqual(unpack(bare), { words: { kind: "role" }, arrays: {}, shapes: {} });
});

test("numbers that are none become null", () => {
  assert.deepEqual(unpack(gone).words, { time: null, inside: [null, 1], text: "NaN" });
});

test("what is no message is refused", () => {
  assert.throws(() => unpack(new ArrayBuffer(3)), RangeError);
  assert.throws(() => unpack(full.slice(0, 20)), RangeError);
  assert.throws(() => unpack(full.slice(0, full.byteLength - 8)), RangeError);
  assert.throws(() => unpack(half), /half is of <f2/);
  const words = Buffer.from("\x04\x00\x00\x00null");
  assert.throws(() => unpack(words.buffer.slice(words.byteOffset, words.byteOffset + 8)), TypeError);
});
