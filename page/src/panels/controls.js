// The part with a slider for each control.
import { button, element } from "../elements.js";
import { changes, named, shown, viewer } from "../state.js";
import { Rows } from "./rows.js";
import { Slider } from "./slider.js";

/** @typedef {import("../commands.js").Commands} Commands */

/**
 * Return what is written of an actuator's activations.
 * @param {number} first
 * @param {number} count
 */
function activations(first, count) {
  const act = viewer.data.act;
  if (!act || first < 0) return "";
  return ` (act ${[...act.slice(first, first + count)].map(shown).join(" ")})`;
}

/** All controls of a model. */
export class Controls {
  /** @param {Commands} commands */
  constructor(commands) {
    this.zero = button("Zero controls", () => commands.zero());
    const { controls = [], actadr = [] } = viewer.model ?? {};
    const watched = actadr.some((/** @type {number} */ first) => first >= 0) ? ["ctrl", "act"] : ["ctrl"];
    this.rows = new Rows("Controls", true, () => [
      { row: element("div", { className: "buttons" }, [this.zero]), show: () => { this.zero.disabled = !changes(); } },
      ...controls.map((/** @type {any} */ _, /** @type {number} */ i) => this.slider(commands, i)),
    ], { kind: "actuator", unfolded: (open) => commands.watch(watched, open) });
    this.part = this.rows.part;
    this.part.hidden = !controls.length;
  }

  /** @param {Commands} commands @param {number} index */
  slider(commands, index) {
    const { actuators, controls, ctrlspan, actadr, actnum } = /** @type {Record<string, any>} */ (viewer.model);
    const [actuator, part] = controls[index];
    const name = named("actuator", actuators, actuator);
    return new Slider({
      object: actuator,
      name: part < 0 ? name : `${name} ${part}`,
      range: ctrlspan[index],
      value: () => viewer.data.ctrl?.[index],
      act: (value) => commands.send({ do: "ctrl", index, value }),
      more: () => part > 0 ? "" : activations(actadr[actuator], actnum[actuator]),
    });
  }

  show() {
    this.rows.show();
  }
}
