// The panel at the left: the simulation, what is looked at and what is shown of it.
import { GROUPS, supported } from "./commands.js";
import { button, choice, element, section, tick } from "./elements.js";
import { controls, named, runs, viewer } from "./state.js";

/** @typedef {import("./commands.js").Commands} Commands */

// mjtLabel and mjtFrame, in their order
const LABELS = [
  "none", "body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "constraint", "flex", "skin",
  "selection", "selection point", "contact point", "contact force", "island",
];
const FRAMES = ["none", "body", "geom", "site", "camera", "light", "contact", "world"];
const KINDS = ["geom", "site", "joint", "tendon", "actuator", "skin"];
const TRACKING = "tracking"; // value of the choice that stands for a camera that follows a body
const FIXED = 2, FOLLOWS = 1; // mjtCamera

/** @param {string[]} names @returns {[string, string][]} */
const numbered = (names) => names.map((name, i) => [String(i), name]);

/** Where the simulation is run, and nothing where a program steps it. */
class Simulation {
  /** @param {Commands} commands */
  constructor(commands) {
    this.run = button("Run", () => commands.run());
    this.buttons = [this.run, button("Step", () => commands.step()), button("Reset", () => commands.reset())];
    this.speed = element("input", {
      type: "number", min: "0.01", max: "10000", step: "any", value: "100",
      on: { change: () => this.speed.validity.valid && commands.send({ do: "speed", percent: this.speed.valueAsNumber }) },
    });
    const names = viewer.model?.keys ?? [];
    const keys = names.map((/** @type {any} */ _, /** @type {number} */ i) => named("key", names, i));
    this.keys = choice("Keyframe", [["-1", "none"], ...numbered(keys)], (value) => commands.reset(Number(value)));
    this.keys.row.hidden = !names.length;
    this.part = section("Simulation", true, [
      element("div", { className: "buttons" }, this.buttons),
      element("label", { className: "row" }, [element("span", {}, ["Speed in %"]), this.speed]),
      this.keys.row,
    ]);
  }

  show() {
    this.part.hidden = !runs();
    const status = viewer.frame?.status ?? {};
    this.run.textContent = status.run ? "Pause" : "Run";
    for (const control of [...this.buttons, this.speed, this.keys.select]) control.disabled = !controls();
    const { activeElement } = document;
    if (Number.isFinite(status.percent) && activeElement !== this.speed) this.speed.value = String(status.percent);
    if (Number.isInteger(status.key) && activeElement !== this.keys.select) this.keys.select.value = String(status.key);
  }
}

/** The camera, and what is written and drawn at objects. */
class Looking {
  /** @param {Commands} commands */
  constructor(commands) {
    const names = viewer.model?.cameras ?? [];
    const cameras = names.map((/** @type {any} */ _, /** @type {number} */ i) => named("camera", names, i));
    this.camera = choice("Camera", [["-1", "free"], ...numbered(cameras)], (value) => {
      if (value !== TRACKING) commands.look(Number(value));
    });
    this.tracking = element("option", { value: TRACKING });
    const choose = (/** @type {string} */ of) => (/** @type {string} */ value) =>
      commands.send({ do: "choice", of, value: Number(value) });
    this.label = choice("Labels", numbered(LABELS), choose("label"));
    this.frame = choice("Frames", numbered(FRAMES), choose("frame"));
    this.part = section("View", true, [this.camera.row, this.label.row, this.frame.row]);
  }

  show() {
    const { cam, opt } = viewer.frame ?? {};
    if (!cam) return;
    if (cam.type === FOLLOWS) {
      this.tracking.textContent = `follows ${named("body", viewer.model?.bodies ?? [], cam.trackbodyid)}`;
      if (!this.tracking.isConnected) this.camera.select.append(this.tracking);
    } else {
      this.tracking.remove();
    }
    const now = cam.type === FOLLOWS ? TRACKING : String(cam.type === FIXED ? cam.fixedcamid : -1);
    const values = /** @type {[HTMLSelectElement, string][]} */ ([
      [this.camera.select, now], [this.label.select, String(opt.label)], [this.frame.select, String(opt.frame)],
    ]);
    for (const [select, value] of values) if (select.value !== value) select.value = value;
  }
}

/** Boxes for flags. */
class Flags {
  /**
   * @param {Commands} commands
   * @param {string} title
   * @param {"flags" | "scene"} of
   * @param {string} table
   */
  constructor(commands, title, of, table) {
    this.now = () => commands.flags(of);
    /** @type {[string, number, string][]} */
    const switches = viewer.model?.switches[table] ?? [];
    this.boxes = switches.map(([label, , key], index) => {
      const { row, box } = tick(label, key, (on) => commands.flag(of, index, on));
      if (!supported(of, index)) {
        box.disabled = true;
        row.append(element("small", {}, ["not supported yet"]));
      }
      return { row, box, index };
    });
    this.part = section(title, false, this.boxes.map(({ row }) => row));
  }

  show() {
    const now = this.now();
    for (const { box, index } of this.boxes) box.checked = !box.disabled && !!now[index];
  }
}

/** Boxes for groups, a row for each kind of objects. */
class Groups {
  /** @param {Commands} commands */
  constructor(commands) {
    this.commands = commands;
    /** @type {{box: HTMLInputElement, of: string, index: number}[]} */
    this.boxes = [];
    const rows = KINDS.map((kind) => {
      const boxes = Array.from({ length: GROUPS }, (_, index) => this.box(kind, index));
      return element("tr", {}, [element("th", { scope: "row" }, [`${kind}s`]), ...boxes]);
    });
    const heads = Array.from({ length: GROUPS }, (_, i) => element("th", { scope: "col" }, [String(i)]));
    const head = element("tr", {}, [element("td"), ...heads]);
    this.part = section("Groups", false, [element("table", {}, [head, ...rows])]);
  }

  /** @param {string} kind @param {number} index */
  box(kind, index) {
    const of = `${kind}group`;
    const box = element("input", {
      type: "checkbox", aria: { label: `${kind}s of group ${index}` },
      on: { change: () => this.commands.flag(of, index, box.checked) },
    });
    this.boxes.push({ box, of, index });
    return element("td", {}, [box]);
  }

  show() {
    for (const { box, of, index } of this.boxes) box.checked = !!this.commands.flags(of)[index];
  }
}

/**
 * Fill the panel for a model; return what shows the newest frame in it.
 * @param {HTMLElement} panel
 * @param {Commands} commands
 */
export function fillLeft(panel, commands) {
  const parts = [
    new Simulation(commands), new Looking(commands), new Flags(commands, "Shown", "flags", "snVisFlag"),
    new Flags(commands, "Picture", "scene", "snRndFlag"), new Groups(commands),
  ];
  panel.replaceChildren(...parts.map(({ part }) => part));
  return () => parts.forEach((part) => part.show());
}
