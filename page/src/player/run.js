// The recording: poses and looks at each of its rows. Some rows in a row are a chunk, which is unpacked when it is wanted.
import { bitsOf, floatsOf, putColumns, unpackColumns } from "./columns.js";
import { ridePose, setPose } from "./poses.js";

/**
 * @typedef {import("../wire.js").Message} Message
 * @typedef {import("../wire.js").Numbers} Numbers
 * @typedef {{columns: Numbers, table: Int32Array}} Table
 * @typedef {{pose: Table, look: Table, shining: Table, own: Set<number>, slots: number}} Chunk slots: geoms up to then
 * @typedef {{row: number, poses: Float32Array, looks: Float32Array, shining: Float32Array}} Shown
 */

const KEPT = 4; // chunks that stay unpacked
const LOOK = 28, SHAPE = 21; // numbers of a look, and the one that is -1 where nothing is drawn

/** The rows of a recording. */
export class Run {
  /**
   * @param {Message} message the model's
   * @param {((index: number) => Promise<Message>)} fetch returns the message of a chunk
   */
  constructor({ words, arrays }, fetch) {
    this.fetch = fetch;
    this.step = words.step;
    this.times = /** @type {Float64Array} */ (arrays.times);
    /** @type {number[]} */
    this.begins = words.begins;
    this.first = /** @type {Int32Array} */ (arrays.numbers);
    this.rides = /** @type {Int32Array} */ (arrays.rides);
    this.held = /** @type {Float32Array} */ (arrays.held);
    this.looks = /** @type {Float32Array} */ (arrays.looks);
    this.shining = /** @type {Float32Array} */ (arrays.shining);
    this.numbers = new Int32Array(this.first.length);
    this.poses = new Float32Array(12 * this.rides.length);
    /** @type {Map<number, Chunk>} the one that was wanted last is the last */
    this.kept = new Map();
    /** @type {Map<number, Promise<void>>} */
    this.coming = new Map();
  }

  get count() {
    return this.times.length;
  }

  /** Return the chunk that a row is in. */
  chunkOf(/** @type {number} */ row) {
    return this.begins.findLastIndex((begin) => begin <= row);
  }

  /** Unpack the chunk of a row, if it is not. */
  async load(/** @type {number} */ row) {
    const index = this.chunkOf(row);
    if (this.kept.has(index)) return;
    let coming = this.coming.get(index);
    if (!coming) {
      coming = this.unpack(index).finally(() => this.coming.delete(index));
      this.coming.set(index, coming);
    }
    await coming;
  }

  /** @param {number} index */
  async unpack(index) {
    const { words, arrays } = await this.fetch(index);
    const table = (/** @type {string} */ name, /** @type {Int32Array} */ first) => {
      const columns = arrays[`${name}_columns`];
      return { columns, table: unpackColumns(columns, arrays[`${name}_changes`], words.rows, first) };
    };
    this.kept.set(index, {
      pose: table("pose", this.first), look: table("look", bitsOf(this.looks)), shining: table("shining", bitsOf(this.shining)),
      own: new Set(arrays.own), slots: words.slots,
    });
    for (const old of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(old);
  }

  /**
   * Return what there is at a row, null: its chunk is not unpacked. Poses are the same array each time.
   * @param {number} row
   * @returns {Shown | null}
   */
  at(row) {
    const index = this.chunkOf(row), chunk = this.kept.get(index);
    if (!chunk) return null;
    this.kept.delete(index);
    this.kept.set(index, chunk);
    const within = row - this.begins[index];
    this.place(chunk, within);
    const floats = (/** @type {Table} */ { columns, table }, /** @type {Float32Array} */ first) => {
      const out = first.slice();
      putColumns(out, columns, floatsOf(table), within);
      return out;
    };
    const looks = floats(chunk.look, this.looks);
    for (let slot = chunk.slots; slot < looks.length / LOOK; slot++) looks[LOOK * slot + SHAPE] = -1;
    return { row, poses: this.poses, looks, shining: floats(chunk.shining, this.shining) };
  }

  /**
   * Set the poses.
   * @param {Chunk} chunk
   * @param {number} row of the chunk
   */
  place(chunk, row) {
    this.numbers.set(this.first);
    putColumns(this.numbers, chunk.pose.columns, chunk.pose.table, row);
    for (let i = 0; i < this.rides.length; i++) {
      if (this.rides[i] < 0 || chunk.own.has(i)) setPose(this.poses, i, this.numbers, this.step);
      else ridePose(this.poses, i, this.rides[i], this.held);
    }
  }
}
