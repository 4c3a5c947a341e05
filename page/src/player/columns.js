// Numbers over time, packed small; python/sinew/_viewer/export/columns.py says how.

/** @typedef {import("../wire.js").Numbers} Numbers */

/**
 * Return the columns that change, a table [rows, columns] of 32 bits each.
 * @param {Numbers} columns
 * @param {Numbers} changes
 * @param {number} rows
 * @param {Int32Array} first the bits of all columns in the first row of all
 */
export function unpackColumns(columns, changes, rows, first) {
  const count = columns.length, plane = count * rows;
  const out = new Int32Array(plane);
  for (let c = 0; c < count; c++) {
    let value = first[columns[c]];
    for (let row = 0; row < rows; row++) {
      const at = c * rows + row;
      const folded = changes[at] | (changes[plane + at] << 8) | (changes[2 * plane + at] << 16) | (changes[3 * plane + at] << 24);
      value = (value + ((folded >>> 1) ^ -(folded & 1))) | 0;
      out[row * count + c] = value;
    }
  }
  return out;
}

/**
 * Put the columns of a row where they belong.
 * @template {Int32Array | Float32Array} Table
 * @param {Table} into
 * @param {Numbers} columns
 * @param {Table} table
 * @param {number} row
 */
export function putColumns(into, columns, table, row) {
  const at = row * columns.length;
  for (let c = 0; c < columns.length; c++) into[columns[c]] = table[at + c];
}

/** Return the bits of floats. */
export const bitsOf = (/** @type {Float32Array} */ floats) => new Int32Array(floats.buffer, floats.byteOffset, floats.length);

/** Return the floats of bits. */
export const floatsOf = (/** @type {Int32Array} */ bits) => new Float32Array(bits.buffer, bits.byteOffset, bits.length);
