// The parts that switch what is drawn: flags, and groups of objects.
import { GROUPS, offered, supported } from "../showing.js";
import { element, section, tick } from "../elements.js";
import { viewer } from "../state.js";

/** @typedef {import("../showing.js").Showing} Showing */

const KINDS = ["geom", "site", "joint", "tendon", "actuator", "skin", "flex"];

/** Boxes for flags. */
export class Flags {
  /**
   * @param {Showing} commands
   * @param {string} title
   * @param {"flags" | "scene"} of
   * @param {string} table
   */
  constructor(commands, title, of, table) {
    this.now = () => commands.flags(of);
    /** @type {[string, number, string][]} */
    const switches = viewer.model?.switches[table] ?? [];
    this.boxes = switches.flatMap(([label, , key], index) => {
      if (!offered(of, index)) return [];
      const { row, box } = tick(label, key, (on) => commands.flag(of, index, on));
      if (!supported(of, index)) {
        box.disabled = true;
        row.append(element("small", {}, ["not supported yet"]));
      }
      return [{ row, box, index }];
    });
    this.part = section(title, false, this.boxes.map(({ row }) => row));
  }

  show() {
    const now = this.now();
    for (const { box, index } of this.boxes) box.checked = !box.disabled && !!now[index];
  }
}

/** Boxes for groups, a row for each kind of objects. */
export class Groups {
  /** @param {Showing} commands */
  constructor(commands) {
    this.commands = commands;
    /** @type {{box: HTMLInputElement, of: string, index: number}[]} */
    this.boxes = [];
    const rows = KINDS.filter((kind) => offered("groups", kind)).map((kind) => {
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
