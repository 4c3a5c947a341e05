// The panel at the right: time, the selected body, controls.
import { element, section } from "./elements.js";
import { controls, named, viewer } from "./state.js";

/** @typedef {import("./commands.js").Send} Send */

/** @param {number} value */
const shown = (value) => (Number.isFinite(value) ? value.toPrecision(4) : "not a number");

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

/**
 * Fill the panel for a model; return what shows the newest frame in it.
 * @param {HTMLElement} panel
 * @param {Send} send
 */
export function fillRight(panel, send) {
  const time = element("output"), body = element("output");
  const fact = (/** @type {string} */ name, /** @type {Node} */ value) =>
    element("div", { className: "row" }, [element("span", {}, [name]), value]);
  const sliders = (viewer.model?.actuators ?? []).map((/** @type {any} */ _, /** @type {number} */ i) => new Control(send, i));
  const rows = sliders.map((/** @type {Control} */ slider) => slider.row);
  panel.replaceChildren(
    section("State", true, [fact("Time", time), fact("Selected", body)]),
    ...(rows.length ? [section("Controls", true, rows)] : []),
  );
  return () => {
    const { select, time: now } = viewer.frame ?? {};
    time.textContent = now === undefined ? "" : Number.isFinite(now) ? `${now.toFixed(3)} s` : "not a number";
    body.textContent = select > 0 ? named("body", viewer.model?.bodies ?? [], select) : "none";
    for (const slider of sliders) slider.show();
  };
}
