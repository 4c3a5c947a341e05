// What the page watches beside the picture: it asks the server for it, and keeps what comes.
import { Objects } from "./objects.js";
import { Samples } from "./samples.js";
import { MOST, Signals, keyOf } from "./signals.js";

/**
 * @typedef {import("../commands.js").Send} Send
 * @typedef {import("../wire.js").Message} Message
 * @typedef {import("../wire.js").Numbers} Numbers
 * @typedef {import("./signals.js").Signal} Signal
 */

export const SPANS = [2, 10, 60]; // seconds of simulated time
const SPAN = 10;
const SOON = 3000; // milliseconds
/** @type {Record<string, [string, number]>} signals of the part "State" and of the lines over the picture */
export const STATE = {
  realtime: ["realtime", 0],
  potential: ["energy", 0],
  kinetic: ["energy", 1],
  contacts: ["ncon", 0],
  rows: ["nefc", 0],
  islands: ["nisland", 0],
  iterations: ["solver_niter", 0],
  residual: ["solver_residual", 0],
  arena: ["arena", 0],
};
const PROFILER = new Set(["timer", "solver_niter", "ncon", "nefc"]);
const MOST_SENSORS = 100;
/** @type {Record<string, (signal: Signal) => boolean>} */
const PRESETS = {
  profiler: ({ kind }) => PROFILER.has(kind),
  sensors: ({ kind, index }) => kind === "sensordata" && index < MOST_SENSORS,
};

/** What is watched. */
export class Watching {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.serial = 0;
    /** @type {Set<string>} who wants the signals of the state */
    this.wantState = new Set();
    this.wantDetails = false;
    /** @type {Signal[]} those that are plotted */
    this.chosen = [];
    /** @type {Set<string>} their keys */
    this.keys = new Set();
    this.samples = new Samples(0, SPAN);
    this.asked = { state: -1, plot: -1 }; // serials of what was asked for last
    /** @type {Record<string, number>} */
    this.state = {};
    /** @type {Record<string, any> | null} words of the selected body */
    this.body = null;
    /** @type {Record<string, any>} what of it stays as it is */
    this.about = {};
    /** @type {Record<string, Numbers>} its numbers */
    this.numbers = {};
    this.described = () => {}; // called when a body was described
    this.objects = new Objects({});
    this.signals = new Signals({}, this.objects);
  }

  /**
   * There is a new model: what it has of what was watched is watched on.
   * @param {Record<string, any>} model
   * @param {Record<string, Numbers>} arrays
   */
  begin(model, arrays) {
    this.objects = new Objects(arrays);
    this.signals = new Signals(model, this.objects);
    this.body = null;
    const before = new Set(this.chosen.map(({ label, ...signal }) => `${keyOf(signal)} ${label}`));
    const kept = before.size ? this.signals.all().filter((one) => before.has(`${keyOf(one)} ${one.label}`)) : [];
    this.keep(kept);
    this.ask();
  }

  /** Ask for all of it: the server forgets it with a model and a connection, and does more for who controls. */
  ask() {
    this.askPlot();
    this.askState();
    this.send({ do: "details", on: this.wantDetails });
  }

  askPlot() {
    this.watch("plot", this.chosen.map(({ kind, index }) => [kind, index]));
  }

  askState() {
    this.watch("state", this.wantState.size ? Object.values(STATE) : []);
  }

  /**
   * @param {"state" | "plot"} of
   * @param {[string, number][]} signals
   */
  watch(of, signals) {
    this.serial += 1;
    this.asked[of] = this.serial;
    this.send({ do: "watch", of, signals, serial: this.serial });
  }

  // ---- what the page wants

  /** @param {string} who @param {boolean} on */
  setState(who, on) {
    const before = this.wantState.size > 0;
    if (on) this.wantState.add(who);
    else this.wantState.delete(who);
    if (before !== this.wantState.size > 0) this.askState();
  }

  /** Do something once a body that was just chosen is described, unless that takes long. */
  whenDescribed(/** @type {() => void} */ act) {
    const end = performance.now() + SOON;
    this.described = () => {
      this.described = () => {};
      if (performance.now() < end) act();
    };
  }

  /** @param {boolean} on */
  setDetails(on) {
    if (on === this.wantDetails) return;
    this.wantDetails = on;
    this.send({ do: "details", on });
  }

  /** Plot signals, instead of those before. */
  choose(/** @type {Signal[]} */ signals) {
    this.keep(signals);
    this.askPlot();
  }

  keep(/** @type {Signal[]} */ signals) {
    this.chosen = signals.slice(0, MOST);
    this.keys = new Set(this.chosen.map(keyOf));
    this.samples = new Samples(this.chosen.length, this.samples.span);
  }

  /**
   * Plot a signal besides, or no more; return whether it is plotted.
   * @param {Signal} signal
   * @param {boolean} on
   */
  tick(signal, on) {
    const others = this.chosen.filter((one) => keyOf(one) !== keyOf(signal));
    if (!on) this.choose(others);
    else if (others.length < MOST) this.choose([...others, signal]);
    return this.keys.has(keyOf(signal));
  }

  /** Plot the signals of a preset, or where they are plotted none. */
  togglePreset(/** @type {string} */ name) {
    const wanted = this.signals.all().filter(PRESETS[name]);
    const plotted = wanted.length === this.chosen.length && wanted.every((one) => this.keys.has(keyOf(one)));
    this.choose(plotted ? [] : wanted);
  }

  /** @param {number} span seconds */
  setSpan(span) {
    this.samples.span = span;
  }

  // ---- what comes

  /** @param {Message} frame */
  take({ words, arrays }) {
    if (words.plot === this.asked.plot) this.samples.add(words.time, arrays.plot);
    if (words.state === this.asked.state) {
      this.state = Object.fromEntries(Object.keys(STATE).map((name, i) => [name, arrays.state[i]]));
    }
    this.body = words.details ?? null;
    if (!this.body) return;
    this.about = this.body.about ?? this.about;
    const start = "details.";
    this.numbers = Object.fromEntries(Object.entries(arrays)
      .filter(([name]) => name.startsWith(start)).map(([name, values]) => [name.slice(start.length), values]));
  }
}
