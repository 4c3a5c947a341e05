// Which row of a recording is shown when: it runs, stands, begins anew.

/** The time that a recording has come to, in seconds from its first row. */
export class Clock {
  /** @param {ArrayLike<number>} times of rows, ascending */
  constructor(times) {
    this.times = times;
    this.time = 0;
    this.running = false;
    this.speed = 1;
    this.loops = true;
  }

  /** How long the recording is. */
  get length() {
    return this.times[this.times.length - 1] - this.times[0];
  }

  /** The row that is shown: the last one up to now. */
  get row() {
    const now = this.times[0] + this.time + 1e-6;
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.times[middle] <= now) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Go to a row. */
  set row(row) {
    const within = Math.min(this.times.length - 1, Math.max(0, row));
    this.time = this.times[within] - this.times[0];
  }

  /** Run or stand; at the end it begins anew. */
  run(/** @type {boolean} */ on) {
    if (on && this.time >= this.length) this.time = 0;
    this.running = on && this.length > 0;
  }

  /** Let some seconds go by. */
  pass(/** @type {number} */ seconds) {
    if (!this.running) return;
    this.time += this.speed * seconds;
    if (this.time < this.length) return;
    this.time = this.loops ? this.time % this.length : this.length;
    this.running = this.loops;
  }
}
