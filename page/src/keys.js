// Keys: which numbers GLFW gives them, and what they do; the table is the one that `?` shows.

/**
 * @typedef {object} Row
 * @property {string} key as KeyboardEvent.key or .code has it
 * @property {string} label what it does
 * @property {boolean} [shift] whether shift is held; else it may be, where the key wants it
 * @property {boolean} [ctrl] whether ctrl is held, on a Mac command
 * @property {boolean} [alt]
 * @property {() => void} act
 *
 * @typedef {Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey">} Pressed
 */

/** @type {Record<string, number>} */
const NAMED = {
  Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61, BracketLeft: 91,
  Backslash: 92, BracketRight: 93, Backquote: 96, IntlBackslash: 161, Escape: 256, Enter: 257, Tab: 258, Backspace: 259,
  Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267,
  Home: 268, End: 269, CapsLock: 280, ScrollLock: 281, NumLock: 282, PrintScreen: 283, Pause: 284, NumpadDecimal: 330,
  NumpadDivide: 331, NumpadMultiply: 332, NumpadSubtract: 333, NumpadAdd: 334, NumpadEnter: 335, NumpadEqual: 336,
  ShiftLeft: 340, ControlLeft: 341, AltLeft: 342, MetaLeft: 343, ShiftRight: 344, ControlRight: 345, AltRight: 346,
  MetaRight: 347, ContextMenu: 348,
};

/**
 * Return the number that GLFW has for a key, null for one that it does not know.
 * @param {string} code KeyboardEvent.code: the key by its place, as GLFW names it
 * @returns {number | null}
 */
export function glfwKey(code) {
  if (code in NAMED) return NAMED[code];
  const [, kind, which] = /^(Key|Digit|Numpad|F)(\d+|[A-Z])$/.exec(code) ?? [];
  switch (kind) {
    case "Key": return which.charCodeAt(0);
    case "Digit": return 48 + Number(which);
    case "Numpad": return 320 + Number(which);
    case "F": return 289 + Number(which);
    default: return null;
  }
}

// what moves a slider, and from there on
const ALONG = new Set(["Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);

/**
 * Say whether a control of the page has a key for itself.
 * @param {EventTarget | null} target
 * @param {string} key
 */
function isTaken(target, key) {
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  // keys do on a time line what they do elsewhere
  const isTime = target instanceof HTMLInputElement && target.className === "time";
  if (target instanceof HTMLInputElement && target.type === "range" && !isTime) return ALONG.has(key);
  if (target instanceof HTMLInputElement && target.type !== "checkbox" && !isTime) return true;
  // where the focus is on a control it goes on from one to the next
  if (key === "Tab") return target instanceof HTMLElement && target.matches("button, summary, input, a");
  const pressed = target instanceof HTMLElement && target.matches("button, summary, input:not(.time)");
  return pressed && [" ", "Enter"].includes(key);
}

/**
 * Listen to keys.
 * @param {() => Row[]} rows the table as it is now
 * @param {(key: number) => void} tell called with GLFW's number of each key that is pressed
 */
export function listen(rows, tell) {
  document.addEventListener("keydown", (event) => {
    if (isTaken(event.target, event.key) || document.querySelector("dialog[open]")) return;
    const row = rows().find((one) => matches(one, event));
    if (row) {
      event.preventDefault();
      row.act();
    }
    const number = glfwKey(event.code);
    if (number !== null && !event.repeat) tell(number);
  });
}

/**
 * Say whether a key that is pressed is that of a row.
 * @param {Row} row
 * @param {Pressed} pressed
 */
export function matches(row, { key, code, shiftKey, ctrlKey, altKey, metaKey }) {
  if ((ctrlKey || metaKey) !== !!row.ctrl || altKey !== !!row.alt) return false;
  if (row.shift !== undefined && row.shift !== shiftKey) return false;
  const place = code.replace("Numpad", "Digit").replace("Key", "");
  if (row.shift !== undefined || row.alt) return place === row.key || key === row.key; // with alt some keys write others
  return key.length === 1 ? key.toUpperCase() === row.key.toUpperCase() : key === row.key;
}
