// The panel at the left: the simulation, what is looked at and what is shown of it.
import { Bodies } from "./bodies.js";
import { Cameras } from "./cameras.js";
import { File } from "./file.js";
import { Flags, Groups } from "./flags.js";
import { History } from "./history.js";
import { Keyframes } from "./keyframes.js";
import { Looking } from "./looking.js";
import { Noise } from "./noise.js";
import { Opening } from "./opening.js";
import { fill } from "./panel.js";
import { Physics } from "./physics.js";
import { Simulation } from "./simulation.js";

/**
 * @typedef {import("../commands.js").Commands} Commands
 * @typedef {import("../insets.js").Insets} Insets
 */

/**
 * Fill the panel for a model; return what shows the newest frame in it.
 * @param {HTMLElement} panel
 * @param {Commands} commands
 * @param {Insets} insets
 */
export const fillLeft = (panel, commands, insets) => fill(panel, [
  new Opening(commands),
  new File(commands),
  new Simulation(commands),
  new History(commands),
  new Keyframes(commands),
  new Noise(commands),
  new Physics(commands),
  new Looking(commands),
  new Cameras(insets),
  new Bodies(commands),
  new Flags(commands, "Shown", "flags", "snVisFlag"),
  new Flags(commands, "Picture", "scene", "snRndFlag"),
  new Groups(commands),
]);
