// Keys have the numbers that GLFW gives them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { glfwKey } from "../src/keys.js";

test("keys have GLFW's numbers", () => {
  /** @type {[string, number | null][]} */
  const known = [
    ["KeyA", 65], ["KeyZ", 90], ["Digit0", 48], ["Space", 32], ["Escape", 256], ["ArrowRight", 262], ["F1", 290], ["F12", 301],
    ["Numpad0", 320], ["NumpadEnter", 335], ["ShiftRight", 344], ["Slash", 47], ["Backquote", 96], ["AudioVolumeUp", null],
  ];
  for (const [code, number] of known) assert.equal(glfwKey(code), number, code);
});
