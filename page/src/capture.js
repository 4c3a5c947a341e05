// What a page keeps of its picture: a screenshot, a film.
import { save } from "./giving.js";
import { controls, viewer } from "./state.js";

const RATE = 60; // pictures a second of a film, at most
const KINDS = ["video/mp4", "video/webm"]; // the first that the browser can write

/** Return the name of the model as a file may have it. */
export const stem = () => String(viewer.model?.name || "sinew").replace(/[^\w.-]+/g, "_").slice(0, 80);

/**
 * Keep the picture as it is.
 * @param {HTMLCanvasElement} canvas just drawn
 */
export function screenshot(canvas) {
  canvas.toBlob((blob) => blob && save(`${stem()}.png`, blob), "image/png");
}

/** Films the picture: the server does, where it can draw; else the browser, as fast as it draws. */
export class Film {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {import("./commands.js").Send} send
   */
  constructor(canvas, send) {
    this.canvas = canvas;
    this.send = send;
    /** @type {MediaRecorder | null} */
    this.recorder = null;
    /** @type {"" | "on" | "made"} what the server does */
    this.server = "";
  }

  /** Whether there can be films. */
  get possible() {
    if (viewer.model?.films) return controls() && this.server !== "made";
    return "MediaRecorder" in window && KINDS.some((kind) => MediaRecorder.isTypeSupported(kind));
  }

  get on() {
    return this.recorder !== null || this.server === "on";
  }

  /** Begin, or end and keep what there is. */
  toggle() {
    if (this.recorder) this.recorder.stop();
    else if (viewer.model?.films) this.ask(this.server !== "on");
    else this.begin();
  }

  /** @param {boolean} on */
  ask(on) {
    this.server = on ? "on" : "made";
    this.send({ do: "film", on });
  }

  /**
   * Keep a film of the server's; null: there is none.
   * @param {import("./wire.js").Numbers | null} film
   */
  take(film) {
    this.server = "";
    if (film) save(`${stem()}.mp4`, new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (film)], { type: "video/mp4" }));
  }

  begin() {
    const kind = KINDS.find((name) => MediaRecorder.isTypeSupported(name));
    const recorder = new MediaRecorder(this.canvas.captureStream(RATE), { mimeType: kind, videoBitsPerSecond: 16e6 });
    /** @type {Blob[]} */
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => {
      this.recorder = null;
      const end = recorder.mimeType.includes("mp4") ? "mp4" : "webm";
      save(`${stem()}.${end}`, new Blob(parts, { type: recorder.mimeType }));
    };
    recorder.start(1000);
    this.recorder = recorder;
  }
}
