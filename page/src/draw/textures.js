// Textures of the model, unpacked and brought to the graphics card.
import {
  CubeTexture, DataTexture, LinearFilter, LinearMipmapLinearFilter, NoColorSpace, RGBAFormat, RepeatWrapping,
  SRGBColorSpace, UnsignedByteType,
} from "three";

/** @typedef {import("../wire.js").Message} Message */
/** @typedef {DataTexture | CubeTexture} Image */

/**
 * Unpack bytes that zlib has packed.
 * @param {Uint8Array} packed
 * @returns {Promise<Uint8Array>}
 */
export async function inflated(packed) {
  const stream = new Blob([packed.slice()]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Return texels of four channels.
 * @param {Uint8Array} texels
 * @param {number} channels
 */
function withAlpha(texels, channels) {
  if (channels === 4) return texels;
  const count = texels.length / channels;
  const out = new Uint8Array(4 * count).fill(255);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < channels; k++) out[4 * i + k] = texels[channels * i + k];
  }
  return out;
}

/**
 * Return the texture of a message.
 * @param {Message} message
 * @returns {Promise<Image>}
 */
export async function textureOf(message) {
  const [sides, height, width, channels] = message.words.shape;
  const texels = withAlpha(await inflated(/** @type {Uint8Array} */ (message.arrays.texels)), channels);
  const side = (/** @type {number} */ i) => texels.subarray(i * 4 * width * height, (i + 1) * 4 * width * height);
  const images = Array.from({ length: sides }, (_, i) => new DataTexture(side(i), width, height, RGBAFormat));
  const out = message.words.cube ? new CubeTexture(images) : images[0];
  out.format = RGBAFormat;
  out.type = UnsignedByteType;
  // else mixed as the light that texels stand for
  out.colorSpace = message.words.linear ? NoColorSpace : SRGBColorSpace;
  out.generateMipmaps = true;
  out.minFilter = LinearMipmapLinearFilter;
  out.magFilter = LinearFilter;
  if (!message.words.cube) out.wrapS = out.wrapT = RepeatWrapping;
  out.flipY = false;
  out.needsUpdate = true;
  return out;
}
