// Runs a script of Python that stands beside the tests, and returns what it prints. PYTHON names the Python; it must have NumPy.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const ours = join(import.meta.dirname, "..", "..", ".venv", "bin", "python");
const python = process.env.PYTHON ?? (existsSync(ours) ? ours : "python3");

/** @param {string} script */
export const printed = (script) => JSON.parse(execFileSync(python, [join(import.meta.dirname, script)], { encoding: "utf8" }));

/**
 * Return the bytes that base64 stands for, in a buffer of their own.
 * @param {string} text
 */
export function bytesOf(text) {
  const bytes = Buffer.from(text, "base64");
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}
