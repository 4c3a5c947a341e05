// The part with all about the selected body.
import { element, fact, section } from "../elements.js";
import { short, shown, viewer } from "../state.js";

/** @typedef {import("../watch/watching.js").Watching} Watching */

const EVERY = 100; // milliseconds between what is shown
const COLUMNS = 9; // numbers of a contact
/** @type {Record<string, [number, number]>} positions and velocities of a joint by its type */
const SIZES = { free: [7, 6], ball: [4, 3] };

const list = (/** @type {ArrayLike<number>} */ values) => Array.from(values, short).join("  ");
const part = (/** @type {ArrayLike<number>} */ values, /** @type {number} */ from, /** @type {number} */ to) =>
  Array.from(values).slice(from, to);

/** @type {[string, (numbers: Record<string, any>) => string][]} */
const LINES = [
  ["Position", ({ xpos }) => list(xpos)],
  ["Quaternion", ({ xquat }) => list(xquat)],
  ["Centre", ({ xipos }) => list(xipos)],
  ["Subtree's centre", ({ subtree_com }) => list(subtree_com)],
  ["Linear velocity", ({ velocity }) => list(part(velocity, 3, 6))],
  ["Angular velocity", ({ velocity }) => list(part(velocity, 0, 3))],
  ["Applied force", ({ xfrc_applied }) => list(part(xfrc_applied, 0, 3))],
  ["Applied torque", ({ xfrc_applied }) => list(part(xfrc_applied, 3, 6))],
  ["Contact force", ({ contact_force }) => list(contact_force)],
  ["External force", ({ cfrc_ext }) => list(part(cfrc_ext, 3, 6))],
  ["External torque", ({ cfrc_ext }) => list(part(cfrc_ext, 0, 3))],
];

/** A line of a name with numbers below it. */
const numbersOf = (/** @type {string} */ name, /** @type {HTMLElement} */ value) =>
  element("div", { className: "vector" }, [element("span", {}, [name]), value]);

/** The selected body. */
export class Selected {
  /** @param {Watching} watching */
  constructor(watching) {
    this.watching = watching;
    this.name = element("output");
    this.still = element("div"); // what stays as it is
    this.lines = LINES.map(() => element("output"));
    /** @type {{text: (numbers: Record<string, any>) => string, output: HTMLOutputElement}[]} */
    this.own = []; // joints and sensors
    this.owned = element("div");
    this.contacts = element("div");
    this.content = element("div", {}, [
      this.still, ...LINES.map(([name], i) => numbersOf(name, this.lines[i])), this.owned, this.contacts,
    ]);
    this.part = section("Selected ", true, [this.content]);
    this.part.querySelector("summary")?.append(this.name);
    this.part.addEventListener("toggle", () => watching.setDetails(this.part.open));
    watching.setDetails(this.part.open);
    /** @type {any} */
    this.about = null;
    this.shown = 0;
  }

  show() {
    const { select } = viewer.frame ?? {};
    const { objects, body, about, numbers } = this.watching;
    const name = select > 0 ? objects.name("body", select) : "none";
    if (this.name.textContent !== name) this.name.textContent = name;
    this.content.hidden = !body || body.body !== select;
    const now = performance.now();
    if (this.content.hidden || !this.part.open) return;
    if (about === this.about && now - this.shown < EVERY) return;
    this.shown = now;
    const other = about !== this.about;
    if (other) this.describe(body?.body, about);
    LINES.forEach(([, text], i) => { this.lines[i].textContent = text(numbers); });
    for (const { text, output } of this.own) output.textContent = text(numbers);
    this.showContacts(body?.contacts, numbers);
    if (other) this.watching.described();
  }

  /**
   * Say what stays as it is, and make room for what does not.
   * @param {number} body
   * @param {any} about
   */
  describe(body, about) {
    const { objects } = this.watching;
    this.about = about;
    const say = (/** @type {string} */ text) => element("output", {}, [text]);
    const geom = (/** @type {[number, string]} */ [i, type]) => `${objects.name("geom", i)} (${type})`;
    const [joints, geoms, sensors] = about.counts;
    const more = (/** @type {number} */ count, /** @type {any[]} */ told) =>
      (count > told.length ? [element("small", {}, [`the first ${told.length} of ${count}`])] : []);
    this.still.replaceChildren(
      fact("Number", say(String(body))),
      fact("Parent", say(objects.name("body", about.parent))),
      fact("Mass", say(`${shown(about.mass)} kg`)),
      fact("Subtree's mass", say(`${shown(about.subtree_mass)} kg`)),
      numbersOf("Inertia", say(list(about.inertia))),
      fact("Geoms", say(about.geoms.map(geom).join(", ") || "none")),
      ...more(geoms, about.geoms),
    );
    this.own = [];
    this.owned.replaceChildren(
      ...this.jointRows(about.joints), ...more(joints, about.joints),
      ...this.sensorRows(about.sensors), ...more(sensors, about.sensors),
    );
  }

  /** @param {[number, string, [number, number] | null][]} joints */
  jointRows(joints) {
    let at = 0;
    return joints.flatMap(([index, type, limits]) => {
      const [positions, velocities] = SIZES[type] ?? [1, 1];
      const from = at, between = at + positions, to = between + velocities;
      at = to;
      const name = this.watching.objects.name("joint", index);
      return [
        this.row(`${name} (${type})`, (numbers) => list(part(numbers.joints, from, between))),
        this.row("its velocity", (numbers) => list(part(numbers.joints, between, to))),
        ...(limits ? [element("small", {}, [`limits ${shown(limits[0])} to ${shown(limits[1])}`])] : []),
      ];
    });
  }

  /** @param {[number, number][]} sensors */
  sensorRows(sensors) {
    let at = 0;
    return sensors.map(([index, dim]) => {
      const from = at;
      at += dim;
      const name = this.watching.objects.name("sensor", index);
      return this.row(name, (numbers) => list(part(numbers.sensors, from, from + dim)));
    });
  }

  /** @param {string} name @param {(numbers: Record<string, any>) => string} text */
  row(name, text) {
    const output = element("output");
    this.own.push({ text, output });
    return numbersOf(name, output);
  }

  /** @param {number} count @param {Record<string, any>} numbers */
  showContacts(count, { contacts }) {
    const { objects } = this.watching;
    const told = contacts.length / COLUMNS;
    const rows = Array.from({ length: told }, (_, i) => {
      const [, geom, other, dist, normal, tangential, ...pos] = part(contacts, i * COLUMNS, (i + 1) * COLUMNS);
      const name = other >= 0 ? `${objects.name("body", other)}, ${objects.name("geom", geom)}` : "?";
      return numbersOf(`with ${name}`, element("output", {}, [
        `${shown(normal)} N normal, ${shown(tangential)} N tangential, distance ${shown(dist)} at ${list(pos)}`,
      ]));
    });
    const which = count > told ? `, the strongest ${told}` : "";
    this.contacts.replaceChildren(fact("Contacts", element("output", {}, [`${count}${which}`])), ...rows);
  }
}
