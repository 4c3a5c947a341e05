// What is shown of a model, and from where: what can be done in every page, whatever it shows it of.
import { viewer } from "./state.js";

/**
 * @typedef {(words: Record<string, any> & {do: string}) => void} Send
 * @typedef {import("./keys.js").Row} Row
 */

// mjtRndFlag and mjtVisFlag: what the page does not draw yet
const NOT_YET = { scene: new Set(), flags: new Set() };
export const GROUPS = 6;
export const FREE = -1; // stands for the free camera
const FIXED = 2; // mjtCamera of a camera of the model

/** Say whether the page draws what a flag switches. */
export const supported = (/** @type {"scene" | "flags"} */ of, /** @type {number} */ index) => !NOT_YET[of].has(index);

/** Say whether there is something that a flag, or a group of a kind of objects, switches: a recording may not have all. */
export const offered = (/** @type {string} */ of, /** @type {number | string} */ which) =>
  viewer.model?.offered?.[of].includes(which) ?? true;

/** The camera, and what is shown. */
export class Showing {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
  }

  /** @param {number} camera of the model; -1: the free one */
  look(camera) {
    this.send({ do: "look", camera });
  }

  /** @param {number} by how many cameras on; the free one is among them */
  nextCamera(by) {
    const count = viewer.model?.cameras.length ?? 0;
    const cam = viewer.frame?.cam;
    const now = cam?.type === FIXED ? cam.fixedcamid : FREE;
    this.look(((now + 1 + by + count + 1) % (count + 1)) - 1);
  }

  /** @param {number} body that the camera is to follow */
  track(body) {
    this.send({ do: "track", body });
  }

  /** Return the flags of a kind as they are now: `scene`, `flags` or a kind of groups. */
  flags(/** @type {string} */ of) {
    return (of === "scene" ? viewer.frame?.flags : viewer.frame?.opt[of]) ?? [];
  }

  /**
   * @param {string} of
   * @param {number} index
   * @param {boolean} on
   */
  flag(of, index, on) {
    this.send({ do: "flag", of, index, on });
  }

  /** @param {string} of @param {number} index */
  toggle(of, index) {
    this.flag(of, index, !this.flags(of)[index]);
  }

  // ---- keys

  /** Return the keys of cameras. */
  cameraRows() {
    return [
      { key: "Escape", label: "free camera", act: () => this.look(FREE) },
      { key: "[", label: "camera before", act: () => this.nextCamera(-1) },
      { key: "]", label: "next camera", act: () => this.nextCamera(1) },
    ];
  }

  /** Return the keys of groups and flags. */
  switchRows() {
    /** @type {Row[]} */
    const out = [];
    for (let i = 0; i < GROUPS; i++) {
      out.push(
        { key: `Digit${i}`, label: `geoms of group ${i}`, shift: false, act: () => this.toggle("geomgroup", i) },
        { key: `Digit${i}`, label: `sites of group ${i}`, shift: true, act: () => this.toggle("sitegroup", i) },
      );
    }
    // where two flags have the same key, it is the first one's
    const flags = [...this.flagRows("flags", "snVisFlag"), ...this.flagRows("scene", "snRndFlag")];
    return [...out, ...flags.filter((row, i) => flags.findIndex((other) => other.key === row.key) === i)];
  }

  /**
   * @param {"flags" | "scene"} of
   * @param {string} table
   * @returns {Row[]}
   */
  flagRows(of, table) {
    /** @type {[string, number, string][]} */
    const switches = viewer.model?.switches[table] ?? [];
    return switches.flatMap(([label, , key], index) => {
      if (!key || !supported(of, index) || !offered(of, index)) return [];
      return [{ key, label, act: () => this.toggle(of, index) }];
    });
  }
}
