// The part that keeps what there is to see: pictures, films, numbers as text.
import { button, element, section } from "../elements.js";
import { controls } from "../state.js";

/** @typedef {import("../commands.js").Commands} Commands */

/** What can be kept, and the end. */
export class File {
  /** @param {Commands} commands */
  constructor(commands) {
    this.film = commands.film;
    this.record = button("Film", () => {
      this.film.toggle();
      this.show(); // a simulation that stands sends no frame that would
    });
    this.quit = button("Quit", () => commands.send({ do: "quit" }));
    const rows = [
      [button("Screenshot", () => commands.screenshot()), this.record],
      [button("Print model", () => commands.send({ do: "print", what: "model" })),
        button("Print data", () => commands.send({ do: "print", what: "data" }))],
      [this.quit],
    ];
    this.part = section("File", false, rows.map((row) => element("div", { className: "buttons" }, row)));
  }

  show() {
    this.record.textContent = this.film.on ? "End film" : "Film";
    this.record.disabled = !this.film.possible;
    this.quit.disabled = !controls();
  }
}
