// Figures over the picture: MjvFigure, drawn by the browser.
import { element } from "../elements.js";

/** @typedef {{low: number, high: number, start: number, end: number}} Axis */

const LEAST = 1e-5; // least length of an axis
const EDGE = 6; // pixels about what is written
const LINE = 15; // height of a line of text
const TEXT = "12px system-ui, sans-serif";

/** @param {number[]} rgb @param {number} [alpha] */
const colour = ([r, g, b, a], alpha = a ?? 1) => `rgb(${255 * r} ${255 * g} ${255 * b} / ${alpha})`;

/**
 * Return the range of an axis: as given, by the data, or both.
 * @param {[number, number]} given
 * @param {number[]} data
 * @param {boolean} extend
 * @param {boolean} symmetric
 */
export function rangeOf([low, high], data, extend, symmetric) {
  const known = data.filter(Number.isFinite);
  if (known.length) {
    const least = known.reduce((a, b) => Math.min(a, b)), most = known.reduce((a, b) => Math.max(a, b));
    if (!(low < high)) [low, high] = [least, most];
    else if (extend) [low, high] = [Math.min(low, least), Math.max(high, most)];
  }
  const lack = LEAST - (high - low);
  if (lack > 0) [low, high] = [low - lack / 2, high + lack / 2];
  if (!symmetric) return [low, high];
  const far = Math.max(Math.abs(low), Math.abs(high));
  return [-far, far];
}

/**
 * Return a number with an exponent of two digits or more, as C writes it.
 * @param {number} value
 * @param {number} digits
 */
const withExponent = (value, digits) =>
  value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");

/**
 * Return a number with so many digits that count, as C's %g.
 * @param {number} value
 * @param {number} digits
 */
function short(value, digits) {
  const exponent = value === 0 ? 0 : Number(value.toExponential(digits - 1).split("e")[1]);
  const text = exponent < -4 || exponent >= digits ? withExponent(value, digits - 1) : value.toFixed(digits - 1 - exponent);
  return text.replace(/\.?0+(?=e|$)/, (zeros) => (text.includes(".") ? "" : zeros));
}

/**
 * Return a number as C's printf writes it by %e, %f or %g; anything else as the browser does.
 * @param {string} format
 * @param {number} value
 */
export function printed(format, value) {
  const match = /%[-+ #0]*\d*(?:\.(\d*))?l?([eEfFgG])/.exec(format);
  if (!match || !Number.isFinite(value)) return String(value);
  const digits = Math.min(50, match[1] === undefined ? 6 : Number(match[1]));
  const kind = match[2].toLowerCase();
  let text = value.toFixed(digits);
  if (kind === "e") text = withExponent(value, digits);
  if (kind === "g") text = short(value, Math.max(1, digits));
  return format.slice(0, match.index) + text + format.slice(match.index + match[0].length);
}

/**
 * @param {Axis} axis
 * @param {number} value
 */
const placeOn = ({ low, high, start, end }, value) => start + ((value - low) / (high - low)) * (end - start);

/** A figure on a canvas of its own. */
class Plot {
  /**
   * @param {Record<string, any>} figure
   * @param {Float32Array[]} lines points of each line: x, y, x, y, ...
   */
  constructor(figure, lines) {
    this.figure = figure;
    this.lines = lines;
    const [, , width, height] = figure.place;
    const ratio = window.devicePixelRatio;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.canvas = element("canvas", { width: this.width * ratio, height: this.height * ratio });
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.pen.scale(ratio, ratio);
    this.pen.font = TEXT;
    this.axes = [0, 1].map((k) => this.axis(k));
  }

  /**
   * @param {number} k 0 for x, 1 for y
   * @returns {Axis}
   */
  axis(k) {
    const { range, flg_extend, flg_symmetric, title, xlabel, flg_ticklabel } = this.figure;
    const data = this.lines.flatMap((points) => Array.from(points).filter((_, i) => i % 2 === k));
    const [low, high] = rangeOf(range[k], data, !!flg_extend, k === 1 && !!flg_symmetric);
    if (k === 1) {
      const below = LINE * ((xlabel ? 1 : 0) + (flg_ticklabel[0] ? 1 : 0));
      return { low, high, start: this.height - EDGE - below, end: EDGE + (title ? LINE : 0) };
    }
    return { low, high, start: EDGE + (flg_ticklabel[1] ? 44 : 0), end: this.width - EDGE };
  }

  draw() {
    const { pen, figure, axes: [x, y] } = this;
    pen.fillStyle = colour(figure.figurergba);
    pen.fillRect(0, 0, this.width, this.height);
    pen.fillStyle = colour(figure.panergba);
    pen.fillRect(x.start, y.end, x.end - x.start, y.start - y.end);
    this.grid();
    pen.save();
    pen.beginPath();
    pen.rect(x.start, y.end, x.end - x.start, y.start - y.end);
    pen.clip();
    this.lines.map((_, i) => this.lines.length - 1 - i).forEach((i) => this.line(i));
    pen.restore();
    this.words();
    return this.canvas;
  }

  grid() {
    const { pen, figure, axes } = this;
    const [x, y] = axes;
    pen.strokeStyle = colour(figure.gridrgb);
    pen.lineWidth = figure.gridwidth;
    pen.fillStyle = colour(figure.textrgb);
    axes.forEach((axis, k) => {
      const count = Math.min(1001, figure.gridsize[k]);
      for (let i = 0; i < count; i++) {
        const value = axis.low + (count > 1 ? i / (count - 1) : 0) * (axis.high - axis.low);
        const at = placeOn(axis, value);
        pen.beginPath();
        pen.moveTo(k ? x.start : at, k ? at : y.start);
        pen.lineTo(k ? x.end : at, k ? at : y.end);
        pen.stroke();
        if (!figure.flg_ticklabel[k] || count < 2) continue;
        const text = printed(k ? figure.yformat : figure.xformat, value);
        pen.textAlign = k ? "right" : i === 0 ? "left" : i === count - 1 ? "right" : "center";
        pen.fillText(text, k ? x.start - 4 : at, k ? at + 4 : y.start + LINE - 2);
      }
    });
  }

  /** @param {number} i */
  line(i) {
    const { pen, figure, axes: [x, y] } = this;
    const points = this.lines[i];
    pen.strokeStyle = colour(figure.lines[i].rgb);
    pen.lineWidth = figure.linewidth;
    pen.beginPath();
    for (let p = 0; p + 1 < points.length; p += 2) {
      const at = [placeOn(x, points[p]), placeOn(y, points[p + 1])];
      const begins = p === 0 || (figure.flg_barplot && p % 4 === 0);
      if (begins) pen.moveTo(at[0], at[1]);
      else pen.lineTo(at[0], at[1]);
    }
    pen.stroke();
  }

  words() {
    const { pen, figure, axes: [x, y] } = this;
    pen.fillStyle = colour(figure.textrgb);
    pen.textAlign = "center";
    pen.fillText(figure.title, (x.start + x.end) / 2, LINE);
    pen.fillText(figure.xlabel, (x.start + x.end) / 2, this.height - EDGE);
    const named = figure.lines.filter((/** @type {any} */ line) => line.name);
    if (!figure.flg_legend || !named.length) return;
    const width = Math.max(...named.map((/** @type {any} */ { name }) => pen.measureText(name).width)) + 2 * EDGE;
    const top = y.end + LINE * figure.legendoffset;
    pen.fillStyle = colour(figure.legendrgba);
    pen.fillRect(x.end - width, top, width, LINE * named.length + EDGE);
    pen.textAlign = "right";
    named.forEach((/** @type {any} */ { name, rgb }, /** @type {number} */ i) => {
      pen.fillStyle = colour(rgb);
      pen.fillText(name, x.end - EDGE, top + LINE * (i + 1));
    });
  }
}

/**
 * Return a canvas with a figure.
 * @param {Record<string, any>} figure members of MjvFigure, `place` and `lines` (name and colour of each)
 * @param {Float32Array[]} lines points of each line
 */
export const plotOf = (figure, lines) => new Plot(figure, lines).draw();
