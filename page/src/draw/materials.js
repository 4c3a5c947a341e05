// Programs of the shaders of geoms, one for each way in which they are drawn.
import {
  AdditiveBlending, BackSide, CustomBlending, DoubleSide, FrontSide, GLSL3, NormalBlending, OneFactor, RawShaderMaterial,
} from "three";
import { WITHIN } from "./mirror.js";
import { GEOM_PIXEL, GEOM_VERTEX } from "./shaders.js";

/**
 * @typedef {Record<string, {value: any}>} Uniforms
 * @typedef {object} Way
 * @property {number} texture its number + 1; 0: none
 * @property {boolean} transparent
 * @property {boolean} additive light adds up
 * @property {boolean} cull faces that look away are left out
 * @property {boolean} wires
 * @property {boolean} fog
 * @property {number} shadows lights whose maps take light away
 * @property {number} segment 1: colours are numbers of objects, 2: they are not lit
 * @property {"" | "seen" | "face"} mirror what is seen in a mirror, or the mirror itself, whose colours are added
 */

/** The materials of a model. */
export class Materials {
  /** @param {Uniforms} shared what all shaders know */
  constructor(shared) {
    this.shared = shared;
    /** @type {Map<number, import("./textures.js").Image>} */
    this.images = new Map();
    /** @type {Map<string, RawShaderMaterial>} */
    this.made = new Map();
  }

  /**
   * Return the material for a way of drawing.
   * @param {Way} way
   */
  get(way) {
    const key = `${way.texture} ${Object.values(way).join(" ")}`;
    let found = this.made.get(key);
    if (!found) this.made.set(key, (found = this.make(way)));
    return found;
  }

  /** @param {Way} way */
  make({ texture, transparent, additive, cull, wires, fog, shadows, segment, mirror }) {
    const image = this.images.get(texture - 1);
    const kind = !image ? 0 : "isCubeTexture" in image ? 2 : 1;
    return new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: GEOM_VERTEX,
      fragmentShader: GEOM_PIXEL,
      defines: {
        TEXTURE: kind, FOG: Number(fog), SEGMENT: segment, WIRES: Number(wires), CULL: Number(cull), SHADOWS: shadows,
        MIRRORED: Number(mirror === "seen"),
      },
      uniforms: image ? { ...this.shared, image: { value: image } } : this.shared,
      side: !cull || wires ? DoubleSide : mirror === "seen" ? BackSide : FrontSide,
      forceSinglePass: true,
      transparent,
      depthWrite: !transparent,
      blending: mirror === "face" ? CustomBlending : additive && transparent ? AdditiveBlending : NormalBlending,
      ...(mirror === "face" && { blendSrc: OneFactor, blendDst: OneFactor }),
      ...(mirror === "seen" && WITHIN),
    });
  }

  /**
   * Take a texture of the model.
   * @param {number} index
   * @param {import("./textures.js").Image} image
   */
  dress(index, image) {
    this.images.get(index)?.dispose();
    this.images.set(index, image);
    for (const [key, material] of this.made) {
      if (!key.startsWith(`${index + 1} `)) continue;
      material.dispose();
      this.made.delete(key);
    }
  }

  /** Free what is on the graphics card. */
  release() {
    for (const material of this.made.values()) material.dispose();
    this.made.clear();
    for (const image of this.images.values()) image.dispose();
    this.images.clear();
  }
}
