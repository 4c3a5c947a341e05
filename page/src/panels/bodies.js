// The part with the tree of bodies, and the box that finds objects by name above it.
import { element, section } from "../elements.js";
import { viewer } from "../state.js";
import { Finder } from "./finder.js";

/**
 * @typedef {import("../commands.js").Commands} Commands
 * @typedef {{body: number, depth: number}} Row
 */

const HEIGHT = 20; // of a row, in pixels
const BEYOND = 4; // rows above and below what is seen
const FEW = 60; // bodies of a model that is unfolded from the beginning
const NOBODY = -1;
const COUNTED = ["joint", "geom", "site"];

/** The tree: only the rows that are seen are made, so that 10,000 bodies cost no more than ten. */
export class Bodies {
  /** @param {Commands} commands */
  constructor(commands) {
    this.commands = commands;
    this.objects = commands.watching.objects;
    const { parents } = this.objects;
    /** @type {number[][]} */
    this.children = Array.from(parents, () => []);
    for (let i = 1; i < parents.length; i++) this.children[parents[i]].push(i);
    this.counts = COUNTED.map((kind) => this.objects.counts(kind));
    this.open = new Set(parents.length <= FEW ? parents.keys() : [0]);
    /** @type {Row[]} */
    this.rows = [];
    this.content = element("div", {});
    this.tree = element("div", {
      className: "tree", tabIndex: 0, role: "tree", aria: { label: "Bodies" },
      on: {
        scroll: () => this.draw(),
        click: (/** @type {MouseEvent} */ event) => this.click(event),
        dblclick: (/** @type {MouseEvent} */ event) => this.act(event, (body) => commands.track(body)),
        keydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
      },
    }, [this.content]);
    this.at = 0; // body that keys move from
    this.marked = NOBODY;
    this.finder = new Finder(commands);
    this.part = section("Bodies", true, [this.finder.part, this.tree]);
    this.part.addEventListener("toggle", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.tree);
    this.list();
  }

  /** Make the list of rows anew. */
  list() {
    this.rows = [];
    /** @type {Row[]} */
    const stack = this.children.length ? [{ body: 0, depth: 0 }] : [];
    for (let row = stack.pop(); row; row = stack.pop()) {
      this.rows.push(row);
      if (!this.open.has(row.body)) continue;
      const { depth } = row, below = this.children[row.body];
      for (let i = below.length - 1; i >= 0; i--) stack.push({ body: below[i], depth: depth + 1 });
    }
    this.content.style.height = `${this.rows.length * HEIGHT}px`;
    this.draw();
  }

  /** Make the rows that are seen. */
  draw() {
    const first = Math.max(0, Math.floor(this.tree.scrollTop / HEIGHT) - BEYOND);
    const count = Math.ceil(this.tree.clientHeight / HEIGHT) + 2 * BEYOND;
    const seen = this.rows.slice(first, first + count);
    this.content.replaceChildren(...seen.map((row, i) => this.row(row, first + i)));
  }

  /** @param {Row} row @param {number} place */
  row({ body, depth }, place) {
    const folds = this.children[body].length > 0, open = this.open.has(body);
    const counts = COUNTED.map((kind, k) => [this.counts[k][body], kind]).filter(([count]) => count);
    const said = counts.map(([count, kind]) => `${count} ${kind}${count === 1 ? "" : "s"}`).join(", ");
    const name = this.objects.name("body", body);
    const out = element("div", { className: "node", role: "treeitem", title: said ? `${name}: ${said}` : name }, [
      element("i", {}, [folds ? (open ? "▾" : "▸") : ""]),
      element("span", {}, [name]),
      element("small", {}, [counts.map(([count, kind]) => `${count}${String(kind)[0]}`).join(" ")]),
    ]);
    out.dataset.body = String(body);
    out.style.top = `${place * HEIGHT}px`;
    out.style.paddingLeft = `${Math.min(depth, 12) * 10}px`;
    out.setAttribute("aria-level", String(depth + 1));
    if (folds) out.setAttribute("aria-expanded", String(open));
    out.setAttribute("aria-selected", String(body === this.marked));
    out.classList.toggle("at", body === this.at);
    return out;
  }

  /** @param {Event} event @param {(body: number) => void} deed */
  act(event, deed) {
    const node = /** @type {HTMLElement} */ (event.target).closest(".node");
    if (node instanceof HTMLElement) deed(Number(node.dataset.body));
  }

  /** @param {MouseEvent} event */
  click(event) {
    this.act(event, (body) => {
      this.at = body;
      if (/** @type {HTMLElement} */ (event.target).tagName === "I") this.fold(body, !this.open.has(body));
      else this.commands.choose(body);
    });
  }

  /** @param {number} body @param {boolean} open */
  fold(body, open) {
    if (open) this.open.add(body);
    else this.open.delete(body);
    this.list();
  }

  /** Keys of trees: up, down, unfold, fold, select. */
  press(/** @type {KeyboardEvent} */ event) {
    const place = this.rows.findIndex(({ body }) => body === this.at);
    const last = this.rows.length - 1;
    const go = (/** @type {number} */ to) => this.reach(this.rows[Math.max(0, Math.min(last, to))]?.body);
    /** @type {Record<string, () => void>} */
    const deeds = {
      ArrowDown: () => go(place + 1),
      ArrowUp: () => go(place - 1),
      ArrowRight: () => this.fold(this.at, true),
      ArrowLeft: () => (this.open.has(this.at) && this.children[this.at].length
        ? this.fold(this.at, false) : this.reach(this.objects.parents[this.at])),
      Enter: () => this.commands.choose(this.at),
    };
    if (!deeds[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // the page has these keys for something else
    deeds[event.key]();
  }

  /** Let keys go on from a body, and scroll to it. */
  reach(/** @type {number | undefined} */ body) {
    if (body === undefined) return;
    this.at = body;
    const { parents } = this.objects, before = this.open.size;
    for (let above = body; above > 0; above = parents[above]) this.open.add(parents[above]);
    if (this.open.size !== before) this.list();
    const top = this.rows.findIndex((row) => row.body === body) * HEIGHT;
    const { scrollTop, clientHeight } = this.tree;
    if (top < scrollTop) this.tree.scrollTop = top;
    else if (top + HEIGHT > scrollTop + clientHeight) this.tree.scrollTop = top + HEIGHT - clientHeight;
    this.draw();
  }

  show() {
    const { select = 0 } = viewer.frame ?? {};
    const body = select > 0 && select < this.children.length ? select : NOBODY;
    if (body === this.marked) return;
    this.marked = body;
    if (body === NOBODY) this.draw();
    else this.reach(body);
  }
}
