// A further picture of the page: it shows what the page's own shows, from another recording or by another camera.
import { Picture } from "./picture.js";
import { viewer } from "./state.js";

/**
 * @typedef {import("./wire.js").Message} Message
 * @typedef {object} How
 * @property {boolean} looks whether it looks from where the page's own picture looks
 * @property {(body: number) => void} [chosen] called when a body was selected in it
 */

const FOLLOWS = 1, FIXED = 2; // mjtCamera
const CHOICES = ["label", "frame", "flags", "geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "skingroup", "flexgroup"];

/**
 * Return from where a camera looks; null for one that no page can set.
 * @param {Record<string, any>} cam
 */
function lookOf(cam) {
  const numbers = [...cam.lookat, cam.distance, cam.azimuth, cam.elevation];
  if (cam.type > FIXED || !numbers.every(Number.isFinite)) return null;
  // the place of what is followed is each picture's own
  return cam.type === FOLLOWS ? { ...cam, lookat: [0, 0, 0] } : cam;
}

/** A picture that follows the page's own. */
export class Follower {
  /**
   * @param {HTMLElement} place
   * @param {string} which as of Picture
   * @param {How} how
   */
  constructor(place, which, how) {
    this.how = how;
    this.told = ""; // what it has been told to show
    this.begun = false; // whether there is a model
    this.select = 0;
    this.picking = false; // whether somebody has just selected in it
    this.picture = new Picture(place, which, { heard: ({ words }) => this.hear(words) });
    this.picture.open();
  }

  /** @param {Record<string, any>} words */
  hear(words) {
    if (words.kind === "model") {
      this.begun = true;
      this.told = "";
      this.follow();
    } else if (words.kind === "frame" && words.select !== this.select) {
      this.select = words.select;
      if (this.picking) this.how.chosen?.(words.select);
      this.picking = false;
    }
  }

  /** Show what the page's own picture shows now. */
  follow() {
    const { frame } = viewer;
    if (!frame || !this.begun) return;
    const opt = Object.fromEntries(CHOICES.map((name) => [name, frame.opt[name]]));
    const cam = this.how.looks ? lookOf(frame.cam) : null;
    const words = { opt, flags: frame.flags, select: frame.select, ...(cam && { cam }) };
    const text = JSON.stringify(words);
    if (text === this.told) return;
    this.told = text;
    this.picking = false;
    this.picture.send({ do: "follow", ...words });
  }

  /**
   * Select at a point, from 0 to 1 from the left and from below.
   * @param {number} x
   * @param {number} y
   */
  pick(x, y) {
    this.picking = true;
    this.picture.send({ do: "select", x, y });
  }

  close() {
    this.picture.close();
  }
}
