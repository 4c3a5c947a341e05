// wire.js takes apart what wire.py packs. PYTHON names the Python; it must have NumPy.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { unpack } from "../src/wire.js";

const ours = join(import.meta.dirname, "..", "..", ".venv", "bin", "python");
const python = process.env.PYTHON ?? (existsSync(ours) ? ours : "python3");
const printed = execFileSync(python, [join(import.meta.dirname, "messages.py")], { encoding: "utf8" });
const [full, bare, gone, half] = JSON.parse(printed).map((/** @type {string} */ text) => {
  const bytes = Buffer.from(text, "base64");
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
});

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
