// The time line under the picture, where a recording is played.
import { button, element, tick } from "../elements.js";
import { controls, recording } from "../state.js";

/** @typedef {import("../playing.js").Playing} Playing */

const DIGITS = 3; // of times in seconds
const ROUNDED = 1e-12; // browsers round values of sliders to some 15 digits

/** When it is, and what is played. */
export class Timeline {
  /**
   * @param {HTMLElement} place
   * @param {Playing} playing
   */
  constructor(place, playing) {
    this.place = place;
    this.playing = playing;
    this.goesOn = false; // when the slider is let go
    this.held = false; // by the pointer
    this.slider = this.timeSlider();
    this.play = button("Play", () => playing.run());
    this.time = this.number("Time", (time) => playing.seek(time));
    this.row = this.number("Row", (row) => playing.seekRow(Math.max(0, Math.round(row))));
    this.speed = this.number("Speed in %", (percent) => playing.speed(percent));
    Object.assign(this.speed, { min: "0.01", max: "10000" });
    this.length = element("output");
    this.count = element("output");
    this.loop = tick("loop", "", (on) => playing.loop(on));
    const named = (/** @type {string} */ text, /** @type {string} */ what, /** @type {() => void} */ act) => {
      const out = button(text, act);
      out.title = what;
      out.setAttribute("aria-label", what);
      return out;
    };
    const buttons = [
      named("⇤", "start of the recording", () => playing.toStart()), named("←", "row before", () => playing.rows(-1)), this.play,
      named("→", "next row", () => playing.rows(1)), named("⇥", "end of the recording", () => playing.toEnd()),
    ];
    this.controls = [...buttons, this.slider, this.time, this.row, this.speed, this.loop.box];
    const item = (/** @type {(Node | string)[]} */ ...children) => element("label", { className: "item" }, children);
    place.replaceChildren(this.slider, element("div", { className: "line" }, [
      element("span", { className: "item" }, buttons), item(this.time, this.length), item("row", this.row, this.count),
      item("speed", this.speed, "%"), this.loop.row,
    ]));
  }

  timeSlider() {
    const { playing } = this;
    const out = element("input", { type: "range", step: "any", className: "time", aria: { label: "Time" } });
    out.addEventListener("input", () => {
      if (this.held) this.stay(); // it may have begun to play since
      if (this.atEnd()) playing.toEnd();
      else playing.seek(out.valueAsNumber);
    });
    out.addEventListener("pointerdown", () => {
      this.held = true;
      this.goesOn = false;
      this.stay();
    });
    for (const end of ["pointerup", "pointercancel"]) out.addEventListener(end, () => this.release());
    return out;
  }

  /** Let it stand while the slider is held. */
  stay() {
    if (!recording()?.run) return;
    this.goesOn = true;
    this.playing.run(false);
  }

  /** Return whether the slider is at the end of the recording. */
  atEnd() {
    const { start, end } = recording() ?? { start: 0, end: 0 };
    return this.slider.valueAsNumber >= end - ROUNDED * Math.max(Math.abs(start), Math.abs(end));
  }

  release() {
    if (this.held && this.goesOn && !this.atEnd()) this.playing.run(true);
    this.held = false;
  }

  /**
   * @param {string} name
   * @param {(value: number) => void} act
   */
  number(name, act) {
    const out = element("input", { type: "number", step: "any", aria: { label: name } });
    out.addEventListener("change", () => out.validity.valid && Number.isFinite(out.valueAsNumber) && act(out.valueAsNumber));
    return out;
  }

  /** Show the newest frame; nothing where no recording is played. */
  show() {
    const now = recording();
    this.place.hidden = !now;
    if (!now) return;
    this.play.textContent = now.run ? "Pause" : "Play";
    this.length.textContent = `to ${now.end.toFixed(DIGITS)} s`;
    this.count.textContent = `to ${now.rows - 1}`;
    this.loop.box.checked = now.loop;
    for (const control of this.controls) control.disabled = !controls();
    this.slider.min = String(now.start);
    this.slider.max = String(now.end);
    if (!this.held) this.slider.value = String(now.time);
    this.slider.setAttribute("aria-valuetext", `${now.time.toFixed(DIGITS)} s`);
    this.write(this.time, now.time.toFixed(DIGITS));
    this.write(this.row, String(now.row));
    this.write(this.speed, String(now.percent));
  }

  /**
   * Show a number where nobody is writing one.
   * @param {HTMLInputElement} input
   * @param {string} text
   */
  write(input, text) {
    if (document.activeElement !== input && input.value !== text) input.value = text;
  }
}
