// A picture of the page: a canvas that shows what a connection of its own brings.
import { Connection } from "./connection.js";
import { Labels } from "./draw/labels.js";
import { Scene } from "./draw/scene.js";
import { element } from "./elements.js";

/**
 * @typedef {import("./wire.js").Message} Message
 * @typedef {object} Ends
 * @property {(message: Message) => void} heard called with each message, when the picture has taken what is for it
 * @property {(connected: boolean, why: string) => void} [state] called as of Connection
 * @property {(frames: number) => void} [drawn] called when it was drawn, with how many frames have come since the last time
 */

const SEGMENT = 7; // mjtRndFlag
const FINEST = 2; // pixels of the screen in one of the page that are drawn

/** A picture, until it is closed. */
export class Picture {
  /**
   * @param {HTMLElement} place that it fills
   * @param {string} which what is asked of the server: "" for the page's own picture, `world=N` or `camera=N`
   * @param {Ends} ends
   */
  constructor(place, which, ends) {
    this.place = place;
    this.ends = ends;
    this.canvas = element("canvas");
    const labels = element("div", { className: "labels" });
    place.prepend(this.canvas, labels);
    this.scene = new Scene(this.canvas);
    this.labels = new Labels(labels);
    /** @type {Record<string, any> | null} the newest frame */
    this.frame = null;
    this.waiting = 0; // frames that have come and are not drawn
    this.asked = false; // whether the browser will ask for a picture
    this.connection = new Connection(which, {
      message: (message) => this.hear(message),
      state: (connected, why) => this.stand(connected, why),
    });
    this.listening = new AbortController();
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(place);
    const { signal } = this.listening;
    document.addEventListener("visibilitychange", () => this.resize(), { signal });
    this.canvas.addEventListener("webglcontextrestored", () => this.ask(), { signal });
  }

  open() {
    this.connection.open();
  }

  /** @param {Record<string, any> & {do: string}} words */
  send(words) {
    this.connection.send(words);
  }

  // ---- the server

  /**
   * @param {boolean} connected
   * @param {string} why
   */
  stand(connected, why) {
    if (!connected) this.waiting = 0;
    this.ends.state?.(connected, why);
  }

  /** @param {Message} message */
  async hear(message) {
    switch (message.words.kind) {
      case "model": this.begin(message.words); break;
      case "shape": this.scene.addShape(message); break;
      case "texture": await this.scene.addTexture(message); break;
      case "frame": this.scene.take(message); // falls through
      case "trouble": this.take(message);
    }
    this.ends.heard(message);
    if (message.words.kind === "model") this.resize();
  }

  /** @param {Record<string, any>} model */
  begin(model) {
    this.frame = null;
    this.waiting = 0;
    this.scene.begin(model);
  }

  /** @param {Message} message a frame, or why there is none */
  take({ words }) {
    if (words.kind === "frame") this.frame = words;
    this.waiting += 1;
    this.ask();
  }

  // ---- what is seen

  /** Tell the size, and whether anybody sees it. */
  resize() {
    const { clientWidth, clientHeight } = this.place;
    const width = Math.max(1, clientWidth), height = Math.max(1, clientHeight);
    this.send({ do: "size", width, height, hidden: document.hidden || !clientWidth });
    // a canvas of another size is empty until it is drawn
    if (this.scene.resize(width, height, Math.min(FINEST, window.devicePixelRatio))) this.draw();
    else this.ask();
  }

  /** Draw when the browser next shows something. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.asked = false;
    if (this.listening.signal.aborted) return;
    const view = this.scene.draw();
    this.labels.show(this.frame?.flags[SEGMENT] ? [] : this.frame?.labels ?? [], view);
    this.ends.drawn?.(this.waiting);
    for (; this.waiting > 0; this.waiting--) this.send({ do: "drawn" });
  }

  /** Leave the place empty, and the server and the graphics card in peace. */
  close() {
    this.listening.abort();
    this.sizes.disconnect();
    this.connection.close();
    this.scene.release();
    this.canvas.remove();
    this.labels.over.remove();
  }
}
