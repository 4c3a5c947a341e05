// The part that opens models, and asks which one where a drop has several.
import { button, element, section } from "../elements.js";
import { controls } from "../state.js";

/** @typedef {import("../dropping.js").Dropping} Dropping */

/** Where models can be opened, and nothing where a program steps its own. */
export class Opening {
  /** @param {Dropping} dropping */
  constructor(dropping) {
    this.dropping = dropping;
    const files = this.chooser({ multiple: true }), folder = this.chooser({ webkitdirectory: true });
    this.buttons = [
      button("Open", () => files.click()),
      button("Folder", () => folder.click()),
      button("Reload", () => dropping.reload()),
    ];
    this.progress = element("output", { className: "progress" });
    this.choices = element("div", { className: "choices" });
    this.asked = "";
    this.part = section("Model", true, [
      element("div", { className: "buttons" }, this.buttons), this.progress, this.choices, files, folder,
    ]);
  }

  /** @param {Record<string, any>} how */
  chooser(how) {
    const input = element("input", { type: "file", hidden: true, ...how, on: { change: () => {
      if (input.files?.length) this.dropping.choose(input.files);
      input.value = ""; // the same file may be chosen again
    } } });
    return input;
  }

  show() {
    const { progress, opens, loading: { choices } } = this.dropping;
    this.part.hidden = !opens;
    for (const one of this.buttons) one.disabled = !controls();
    this.progress.hidden = !progress;
    if (this.progress.textContent !== progress) this.progress.textContent = progress;
    this.ask(controls() ? choices : []);
  }

  /** @param {string[]} choices */
  ask(choices) {
    const key = choices.join("\n");
    if (key === this.asked) return;
    this.asked = key;
    this.choices.replaceChildren(...(choices.length ? [element("p", {}, ["Which one is the model?"])] : []));
    const pick = (/** @type {string} */ name, text = name) => button(text, () => this.dropping.pick(name));
    this.choices.append(...choices.map((name) => pick(name)), ...(choices.length ? [pick("", "none of them")] : []));
  }
}
