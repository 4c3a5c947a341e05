// The box that finds objects of the model by name.
import { element } from "../elements.js";

/**
 * @typedef {import("../commands.js").Commands} Commands
 * @typedef {{kind: string, index: number}} Hit
 */

/** The box and what it has found. */
export class Finder {
  /** @param {Commands} commands */
  constructor(commands) {
    this.commands = commands;
    this.box = element("input", {
      type: "search", id: "find", placeholder: "Find by name (ctrl+F)", aria: { label: "Find by name" },
      on: {
        input: () => this.find(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
      },
    });
    this.hits = element("ul", { className: "hits", hidden: true, on: {
      click: (/** @type {MouseEvent} */ event) => {
        const row = /** @type {HTMLElement} */ (event.target).closest("li");
        if (row?.dataset.place) this.take(Number(row.dataset.place));
      },
    } });
    this.part = element("div", { className: "finder" }, [this.box, this.hits]);
    /** @type {Hit[]} */
    this.found = [];
    this.at = 0;
  }

  find() {
    const { objects } = this.commands.watching;
    this.found = objects.find(this.box.value);
    this.at = 0;
    this.hits.replaceChildren(...this.found.map(({ kind, index }, i) => {
      const name = objects.name(kind, index);
      const row = element("li", { title: name }, [element("span", {}, [name]), element("small", {}, [kind])]);
      row.dataset.place = String(i);
      return row;
    }));
    const asked = this.box.value.trim() !== "";
    if (asked && !this.found.length) {
      this.hits.append(element("li", {}, [element("small", {}, ["nothing has such a name"])]));
    }
    this.hits.hidden = !asked;
    this.mark();
  }

  mark() {
    const { at, found } = this;
    Array.from(this.hits.children).forEach((row, i) => row.classList.toggle("at", i === at && i < found.length));
    this.hits.children[this.at]?.scrollIntoView?.({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length) {
      event.preventDefault();
      this.at = (this.at + step + this.found.length) % this.found.length;
      this.mark();
    } else if (event.key === "Enter" && this.found.length) {
      this.take(this.at);
    } else if (event.key === "Escape") {
      this.box.value = "";
      this.find();
      this.box.blur();
      document.getElementById("picture")?.focus();
    }
  }

  /** @param {number} place */
  take(place) {
    this.at = place;
    this.mark();
    this.commands.reveal(this.found[place].kind, this.found[place].index);
  }
}
