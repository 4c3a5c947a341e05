// Values of signals over the last seconds of simulated time.

/** @typedef {import("./signals.js").Signal} Signal */

const ROOM = 4096; // samples

/** A ring of samples: where they come closer than can be seen, the newer takes the place of the last. */
export class Samples {
  /**
   * @param {number} count values of a sample
   * @param {number} span seconds
   */
  constructor(count, span) {
    this.count = count;
    this.span = span;
    this.times = new Float64Array(ROOM);
    this.values = new Float64Array(ROOM * count);
    this.written = 0; // samples since it was emptied
    this.first = 0; // the oldest that is kept
    this.emptied = 0; // how often
  }

  clear() {
    this.written = this.first = 0;
    this.emptied += 1;
  }

  get length() {
    return this.written - this.first;
  }

  /** Return the time of a sample; NaN where it is not kept. */
  time(/** @type {number} */ i) {
    return i >= this.first && i < this.written ? this.times[i % ROOM] : NaN;
  }

  /** @param {number} i sample @param {number} k value */
  value(i, k) {
    return this.values[(i % ROOM) * this.count + k];
  }

  /**
   * Add a sample. Where time goes back, the others are forgotten.
   * @param {number} time
   * @param {ArrayLike<number>} values
   */
  add(time, values) {
    if (!Number.isFinite(time) || values.length !== this.count) return;
    if (time < this.time(this.written - 1)) this.clear();
    const last = this.written - 1;
    const close = time === this.time(last) || time - this.time(last - 1) < (2 * this.span) / ROOM;
    const at = close ? last : this.written;
    this.times[at % ROOM] = time;
    this.values.set(values, (at % ROOM) * this.count);
    this.written = at + 1;
    this.first = Math.max(this.first, this.written - ROOM);
    // one before the span stays: a line comes from it
    while (this.time(this.first + 1) <= time - this.span) this.first += 1;
  }

  /**
   * Return what is kept as CSV, a column for each signal.
   * @param {Signal[]} signals
   */
  csv(signals) {
    const quoted = (/** @type {string} */ text) => `"${text.replaceAll('"', '""')}"`;
    const head = ["time", ...signals.map(({ label, group }) => `${group}: ${label}`)].map(quoted);
    const lines = Array.from({ length: this.length }, (_, k) => {
      const i = this.first + k;
      return [this.time(i), ...signals.map((_, s) => this.value(i, s))].join(",");
    });
    return [head.join(","), ...lines, ""].join("\r\n");
  }
}
