// A panel: parts that fold, one below the other.

/**
 * @typedef {object} Part
 * @property {HTMLElement} part what stands in the panel
 * @property {() => void} show shows the newest frame in it
 */

/**
 * Fill a panel; return what shows the newest frame in its parts.
 * @param {HTMLElement} panel
 * @param {Part[]} parts
 */
export function fill(panel, parts) {
  panel.replaceChildren(...parts.map(({ part }) => part));
  return () => parts.forEach((part) => part.show());
}
