// Curves of signals that share an axis, on a canvas: what is new of them is drawn, what was drawn moves on.
import { element } from "../elements.js";
import { short } from "../state.js";
import { niceRange, niceStep, tickText } from "./axis.js";

/**
 * @typedef {import("./samples.js").Samples} Samples
 * @typedef {import("./signals.js").Signal} Signal
 */

// Okabe and Ito's, which the colour-blind tell apart; what is too bright or dark on the ground is changed
const LIGHT = ["#0072b2", "#c25e00", "#007a57", "#b5508f", "#8a6d00", "#2a9fd6", "#000000", "#d4380d"];
const DARK = ["#56b4e9", "#e69f00", "#2fd39b", "#e79ac6", "#f0e442", "#5c8dff", "#ffffff", "#ff7a45"];
/** @type {[string, number[]][]} styles of a border, and dashes, of the curves after the first eight */
const DASHES = [["solid", []], ["dashed", [6, 4]], ["dotted", [1, 4]]];
const LEFT = 44, BELOW = 16, ABOVE = 6; // pixels about the curves
const GAP = 3; // pixels behind the newest point that are empty
const SHRINKS = 0.35; // part of the axis that is used, below which it shrinks
const PATIENCE = 60; // pictures between looks whether it does
const TICKS = 3;

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const styleOf = (/** @type {number} */ k) => DASHES[Math.floor(k / LIGHT.length) % DASHES.length];
const colourOf = (/** @type {number} */ k) => (dark.matches ? DARK : LIGHT)[k % LIGHT.length];

/** A pane. */
export class Pane {
  /**
   * @param {string} title
   * @param {{signal: Signal, place: number}[]} curves with the places of their values in samples
   */
  constructor(title, curves) {
    this.curves = curves;
    this.canvas = element("canvas");
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.ring = element("canvas"); // the curves; the time at a column is that of the left edge and so many widths
    this.ink = /** @type {CanvasRenderingContext2D} */ (this.ring.getContext("2d"));
    this.values = curves.map(() => element("output"));
    this.swatches = curves.map(() => element("i"));
    const alone = curves.length === 1 && curves[0].signal.label === curves[0].signal.group;
    const rows = alone ? [] : curves.map(({ signal }, k) =>
      element("li", {}, [this.swatches[k], element("span", { title: signal.label }, [signal.label]), this.values[k]]));
    this.part = element("figure", { className: "pane" }, [
      element("figcaption", {}, alone ? [`${title} `, this.values[0]] : [title]),
      element("div", {}, [this.canvas, element("ul", { hidden: alone }, rows)]),
    ]);
    this.range = { low: 0, high: 0, step: 1 };
    this.drawn = 0; // samples that are on the ring
    this.time = NaN; // up to which it is drawn
    this.known = ""; // what it was drawn for
    this.pictures = 0;
    this.visible = true; // in the strip, which scrolls
    this.ratio = 1; // pixels of the screen in one of the page
    this.colours = { text: "", line: "" };
    new ResizeObserver(() => this.fit()).observe(this.canvas);
  }

  // ---- the ring

  /** Return the column of a time, counted on from the ring's first. */
  column(/** @type {number} */ time, /** @type {Samples} */ { span }) {
    return (time / span) * this.ring.width;
  }

  row(/** @type {number} */ value) {
    const { low, high } = this.range, { height } = this.ring;
    // far outside a path would be drawn wrong
    return Math.min(2 * height, Math.max(-height, height - ((value - low) / (high - low)) * height));
  }

  /**
   * Draw what is not on the ring; return whether there was something.
   * @param {Samples} samples
   */
  update(samples) {
    const { ring } = this;
    this.widen(samples);
    const last = samples.time(samples.written - 1);
    const known = [
      ring.width, ring.height, samples.span, samples.emptied, ...Object.values(this.range), dark.matches,
    ].join();
    if (known !== this.known || !(last - this.time < samples.span / 2)) {
      this.known = known;
      this.ink.clearRect(0, 0, ring.width, ring.height);
      this.strokes(samples, samples.first);
      this.restyle();
    } else if (last > this.time) {
      this.clear(this.column(this.time, samples), this.column(last, samples));
      // a newer one may have taken the place of the last that was drawn
      const replaced = samples.time(this.drawn - 1) !== this.time;
      this.strokes(samples, Math.max(samples.first, this.drawn - (replaced ? 2 : 1)));
    } else {
      return false;
    }
    this.drawn = samples.written;
    this.time = last;
    return true;
  }

  /** Learn the colours of the page. */
  restyle() {
    const { color, borderTopColor } = getComputedStyle(this.canvas);
    this.colours = { text: color, line: borderTopColor };
  }

  /** Clear columns, which go on at the left where they end at the right. */
  clear(/** @type {number} */ from, /** @type {number} */ to) {
    const { width, height } = this.ring;
    const left = Math.ceil(from) % width, count = Math.ceil(to) - Math.ceil(from) + GAP;
    this.ink.clearRect(left, 0, count, height);
    this.ink.clearRect(left - width, 0, count, height);
  }

  /**
   * Draw all curves from a sample on.
   * @param {Samples} samples
   * @param {number} from
   */
  strokes(samples, from) {
    const { ink, ring: { width, height }, ratio } = this;
    const columns = Array.from({ length: samples.written - from }, (_, i) =>
      this.column(samples.time(from + i), samples));
    const end = columns[columns.length - 1], lap = Math.floor(end / width) * width;
    ink.lineWidth = 1.5 * ratio;
    ink.lineJoin = ink.lineCap = "round";
    for (const begin of columns[0] < lap ? [lap - width, lap] : [lap]) {
      const oldest = Math.max(0, end - width + GAP - begin); // what is older lies under the newest
      ink.save();
      ink.beginPath();
      ink.rect(oldest, 0, width - oldest, height);
      ink.clip();
      this.curves.forEach(({ place }, k) => {
        ink.strokeStyle = colourOf(k);
        ink.setLineDash(styleOf(k)[1].map((length) => length * ratio));
        ink.lineDashOffset = columns[0] - begin;
        ink.beginPath();
        this.path(samples, from, columns, begin, place);
        ink.stroke();
      });
      ink.restore();
    }
  }

  /**
   * Add a curve to the path; values that are no numbers make gaps, and of many in a column the ends are drawn.
   * @param {Samples} samples
   * @param {number} from
   * @param {number[]} columns
   * @param {number} begin column that is the ring's left edge
   * @param {number} place
   */
  path(samples, from, columns, begin, place) {
    const { ink } = this;
    let open = false, column = NaN, low = 0, high = 0, last = 0;
    const flush = () => {
      if (high > low) {
        ink.lineTo(column, low);
        ink.lineTo(column, high);
        ink.lineTo(column, last);
      }
    };
    columns.forEach((at, i) => {
      const value = samples.value(from + i, place);
      if (!Number.isFinite(value)) {
        flush();
        low = high = 0;
        open = false;
        return;
      }
      const x = at - begin, y = this.row(value);
      if (open && Math.floor(x) === Math.floor(column) && i < columns.length - 1) {
        [low, high, last] = [Math.min(low, y), Math.max(high, y), y];
        return;
      }
      if (open) {
        flush();
        ink.lineTo(x, y);
      } else {
        ink.moveTo(x, y);
        ink.lineTo(x, y); // a point alone is seen
      }
      open = true;
      [column, low, high, last] = [x, y, y, y];
    });
  }

  // ---- the axis

  /** Let the axis hold all values, and be not much longer than they are. */
  widen(/** @type {Samples} */ samples) {
    this.pictures += 1;
    const { low, high } = this.range;
    const looks = this.pictures % PATIENCE === 0 || !(low < high) || this.drawn > samples.written;
    const [least, most] = this.extent(samples, looks ? samples.first : Math.max(samples.first, this.drawn - 1));
    if (least > most || (low <= least && most <= high && !(looks && most - least < SHRINKS * (high - low)))) return;
    const [all, end] = looks ? [least, most] : this.extent(samples, samples.first);
    const next = niceRange(all, end, TICKS);
    if (next.low !== low || next.high !== high) this.range = next;
  }

  /**
   * Return the least and the largest value from a sample on.
   * @param {Samples} samples
   * @param {number} from
   */
  extent(samples, from) {
    let least = Infinity, most = -Infinity;
    for (let i = from; i < samples.written; i++) {
      for (const { place } of this.curves) {
        const value = samples.value(i, place);
        if (!Number.isFinite(value)) continue;
        if (value < least) least = value;
        if (value > most) most = value;
      }
    }
    return [least, most];
  }

  // ---- what is shown

  /**
   * Show the samples up to the newest.
   * @param {Samples} samples
   */
  show(samples) {
    const { pen, canvas, ring, ratio } = this;
    if (!samples.length) {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    if (!this.update(samples)) return;
    const last = samples.time(samples.written - 1);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    this.axes(last, samples.span);
    // the column behind the newest is the oldest
    const newest = Math.ceil(this.column(last, samples)) + GAP - 1, cut = newest % ring.width;
    const left = LEFT * ratio, top = ABOVE * ratio;
    pen.drawImage(ring, cut, 0, ring.width - cut, ring.height, left, top, ring.width - cut, ring.height);
    if (cut > 0) pen.drawImage(ring, 0, 0, cut, ring.height, left + ring.width - cut, top, cut, ring.height);
  }

  /** Let the canvases have the size that the page gives them. */
  fit() {
    const { canvas: { clientWidth, clientHeight }, ring } = this;
    const ratio = this.ratio = Math.min(2, window.devicePixelRatio);
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    ring.width = Math.max(1, Math.round((clientWidth - LEFT) * ratio));
    ring.height = Math.max(1, Math.round((clientHeight - ABOVE - BELOW) * ratio));
    this.known = ""; // both are empty
  }

  /**
   * @param {number} last time at the right edge
   * @param {number} span
   */
  axes(last, span) {
    const { pen, canvas, ring, range, ratio, colours } = this;
    const left = LEFT * ratio, top = ABOVE * ratio, below = top + ring.height;
    pen.font = `${11 * ratio}px system-ui, sans-serif`;
    pen.fillStyle = colours.text;
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let i = Math.ceil(range.low / range.step); i <= Math.floor(range.high / range.step + 1e-6); i++) {
      const y = Math.round(top + this.row(i * range.step)) + 0.5;
      pen.moveTo(left, y);
      pen.lineTo(canvas.width, y);
      pen.fillText(tickText(i * range.step, range.step), left - 4 * ratio, Math.max(y, 6 * ratio));
    }
    const step = niceStep(span / 4);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (let i = Math.ceil((last - span) / step); i * step <= last; i++) {
      const x = Math.round(canvas.width - ((last - i * step) / span) * ring.width) + 0.5;
      pen.moveTo(x, top);
      pen.lineTo(x, below);
      if (i >= 0 && x < canvas.width - 12 * ratio) pen.fillText(tickText(i * step, step), x, below + 3 * ratio);
    }
    pen.stroke();
  }

  /** Show the newest values in the legend. */
  tell(/** @type {Samples} */ samples) {
    this.curves.forEach(({ place }, k) => {
      const value = samples.length ? samples.value(samples.written - 1, place) : NaN;
      const text = Number.isInteger(value) ? String(value) : Number.isFinite(value) ? short(value) : "–";
      if (this.values[k].textContent !== text) this.values[k].textContent = text;
      const line = `2px ${styleOf(k)[0]} ${colourOf(k)}`;
      if (this.swatches[k].dataset.line !== line) {
        this.swatches[k].dataset.line = line;
        this.swatches[k].style.borderTop = line;
      }
    });
  }
}
