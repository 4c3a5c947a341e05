// The named objects of a model: their names, and the bodies that they belong to.

/** @typedef {import("../wire.js").Numbers} Numbers */

export const KINDS = [
  "body", "joint", "geom", "site", "camera", "actuator", "sensor", "tendon", "equality", "key",
];
const MOST = 100; // that are found at once

/** What python/sinew/_viewer/objects.py has packed. */
export class Objects {
  /** @param {Record<string, Numbers>} arrays */
  constructor(arrays) {
    const decoder = new TextDecoder();
    /** @type {Record<string, (string | null)[]>} null: it has none */
    this.names = {};
    /** @type {Record<string, ArrayLike<number>>} -1: of no body */
    this.bodies = {};
    for (const kind of KINDS) {
      const texts = decoder.decode(arrays[`${kind}_names`] ?? new Uint8Array(0)).split("\0");
      this.bodies[kind] = arrays[`${kind}_body`] ?? [];
      this.names[kind] = Array.from(this.bodies[kind], (_, i) => texts[i] || null);
    }
    const given = (/** @type {string} */ name) => arrays[name] ?? new Int32Array(0);
    this.parents = given("body_parent");
    this.jointTypes = given("joint_type");
    this.sensorTypes = given("sensor_type");
    this.sensorDims = given("sensor_dim");
    this.controls = given("actuator_ctrlnum");
    this.outputs = given("actuator_outnum");
    /** @type {Record<string, string[]> | null} names in small letters */
    this.small = null;
  }

  /**
   * Return the name of an object; many have none.
   * @param {string} kind
   * @param {number} index
   */
  name(kind, index) {
    return this.names[kind]?.[index] ?? `${kind} ${index}`;
  }

  /** Return how many objects of a kind each body has. */
  counts(/** @type {string} */ kind) {
    const out = new Int32Array(this.bodies.body.length);
    for (const body of Array.from(this.bodies[kind])) if (body >= 0) out[body] += 1;
    return out;
  }

  /**
   * Return objects whose names hold a text, those that begin with it first.
   * @param {string} text
   * @returns {{kind: string, index: number}[]}
   */
  find(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return [];
    const small = this.small ??= Object.fromEntries(KINDS.map((kind) =>
      [kind, this.names[kind].map((name) => name?.toLowerCase() ?? "")]));
    /** @type {{kind: string, index: number}[][]} */
    const [begin, hold] = [[], []];
    for (const kind of KINDS) {
      small[kind].forEach((name, index) => {
        const at = name.indexOf(wanted);
        if (at === 0 && begin.length < MOST) begin.push({ kind, index });
        else if (at > 0 && hold.length < MOST) hold.push({ kind, index });
      });
    }
    return [...begin, ...hold].slice(0, MOST);
  }
}
