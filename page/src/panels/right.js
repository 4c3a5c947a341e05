// The panel at the right: the state, the selected body, controls.
import { Controls } from "./controls.js";
import { Facts } from "./facts.js";
import { fill } from "./panel.js";

/** @typedef {import("../commands.js").Send} Send */

/**
 * Fill the panel for a model; return what shows the newest frame in it.
 * @param {HTMLElement} panel
 * @param {Send} send
 */
export const fillRight = (panel, send) => fill(panel, [new Facts(), new Controls(send)]);
