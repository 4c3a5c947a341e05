// The part that runs the simulation.
import { button, element, section } from "../elements.js";
import { controls, runs, viewer } from "../state.js";

/** @typedef {import("../commands.js").Commands} Commands */

/** Where the simulation is run, and nothing where a program steps it. */
export class Simulation {
  /** @param {Commands} commands */
  constructor(commands) {
    this.run = button("Run", () => commands.run());
    this.buttons = [this.run, button("Step", () => commands.step()), button("Reset", () => commands.reset())];
    this.speed = element("input", {
      type: "number", min: "0.01", max: "10000", step: "any", value: "100",
      on: { change: () => this.speed.validity.valid && commands.send({ do: "speed", percent: this.speed.valueAsNumber }) },
    });
    this.part = section("Simulation", true, [
      element("div", { className: "buttons" }, this.buttons),
      element("label", { className: "row" }, [element("span", {}, ["Speed in %"]), this.speed]),
    ]);
  }

  show() {
    this.part.hidden = !runs();
    const status = viewer.frame?.status ?? {};
    this.run.textContent = status.run ? "Pause" : "Run";
    for (const control of [...this.buttons, this.speed]) control.disabled = !controls();
    const { activeElement } = document;
    if (Number.isFinite(status.percent) && activeElement !== this.speed) this.speed.value = String(status.percent);
  }
}
