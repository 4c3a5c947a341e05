// The pointer over the picture, as MuJoCo's simulate has it.

/**
 * @typedef {object} Deeds
 * @property {(action: number, dx: number, dy: number) => void} move the camera (mjtMouse), a way in heights of the picture
 * @property {(x: number, y: number) => void} select at a point from 0 to 1, from the left and from below
 * @property {() => void} track the selected body
 * @property {(bits: number, action?: number, dx?: number, dy?: number) => void} pull (1), turn (2) the selected body, let go (0)
 * @property {() => boolean} pulls whether there is something to pull at
 */

// mjtMouse
const ROTATE_V = 1, ROTATE_H = 2, MOVE_V = 3, MOVE_H = 4, ZOOM = 5;
const LEFT = 0, RIGHT = 2; // buttons
const PULL = 1, TURN = 2;
const TWICE = 400; // milliseconds between the two clicks of a double one, and pixels
const NEAR = 5;
const NOTCH = 0.02; // of the picture's height by which the wheel zooms
const NOTCHES = [100, 3, 1]; // how far a notch is, by deltaMode: pixels, lines, pages

/** Turns what is done with the pointer into deeds. */
export class Pointer {
  /**
   * @param {HTMLElement} picture
   * @param {Deeds} deeds
   */
  constructor(picture, deeds) {
    this.picture = picture;
    this.deeds = deeds;
    /** @type {{id: number, button: number, x: number, y: number, pulling: number} | null} */
    this.drag = null;
    this.last = { button: -1, time: -TWICE, x: 0, y: 0 };
    picture.addEventListener("pointerdown", (event) => this.press(event));
    picture.addEventListener("pointermove", (event) => this.go(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      picture.addEventListener(end, (event) => {
        if (/** @type {PointerEvent} */ (event).pointerId === this.drag?.id) this.release();
      });
    }
    window.addEventListener("blur", () => this.release());
    picture.addEventListener("contextmenu", (event) => event.preventDefault());
    picture.addEventListener("wheel", (event) => this.roll(event), { passive: false });
  }

  /** @param {PointerEvent} event */
  press(event) {
    event.preventDefault();
    this.picture.focus();
    if (this.drag) return; // a second finger changes nothing
    const { button, clientX: x, clientY: y, timeStamp: time, ctrlKey } = event;
    const { last } = this;
    const twice = button === last.button && time - last.time < TWICE && Math.hypot(x - last.x, y - last.y) < NEAR;
    this.last = { button: twice ? -1 : button, time, x, y };
    if (twice) this.doubled(event);
    this.picture.setPointerCapture(event.pointerId);
    const pulling = ctrlKey && !twice && this.deeds.pulls() ? { [LEFT]: TURN, [RIGHT]: PULL }[button] ?? 0 : 0;
    this.drag = { id: event.pointerId, button, x, y, pulling };
    if (pulling) this.deeds.pull(pulling);
  }

  /** @param {PointerEvent} event */
  doubled({ button, clientX, clientY, ctrlKey }) {
    const { left, top, width, height } = this.picture.getBoundingClientRect();
    const within = (/** @type {number} */ x) => Math.min(1, Math.max(0, x));
    if (button === LEFT) this.deeds.select(within((clientX - left) / width), within(1 - (clientY - top) / height));
    else if (button === RIGHT && ctrlKey) this.deeds.track();
  }

  /** @param {PointerEvent} event */
  go({ pointerId, clientX, clientY, shiftKey }) {
    const { drag } = this;
    if (pointerId !== drag?.id) return;
    const height = Math.max(1, this.picture.clientHeight);
    const dx = (clientX - drag.x) / height, dy = (clientY - drag.y) / height;
    if (dx === 0 && dy === 0) return;
    drag.x = clientX;
    drag.y = clientY;
    const action = drag.button === LEFT ? (shiftKey ? ROTATE_H : ROTATE_V)
      : drag.button === RIGHT ? (shiftKey ? MOVE_H : MOVE_V) : ZOOM;
    if (drag.pulling) this.deeds.pull(drag.pulling, action, dx, dy);
    else this.deeds.move(action, dx, dy);
  }

  /** End a drag; what is pulled is let go, also where the pointer is lost in mid-drag. */
  release() {
    const { drag } = this;
    this.drag = null;
    if (drag?.pulling) this.deeds.pull(0);
  }

  /** @param {WheelEvent} event */
  roll(event) {
    event.preventDefault();
    const notches = event.deltaY / NOTCHES[event.deltaMode];
    if (notches !== 0) this.deeds.move(ZOOM, 0, NOTCH * Math.min(50, Math.max(-50, notches)));
  }
}
