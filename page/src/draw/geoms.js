// What is known of the geoms of a frame, which names only what has changed.

/** @typedef {import("../wire.js").Message} Message */

export const POSE = 12; // numbers of a pose: rows of a 3 x 4 matrix
const UNIT = 32767; // what stands for 1 in quaternions of messages
export const LOOK = 28; // numbers of a look, see below
const SEGID = 20, SHAPE = 21, TEXTURE = 22, TRANSPARENT = 23, CASTS = 24, RADIUS = 27;

/** The geoms of a scene: poses and looks, row by row. */
export class Geoms {
  constructor() {
    this.count = 0;
    this.pose = new Float32Array(0);
    this.look = new Float32Array(0);
    this.now = 0; // counts frames
    this.changed = new Uint32Array(0); // the frame in which a row was last another
  }

  /** @param {number} count */
  grow(count) {
    if (count * POSE > this.pose.length) {
      const room = 2 * count;
      const larger = (/** @type {Float32Array} */ old, /** @type {number} */ size) => {
        const out = new Float32Array(size);
        out.set(old);
        return out;
      };
      this.pose = larger(this.pose, room * POSE);
      this.look = larger(this.look, room * LOOK);
      this.changed = new Uint32Array(room).fill(this.now);
    }
    this.count = count;
  }

  /**
   * Take what has changed.
   * @param {Message} frame
   */
  take({ words, arrays }) {
    this.now += 1;
    this.grow(words.geoms);
    this.put(this.pose, POSE, arrays.pose_rows, arrays.pose);
    this.move(arrays);
    this.put(this.look, LOOK, arrays.look_rows, arrays.look);
  }

  /**
   * @param {Float32Array} into
   * @param {number} width
   * @param {import("../wire.js").Numbers} rows
   * @param {import("../wire.js").Numbers} values
   */
  put(into, width, rows, values) {
    for (let i = 0; i < rows.length; i++) {
      into.set(values.subarray(width * i, width * (i + 1)), width * rows[i]);
      this.changed[rows[i]] = this.now;
    }
  }

  /**
   * Take poses that come as places and quaternions (w, x, y, z); without `place_rows` of all rows.
   * @param {Record<string, import("../wire.js").Numbers>} arrays
   */
  move({ place, turn, place_rows: rows }) {
    for (let i = 0; i < (place?.length ?? 0) / 3; i++) {
      const row = rows ? rows[i] : i;
      const [w, x, y, z] = turn.subarray(4 * i, 4 * i + 4);
      const two = 2 / (w * w + x * x + y * y + z * z || UNIT * UNIT);
      this.pose.set([
        1 - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y), place[3 * i],
        two * (x * y + w * z), 1 - two * (x * x + z * z), two * (y * z - w * x), place[3 * i + 1],
        two * (x * z - w * y), two * (y * z + w * x), 1 - two * (x * x + y * y), place[3 * i + 2],
      ], POSE * row);
      this.changed[row] = this.now;
    }
  }

  /** @param {number} row */
  segid(row) { return this.look[LOOK * row + SEGID]; }
  /** @param {number} row */
  shape(row) { return this.look[LOOK * row + SHAPE]; }
  /** @param {number} row the texture + 1; 0: none */
  texture(row) { return this.look[LOOK * row + TEXTURE]; }
  /** @param {number} row */
  transparent(row) { return this.look[LOOK * row + TRANSPARENT] !== 0; }

  /** @param {number} row */
  casts(row) { return this.look[LOOK * row + CASTS] !== 0; }

  /** @param {number} row */
  place(row) { return [3, 7, 11].map((k) => this.pose[POSE * row + k]); }

  /**
   * Say whether a point is before a plane.
   * @param {number} row the plane's
   * @param {ArrayLike<number>} point
   * @param {number} place 0: it is no point, but a direction
   */
  before(row, point, place = 1) {
    const pose = this.pose.subarray(POSE * row, POSE * (row + 1));
    const way = [0, 1, 2].map((k) => point[k] - place * pose[4 * k + 3]);
    return way[0] * pose[2] + way[1] * pose[6] + way[2] * pose[10] > 0;
  }

  /**
   * Return how far the nearest point of a geom is about.
   * @param {number} row
   * @param {number[]} eye
   */
  nearness(row, eye) {
    const at = POSE * row;
    const way = Math.hypot(this.pose[at + 3] - eye[0], this.pose[at + 7] - eye[1], this.pose[at + 11] - eye[2]);
    return way - this.look[LOOK * row + RADIUS];
  }
}
