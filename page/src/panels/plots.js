// The part that chooses what is plotted.
import { button, choice, element, section, tick } from "../elements.js";
import { save } from "../giving.js";
import { MOST, keyOf } from "../watch/signals.js";
import { SPANS } from "../watch/watching.js";

/**
 * @typedef {import("../watch/watching.js").Watching} Watching
 * @typedef {import("../watch/signals.js").Signal} Signal
 */

/** Boxes for signals, found by name. */
export class Plots {
  /** @param {Watching} watching */
  constructor(watching) {
    this.watching = watching;
    this.box = element("input", {
      type: "search", placeholder: "Find a signal", aria: { label: "Find a signal" },
      on: { input: () => this.list() },
    });
    this.rows = element("div", { className: "signals" });
    this.count = element("small");
    this.note = element("small", { hidden: true }, [
      "No time of stages yet: the program's data needs a clock, data.set_callback(\"time\", time.perf_counter).",
    ]);
    const spans = SPANS.map((seconds) => /** @type {[string, string]} */ ([String(seconds), `${seconds} s`]));
    const span = choice("Last", spans, (value) => watching.setSpan(Number(value)));
    span.select.value = String(watching.samples.span);
    this.part = section("Plots", false, [
      element("div", { className: "buttons" }, [
        button("Profiler", () => watching.togglePreset("profiler")),
        button("Sensors", () => watching.togglePreset("sensors")),
      ]),
      span.row,
      element("div", { className: "buttons" }, [
        button("Save as CSV", () => this.save()),
        button("None", () => watching.choose([])),
      ]),
      this.count, this.note, this.box, this.rows,
    ]);
    this.part.addEventListener("toggle", () => this.list());
    /** @type {{signal: Signal, box: HTMLInputElement}[]} */
    this.boxes = [];
    /** @type {any} */
    this.known = null; // what the boxes were ticked for
  }

  /** List the signals that are asked for, under the names of their groups. */
  list() {
    if (!this.part.open) return;
    const { signals } = this.watching;
    let group = "";
    this.boxes = [];
    const rows = signals.find(this.box.value).flatMap((signal) => {
      const { row, box } = tick(signal.label, "", (on) => { box.checked = this.watching.tick(signal, on); });
      this.boxes.push({ signal, box });
      const head = [group, signal.label].includes(signal.group) ? [] : [element("small", {}, [signal.group])];
      group = signal.group;
      return [...head, row];
    });
    const all = signals.all().length;
    const others = `the first ${this.boxes.length} of ${all}: find others by name`;
    const more = !this.box.value && all > this.boxes.length ? [element("small", {}, [others])] : [];
    this.rows.replaceChildren(...rows, ...more);
    this.known = null;
  }

  save() {
    const { samples, chosen } = this.watching;
    if (!chosen.length) return;
    save("signals.csv", new Blob([samples.csv(chosen)], { type: "text/csv" }));
  }

  show() {
    const { samples, chosen, keys } = this.watching;
    if (!this.part.open) return;
    const timed = chosen.findIndex(({ kind }) => kind === "timer");
    this.note.hidden = timed < 0 || samples.length < 10 || Number.isFinite(samples.value(samples.written - 1, timed));
    if (this.known === samples) return;
    this.known = samples;
    this.count.textContent = chosen.length ? `${chosen.length} of at most ${MOST} are plotted` : "nothing is plotted";
    for (const { signal, box } of this.boxes) box.checked = keys.has(keyOf(signal));
  }
}
