// What can be done with a recording that is played, by keys and on the time line.
import { controls, recording } from "./state.js";

/**
 * @typedef {import("./commands.js").Send} Send
 * @typedef {import("./keys.js").Row} Row
 */

/** Deeds of the page that controls. */
export class Playing {
  /** @param {Send} send */
  constructor(send) {
    this.send = (/** @type {Record<string, any> & {do: string}} */ words) => {
      if (controls() && recording()) send(words);
    };
  }

  /** Play, or stay where it is. */
  run(on = !recording()?.run) {
    this.send({ do: "run", on });
  }

  /** @param {number} time */
  seek(time) {
    this.send({ do: "seek", time });
  }

  /** @param {number} row */
  seekRow(row) {
    this.send({ do: "seek", row });
  }

  toStart() {
    this.seek(recording()?.start);
  }

  toEnd() {
    this.seek(recording()?.end);
  }

  /** @param {1 | -1} by */
  rows(by) {
    this.send({ do: "rows", by });
  }

  /** @param {boolean} on */
  loop(on) {
    this.send({ do: "loop", on });
  }

  /** @param {number} percent */
  speed(percent) {
    this.send({ do: "speed", percent });
  }

  /** Simulate on from the state that is seen. */
  simulate() {
    this.send({ do: "simulate" });
  }

  /** @returns {Row[]} */
  keys() {
    return [
      { key: " ", label: "play, pause", act: () => this.run() },
      { key: "ArrowRight", label: "next row of the recording", act: () => this.rows(1) },
      { key: "ArrowLeft", label: "row before", act: () => this.rows(-1) },
      { key: "Home", label: "start of the recording", act: () => this.toStart() },
      { key: "End", label: "end of the recording", act: () => this.toEnd() },
    ];
  }
}
