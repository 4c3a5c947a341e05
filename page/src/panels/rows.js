// A part with a row for each of many objects: it makes them when it is first unfolded, and shows those in sight.
import { section } from "../elements.js";

/**
 * @typedef {object} Row
 * @property {HTMLElement} row
 * @property {() => void} show shows the newest frame in it
 * @property {number} [object] which object it is for, of the kind of all rows
 */

/** Rows that cost nothing while nobody sees them. */
export class Rows {
  /**
   * @param {string} title
   * @param {boolean} open
   * @param {() => Row[]} make
   * @param {{unfolded?: (open: boolean) => void, kind?: string}} [more] what is called when it is folded or unfolded; the
   *   kind of objects that rows are for
   */
  constructor(title, open, make, { unfolded = () => {}, kind } = {}) {
    this.make = make;
    this.kind = kind;
    /** @type {Map<Element, Row> | null} none before it was unfolded */
    this.rows = null;
    /** @type {Set<Row>} */
    this.seen = new Set();
    this.part = section(title, open, []);
    this.part.addEventListener("toggle", () => {
      if (this.part.open) this.fill();
      unfolded(this.part.open);
    });
    if (kind === undefined) return;
    this.part.dataset.objects = kind;
    this.part.addEventListener("reveal", () => this.fill());
  }

  fill() {
    if (this.rows) return;
    const rows = this.make();
    for (const { row, object } of rows) if (object !== undefined) row.dataset.object = `${this.kind} ${object}`;
    this.rows = new Map(rows.map((row) => [row.row, row]));
    this.part.append(...this.rows.keys());
    const observer = new IntersectionObserver((changes) => this.look(changes));
    for (const { row } of rows) observer.observe(row);
  }

  /** @param {IntersectionObserverEntry[]} changes */
  look(changes) {
    for (const { target, isIntersecting } of changes) {
      const row = /** @type {Row} */ (this.rows?.get(target));
      if (!isIntersecting) {
        this.seen.delete(row);
      } else if (!this.seen.has(row)) {
        this.seen.add(row);
        row.show();
      }
    }
  }

  show() {
    if (this.part.open) for (const row of this.seen) row.show();
  }
}
