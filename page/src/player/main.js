// The script of a page in one file: it draws as the page of a viewer does, and plays what stands beside it.
import { Scene } from "../draw/scene.js";
import { element } from "../elements.js";
import { listen } from "../keys.js";
import { Flags, Groups } from "../panels/flags.js";
import { showHelp } from "../panels/help.js";
import { fill } from "../panels/panel.js";
import { Pointer } from "../pointer.js";
import { viewer } from "../state.js";
import { Cameras } from "./cameras.js";
import { Clock } from "./clock.js";
import { Playing, deedsOf } from "./deeds.js";
import { Flexes } from "./flexes.js";
import { Frames } from "./frames.js";
import { Run } from "./run.js";
import { Skin } from "./skins.js";
import { chunks, parts } from "./store.js";
import { TimeLine } from "./timeline.js";

/** @typedef {import("../wire.js").Message} Message */

const SKIN = 106; // mjGEOM_SKIN
const FINEST = 2; // pixels of the screen in one of the page that are drawn
const LONGEST = 0.25; // seconds that go by at most between two pictures

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Return the skins of a model.
 * @param {Message} model
 * @param {Message[]} messages
 */
function skinsOf({ words, arrays }, messages) {
  /** @type {Map<number, Skin>} */
  const out = new Map();
  for (const { words: shape, arrays: own } of messages) {
    if (shape.kind !== "shape" || shape.key[0] !== SKIN) continue;
    const [vertices, triangles] = [/** @type {Float32Array} */ (own.vertices), /** @type {Uint32Array} */ (own.triangles)];
    out.set(shape.key[1], new Skin(vertices, triangles, words.skins[shape.key[1]], arrays));
  }
  return out;
}

/** The page as a whole. */
class Player {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Scene} scene
   * @param {Message} model
   * @param {Message[]} messages all that is read first
   */
  constructor(canvas, scene, model, messages) {
    this.canvas = canvas;
    this.scene = scene;
    this.picture = part("picture");
    viewer.model = model.words;
    const { cam, opt, flags } = model.words;
    this.wanted = structuredClone({ cam, opt, flags });
    this.run = new Run(model, chunks());
    this.frames = new Frames(model, skinsOf(model, messages), new Flexes(model.words.flexes, model.arrays));
    this.clock = new Clock(this.run.times);
    const deeds = deedsOf(model.words, this.wanted, () => viewer.frame?.camera);
    this.send = (/** @type {Record<string, any> & {do: string}} */ words) => {
      deeds[words.do](words);
      this.stale = true;
    };
    this.commands = new Playing(this.send, this.clock);
    const leave = () => this.picture.focus();
    this.line = new TimeLine(part("line"), this.clock, { play: () => this.commands.play(), help: () => this.help(), leave });
    this.panels = fill(part("left"), [
      new Cameras(this.commands),
      new Flags(this.commands, "Shown", "flags", "snVisFlag"),
      new Flags(this.commands, "Picture", "scene", "snRndFlag"),
      new Groups(this.commands),
    ]);
    this.stale = true; // something else is to be seen than there is
    this.last = 0; // milliseconds of the last picture
    this.seen = { frames: 0, row: -1, rows: this.run.count, clock: this.clock, cam, camera: /** @type {any} */ (null) };
    this.listen();
    this.clock.run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    requestAnimationFrame((now) => this.pass(now));
  }

  listen() {
    const none = () => {};
    new Pointer(this.picture, {
      move: (action, dx, dy) => viewer.frame && this.send({ do: "camera", action, dx, dy }),
      select: none, track: none, pull: none, pulls: () => false,
    });
    listen(() => this.commands.rows(() => this.help()), none);
    new ResizeObserver(() => this.resize()).observe(this.picture);
    this.canvas.addEventListener("webglcontextrestored", () => { this.stale = true; });
  }

  help() {
    showHelp(/** @type {HTMLDialogElement} */ (part("help")), this.commands.rows(() => {}), true);
  }

  resize() {
    const { clientWidth, clientHeight } = this.picture;
    const ratio = Math.min(FINEST, window.devicePixelRatio);
    if (!this.scene.resize(Math.max(1, clientWidth), Math.max(1, clientHeight), ratio)) return;
    this.stale = true;
    if (viewer.frame) this.scene.draw(); // a canvas of another size is empty until it is drawn
  }

  /**
   * Let time go by to the next picture.
   * @param {number} now milliseconds
   */
  pass(now) {
    this.clock.pass(Math.min(LONGEST, (now - this.last) / 1000));
    this.last = now;
    const { row } = this.clock;
    if (this.stale || row !== this.seen.row) this.show(row);
    this.line.show();
    requestAnimationFrame((then) => this.pass(then));
  }

  /**
   * Show a row, or if it is not there yet let it come.
   * @param {number} row
   */
  show(row) {
    const shown = this.run.at(row);
    const next = this.run.begins[this.run.chunkOf(row) + 1];
    if (!shown) this.load(row);
    else if (this.clock.running) this.load(next < this.run.count ? next : 0);
    if (!shown) return;
    const message = this.frames.message(shown, this.wanted, this.scene.renderer.domElement.height);
    this.scene.take(message);
    viewer.frame = message.words;
    this.scene.draw();
    this.panels();
    this.stale = false;
    Object.assign(this.seen, { row, cam: this.wanted.cam, camera: message.words.camera, frames: this.seen.frames + 1 });
    this.warn();
  }

  /** @param {number} row */
  load(row) {
    this.run.load(row).catch(fail);
  }

  warn() {
    const said = [];
    if (this.scene.staysSolid()) said.push("wires of very large meshes are not supported yet: they stay solid");
    const warnings = part("warnings");
    warnings.hidden = !said.length;
    if (warnings.childElementCount !== said.length) warnings.replaceChildren(...said.map((text) => element("li", {}, [text])));
  }
}

/** @param {unknown} error */
function fail(error) {
  console.error(error);
  part("line").textContent = `This browser cannot show the page: ${error instanceof Error ? error.message : error}`;
}

async function begin() {
  document.body.classList.add("no-right");
  part("line").textContent = "unpacking";
  const canvas = element("canvas");
  part("picture").prepend(canvas);
  const scene = new Scene(canvas);
  const messages = await parts();
  const model = messages.find(({ words }) => words.kind === "model");
  if (!model) throw new Error("the file is not whole");
  scene.begin(model.words);
  for (const message of messages) {
    if (message.words.kind === "shape") scene.addShape(message);
    if (message.words.kind === "texture") await scene.addTexture(message);
  }
  const player = new Player(canvas, scene, model, messages);
  // for tests
  Object.assign(window, {
    sinew: player.seen,
    sinewIds: (/** @type {number} */ width, /** @type {number} */ height) => scene.ids(width, height),
    sinewPicture: () => {
      scene.draw();
      return canvas.toDataURL();
    },
  });
}

begin().catch(fail);
