// Numbers that one writes.
import { element } from "../elements.js";
import { changes, viewer } from "../state.js";

/**
 * @typedef {object} Written
 * @property {string} name
 * @property {() => number | null | undefined} value as it is now
 * @property {(value: number) => void} act called with what is written
 */

/** A box that holds a number as the simulation has it, but while somebody writes. */
export class NumberField {
  /** @param {Written} of */
  constructor({ name, value, act }) {
    this.now = value;
    this.writes = false;
    this.box = element("input", {
      type: "number", step: "any", aria: { label: name },
      on: {
        input: () => { this.writes = true; },
        change: () => {
          this.writes = false;
          if (Number.isFinite(this.box.valueAsNumber)) act(this.box.valueAsNumber);
        },
        blur: () => { this.writes = false; },
      },
    });
  }

  show() {
    this.box.disabled = !changes();
    const text = String(this.now() ?? "");
    if (!this.writes && this.box.value !== text) this.box.value = text;
  }
}

/** Why something that was wanted cannot be. */
export class Refusal {
  /** @param {string} of what was wanted */
  constructor(of) {
    this.of = of;
    this.row = element("p", { className: "refused", role: "alert", hidden: true });
  }

  show() {
    const text = viewer.refused?.of === this.of ? viewer.refused.text : "";
    this.row.hidden = !text;
    if (this.row.textContent !== text) this.row.textContent = text;
  }
}
