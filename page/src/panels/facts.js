// The part that says how the simulation stands.
import { element, fact, section } from "../elements.js";
import { named, viewer } from "../state.js";

/** Time, and the selected body. */
export class Facts {
  constructor() {
    this.time = element("output");
    this.body = element("output");
    this.part = section("State", true, [fact("Time", this.time), fact("Selected", this.body)]);
  }

  show() {
    const { select, time } = viewer.frame ?? {};
    this.time.textContent = time === undefined ? "" : Number.isFinite(time) ? `${time.toFixed(3)} s` : "not a number";
    this.body.textContent = select > 0 ? named("body", viewer.model?.bodies ?? [], select) : "none";
  }
}
