// The part with the keyframes of the model, and the state as one.
import { button, choice, element, numbered, section } from "../elements.js";
import { changes, named, runs, viewer } from "../state.js";
import { Refusal } from "./fields.js";

/** @typedef {import("../commands.js").Commands} Commands */

const LONGEST = 100; // characters of a name

/** Keyframes: begin at one, keep the state in one, take the state away as one. */
export class Keyframes {
  /** @param {Commands} commands */
  constructor(commands) {
    const names = viewer.model?.keys ?? [];
    const keys = names.map((/** @type {any} */ _, /** @type {number} */ i) => named("key", names, i));
    this.keys = choice("Keyframe", numbered(keys), () => {});
    this.load = button("Load", () => commands.reset(Number(this.keys.select.value)));
    this.save = button("Save", () => commands.keep(Number(this.keys.select.value)));
    this.load.title = "reset to this keyframe";
    this.save.title = "keep the state in this keyframe, as long as the model is loaded";
    const slots = element("div", { hidden: !names.length }, [
      this.keys.row, element("div", { className: "buttons" }, [this.load, this.save]),
    ]);
    this.name = element("input", { type: "text", maxLength: LONGEST, placeholder: "name of a keyframe", aria: { label: "name of a keyframe" } });
    this.write = button("Download model", () => commands.write(this.name.value));
    this.write.title = "download the model's file with the state as a keyframe of this name";
    const file = element("div", { hidden: !viewer.model?.source }, [
      element("div", { className: "row" }, [this.name]), element("div", { className: "buttons" }, [this.write]),
    ]);
    this.refusal = new Refusal("keyframe");
    this.part = section("Keyframes", false, [
      slots, element("div", { className: "buttons" }, [button("Copy state", () => commands.copyState())]), file, this.refusal.row,
    ]);
  }

  show() {
    this.load.hidden = !runs();
    for (const control of [this.load, this.save, this.name, this.write]) control.disabled = !changes();
    this.refusal.show();
  }
}
