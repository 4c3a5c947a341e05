// The panel at the right: the state, the selected body, plots, controls, joints, constraints.
import { Controls } from "./controls.js";
import { Equalities } from "./equalities.js";
import { Facts } from "./facts.js";
import { Joints } from "./joints.js";
import { fill } from "./panel.js";
import { Plots } from "./plots.js";
import { Selected } from "./selected.js";

/** @typedef {import("../commands.js").Commands} Commands */

/**
 * Fill the panel for a model; return what shows the newest frame in it.
 * @param {HTMLElement} panel
 * @param {Commands} commands
 */
export const fillRight = (panel, commands) => fill(panel, [
  new Facts(commands.watching),
  new Selected(commands.watching),
  new Plots(commands.watching),
  new Controls(commands),
  new Joints(commands),
  new Equalities(commands),
]);
