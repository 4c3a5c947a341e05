// The part with the options of the model, as the library's table has them.
import { choice, element, tick } from "../elements.js";
import { changes, viewer } from "../state.js";
import { NumberField, Refusal } from "./fields.js";
import { Rows } from "./rows.js";

/**
 * @typedef {import("../commands.js").Commands} Commands
 * @typedef {import("./rows.js").Row} Row
 * @typedef {object} Option
 * @property {string} name
 * @property {number} count
 * @property {"number" | "integer" | "choice" | "flags" | "tick"} kind
 * @property {[number, string, string][]} values number, name and meaning of each
 * @property {string} meaning
 */

const FAMILY = 3; // options whose names begin alike that have a part of their own
const LONGEST = 6; // names of actuator groups; others have no use for so many without a meaning

/** Return how the name of an option begins. */
const family = (/** @type {Option} */ { name }) => name.split("_")[0];

/** Return what options are about whose names begin alike. */
const about = (/** @type {Option[]} */ options) =>
  options.map(({ meaning }) => meaning.split(":")).find((parts) => parts.length > 1)?.[0] ?? options[0].name;

/** Options of physics. */
export class Physics {
  /** @param {Commands} commands */
  constructor(commands) {
    this.commands = commands;
    this.rows = new Rows("Physics", false, () => this.make(viewer.model?.options ?? []));
    this.refusal = new Refusal("option"); // no row: one that is hidden is never in sight
    this.part = this.rows.part;
    this.part.append(this.refusal.row);
  }

  show() {
    this.refusal.show();
    this.rows.show();
  }

  /** @param {Option[]} options */
  make(options) {
    const flags = options.filter(({ kind }) => kind === "flags");
    const plain = options.filter(({ kind }) => kind !== "flags");
    const families = [...new Set(plain.map(family))]
      .map((begin) => plain.filter((option) => family(option) === begin))
      .filter((group) => group.length >= FAMILY);
    const alone = plain.filter((option) => !families.some((group) => group.includes(option)));
    const first = alone.filter(({ kind }) => kind === "choice");
    return [
      ...[...first, ...alone.filter((option) => !first.includes(option))].map((option) => this.row(option)),
      ...flags.map((option) => this.fold(option.name, option.meaning, () => this.flags(option))),
      ...families.map((group) => this.family(group)),
    ];
  }

  /** @param {Option[]} group */
  family(group) {
    return this.fold(about(group), "", () => group.map((option) => this.row(option)));
  }

  /**
   * Return a part in the part.
   * @param {string} title
   * @param {string} meaning
   * @param {() => Row[]} make
   */
  fold(title, meaning, make) {
    const rows = new Rows(title, false, make);
    rows.part.title = meaning;
    return { row: rows.part, show: () => rows.show() };
  }

  /**
   * @param {Option} option
   * @returns {Row}
   */
  row(option) {
    switch (option.kind) {
      case "choice": return this.choice(option);
      case "tick": return this.tick(option);
      default: return this.numbers(option);
    }
  }

  /** @param {Option} option */
  choice({ name, values, meaning }) {
    const options = values.map(([value, word]) => /** @type {[string, string]} */ ([String(value), word]));
    const { row, select } = choice(name, options, (value) => this.commands.option(name, Number(value)));
    row.className = "row even";
    row.title = meaning;
    return {
      row,
      show: () => {
        select.disabled = !changes();
        const now = String(viewer.option?.[name]);
        if (select.value !== now) select.value = now;
      },
    };
  }

  /** @param {Option} option */
  tick({ name, meaning }) {
    const { row, box } = tick(name, "", (on) => this.commands.option(name, Number(on)));
    row.title = meaning;
    return {
      row,
      show: () => {
        box.disabled = !changes();
        box.checked = !!viewer.option?.[name];
      },
    };
  }

  /** @param {Option} option */
  numbers({ name, count, meaning }) {
    const fields = Array.from({ length: count }, (_, at) => new NumberField({
      name: count > 1 ? `${name} ${at}` : name,
      value: () => (count > 1 ? viewer.option?.[name][at] : viewer.option?.[name]),
      act: (value) => this.commands.option(name, value, count > 1 ? at : undefined),
    }));
    const boxes = fields.map(({ box }) => box);
    const row = count > 1
      ? element("div", { className: "numbers", title: meaning }, [element("span", {}, [name]), ...boxes])
      : element("label", { className: "row even", title: meaning }, [element("span", {}, [name]), ...boxes]);
    return { row, show: () => fields.forEach((field) => field.show()) };
  }

  /** @param {Option} option */
  flags({ name, values }) {
    const most = values.some(([, , meaning]) => meaning) ? values.length : LONGEST;
    return values.slice(0, most).map(([bit, word, meaning], index) => {
      const { row, box } = tick(word, "", (on) => this.commands.bit(name, index, on));
      row.title = meaning;
      const show = () => {
        box.disabled = !changes();
        box.checked = !!((viewer.option?.[name] ?? 0) & bit);
      };
      return { row, show };
    });
  }
}
