// The part that goes back in time.
import { element, section } from "../elements.js";
import { controls, runs, viewer } from "../state.js";

/** @typedef {import("../commands.js").Commands} Commands */

/** A slider over the states that were, where the viewer itself steps. */
export class History {
  /** @param {Commands} commands */
  constructor(commands) {
    this.held = false;
    this.output = element("output");
    this.slider = element("input", {
      type: "range", min: "0", max: "0", step: "1", aria: { label: "history" },
      on: {
        input: () => commands.go(this.slider.valueAsNumber),
        pointerdown: () => { this.held = true; },
        pointerup: () => { this.held = false; },
        pointercancel: () => { this.held = false; },
      },
    });
    this.part = section("History", true, [
      element("label", { className: "control" }, [element("span", {}, ["States back"]), this.output, this.slider]),
    ]);
  }

  show() {
    this.part.hidden = !runs();
    const [at, count] = viewer.frame?.status.history ?? [0, 0];
    this.slider.disabled = !controls() || count < 2;
    const text = `${-at} of ${Math.max(0, count - 1)}`;
    if (this.output.textContent !== text) this.output.textContent = text;
    if (this.held) return;
    const first = String(Math.min(0, 1 - count));
    if (this.slider.min !== first) this.slider.min = first;
    if (this.slider.value !== String(at)) this.slider.value = String(at);
  }
}
