// The foot of the page: warnings, and how things stand.
import { button, element, folding } from "../elements.js";
import { viewer } from "../state.js";

/** @typedef {import("../commands.js").Send} Send */

const SAID = 4000; // milliseconds
const LONGEST = 200; // warnings that are kept

/** The list of warnings and the line of state. */
export class Foot {
  /**
   * @param {HTMLElement} warnings
   * @param {HTMLElement} line
   * @param {{send: Send, help: () => void}} deeds
   */
  constructor(warnings, line, { send, help }) {
    this.warnings = warnings;
    /** @type {string[]} */
    this.told = [];
    /** @type {string} */
    this.before = "";
    this.state = element("span", { className: "state" }, ["connecting"]);
    this.state.setAttribute("role", "status");
    this.role = element("span");
    this.take = button("take control", () => send({ do: "take" }));
    const panels = [folding("left", "left panel"), folding("right", "right panel")];
    line.replaceChildren(this.state, this.role, this.take, element("span", { className: "gap" }), ...panels, button("keys", help));
    this.show("");
  }

  /** @param {string} why there is no connection, or what went wrong */
  show(why) {
    const text = why || (viewer.connected ? "connected" : "connecting");
    if (this.state.textContent !== text) this.state.textContent = text;
    this.state.classList.toggle("lost", !viewer.connected);
    this.role.textContent = viewer.connected ? viewer.role : "";
    this.take.hidden = !viewer.connected || viewer.role !== "spectator";
  }

  /**
   * Say how something went, for a while.
   * @param {string} text
   */
  say(text) {
    this.show(text);
    setTimeout(() => this.state.textContent === text && this.show(""), SAID);
  }

  /**
   * Show the warnings of a frame, below those that the page has of its own.
   * @param {string[]} given
   */
  warn(given) {
    const all = [...this.told, ...given].slice(-LONGEST);
    const key = all.join("\n");
    if (key === this.before) return;
    this.before = key;
    this.warnings.hidden = !all.length;
    this.warnings.replaceChildren(...all.map((text) => element("li", {}, [text])));
    this.warnings.scrollTop = this.warnings.scrollHeight;
  }

  /**
   * Say something once.
   * @param {string} text
   */
  tell(text) {
    if (!this.told.includes(text)) this.told.push(text);
  }

  /** Forget what was said of the model before. */
  begin() {
    this.told = [];
  }
}
