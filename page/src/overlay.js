// What the program lays over the picture: texts at its edges, images at places of its own.
import { element } from "./elements.js";

/** @typedef {import("./wire.js").Message} Message */

// mjtGridPos, and mjtFont
const PLACES = ["top left", "top right", "bottom left", "bottom right", "top", "bottom", "left", "right"];
const FONTS = ["normal", "shadow", "big"];

/**
 * Return a canvas with the pixels of an image [height, width, 3], the highest row first.
 * @param {Uint8Array} pixels
 * @param {number[]} shape
 */
function drawn(pixels, [height, width]) {
  const canvas = element("canvas", { width, height });
  const image = new ImageData(width, height);
  for (let i = 0, j = 0; i < pixels.length; i += 3, j += 4) {
    image.data.set(pixels.subarray(i, i + 3), j);
    image.data[j + 3] = 255;
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}

/** Texts and images in an element that lies over the picture. */
export class Overlay {
  /** @param {HTMLElement} over */
  constructor(over) {
    this.images = element("div", { className: "images" });
    this.texts = element("div", { className: "texts" });
    over.append(this.images, this.texts);
  }

  /** Take all of it away. */
  clear() {
    this.images.replaceChildren();
    this.texts.replaceChildren();
  }

  /** @param {Message} message */
  showTexts({ words }) {
    const places = PLACES.map((place) => element("div", { className: `texts-at ${place}` }));
    for (const [font, place, left, right] of words.texts) {
      const columns = [left, right].map((text) => element("pre", {}, [text]));
      places[place].append(element("div", { className: `text ${FONTS[font]}` }, columns));
    }
    this.texts.replaceChildren(...places.filter((place) => place.childElementCount));
  }

  /** @param {Message} message */
  showImages({ words, arrays, shapes }) {
    const images = words.places.map((/** @type {number[]} */ [left, bottom, width, height], /** @type {number} */ i) => {
      const image = drawn(/** @type {Uint8Array} */ (arrays[`image_${i}`]), shapes[`image_${i}`]);
      Object.assign(image.style, {
        left: `${left}px`, bottom: `${bottom}px`, width: `${width}px`, height: `${height}px`,
      });
      return image;
    });
    this.images.replaceChildren(...images);
  }
}
