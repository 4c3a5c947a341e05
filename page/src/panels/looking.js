// The part that chooses the camera, labels and frames.
import { CHOICES } from "../commands.js";
import { button, choice, element, numbered, section } from "../elements.js";
import { named, viewer } from "../state.js";

/** @typedef {import("../commands.js").Commands} Commands */

const TRACKING = "tracking"; // value of the choice that stands for a camera that follows a body
const FIXED = 2, FOLLOWS = 1; // mjtCamera

/** The camera, and what is written and drawn at objects. */
export class Looking {
  /** @param {Commands} commands */
  constructor(commands) {
    const names = viewer.model?.cameras ?? [];
    const cameras = names.map((/** @type {any} */ _, /** @type {number} */ i) => named("camera", names, i));
    this.camera = choice("Camera", [["-1", "free"], ...numbered(cameras)], (value) => {
      if (value !== TRACKING) commands.look(Number(value));
    });
    this.tracking = element("option", { value: TRACKING });
    const choose = (/** @type {string} */ of) => (/** @type {string} */ value) =>
      commands.send({ do: "choice", of, value: Number(value) });
    this.label = choice("Labels", numbered(CHOICES.label), choose("label"));
    this.frame = choice("Frames", numbered(CHOICES.frame), choose("frame"));
    const align = element("div", { className: "buttons" }, [button("Align", () => commands.align())]);
    this.part = section("View", true, [this.camera.row, align, this.label.row, this.frame.row]);
  }

  show() {
    const { cam, opt } = viewer.frame ?? {};
    if (!cam) return;
    if (cam.type === FOLLOWS) {
      this.tracking.textContent = `follows ${named("body", viewer.model?.bodies ?? [], cam.trackbodyid)}`;
      if (!this.tracking.isConnected) this.camera.select.append(this.tracking);
    } else {
      this.tracking.remove();
    }
    const now = cam.type === FOLLOWS ? TRACKING : String(cam.type === FIXED ? cam.fixedcamid : -1);
    const values = /** @type {[HTMLSelectElement, string][]} */ ([
      [this.camera.select, now], [this.label.select, String(opt.label)], [this.frame.select, String(opt.frame)],
    ]);
    for (const [select, value] of values) if (select.value !== value) select.value = value;
  }
}
