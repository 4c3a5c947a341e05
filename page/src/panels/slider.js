// A named number in a range.
import { element } from "../elements.js";
import { changes, shown } from "../state.js";

/**
 * @typedef {object} Range
 * @property {string} name
 * @property {[number, number]} range
 * @property {() => number} value as it is now
 * @property {(value: number) => void} act called with what is chosen
 * @property {() => string} [more] what is written behind the value
 * @property {number} [object] which object of the model it sets
 */

/** A slider that follows the simulation, but where somebody holds it. */
export class Slider {
  /** @param {Range} of */
  constructor({ name, range: [low, high], value, act, more = () => "", object }) {
    this.now = value;
    this.more = more;
    this.object = object;
    this.held = false; // by the pointer
    this.output = element("output");
    this.slider = element("input", {
      type: "range", min: String(low), max: String(high), step: "any", aria: { label: name },
      on: {
        input: () => {
          act(this.slider.valueAsNumber);
          this.output.textContent = this.text(this.slider.valueAsNumber);
        },
        pointerdown: () => { this.held = true; },
        pointerup: () => { this.held = false; },
        pointercancel: () => { this.held = false; },
      },
    });
    const ends = element("small", {}, [`${shown(low)} to ${shown(high)}`]);
    this.row = element("label", { className: "control" }, [element("span", {}, [name]), this.output, this.slider, ends]);
  }

  /** @param {number} value */
  text(value) {
    return shown(value) + this.more();
  }

  show() {
    const value = this.now();
    this.slider.disabled = !changes();
    if (value === undefined || (this.held && !this.slider.disabled)) return;
    const text = this.text(value);
    if (this.output.textContent === text) return;
    this.output.textContent = text;
    this.slider.value = String(value);
  }
}
