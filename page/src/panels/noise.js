// The part with the noise on controls.
import { element } from "../elements.js";
import { runs, viewer } from "../state.js";
import { NumberField } from "./fields.js";
import { Rows } from "./rows.js";

/** @typedef {import("../commands.js").Commands} Commands */

/** Noise of controls, where the viewer itself steps. */
export class Noise {
  /** @param {Commands} commands */
  constructor(commands) {
    const now = () => viewer.frame?.status.noise ?? [0, 0];
    const std = new NumberField({
      name: "ctrl_noise_std", value: () => now()[0], act: (value) => commands.noise(Math.max(0, value), now()[1]),
    });
    const rate = new NumberField({
      name: "ctrl_noise_rate", value: () => now()[1], act: (value) => commands.noise(now()[0], Math.max(0, value)),
    });
    const row = (/** @type {string} */ name, /** @type {string} */ meaning, /** @type {NumberField} */ field) => ({
      row: element("label", { className: "row even", title: meaning }, [element("span", {}, [name]), field.box]),
      show: () => field.show(),
    });
    this.rows = new Rows("Control noise", false, () => [
      row("Deviation", "standard deviation, in half ranges of controls; 0: no noise", std),
      row("Rate in s", "the time in which noise forgets what it was", rate),
    ]);
    this.part = this.rows.part;
  }

  show() {
    this.part.hidden = !runs() || !viewer.model?.controls.length;
    this.rows.show();
  }
}
