// Keys have the numbers that GLFW gives them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { glfwKey, matches } from "../src/keys.js";

test("keys have GLFW's numbers", () => {
  /** @type {[string, number | null][]} */
  const known = [
    ["KeyA", 65], ["KeyZ", 90], ["Digit0", 48], ["Space", 32], ["Escape", 256], ["ArrowRight", 262], ["F1", 290], ["F12", 301],
    ["Numpad0", 320], ["NumpadEnter", 335], ["ShiftRight", 344], ["Slash", 47], ["Backquote", 96], ["AudioVolumeUp", null],
  ];
  for (const [code, number] of known) assert.equal(glfwKey(code), number, code);
});

/**
 * @param {string} key
 * @param {string} code
 * @param {string} [held]
 */
const pressed = (key, code, held = "") => ({
  key, code, shiftKey: held.includes("shift"), ctrlKey: held.includes("ctrl"), altKey: held.includes("alt"), metaKey: false,
});
const act = () => {};

test("a key is that of a row with what is held beside it", () => {
  const p = { key: "P", label: "", act };
  assert.ok(matches(p, pressed("p", "KeyP")) && matches(p, pressed("P", "KeyP", "shift")));
  assert.ok(!matches(p, pressed("p", "KeyP", "ctrl")) && !matches(p, pressed("p", "KeyP", "alt")));
  assert.ok(matches({ ...p, ctrl: true }, pressed("p", "KeyP", "ctrl")) && !matches({ ...p, ctrl: true }, pressed("p", "KeyP")));
  assert.ok(matches({ key: "?", label: "", act }, pressed("?", "Slash", "shift")));
  const digit = { key: "Digit2", label: "", act };
  assert.ok(matches({ ...digit, shift: true }, pressed('"', "Digit2", "shift")));
  assert.ok(!matches({ ...digit, shift: false }, pressed('"', "Digit2", "shift")));
  assert.ok(matches({ ...digit, shift: false }, pressed("2", "Numpad2")));
  const tab = { key: "Tab", label: "", act };
  assert.ok(matches({ ...tab, shift: true }, pressed("Tab", "Tab", "shift")) && !matches({ ...tab, shift: true }, pressed("Tab", "Tab")));
  assert.ok(matches({ key: "F", label: "", alt: true, act }, pressed("ƒ", "KeyF", "alt")));
});
