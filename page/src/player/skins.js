// Skins: their vertices, carried by bones, as mjv_updateSkin has them.

/**
 * @typedef {import("../wire.js").Numbers} Numbers
 * @typedef {Record<string, Numbers>} Bones
 */

/**
 * Return the orientation of a quaternion, rows one after the other.
 * @param {Numbers} quat
 */
function turnOf(quat) {
  const [w, x, y, z] = quat;
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
    2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}

/**
 * Return the matrix [3, 4] from where a bone was bound to where it is.
 * @param {Float32Array} poses
 * @param {number} body
 * @param {number[]} bound orientation
 * @param {Numbers} from position
 */
function carried(poses, body, bound, from) {
  const out = [];
  for (let i = 0; i < 3; i++) {
    const row = poses.subarray(12 * body + 4 * i, 12 * body + 4 * i + 4);
    const turn = [0, 1, 2].map((j) => row[0] * bound[3 * j] + row[1] * bound[3 * j + 1] + row[2] * bound[3 * j + 2]);
    out.push(...turn, row[3] - turn[0] * from[0] - turn[1] * from[1] - turn[2] * from[2]);
  }
  return out;
}

/** A skin. */
export class Skin {
  /**
   * @param {Float32Array} vertices as it was bound, 9 numbers each
   * @param {Uint32Array} triangles
   * @param {{bones: [number, number], inflate: number}} words
   * @param {Bones} bones of all skins
   */
  constructor(vertices, triangles, words, bones) {
    this.count = vertices.length / 9;
    this.bound = Float32Array.from({ length: 3 * this.count }, (_, i) => vertices[9 * Math.floor(i / 3) + (i % 3)]);
    this.triangles = triangles;
    this.words = words;
    this.bones = bones;
  }

  /**
   * Return positions, and behind them normals.
   * @param {Float32Array} poses of bodies
   */
  at(poses) {
    const out = new Float32Array(6 * this.count);
    const place = out.subarray(0, 3 * this.count), normal = out.subarray(3 * this.count);
    for (let bone = this.words.bones[0]; bone < this.words.bones[1]; bone++) this.carry(bone, poses, place);
    this.turn(place, normal);
    const { inflate } = this.words;
    if (inflate) normal.forEach((x, i) => { place[i] += inflate * x; });
    return out;
  }

  /**
   * Add what a bone makes of its vertices.
   * @param {number} bone
   * @param {Float32Array} poses
   * @param {Float32Array} place
   */
  carry(bone, poses, place) {
    const { bone_body, bone_pos, bone_quat, bone_first, bone_count, bone_vertices, bone_weights } = this.bones;
    const bound = turnOf(bone_quat.subarray(4 * bone, 4 * bone + 4));
    const matrix = carried(poses, bone_body[bone], bound, bone_pos.subarray(3 * bone, 3 * bone + 3));
    for (let k = bone_first[bone]; k < bone_first[bone] + bone_count[bone]; k++) {
      const at = 3 * bone_vertices[k], weight = bone_weights[k];
      const [x, y, z] = this.bound.subarray(at, at + 3);
      for (let i = 0; i < 3; i++) {
        place[at + i] += weight * (matrix[4 * i] * x + matrix[4 * i + 1] * y + matrix[4 * i + 2] * z + matrix[4 * i + 3]);
      }
    }
  }

  /**
   * Set normals: of each vertex the mean of those of its triangles, by their areas.
   * @param {Float32Array} place
   * @param {Float32Array} normal
   */
  turn(place, normal) {
    const way = (/** @type {number} */ from, /** @type {number} */ to) => [0, 1, 2].map((k) => place[3 * to + k] - place[3 * from + k]);
    for (let i = 0; i < this.triangles.length; i += 3) {
      const [a, b, c] = this.triangles.subarray(i, i + 3);
      const [ux, uy, uz] = way(a, b), [vx, vy, vz] = way(a, c);
      const across = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      for (const corner of [a, b, c]) across.forEach((x, k) => { normal[3 * corner + k] += x; });
    }
    for (let i = 0; i < normal.length; i += 3) {
      const length = Math.hypot(normal[i], normal[i + 1], normal[i + 2]) || 1;
      for (let k = 0; k < 3; k++) normal[i + k] /= length;
    }
  }
}
