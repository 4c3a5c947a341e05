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
/** @type {Record<string, string>} */
const SHOWN = { " ": "space", ArrowRight: "right arrow", ArrowLeft: "left arrow", Backspace: "backspace", Escape: "esc" };

/** @param {Row} row */
function nameOf({ key, shift }) {
  const name = SHOWN[key] ?? key.replace("Digit", "");
  return shift ? `shift + ${name}` : name;
}

/**
 * Show the list until it is closed.
 * @param {HTMLDialogElement} dialog
 * @param {Row[]} rows
 */
export function showHelp(dialog, rows) {
  const line = (/** @type {string} */ key, /** @type {string} */ label) =>
    element("tr", {}, [element("td", {}, [element("kbd", {}, [key])]), element("td", {}, [label])]);
  dialog.replaceChildren(
    element("form", { method: "dialog" }, [element("h2", {}, ["Keys and pointer"]), element("button", {}, ["close"])]),
    element("div", { className: "keys" }, [
      element("table", {}, POINTER.map(([key, label]) => line(key, label))),
      element("table", {}, rows.map((row) => line(nameOf(row), row.label))),
    ]),
  );
  dialog.showModal();
}
