// The strip over the lower edge of the picture: panes of curves, one for signals that share an axis.
import { button, element } from "../elements.js";
import { Pane } from "./pane.js";

/**
 * @typedef {import("./watching.js").Watching} Watching
 * @typedef {import("./samples.js").Samples} Samples
 */

const TELLS = 200; // milliseconds between the values of legends
const TAKES = ["pointerdown", "pointermove", "dblclick", "wheel"]; // of what the picture would turn its camera by

/** The strip. */
export class Strip {
  /**
   * @param {HTMLElement} picture
   * @param {Watching} watching
   */
  constructor(picture, watching) {
    this.watching = watching;
    this.panes = element("div", { className: "panes" });
    this.close = button("×", () => watching.choose([]));
    this.close.setAttribute("aria-label", "Close the plots");
    const about = { className: "plots", hidden: true, aria: { label: "Plots" } };
    this.part = element("section", about, [this.panes, this.close]);
    for (const name of TAKES) this.part.addEventListener(name, (event) => event.stopPropagation());
    picture.append(this.part);
    /** @type {Samples | null} what the panes were made for */
    this.made = null;
    /** @type {Pane[]} */
    this.list = [];
    this.told = 0;
    this.sight = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
      const pane = this.list.find(({ part }) => part === target);
      if (pane) pane.visible = isIntersecting;
    }), { root: this.panes });
    this.cost = { pictures: 0, total: 0, most: 0 }; // milliseconds that drawing took
  }

  /** Make panes for the signals that are plotted. */
  make() {
    const { chosen, samples } = this.watching;
    this.made = samples;
    /** @type {Map<string, {signal: import("./signals.js").Signal, place: number}[]>} */
    const groups = new Map();
    chosen.forEach((signal, place) => {
      const title = signal.unit ? `${signal.group} (${signal.unit})` : signal.group;
      if (!groups.has(title)) groups.set(title, []);
      groups.get(title)?.push({ signal, place });
    });
    this.list = [...groups].map(([title, curves]) => new Pane(title, curves));
    this.sight.disconnect();
    for (const { part } of this.list) this.sight.observe(part);
    this.panes.replaceChildren(...this.list.map(({ part }) => part));
    this.part.hidden = !chosen.length;
    this.told = 0;
    this.cost = { pictures: 0, total: 0, most: 0 };
  }

  /** Draw what is new. */
  show() {
    const { samples } = this.watching;
    if (this.made !== samples) this.make();
    if (this.part.hidden) return;
    const begun = performance.now();
    for (const pane of this.list) if (pane.visible) pane.show(samples);
    if (begun - this.told > TELLS) {
      this.told = begun;
      for (const pane of this.list) pane.tell(samples);
    }
    const took = performance.now() - begun;
    this.cost.pictures += 1;
    this.cost.total += took;
    this.cost.most = Math.max(this.cost.most, took);
  }
}
