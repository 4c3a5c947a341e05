// Keys: which numbers GLFW gives them, and what they do; the table is the one that `?` shows.

/**
 * @typedef {{key: string, label: string, shift?: boolean, act: () => void}} Row a key as KeyboardEvent.key or .code has it
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

/**
 * Say whether a control of the page has a key for itself.
 * @param {EventTarget | null} target
 * @param {string} key
 */
function isTaken(target, key) {
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLInputElement && target.type !== "checkbox") return true;
  const pressed = target instanceof HTMLElement && target.matches("button, summary, input");
  return pressed && [" ", "Enter"].includes(key);
}

/**
 * Listen to keys.
 * @param {() => Row[]} rows the table as it is now
 * @param {(key: number) => void} tell called with GLFW's number of each key that is pressed
 */
export function listen(rows, tell) {
  document.addEventListener("keydown", (event) => {
    const { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = event;
    if (isTaken(event.target, key) || document.querySelector("dialog[open]")) return;
    if (!ctrlKey && !altKey && !metaKey) {
      const row = rows().find((one) => matches(one, key, code, shiftKey));
      if (row) {
        event.preventDefault();
        row.act();
      }
    }
    const number = glfwKey(code);
    if (number !== null && !repeat) tell(number);
  });
}

/**
 * @param {Row} row
 * @param {string} key
 * @param {string} code
 * @param {boolean} shift
 */
function matches(row, key, code, shift) {
  if (row.shift !== undefined) return row.shift === shift && code.replace("Numpad", "Digit") === row.key;
  return key.length === 1 ? key.toUpperCase() === row.key.toUpperCase() : key === row.key;
}
