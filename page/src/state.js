// What the page knows of the viewer, which panels, keys and pointer ask.

/** @typedef {Record<string, any>} Words */

export const viewer = {
  connected: false,
  /** @type {"controller" | "spectator" | ""} */
  role: "",
  /** @type {Words | null} the newest model */
  model: null,
  /** @type {Words | null} the newest frame */
  frame: null,
  /** @type {Record<string, any>} arrays of the newest frame that panels have asked for */
  data: {},
  /** @type {Words | null} options of the model */
  option: null,
  /** @type {Words | null} what was wanted last and cannot be, and why */
  refused: null,
};

/** Return whether this page controls the simulation. */
export const controls = () => viewer.connected && viewer.role === "controller";

/** Return whether the viewer itself runs the simulation; else a program steps it. */
export const runs = () => typeof viewer.frame?.status?.run === "boolean";

/** Return how a recording is played; null where none is. */
export const recording = () => viewer.frame?.status?.recording ?? null;

/** Return whether this page may change the simulation: it controls, and there is one. */
export const changes = () => controls() && !recording();

/**
 * Return the name of an object of the model; many have none.
 * @param {string} kind
 * @param {(string | null)[]} names
 * @param {number} index
 */
export const named = (kind, names, index) => names[index] ?? `${kind} ${index}`;

/**
 * Return a number as it is shown.
 * @param {number} value
 */
export const shown = (value) => (Number.isFinite(value) ? value.toPrecision(4) : "not a number");

const SMALL = 1e-3; // below it a number has an exponent and fewer digits

/**
 * Return a number as it is shown where many stand in a line.
 * @param {number} value
 */
export const short = (value) => (value !== 0 && Math.abs(value) < SMALL ? value.toExponential(1) : shown(value));
