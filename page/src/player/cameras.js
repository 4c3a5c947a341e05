// The part that chooses the camera.
import { choice, element, section } from "../elements.js";
import { named, viewer } from "../state.js";
import { FIXED, TRACKING } from "./eye.js";

/** The free camera, those that follow a body, those of the model. */
export class Cameras {
  /** @param {import("../showing.js").Showing} commands */
  constructor(commands) {
    const { cameras, followed } = /** @type {Record<string, any>} */ (viewer.model);
    /** @type {[string, string][]} */
    const options = [["look -1", "free"]];
    for (const [body, name] of followed) options.push([`track ${body}`, `follows ${name ?? `body ${body}`}`]);
    cameras.forEach((/** @type {any} */ _, /** @type {number} */ i) => options.push([`look ${i}`, named("camera", cameras, i)]));
    this.camera = choice("Camera", options, (value) => {
      const [kind, which] = value.split(" ");
      if (kind === "look") commands.look(Number(which));
      else commands.track(Number(which));
    });
    this.part = section("View", true, [this.camera.row, element("small", {}, ["mouse: turns, moves, zooms"])]);
  }

  show() {
    const { cam } = viewer.frame ?? {};
    if (!cam) return;
    const value = cam.type === TRACKING ? `track ${cam.trackbodyid}` : `look ${cam.type === FIXED ? cam.fixedcamid : -1}`;
    if (this.camera.select.value !== value) this.camera.select.value = value;
  }
}
