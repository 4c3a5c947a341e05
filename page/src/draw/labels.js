// Labels of geoms: text over the picture.
import { placeOf } from "./camera.js";

/** Labels in an element that lies over the picture; names are text, whatever they hold. */
export class Labels {
  /** @param {HTMLElement} over */
  constructor(over) {
    this.over = over;
    /** @type {HTMLElement[]} */
    this.made = [];
  }

  /**
   * Show labels where their points are.
   * @param {[number[], string][]} labels
   * @param {number[][] | null} view rows of the matrix from the room to clip space
   */
  show(labels, view) {
    let used = 0;
    for (const [point, text] of view ? labels : []) {
      const place = placeOf(/** @type {number[][]} */ (view), point);
      if (!place) continue;
      const label = this.get(used++);
      if (label.textContent !== text) label.textContent = text;
      label.style.left = `${100 * place[0]}%`;
      label.style.bottom = `${100 * place[1]}%`;
    }
    this.made.forEach((label, i) => { label.hidden = i >= used; });
  }

  /** @param {number} index */
  get(index) {
    if (index === this.made.length) {
      const label = document.createElement("div");
      label.className = "label";
      this.over.append(label);
      this.made.push(label);
    }
    return this.made[index];
  }
}
