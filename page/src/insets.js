// Small pictures in the large one, seen by cameras of the model.
import { button, element } from "./elements.js";
import { Follower } from "./follower.js";
import { named, viewer } from "./state.js";

export const MOST = 4;
const PLAIN = 4 / 3; // width over height where the camera does not say
const NARROWEST = 1 / 3, WIDEST = 3;

/**
 * Return width over height of what a camera sees; one pixel says nothing.
 * @param {number[] | undefined} resolution
 */
function aspectOf(resolution) {
  const [width, height] = resolution ?? [1, 1];
  if (!(width > 0 && height > 0) || (width === 1 && height === 1)) return PLAIN;
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}

/** The insets that are open, by the numbers of their cameras. */
export class Insets {
  /**
   * @param {HTMLElement} place over the picture
   * @param {() => void} changed called when one was opened or closed
   */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    /** @type {Map<number, {follower: Follower, part: HTMLElement, name: string}>} */
    this.opened = new Map();
  }

  isOpen(/** @type {number} */ camera) {
    return this.opened.has(camera);
  }

  isFull() {
    return this.opened.size >= MOST;
  }

  /** @param {number} camera */
  open(camera) {
    if (this.isOpen(camera) || this.isFull()) return;
    const name = named("camera", viewer.model?.cameras ?? [], camera);
    const picture = element("div", { className: "picture" });
    const close = button(`${name} ×`, () => this.close(camera));
    close.setAttribute("aria-label", `close ${name}`);
    const part = element("div", { className: "inset" }, [picture, close]);
    part.style.setProperty("--aspect", String(aspectOf(viewer.model?.resolutions[camera])));
    this.place.append(part);
    const follower = new Follower(picture, `camera=${camera}`, { looks: false });
    this.opened.set(camera, { follower, part, name });
    this.changed();
  }

  /** @param {number} camera */
  close(camera) {
    const inset = this.opened.get(camera);
    if (!inset) return;
    this.opened.delete(camera);
    inset.follower.close();
    inset.part.remove();
    this.changed();
  }

  /** There is a new model: cameras that are still there stay. */
  begin() {
    const cameras = viewer.model?.cameras ?? [];
    for (const [camera, { name }] of this.opened) {
      if (camera >= cameras.length || named("camera", cameras, camera) !== name) this.close(camera);
    }
  }

  /** Show what the picture shows now. */
  follow() {
    for (const follower of this.followers()) follower.follow();
  }

  followers() {
    return [...this.opened.values()].map(({ follower }) => follower);
  }
}
