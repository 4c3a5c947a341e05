// What stands in the file beside the script: messages, packed by zlib and written in base64.
import { inflated } from "../draw/textures.js";
import { unpack } from "../wire.js";

/** @typedef {import("../wire.js").Message} Message */

/**
 * Return the message of an element.
 * @param {Element} element
 * @returns {Promise<Message>}
 */
async function messageOf(element) {
  const text = atob(element.textContent ?? "");
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  return unpack(/** @type {ArrayBuffer} */ ((await inflated(packed)).buffer));
}

const elements = (/** @type {string} */ kind) => [...document.querySelectorAll(`script.${kind}`)];

/** Return all that is read before the recording: the model, shapes, textures. */
export const parts = () => Promise.all(elements("part").map(messageOf));

/** Return what fetches a chunk of the recording by its number. */
export function chunks() {
  const found = elements("chunk");
  return (/** @type {number} */ index) => messageOf(found[index]);
}
