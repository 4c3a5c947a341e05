// Flexes: faces a radius away from vertices that bodies carry, as mjv_updateScene has them. What numbers of corners mean is
// said in python/sinew/_viewer/export/flexes.py.

/**
 * @typedef {import("../wire.js").Numbers} Numbers
 * @typedef {{number: number, flex: number, first: number, count: number, radius: number}} Words of a shape
 * @typedef {{place: Float32Array, normal: Float32Array}} Vertices
 */

const BACK = 1, FLAT = 2, VERTEX = 4;

/**
 * Return the unit normal of a triangle of three points that stand one after the other.
 * @param {Numbers} points
 * @param {number} a
 * @param {number} b
 * @param {number} c
 */
function normalOf(points, a, b, c) {
  const way = (/** @type {number} */ to) => [0, 1, 2].map((k) => points[3 * to + k] - points[3 * a + k]);
  const [ux, uy, uz] = way(b), [vx, vy, vz] = way(c);
  const across = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(...across) || 1;
  return across.map((x) => x / length);
}

/** All flexes. */
export class Flexes {
  /**
   * @param {Words[]} words
   * @param {Record<string, Numbers>} arrays
   */
  constructor(words, arrays) {
    this.words = words;
    this.arrays = arrays;
  }

  /**
   * Return what a frame has of them: the numbers of shapes, and by name positions, behind them normals, and texture coordinates.
   * @param {Float32Array} poses of bodies
   * @param {boolean} skin smooth skins, else faces of elements
   */
  at(poses, skin) {
    /** @type {Record<string, Float32Array>} */
    const arrays = {};
    /** @type {Map<number, Vertices>} */
    const known = new Map();
    for (const words of this.words) {
      const vertices = known.get(words.flex) ?? this.vertices(words, poses, skin);
      known.set(words.flex, vertices);
      const name = `flex_${words.number}_${skin ? "skin" : "face"}`;
      const texture = /** @type {Float32Array} */ (this.arrays[`${name}_texture`]);
      const moved = new Float32Array(3 * texture.length); // of a vertex 6 numbers beside 2
      const corners = this.arrays[name], room = texture.length / 2;
      if (skin) this.wrap(words.radius, vertices, corners, moved);
      else this.lift(words.radius, vertices, corners, moved);
      for (let i = 3 * corners.length; i < 3 * room; i++) moved[i] = moved[i % 3]; // faces that are points
      arrays[`flex_${words.number}`] = moved;
      arrays[`flextex_${words.number}`] = texture;
    }
    return { numbers: this.words.map(({ number }) => number), arrays };
  }

  /**
   * Return the vertices of a flex, and if they are wanted the normals there: means of those of triangles.
   * @param {Words} words
   * @param {Float32Array} poses
   * @param {boolean} normals
   * @returns {Vertices}
   */
  vertices({ flex, first, count }, poses, normals) {
    const { flex_body, flex_vert } = this.arrays;
    const place = new Float32Array(3 * count), normal = new Float32Array(3 * count);
    for (let v = 0; v < count; v++) {
      const at = 12 * flex_body[first + v], [x, y, z] = flex_vert.subarray(3 * (first + v), 3 * (first + v) + 3);
      for (let k = 0; k < 3; k++) {
        const row = at + 4 * k;
        place[3 * v + k] = poses[row] * x + poses[row + 1] * y + poses[row + 2] * z + poses[row + 3];
      }
    }
    if (normals) this.turn(this.arrays[`flex_${flex}_bounds`], place, normal);
    return { place, normal };
  }

  /**
   * @param {Numbers} bounds triangles
   * @param {Float32Array} place
   * @param {Float32Array} normal
   */
  turn(bounds, place, normal) {
    for (let i = 0; i < bounds.length; i += 3) {
      const [a, b, c] = bounds.subarray(i, i + 3), own = normalOf(place, a, b, c);
      for (const corner of [a, b, c]) own.forEach((x, k) => { normal[3 * corner + k] += x; });
    }
    for (let i = 0; i < normal.length; i += 3) {
      const length = Math.hypot(normal[i], normal[i + 1], normal[i + 2]) || 1;
      for (let k = 0; k < 3; k++) normal[i + k] /= length;
    }
  }

  /**
   * Put the corners of a skin.
   * @param {number} radius
   * @param {Vertices} vertices
   * @param {Numbers} corners
   * @param {Float32Array} out positions, and behind them normals
   */
  wrap(radius, { place, normal }, corners, out) {
    const turned = out.subarray(out.length / 2);
    for (let i = 0; i < corners.length; i++) {
      const from = 3 * Math.floor(corners[i] / VERTEX), sign = corners[i] & BACK ? -1 : 1;
      for (let k = 0; k < 3; k++) {
        out[3 * i + k] = place[from + k] + sign * radius * normal[from + k];
        turned[3 * i + k] = sign * normal[from + k];
      }
    }
    for (let i = 0; i < corners.length; i += 3) {
      if (!(corners[i] & FLAT)) continue;
      const own = normalOf(out, i, i + 1, i + 2);
      for (let k = 0; k < 9; k++) turned[3 * i + k] = own[k % 3];
    }
  }

  /**
   * Put the corners of faces of elements, a radius above them.
   * @param {number} radius
   * @param {Vertices} vertices
   * @param {Numbers} corners
   * @param {Float32Array} out positions, and behind them normals
   */
  lift(radius, { place }, corners, out) {
    const turned = out.subarray(out.length / 2);
    for (let i = 0; i < corners.length; i += 3) {
      const at = [0, 1, 2].map((k) => Math.floor(corners[i + k] / VERTEX));
      const own = normalOf(place, at[0], at[1], at[2]);
      for (let k = 0; k < 9; k++) {
        out[3 * i + k] = place[3 * at[Math.floor(k / 3)] + (k % 3)] + radius * own[k % 3];
        turned[3 * i + k] = own[k % 3];
      }
    }
  }
}
