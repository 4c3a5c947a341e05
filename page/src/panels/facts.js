// The part that says how the simulation stands, and the same lines over the picture.
import { element, fact, section } from "../elements.js";
import { short, shown, viewer } from "../state.js";

/** @typedef {import("../watch/watching.js").Watching} Watching */

const EVERY = 100; // milliseconds between what is shown
const MEGA = 1 << 20;

/** Return a whole number as it is shown. */
const whole = (/** @type {number} */ value) => (Number.isFinite(value) ? String(value) : "–");

/** Counts the pictures of a second. */
class Pictures {
  constructor() {
    this.count = 0;
    this.since = performance.now();
    this.rate = NaN;
  }

  /** There is another picture. */
  add() {
    this.count += 1;
    const passed = performance.now() - this.since;
    if (passed < 1000) return;
    this.rate = (1000 * this.count) / passed;
    this.count = 0;
    this.since += passed;
  }
}

/** @type {[string, (state: Record<string, number>, pictures: Pictures) => string][]} */
const LINES = [
  ["Time", () => {
    const { time } = viewer.frame ?? {};
    return time === undefined ? "" : Number.isFinite(time) ? `${time.toFixed(3)} s` : "not a number";
  }],
  ["Real-time factor", ({ realtime }) => (Number.isFinite(realtime) ? `${realtime.toFixed(2)} x` : "–")],
  ["Energy", ({ potential, kinetic }) => `${shown(potential + kinetic)} J`],
  ["of it potential", ({ potential }) => `${shown(potential)} J`],
  ["of it kinetic", ({ kinetic }) => `${shown(kinetic)} J`],
  ["Contacts", ({ contacts }) => whole(contacts)],
  ["Rows, islands", ({ rows, islands }) => `${whole(rows)}, ${whole(islands)}`],
  ["Iterations", ({ iterations }) => whole(iterations)],
  ["Residual", ({ residual }) => short(residual)],
  ["Arena", ({ arena }) => `${(arena / MEGA).toFixed(2)} of ${Math.round(viewer.model?.narena / MEGA)} MiB`],
  ["Pictures", (_, { rate }) => (Number.isFinite(rate) ? `${rate.toFixed(0)} a second` : "–")],
];

/** Lines with their values. */
class Lines {
  constructor() {
    this.values = LINES.map(() => element("output"));
    this.rows = LINES.map(([name], i) => fact(name, this.values[i]));
  }

  /**
   * @param {Record<string, number>} state
   * @param {Pictures} pictures
   */
  show(state, pictures) {
    // before the first values the lines of the page alone have something to say
    const there = Object.keys(state).length > 0;
    LINES.forEach(([name, text], i) => {
      const now = there || name === "Time" || name === "Pictures" ? text(state, pictures) : "–";
      if (this.values[i].textContent !== now) this.values[i].textContent = now;
    });
  }
}

/** How the simulation stands. */
export class Facts {
  /** @param {Watching} watching */
  constructor(watching) {
    this.watching = watching;
    this.pictures = new Pictures();
    this.lines = new Lines();
    this.part = section("State", true, this.lines.rows);
    this.part.addEventListener("toggle", () => this.want());
    this.over = new Lines();
    this.info = element("div", { className: "info", hidden: true }, this.over.rows);
    document.getElementById("picture")?.append(this.info);
    document.querySelectorAll(".info").forEach((one) => one !== this.info && one.remove()); // of the model before
    this.shown = 0;
    this.want();
  }

  want() {
    this.watching.setState("part", this.part.open);
  }

  show() {
    this.pictures.add();
    const now = performance.now();
    this.info.hidden = !this.watching.wantState.has("info");
    if (now - this.shown < EVERY) return;
    this.shown = now;
    if (this.part.open) this.lines.show(this.watching.state, this.pictures);
    if (!this.info.hidden) this.over.show(this.watching.state, this.pictures);
  }
}
