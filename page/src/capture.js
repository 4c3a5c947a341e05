// What a page keeps of its picture: a screenshot, a film.
import { save } from "./giving.js";
import { viewer } from "./state.js";

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

/** Films the picture, as fast as it is drawn. */
export class Film {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** @type {MediaRecorder | null} */
    this.recorder = null;
  }

  /** Whether the browser can write films. */
  get possible() {
    return "MediaRecorder" in window && KINDS.some((kind) => MediaRecorder.isTypeSupported(kind));
  }

  get on() {
    return this.recorder !== null;
  }

  /** Begin, or end and keep what there is. */
  toggle() {
    if (this.recorder) this.recorder.stop();
    else this.begin();
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
