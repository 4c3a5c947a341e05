// What the page gives away: text to the clipboard, files to the folder of downloads.
import { element } from "./elements.js";

/**
 * Copy a text; where the browser refuses, show it to be copied. Return whether it is in the clipboard.
 * @param {HTMLDialogElement} dialog
 * @param {string} text
 */
export async function copyText(dialog, text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showText(dialog, text);
    return false;
  }
}

/** @param {HTMLDialogElement} dialog @param {string} text */
function showText(dialog, text) {
  const area = element("textarea", { readOnly: true, rows: 10, value: text, aria: { label: "state" } });
  dialog.replaceChildren(
    element("form", { method: "dialog" }, [element("h2", {}, ["State"]), element("button", {}, ["close"])]),
    element("p", {}, ["The browser lets nobody write to the clipboard: copy it from here."]),
    area,
  );
  if (!dialog.open) dialog.showModal();
  area.select();
}

/**
 * Let the browser keep a file.
 * @param {string} name
 * @param {Blob} content
 */
export function save(name, content) {
  const href = URL.createObjectURL(content);
  element("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // it may ask first where to
}

/**
 * Let the browser keep a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} [kind]
 */
export const download = (name, text, kind = "application/xml") => save(name, new Blob([text], { type: kind }));
