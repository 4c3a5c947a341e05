// Messages of the server: words as JSON, and arrays behind them; python/sinew/viewer/wire.py packs them.

/** @typedef {Float32Array | Float64Array | Uint8Array | Int16Array | Int32Array | Uint32Array} Numbers */
/** @typedef {{words: Record<string, any>, arrays: Record<string, Numbers>, shapes: Record<string, number[]>}} Message */

/** @type {Record<string, new (buffer: ArrayBuffer, at: number, count: number) => Numbers>} */
const KINDS = {
  "<f4": Float32Array,
  "<f8": Float64Array,
  "|u1": Uint8Array,
  "<i2": Int16Array,
  "<i4": Int32Array,
  "<u4": Uint32Array,
};

/**
 * Take a message apart; the arrays are views of it.
 * @param {ArrayBuffer} message
 * @returns {Message}
 */
export function unpack(message) {
  if (message.byteLength < 4) throw new RangeError("a message has at least 4 bytes");
  const length = new DataView(message).getUint32(0, true);
  if (length > message.byteLength - 4) {
    throw new RangeError(`a message of ${message.byteLength} bytes says that its words have ${length}`);
  }
  const words = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 4, length)));
  const places = words?.arrays;
  if (typeof places !== "object" || places === null) {
    throw new TypeError("the words of a message are an object with arrays");
  }
  delete words.arrays;
  /** @type {Message} */
  const out = { words, arrays: {}, shapes: {} };
  for (const [name, [kind, shape, at]] of Object.entries(places)) {
    const Kind = KINDS[kind];
    if (!Kind) throw new TypeError(`array ${name} is of ${kind}, which no message has`);
    const count = shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
    out.arrays[name] = new Kind(message, 4 + length + at, count);
    out.shapes[name] = shape;
  }
  return out;
}
