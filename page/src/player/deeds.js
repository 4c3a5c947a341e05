// What is done in the page and in a viewer its server does: the camera, and what is shown. And the keys.
import { Showing } from "../showing.js";
import { FIXED, TRACKING, moveCamera } from "./eye.js";

/**
 * @typedef {import("./clock.js").Clock} Clock
 * @typedef {import("./frames.js").Wanted} Wanted
 * @typedef {import("../showing.js").Send} Send
 */

/**
 * Return what does as it is told, in place of a server.
 * @param {Record<string, any>} model
 * @param {Wanted} wanted what is changed
 * @param {() => import("../draw/camera.js").Eye} eye
 * @returns {Record<string, (words: Record<string, any>) => void>}
 */
export const deedsOf = (model, wanted, eye) => ({
  camera: ({ action, dx, dy }) => moveCamera(wanted.cam, action, dx, dy, eye(), model.extent),
  look: ({ camera }) => {
    if (camera < 0) wanted.cam = structuredClone(model.cam);
    else Object.assign(wanted.cam, { type: FIXED, fixedcamid: camera });
  },
  track: ({ body }) => {
    if (wanted.cam.type === FIXED) wanted.cam = structuredClone(model.cam);
    Object.assign(wanted.cam, { type: TRACKING, trackbodyid: body });
  },
  flag: ({ of, index, on }) => {
    (of === "scene" ? wanted.flags : wanted.opt[of])[index] = Number(on);
  },
});

/** The deeds of a page that plays a recording. */
export class Playing extends Showing {
  /**
   * @param {Send} send
   * @param {Clock} clock
   */
  constructor(send, clock) {
    super(send);
    this.clock = clock;
  }

  /** Play, or stand still. */
  play() {
    this.clock.run(!this.clock.running);
  }

  /** Go some rows on, and stand there. */
  go(/** @type {number} */ by) {
    this.clock.run(false);
    this.clock.row += by;
  }

  /** Return the table of keys. `help` shows it. */
  rows(/** @type {() => void} */ help) {
    return [
      { key: "?", label: "this list", act: help },
      { key: "F1", label: "this list", act: help },
      { key: " ", label: "play, pause", act: () => this.play() },
      { key: "ArrowRight", label: "one row on", act: () => this.go(1) },
      { key: "ArrowLeft", label: "one row back", act: () => this.go(-1) },
      { key: "Backspace", label: "to the start", act: () => this.go(-this.clock.times.length) },
      ...this.cameraRows(),
      ...this.switchRows(),
    ];
  }
}
