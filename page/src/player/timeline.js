// The time line below the picture.
import { button, choice, element, folding, tick } from "../elements.js";

/** @typedef {import("./clock.js").Clock} Clock */

const SPEEDS = ["0.1", "0.25", "0.5", "1", "2", "5", "10"];

/** What plays, stops and shows where the recording is. */
export class TimeLine {
  /**
   * @param {HTMLElement} line
   * @param {Clock} clock
   * @param {{play: () => void, help: () => void, leave: () => void}} deeds
   */
  constructor(line, clock, { play, help, leave }) {
    this.clock = clock;
    this.play = button("Play", play);
    this.slider = element("input", {
      type: "range", min: "0", max: String(clock.times.length - 1), step: "1", value: "0", aria: { label: "Time" },
      on: { input: () => { clock.run(false); clock.row = this.slider.valueAsNumber; }, pointerup: leave },
    });
    this.time = element("output", { className: "time" });
    const speed = choice("Speed", SPEEDS.map((value) => [value, `${value} x`]), (value) => { clock.speed = Number(value); });
    speed.select.value = "1";
    const loop = tick("loop", "", (on) => { clock.loops = on; });
    loop.box.checked = clock.loops;
    line.replaceChildren(this.play, this.slider, this.time, speed.row, loop.row, folding("left", "panel"), button("keys", help));
  }

  show() {
    const { clock } = this, { row } = clock;
    const text = clock.running ? "Pause" : "Play";
    if (this.play.textContent !== text) this.play.textContent = text;
    if (this.slider.valueAsNumber !== row) this.slider.value = String(row);
    const last = clock.times[clock.times.length - 1];
    this.time.textContent = `${clock.times[row].toFixed(3)} of ${last.toFixed(3)} s`;
  }
}
