// The part with a slider for each joint of one coordinate.
import { viewer } from "../state.js";
import { Rows } from "./rows.js";
import { Slider } from "./slider.js";

/** @typedef {import("../commands.js").Commands} Commands */

/** Hinges and slides: where they are, and where they are put. */
export class Joints {
  /** @param {Commands} commands */
  constructor(commands) {
    /** @type {[number, number, number, number][]} number, address, range */
    const joints = viewer.model?.joints ?? [];
    const name = (/** @type {number} */ index) => commands.watching.objects.name("joint", index);
    this.rows = new Rows("Joints", false, () => joints.map(([index, at, ...range]) => new Slider({
      name: name(index), range, object: index,
      value: () => viewer.data.qpos?.[at],
      act: (value) => commands.send({ do: "joint", index, value }),
    })), { kind: "joint", unfolded: (open) => commands.watch(["qpos"], open) });
    this.part = this.rows.part;
    this.part.hidden = !joints.length;
  }

  show() {
    this.rows.show();
  }
}
