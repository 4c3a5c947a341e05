// The pictures of further recordings, beside the first.
import { element } from "./elements.js";
import { Follower } from "./follower.js";
import { Pointer } from "./pointer.js";

/** @typedef {import("./pointer.js").Deeds} Deeds */

/** One picture for each recording but the first; the names of all where there are several. */
export class Beside {
  /**
   * @param {HTMLElement} pictures where they stand, behind the first
   * @param {{deeds: Deeds, chosen: (world: number, body: number) => void}} ends deeds of the pointer, where that is not of a
   *   picture's own; and what is called when a body of a world was selected
   */
  constructor(pictures, { deeds, chosen }) {
    this.pictures = pictures;
    this.deeds = deeds;
    this.chosen = chosen;
    this.names = "";
    /** @type {Follower[]} */
    this.followers = [];
  }

  /**
   * Show recordings of these names.
   * @param {string[]} names
   */
  show(names) {
    const key = JSON.stringify(names);
    if (key !== this.names) {
      this.names = key;
      this.begin(names);
    }
    for (const follower of this.followers) follower.follow();
  }

  /** @param {string[]} names */
  begin(names) {
    for (const follower of this.followers) follower.close();
    this.pictures.replaceChildren(this.pictures.children[0]);
    this.pictures.querySelector(".caption")?.remove();
    if (names.length < 2) {
      this.followers = [];
      return;
    }
    this.pictures.children[0].append(element("div", { className: "caption" }, [names[0]]));
    this.followers = names.slice(1).map((name, i) => this.add(name, i + 1));
  }

  /**
   * @param {string} name
   * @param {number} world
   */
  add(name, world) {
    const picture = element("div", { className: "picture", tabIndex: 0, aria: { label: `Picture of ${name}` } });
    this.pictures.append(
      element("div", { className: "place" }, [picture, element("div", { className: "caption" }, [name])]),
    );
    const chosen = (/** @type {number} */ body) => this.chosen(world, body);
    const out = new Follower(picture, `world=${world}`, { looks: true, chosen });
    new Pointer(picture, { ...this.deeds, select: (x, y) => out.pick(x, y), pulls: () => false });
    return out;
  }
}
