// The part with a box for each equality constraint.
import { tick } from "../elements.js";
import { changes, viewer } from "../state.js";
import { Rows } from "./rows.js";

/** @typedef {import("../commands.js").Commands} Commands */

/** Which equality constraints are active. */
export class Equalities {
  /** @param {Commands} commands */
  constructor(commands) {
    /** @type {string[]} */
    const names = viewer.model?.equalities ?? [];
    this.rows = new Rows("Equalities", false, () => names.map((name, index) => {
      const { row, box } = tick(name, "", (on) => commands.send({ do: "equality", index, on }));
      const show = () => {
        box.disabled = !changes();
        box.checked = !!viewer.data.eq_active?.[index];
      };
      return { row, show, object: index };
    }), { kind: "equality", unfolded: (open) => commands.watch(["eq_active"], open) });
    this.part = this.rows.part;
    this.part.hidden = !names.length;
  }

  show() {
    this.rows.show();
  }
}
