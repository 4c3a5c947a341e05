// The list of keys and of what the pointer does.
import { element } from "../elements.js";

/** @typedef {import("../keys.js").Row} Row */

/** @type {[string, string][]} */
const POINTER = [
  ["left drag", "turn the camera; with shift about its height alone"],
  ["right drag", "move the camera; with shift level"],
  ["middle drag, wheel", "nearer, farther"],
  ["double click", "select a body"],
  ["ctrl + left drag", "turn the selected body"],
  ["ctrl + right drag", "pull the selected body"],
  ["ctrl + right double click", "follow the selected body"],
];
const LOOKS = 3; // of them that move the camera
/** @type {Record<string, string>} */
const SHOWN = {
  " ": "space", ArrowLeft: "left arrow", ArrowRight: "right arrow", Backspace: "backspace", Escape: "esc", PageUp: "page up",
  Tab: "tab", Home: "home", End: "end",
};

/** @param {Row} row */
function nameOf({ key, shift, ctrl, alt }) {
  const held = [ctrl && "ctrl", alt && "alt", shift && "shift"].filter(Boolean);
  return [...held, SHOWN[key] ?? key.replace("Digit", "")].join(" + ");
}

/**
 * Return the names of the keys of each deed.
 * @param {Row[]} rows
 */
function together(rows) {
  /** @type {Map<string, string[]>} */
  const out = new Map();
  for (const row of rows) out.set(row.label, [...(out.get(row.label) ?? []), nameOf(row)]);
  return out;
}

/**
 * Show the list until it is closed.
 * @param {HTMLDialogElement} dialog
 * @param {Row[]} rows
 * @param {boolean} [looks] whether the pointer moves the camera alone
 */
export function showHelp(dialog, rows, looks = false) {
  const line = (/** @type {string} */ key, /** @type {string} */ label) =>
    element("tr", {}, [element("td", {}, [element("kbd", {}, [key])]), element("td", {}, [label])]);
  dialog.replaceChildren(
    element("form", { method: "dialog" }, [element("h2", {}, ["Keys and pointer"]), element("button", {}, ["close"])]),
    element("div", { className: "keys" }, [
      element("table", {}, POINTER.slice(0, looks ? LOOKS : undefined).map(([key, label]) => line(key, label))),
      element("table", {}, [...together(rows)].map(([label, keys]) => line(keys.join(" or "), label))),
    ]),
  );
  dialog.showModal();
}
