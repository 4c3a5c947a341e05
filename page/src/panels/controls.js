// The part with a slider for each control.
import { element, section } from "../elements.js";
import { controls, named, shown, viewer } from "../state.js";

/** @typedef {import("../commands.js").Send} Send */

/** A control: its range is a slider. */
class Control {
  /**
   * @param {Send} send
   * @param {number} index
   */
  constructor(send, index) {
    const { actuators, ctrlrange, ctrllimited } = /** @type {Record<string, any>} */ (viewer.model);
    const [low, high] = ctrllimited[index] ? ctrlrange[index] : [-1, 1];
    this.index = index;
    this.held = false; // by the pointer
    this.value = element("output", {}, [""]);
    const name = named("actuator", actuators, index);
    this.slider = element("input", {
      type: "range", min: String(low), max: String(high), step: "any", aria: { label: name },
    });
    this.slider.addEventListener("input", () => {
      send({ do: "ctrl", index, value: this.slider.valueAsNumber });
      this.value.textContent = shown(this.slider.valueAsNumber);
    });
    this.slider.addEventListener("pointerdown", () => { this.held = true; });
    for (const end of ["pointerup", "pointercancel"]) this.slider.addEventListener(end, () => { this.held = false; });
    const range = element("small", {}, [`${shown(low)} to ${shown(high)}`]);
    this.row = element("label", { className: "control" }, [element("span", {}, [name]), this.value, this.slider, range]);
  }

  show() {
    this.slider.disabled = !controls();
    const value = viewer.ctrl[this.index];
    if (this.held && !this.slider.disabled) return;
    const text = shown(value);
    if (this.value.textContent === text) return;
    this.value.textContent = text;
    this.slider.value = String(value);
  }
}

/** All controls of a model. */
export class Controls {
  /** @param {Send} send */
  constructor(send) {
    const names = viewer.model?.actuators ?? [];
    /** @type {Control[]} */
    this.sliders = names.map((/** @type {any} */ _, /** @type {number} */ i) => new Control(send, i));
    this.part = section("Controls", true, this.sliders.map(({ row }) => row));
    this.part.hidden = !this.sliders.length;
  }

  show() {
    for (const slider of this.sliders) slider.show();
  }
}
