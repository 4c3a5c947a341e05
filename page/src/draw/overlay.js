// What the program lays over the picture: texts at its edges, images and figures at places of their own.
import { element } from "../elements.js";
import { plotOf } from "./figure.js";

/** @typedef {import("../wire.js").Message} Message */

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

/**
 * Return a canvas that lies at a place.
 * @param {HTMLCanvasElement} canvas
 * @param {number[]} place in pixels of the picture, from its lower left corner
 */
function placed(canvas, [left, bottom, width, height]) {
  Object.assign(canvas.style, {
    left: `${left}px`, bottom: `${bottom}px`, width: `${width}px`, height: `${height}px`,
  });
  return canvas;
}

/** Texts, images and figures in an element that lies over the picture. */
export class Overlay {
  /** @param {HTMLElement} over */
  constructor(over) {
    this.images = element("div", { className: "images" });
    this.figures = element("div", { className: "images" });
    this.texts = element("div", { className: "texts" });
    over.append(this.images, this.figures, this.texts);
  }

  /** Take all of it away. */
  clear() {
    this.images.replaceChildren();
    this.figures.replaceChildren();
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
    const images = words.places.map((/** @type {number[]} */ place, /** @type {number} */ i) =>
      placed(drawn(/** @type {Uint8Array} */ (arrays[`image_${i}`]), shapes[`image_${i}`]), place));
    this.images.replaceChildren(...images);
  }

  /** @param {Message} message */
  showFigures({ words, arrays }) {
    const figures = words.figures.map((/** @type {Record<string, any>} */ figure, /** @type {number} */ i) => {
      const points = figure.lines.map((/** @type {any} */ _, /** @type {number} */ k) => arrays[`figure_${i}_${k}`]);
      return placed(plotOf(figure, points), figure.place);
    });
    this.figures.replaceChildren(...figures);
  }
}
