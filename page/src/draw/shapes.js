// Shapes of geoms as the graphics card has them: triangles, and the sides of faces for wires.
import { BufferAttribute, InterleavedBuffer, InterleavedBufferAttribute } from "three";

/** @typedef {{attributes: Record<string, BufferAttribute | InterleavedBufferAttribute>, index: BufferAttribute}} Parts */

const COLUMNS = 9; // of a vertex: position, shift along z, normal, texture coordinates
const WIRE = 18; // of a corner of a wire: those, the other end, the third corner, the side
const LINE = 8; // shifts beyond are those of lines
const MESHES = new Set([7, 8, 105, 106]); // mjtGeom: meshes, SDFs, flexes and skins have triangles, all others perhaps quads
export const PLANE = 0;

/**
 * Return the sides of faces, three numbers each: first and second end, third corner. Quads are two triangles, one after the
 * other, cut from the second corner to the last: that cut is none of their sides.
 * @param {Uint32Array} triangles
 * @param {boolean} quads whether there may be some
 * @returns {number[]}
 */
export function sides(triangles, quads) {
  const out = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = triangles.subarray(i, i + 3);
    const cutAfter = quads && triangles[i + 3] === b && triangles[i + 5] === c;
    const cutBefore = quads && i > 0 && triangles[i - 2] === a && triangles[i - 1] === c;
    out.push(a, b, c);
    if (!cutAfter) out.push(b, c, a);
    if (!cutBefore) out.push(c, a, b);
  }
  return out;
}

/** A shape, of size 1 or as large as it is. */
export class Shape {
  /**
   * @param {number} kind type of geom (mjtGeom)
   * @param {Float32Array} vertices 9 numbers each
   * @param {Uint32Array} triangles
   */
  constructor(kind, vertices, triangles) {
    this.kind = kind;
    this.vertices = vertices;
    this.triangles = triangles;
    this.lines = vertices.length > 3 && Math.abs(vertices[3]) > LINE;
    const rows = new InterleavedBuffer(vertices, COLUMNS);
    this.rows = rows;
    /** @type {Parts} */
    this.solid = {
      attributes: {
        v_position: new InterleavedBufferAttribute(rows, 4, 0),
        v_normal: new InterleavedBufferAttribute(rows, 3, 4),
        v_texcoord: new InterleavedBufferAttribute(rows, 2, 7),
      },
      index: new BufferAttribute(triangles, 1),
    };
    /** @type {Parts | null} */
    this.wired = null;
    /** @type {(() => void) | null} */
    this.fillWires = null;
    /** @type {number[] | null} */
    this.farthest = null;
  }

  /** Return how far its vertices are from the middle, along each axis. */
  reach() {
    if (!this.farthest) {
      const most = (/** @type {number} */ k) => {
        let out = 0;
        for (let i = k; i < this.vertices.length; i += COLUMNS) out = Math.max(out, Math.abs(this.vertices[i]));
        return out;
      };
      this.farthest = [0, 1, 2].map(most);
    }
    return this.farthest;
  }

  /** Return the sides of the faces, each a quad that the shader makes as wide as a line; lines are as they are. */
  wires() {
    if (this.lines) return this.solid;
    this.wired ??= this.makeWires();
    return this.wired;
  }

  /** @returns {Parts} */
  makeWires() {
    const found = sides(this.triangles, !MESHES.has(this.kind));
    const count = found.length / 3;
    const rows = new InterleavedBuffer(new Float32Array(count * 4 * WIRE), WIRE);
    this.fillWires = () => this.fill(/** @type {Float32Array} */ (rows.array), found);
    this.fillWires();
    this.wireRows = rows;
    const index = new Uint32Array(count * 6);
    for (let i = 0; i < count; i++) {
      index.set([0, 1, 2, 2, 1, 3].map((corner) => 4 * i + corner), 6 * i);
    }
    return {
      attributes: {
        v_position: new InterleavedBufferAttribute(rows, 4, 0),
        v_normal: new InterleavedBufferAttribute(rows, 3, 4),
        v_texcoord: new InterleavedBufferAttribute(rows, 2, 7),
        v_other: new InterleavedBufferAttribute(rows, 4, 9),
        v_third: new InterleavedBufferAttribute(rows, 4, 13),
        v_side: new InterleavedBufferAttribute(rows, 1, 17),
      },
      index: new BufferAttribute(index, 1),
    };
  }

  /**
   * @param {Float32Array} rows
   * @param {number[]} found
   */
  fill(rows, found) {
    const vertex = (/** @type {number} */ i, /** @type {number} */ n) => this.vertices.subarray(COLUMNS * i, COLUMNS * i + n);
    for (let i = 0, at = 0; i < found.length; i += 3) {
      const [a, b, c] = found.slice(i, i + 3);
      // the sign is the side; beyond 2: the corner is at the second end
      for (const [here, other, side] of [[a, b, -1], [b, a, 3], [a, b, 1], [b, a, -3]]) {
        rows.set(vertex(here, COLUMNS), at);
        rows.set(vertex(other, 4), at + 9);
        rows.set(vertex(c, 4), at + 13);
        rows[at + 17] = side;
        at += WIRE;
      }
    }
  }

  /**
   * Move the vertices: those of a skin or a flex, whose positions and normals come with each frame.
   * @param {Float32Array} moved positions, and behind them normals
   * @param {Float32Array} [texture] coordinates, where they change, too
   */
  move(moved, texture) {
    const count = Math.min(moved.length / 6, this.vertices.length / COLUMNS);
    for (let i = 0; i < count; i++) {
      this.vertices.set(moved.subarray(3 * i, 3 * i + 3), COLUMNS * i);
      this.vertices.set(moved.subarray(moved.length / 2 + 3 * i, moved.length / 2 + 3 * i + 3), COLUMNS * i + 4);
      if (texture) this.vertices.set(texture.subarray(2 * i, 2 * i + 2), COLUMNS * i + 7);
    }
    this.rows.needsUpdate = true;
    if (this.fillWires && this.wireRows) {
      this.fillWires();
      this.wireRows.needsUpdate = true;
    }
  }
}
