// The part that opens models and recordings, and asks which one where a drop has several.
import { button, element, section } from "../elements.js";
import { controls, recording } from "../state.js";

/** @typedef {import("../commands.js").Commands} Commands */

const QUESTIONS = /** @type {Record<string, string>} */ ({
  model: "Which one is the model?",
  recording: "Which one is played?",
});

/** Where models and recordings can be opened, and nothing where a program steps its own. */
export class Opening {
  /** @param {Commands} commands */
  constructor({ dropping, playing }) {
    this.dropping = dropping;
    const files = this.chooser({ multiple: true }), folder = this.chooser({ webkitdirectory: true });
    this.reload = button("Reload", () => dropping.reload());
    this.simulate = button("Simulate", () => playing.simulate());
    this.buttons = [
      button("Open", () => files.click()),
      button("Folder", () => folder.click()),
      this.reload, this.simulate,
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
    const { progress, opens, loading: { asks, choices } } = this.dropping;
    this.part.hidden = !opens;
    this.reload.hidden = !!recording();
    this.simulate.hidden = !recording();
    for (const one of this.buttons) one.disabled = !controls();
    this.progress.hidden = !progress;
    if (this.progress.textContent !== progress) this.progress.textContent = progress;
    this.ask(QUESTIONS[asks], controls() ? choices : []);
  }

  /**
   * @param {string} question
   * @param {string[]} choices
   */
  ask(question, choices) {
    const key = [question, ...choices].join("\n");
    if (key === this.asked) return;
    this.asked = key;
    this.choices.replaceChildren(...(choices.length ? [element("p", {}, [question])] : []));
    const pick = (/** @type {string} */ name, text = name) => button(text, () => this.dropping.pick(name));
    this.choices.append(...choices.map((name) => pick(name)), ...(choices.length ? [pick("", "none of them")] : []));
  }
}
