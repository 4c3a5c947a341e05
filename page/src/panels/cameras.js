// The part that opens small pictures of the model's cameras.
import { element, section, tick } from "../elements.js";
import { MOST } from "../insets.js";
import { named, viewer } from "../state.js";

/** @typedef {import("../insets.js").Insets} Insets */

/** A box for each camera; nothing where there is none. */
export class Cameras {
  /** @param {Insets} insets */
  constructor(insets) {
    this.insets = insets;
    /** @type {(string | null)[]} */
    const names = viewer.model?.cameras ?? [];
    this.boxes = names.map((_, i) => tick(named("camera", names, i), "", (on) => (on ? insets.open(i) : insets.close(i))));
    this.full = element("small", {}, [`at most ${MOST} at once`]);
    this.part = section("Cameras", false, [...this.boxes.map(({ row }) => row), this.full]);
    this.part.hidden = !names.length;
    this.show();
  }

  show() {
    const full = this.insets.isFull();
    this.full.hidden = this.boxes.length <= MOST;
    this.boxes.forEach(({ box }, i) => {
      box.checked = this.insets.isOpen(i);
      box.disabled = full && !box.checked;
    });
  }
}
