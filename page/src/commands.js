// What can be done in the page, by keys and in panels, and the table of keys.
import { Film, screenshot } from "./capture.js";
import { Playing } from "./playing.js";
import { FREE, Showing } from "./showing.js";
import { controls, recording, runs, viewer } from "./state.js";
import { Watching } from "./watch/watching.js";

/**
 * @typedef {import("./showing.js").Send} Send
 * @typedef {import("./keys.js").Row} Row
 */

/** Labels and frames, in the order of mjtLabel and mjtFrame. */
export const CHOICES = {
  label: [
    "none", "body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "constraint", "flex", "skin",
    "selection", "selection point", "contact point", "contact force", "island",
  ],
  frame: ["none", "body", "geom", "site", "camera", "light", "contact", "world"],
};

/** The deeds of the page. */
export class Commands extends Showing {
  /**
   * @param {Send} send
   * @param {{canvas: HTMLCanvasElement, draw: () => void}} picture
   * @param {import("./dropping.js").Dropping} dropping
   */
  constructor(send, picture, dropping) {
    super(send);
    this.playing = new Playing(send);
    this.picture = picture;
    this.dropping = dropping;
    this.film = new Film(picture.canvas, send);
    this.watching = new Watching(send);
    /** @type {Set<string>} arrays of the data that panels show */
    this.watched = new Set();
  }

  /** There is a new model, and nothing of it is shown yet. */
  begin() {
    this.watched.clear();
  }

  /**
   * Let frames have some arrays of the data, or not.
   * @param {string[]} names
   * @param {boolean} on
   */
  watch(names, on) {
    for (const name of names) on ? this.watched.add(name) : this.watched.delete(name);
    this.send({ do: "arrays", of: [...this.watched] });
  }

  run() {
    if (runs()) this.send({ do: "run", on: !viewer.frame?.status.run });
  }

  step() {
    if (runs()) this.send({ do: "step", steps: 1 });
  }

  /**
   * Run faster or slower.
   * @param {number} by steps of a tenth of a factor of ten
   */
  speed(by) {
    if (runs()) this.send({ do: "faster", by });
  }

  /** @param {number} key a keyframe; -1: the model as it is */
  reset(key = -1) {
    if (runs()) this.send({ do: "reset", key });
  }

  // ---- history

  /** Stop, and go one state back. */
  back() {
    if (runs()) this.send({ do: "back" });
  }

  /** @param {number} at 0: the newest state; -3: the third before it */
  go(at) {
    if (runs()) this.send({ do: "history", at });
  }

  // ---- settings

  /** Set all controls to 0. */
  zero() {
    this.send({ do: "zero" });
  }

  /**
   * @param {string} name
   * @param {number} value
   * @param {number} [at] which number of it
   */
  option(name, value, at) {
    viewer.refused = null;
    this.send({ do: "option", name, value, ...(at !== undefined && { at }) });
  }

  /**
   * @param {string} name
   * @param {number} index of the flag
   * @param {boolean} on
   */
  bit(name, index, on) {
    this.send({ do: "bit", name, index, on });
  }

  /**
   * @param {number} std
   * @param {number} rate
   */
  noise(std, rate) {
    if (runs()) this.send({ do: "noise", std, rate });
  }

  // ---- keyframes

  /** Copy the state as a keyframe. */
  copyState() {
    this.send({ do: "copy" });
  }

  /** @param {number} key a keyframe in which the state is kept */
  keep(key) {
    this.send({ do: "keep", key });
  }

  /** @param {string} name of a keyframe with the state, in the file of the model */
  write(name) {
    viewer.refused = null;
    this.send({ do: "write", name });
  }

  // ---- the camera

  /** Let the free camera see the whole model. */
  align() {
    this.look(FREE);
  }

  // ---- objects

  /** @param {number} body to select; 0: none */
  choose(body) {
    this.send({ do: "choose", body });
  }

  /**
   * Show an object of the model: select its body, look through it, scroll to what sets it, which is marked with
   * data-object, as "actuator 3". A part that makes its rows late is marked with data-objects, and hears of it.
   * @param {string} kind
   * @param {number} index
   */
  reveal(kind, index) {
    const body = this.watching.objects.bodies[kind]?.[index] ?? -1;
    if (kind === "camera") this.look(index);
    else if (body >= 0) this.choose(body);
    document.querySelector(`[data-objects="${kind}"]`)?.dispatchEvent(new Event("reveal"));
    const row = document.querySelector(`[data-object="${kind} ${index}"]`);
    row?.closest("details")?.setAttribute("open", "");
    const scroll = () => row?.scrollIntoView({ block: "nearest" });
    scroll();
    this.watching.whenDescribed(scroll); // the description of its body moves it away
  }

  /** Let the name of an object be typed. */
  find() {
    if (document.body.classList.contains("no-left")) document.getElementById("fold-left")?.click();
    const box = document.getElementById("find");
    box?.closest("details")?.setAttribute("open", "");
    box?.focus();
  }

  /** Show how the simulation stands over the picture, or no more. */
  toggleInfo() {
    this.watching.setState("info", !this.watching.wantState.has("info"));
  }

  /** Plot iterations, times of stages, contacts and rows, or none of them. */
  toggleProfiler() {
    this.watching.togglePreset("profiler");
  }

  /** Plot the sensors, or none of them. */
  toggleSensors() {
    this.watching.togglePreset("sensors");
  }

  /** @param {"label" | "frame"} of choose the next one */
  next(of) {
    this.send({ do: "choice", of, value: ((viewer.frame?.opt[of] ?? 0) + 1) % CHOICES[of].length });
  }

  /** Select the body that the selected one hangs at. */
  selectParent() {
    const body = viewer.frame?.select;
    if (body > 0) this.choose(this.watching.objects.parents[body]);
  }

  // ---- the page

  /** @param {"left" | "right"} side show or hide a panel */
  panel(side) {
    document.body.classList.toggle(`no-${side}`);
  }

  /** Fill the screen with the page, or no longer. */
  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  }

  /** Keep the picture. */
  screenshot() {
    this.picture.draw();
    screenshot(this.picture.canvas);
  }

  // ---- keys

  /**
   * Return the table of keys. `help` shows it.
   * @param {() => void} help
   * @returns {Row[]}
   */
  rows(help) {
    return [
      { key: "?", label: "this list", act: help },
      { key: "F1", label: "this list", act: help },
      { key: "F", label: "find by name", ctrl: true, act: () => this.find() },
      { key: "F2", label: "lines of state", act: () => this.toggleInfo() },
      { key: "F3", label: "profiler", act: () => this.toggleProfiler() },
      { key: "F4", label: "sensors", act: () => this.toggleSensors() },
      ...(runs() ? this.runRows() : []), ...(recording() ? this.playing.keys() : []), ...this.cameraRows(), ...this.pageRows(),
      ...foldRows(), ...this.switchRows(),
    ];
  }

  /** @returns {Row[]} keys of a viewer that simulates */
  runRows() {
    return [
      { key: " ", label: "run, pause", act: () => controls() && this.run() },
      { key: "ArrowRight", label: "one step, or one state on", act: () => controls() && this.step() },
      { key: "ArrowLeft", label: "one state back", act: () => controls() && this.back() },
      { key: "=", label: "faster", act: () => controls() && this.speed(1) },
      { key: "+", label: "faster", act: () => controls() && this.speed(1) },
      { key: "-", label: "slower", act: () => controls() && this.speed(-1) },
      { key: "Backspace", label: "reset", act: () => controls() && this.reset() },
      { key: "L", label: "load the model again, and reset", ctrl: true, act: () => this.dropping.reload() },
    ];
  }

  /** @returns {Row[]} keys of what is selected, shown and kept */
  pageRows() {
    return [
      { key: "PageUp", label: "select the parent of the selected body", act: () => this.selectParent() },
      { key: "Tab", label: "left panel", shift: false, act: () => this.panel("left") },
      { key: "Tab", label: "right panel", shift: true, act: () => this.panel("right") },
      { key: "F5", label: "full screen", act: () => this.fullscreen() },
      { key: "F6", label: "next frames", act: () => this.next("frame") },
      { key: "F7", label: "next labels", act: () => this.next("label") },
      { key: "A", label: "align the free camera", ctrl: true, act: () => this.align() },
      // where text is selected, it is what is copied
      ...(String(getSelection()) ? [] : [{ key: "C", label: "copy the state", ctrl: true, act: () => this.copyState() }]),
      { key: "P", label: "screenshot", ctrl: true, act: () => this.screenshot() },
      { key: "M", label: "print the model", ctrl: true, act: () => this.send({ do: "print", what: "model" }) },
      { key: "D", label: "print the data", ctrl: true, act: () => this.send({ do: "print", what: "data" }) },
      { key: "Q", label: "end the viewer", ctrl: true, act: () => controls() && this.send({ do: "quit" }) },
    ];
  }
}

/** @returns {Row[]} keys that fold and unfold parts of panels */
function foldRows() {
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const parts = document.querySelectorAll("details[data-fold]");
  return Array.from(parts).filter((part) => !part.hidden).map((part) => {
    const { fold = "", title } = part.dataset;
    return { key: fold, label: `fold ${title}`, alt: true, act: () => { part.open = !part.open; } };
  });
}
