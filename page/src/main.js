// The page of a viewer: what it is sent it draws, what is done in it it tells.
import { Commands } from "./commands.js";
import { Connection } from "./connection.js";
import { Foot } from "./panels/foot.js";
import { showHelp } from "./panels/help.js";
import { copyText, download } from "./giving.js";
import { listen } from "./keys.js";
import { Labels } from "./draw/labels.js";
import { fillLeft } from "./panels/left.js";
import { Overlay } from "./draw/overlay.js";
import { Pointer } from "./pointer.js";
import { fillRight } from "./panels/right.js";
import { Scene } from "./draw/scene.js";
import { controls, viewer } from "./state.js";
import { Strip } from "./watch/strip.js";

/** @typedef {import("./wire.js").Message} Message */

const FLEX = 9; // mjOBJ_FLEX
const SEGMENT = 7; // mjtRndFlag
const DATA = "data."; // how arrays of the data begin in frames
const FINEST = 2; // pixels of the screen in one of the page that are drawn

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The page as a whole. */
class Page {
  constructor() {
    this.picture = part("picture");
    this.canvas = /** @type {HTMLCanvasElement} */ (part("canvas"));
    this.scene = new Scene(this.canvas);
    this.labels = new Labels(part("labels"));
    this.overlay = new Overlay(part("overlay"));
    this.connection = new Connection({
      message: (message) => this.hear(message),
      state: (connected, why) => this.stand(connected, why),
    });
    this.send = this.connection.send.bind(this.connection);
    this.commands = new Commands(this.send, { canvas: this.canvas, draw: () => this.draw() });
    this.strip = new Strip(this.picture, this.commands.watching);
    this.foot = new Foot(part("warnings"), part("line"), { send: this.send, help: () => this.help() });
    /** @type {(() => void)[]} */
    this.panels = [];
    this.waiting = 0; // frames that have come and are not drawn
    this.asked = false; // whether the browser will ask for a picture
    this.seen = {
      frames: 0, role: "", connected: false, model: /** @type {any} */ (null),
      samples: 0, plotting: this.strip.cost,
    };
    this.listen();
    this.connection.open();
  }

  listen() {
    const { commands, send } = this;
    new Pointer(this.picture, {
      move: (action, dx, dy) => send({ do: "camera", action, dx, dy }),
      select: (x, y) => send({ do: "select", x, y }),
      track: () => viewer.frame?.select > 0 && send({ do: "track", body: viewer.frame?.select }),
      pull: (bits, action, dx, dy) => send({ do: "pull", bits, ...(action && { action, dx, dy }) }),
      pulls: () => controls() && viewer.frame?.select > 0,
    });
    listen(() => commands.rows(() => this.help()), (key) => controls() && send({ do: "key", key }));
    new ResizeObserver(() => this.resize()).observe(this.picture);
    document.addEventListener("visibilitychange", () => this.resize());
    this.canvas.addEventListener("webglcontextrestored", () => this.ask());
  }

  help() {
    showHelp(/** @type {HTMLDialogElement} */ (part("help")), this.commands.rows(() => {}));
  }

  // ---- the server

  /**
   * @param {boolean} connected
   * @param {string} why
   */
  stand(connected, why) {
    if (!connected) this.waiting = 0;
    this.seen.connected = viewer.connected = connected;
    this.foot.show(why);
    this.panels.forEach((show) => show());
  }

  /** @param {Message} message */
  hear(message) {
    switch (message.words.kind) {
      case "model": return this.begin(message);
      case "role": return this.play(message.words.role);
      case "shape": return this.scene.addShape(message);
      case "texture": return this.scene.addTexture(message);
      case "frame": return this.take(message);
      case "texts": return this.overlay.showTexts(message);
      case "images": return this.overlay.showImages(message);
      case "figures": return this.overlay.showFigures(message);
      case "refused": return this.refuse(message.words);
      case "copied": return this.copy(message.words.text);
      case "written": return download(message.words.name, message.words.text);
      case "trouble": return this.suffer(message.words.text);
      case "printed": return download(message.words.name, message.words.text, "text/plain");
    }
  }

  /** @param {Message} message */
  begin({ words: model, arrays }) {
    const { watching } = this.commands;
    this.seen.model = viewer.model = model;
    document.title = model.name ? `${model.name} - Sinew` : "Sinew";
    watching.begin(model, arrays);
    model.bodies = watching.objects.names.body;
    viewer.frame = viewer.option = viewer.refused = null;
    viewer.data = {};
    this.commands.begin();
    this.waiting = 0;
    this.scene.begin(model);
    this.overlay.clear();
    this.foot.begin();
    this.panels = [
      fillLeft(part("left"), this.commands),
      fillRight(part("right"), this.commands),
      () => this.strip.show(),
    ];
    this.resize();
  }

  /** @param {"controller" | "spectator"} role */
  play(role) {
    this.seen.role = viewer.role = role;
    this.commands.watching.ask();
    this.stand(true, "");
    this.resize();
  }

  /** @param {Message} message */
  take(message) {
    this.scene.take(message);
    this.commands.watching.take(message);
    viewer.frame = message.words;
    const data = Object.entries(message.arrays).filter(([name]) => name.startsWith(DATA));
    viewer.data = Object.fromEntries(data.map(([name, array]) => [name.slice(DATA.length), array]));
    viewer.option = message.words.option ?? viewer.option;
    this.waiting += 1;
    this.ask();
  }

  /** @param {string} text the state as a keyframe */
  async copy(text) {
    const copied = await copyText(/** @type {HTMLDialogElement} */ (part("text")), text);
    if (copied) this.foot.say("the state is in the clipboard");
  }

  /** @param {Record<string, any>} words what cannot be, and why */
  refuse(words) {
    viewer.refused = words;
    this.panels.forEach((show) => show());
  }

  /**
   * There is no frame, and this is why.
   * @param {string} text
   */
  suffer(text) {
    this.foot.tell(text);
    this.waiting += 1;
    this.ask();
  }

  // ---- the picture

  /** Tell the size of the picture, and whether anybody sees it. */
  resize() {
    const { clientWidth, clientHeight } = this.picture;
    const width = Math.max(1, clientWidth), height = Math.max(1, clientHeight);
    this.send({ do: "size", width, height, hidden: document.hidden });
    // a canvas of another size is empty until it is drawn
    if (this.scene.resize(width, height, Math.min(FINEST, window.devicePixelRatio))) this.draw();
    else this.ask();
  }

  /** Draw when the browser next shows something. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.asked = false;
    const view = this.scene.draw();
    this.labels.show(viewer.frame?.flags[SEGMENT] ? [] : viewer.frame?.labels ?? [], view);
    this.panels.forEach((show) => show());
    this.seen.samples = this.commands.watching.samples.length;
    this.seen.plotting = this.strip.cost;
    this.warn();
    for (; this.waiting > 0; this.waiting--) {
      this.seen.frames += 1;
      this.send({ do: "drawn" });
    }
  }

  warn() {
    if (this.scene.lacks(FLEX)) this.foot.tell("flexes are not supported yet: they are not drawn");
    if (this.scene.staysSolid()) this.foot.tell("wires of very large meshes are not supported yet: they stay solid");
    const given = viewer.frame?.status?.warnings;
    this.foot.warn(Array.isArray(given) ? given.map(String) : []);
  }
}

/** Take the token out of the address, so that nobody copies it with the address. */
function hideToken() {
  const address = new URL(location.href);
  if (!address.searchParams.has("token")) return;
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}

hideToken();
try {
  const page = new Page();
  // for tests
  Object.assign(window, {
    sinew: page.seen,
    sinewKeys: () => page.commands.rows(() => page.help()),
    sinewOptions: () => viewer.frame?.opt,
    sinewIds: (/** @type {number | undefined} */ width, /** @type {number | undefined} */ height) =>
      page.scene.ids(width ?? page.canvas.width, height ?? page.canvas.height),
    sinewPicture: () => {
      page.draw();
      return page.canvas.toDataURL();
    },
  });
} catch (error) {
  console.error(error);
  part("line").textContent = `This browser cannot show the page: ${error instanceof Error ? error.message : error}`;
}
