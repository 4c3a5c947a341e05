// What can be plotted of a model: signals, with names.

/**
 * @typedef {object} Signal
 * @property {string} kind
 * @property {number} index in the kind
 * @property {string} label
 * @property {string} group signals of one group share an axis
 * @property {string} unit
 * @typedef {import("./objects.js").Objects} Objects
 */

export const MOST = 200; // that are watched at once
const MOST_SHOWN = 100;
const FREE = 0, BALL = 1; // mjtJoint
const QUATERNION = ["qw", "qx", "qy", "qz"];
const TURN = ["wx", "wy", "wz"];
const PLACE = ["x", "y", "z"];
/** @type {Record<string, Record<number, string[]>>} parts of joints by their types */
const PARTS = {
  qpos: { [FREE]: [...PLACE, ...QUATERNION], [BALL]: QUATERNION },
  qvel: { [FREE]: ["vx", "vy", "vz", ...TURN], [BALL]: TURN },
};

/** @param {number} dim */
function sensorParts(dim) {
  if (dim === 1) return [""];
  if (dim === 3) return PLACE;
  return dim === 4 ? ["w", ...PLACE] : Array.from({ length: dim }, (_, i) => String(i));
}

/** All signals of a model, made when somebody asks for them. */
export class Signals {
  /**
   * @param {Record<string, any>} model
   * @param {Objects} objects
   */
  constructor(model, objects) {
    this.model = model;
    this.objects = objects;
    /** @type {Signal[] | null} */
    this.made = null;
  }

  /** Return all of them. */
  all() {
    /** @type {[string, string, string, number, string[]][]} */
    const kinds = this.model.signals ?? [];
    return this.made ??= kinds.flatMap((row) => this.ofKind(...row));
  }

  /**
   * Return those whose names or groups hold a text.
   * @param {string} text
   */
  find(text) {
    const wanted = text.trim().toLowerCase();
    const holds = (/** @type {Signal} */ { label, group }) =>
      !wanted || `${label}\n${group}`.toLowerCase().includes(wanted);
    const found = [];
    for (const signal of this.all()) {
      if (holds(signal)) found.push(signal);
      if (found.length >= MOST_SHOWN) break;
    }
    return found;
  }

  /**
   * @param {string} kind
   * @param {string} title
   * @param {string} unit
   * @param {number} count
   * @param {string[]} labels
   * @returns {Signal[]}
   */
  ofKind(kind, title, unit, count, labels) {
    const parts = this.labels(kind);
    return Array.from({ length: count }, (_, index) => {
      /** @type {{label: string, group?: string}} */
      const { label, group = title } = parts?.[index] ?? { label: labels[index] ?? title };
      return { kind, index, label, group, unit };
    });
  }

  /**
   * Return labels of signals that are named by objects, and where it is another one their group.
   * @param {string} kind
   * @returns {{label: string, group?: string}[] | null}
   */
  labels(kind) {
    const { objects } = this;
    const parts = (/** @type {string} */ of, /** @type {number} */ i, /** @type {string[]} */ names) =>
      names.map((part) => ({ label: [objects.name(of, i), part].filter(Boolean).join(" ") }));
    switch (kind) {
      case "qpos": case "qvel":
        return Array.from(objects.jointTypes).flatMap((type, i) => parts("joint", i, PARTS[kind][type] ?? [""]));
      case "sensordata":
        return Array.from(objects.sensorDims).flatMap((dim, i) => {
          const group = this.model.sensor_types[objects.sensorTypes[i]];
          return parts("sensor", i, sensorParts(dim)).map(({ label }) => ({ label, group }));
        });
      case "ctrl": case "actuator_force":
        return Array.from(kind === "ctrl" ? objects.controls : objects.outputs).flatMap((count, i) =>
          parts("actuator", i, count === 1 ? [""] : Array.from({ length: count }, (_, k) => `${k}`)));
      default: return null;
    }
  }
}

/** @param {{kind: string, index: number}} signal */
export const keyOf = ({ kind, index }) => `${kind} ${index}`;
