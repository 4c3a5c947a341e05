// The page of a viewer: what it is sent it draws, what is done in it it tells.
import { Beside } from "./beside.js";
import { Commands } from "./commands.js";
import { Dropping } from "./dropping.js";
import { Foot } from "./panels/foot.js";
import { showHelp } from "./panels/help.js";
import { copyText, download } from "./giving.js";
import { Insets } from "./insets.js";
import { listen } from "./keys.js";
import { fillLeft } from "./panels/left.js";
import { Overlay } from "./draw/overlay.js";
import { Picture } from "./picture.js";
import { Pointer } from "./pointer.js";
import { fillRight } from "./panels/right.js";
import { Timeline } from "./panels/timeline.js";
import { changes, controls, recording, viewer } from "./state.js";
import { Strip } from "./watch/strip.js";

/** @typedef {import("./wire.js").Message} Message */

const DATA = "data."; // how arrays of the data begin in frames

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The page as a whole. */
class Page {
  constructor() {
    this.picture = new Picture(part("picture"), "", {
      heard: (message) => this.hear(message),
      state: (connected, why) => this.stand(connected, why),
      drawn: (frames) => this.show(frames),
    });
    this.scene = this.picture.scene;
    this.overlay = new Overlay(part("overlay"));
    this.send = this.picture.send.bind(this.picture);
    this.dropping = new Dropping({
      send: this.send,
      sendPiece: (piece) => this.picture.connection.sendPiece(piece),
      show: () => this.showLoading(),
    });
    this.commands = new Commands(this.send, this.picture, this.dropping);
    this.strip = new Strip(this.picture.place, this.commands.watching);
    this.foot = new Foot(part("warnings"), part("line"), { send: this.send, help: () => this.help() });
    /** @type {(() => void)[]} */
    this.panels = [];
    this.insets = new Insets(part("insets"), () => this.panels.forEach((show) => show()));
    this.timeline = new Timeline(part("times"), this.commands.playing);
    this.beside = this.listen();
    this.seen = {
      frames: 0, role: "", connected: false, model: /** @type {any} */ (null),
      samples: 0, plotting: this.strip.cost,
    };
    this.picture.open();
  }

  listen() {
    const { commands, send } = this;
    this.dropping.listen(document.body);
    /** @type {import("./pointer.js").Deeds} */
    const deeds = {
      move: (action, dx, dy) => send({ do: "camera", action, dx, dy }),
      select: (x, y) => send({ do: "select", x, y }),
      track: () => viewer.frame?.select > 0 && send({ do: "track", body: viewer.frame?.select }),
      pull: (bits, action, dx, dy) => send({ do: "pull", bits, ...(action && { action, dx, dy }) }),
      pulls: () => changes() && viewer.frame?.select > 0,
    };
    new Pointer(this.picture.place, deeds);
    listen(() => commands.rows(() => this.help()), (key) => controls() && send({ do: "key", key }));
    return new Beside(part("pictures"), { deeds, chosen: (world, body) => send({ do: "chosen", world, body }) });
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
    if (!connected) {
      this.dropping.lose();
      this.commands.film.take(null);
    }
    this.seen.connected = viewer.connected = connected;
    this.foot.show(why);
    this.panels.forEach((show) => show());
  }

  /** @param {Message} message */
  hear(message) {
    switch (message.words.kind) {
      case "model": return this.begin(message);
      case "role": return this.play(message.words.role);
      case "frame": return this.take(message);
      case "texts": return this.overlay.showTexts(message);
      case "images": return this.overlay.showImages(message);
      case "figures": return this.overlay.showFigures(message);
      case "refused": return this.refuse(message.words);
      case "copied": return this.copy(message.words.text);
      case "written": return download(message.words.name, message.words.text);
      case "trouble": return this.suffer(message.words.text);
      case "film": return this.keep(message.arrays.film);
      case "printed": return download(message.words.name, message.words.text, "text/plain");
      case "drop": return this.dropping.hear(message.words);
      case "loading": return this.dropping.load(message.words);
    }
  }

  /** @param {Message} message */
  begin({ words: model, arrays }) {
    const { watching } = this.commands;
    if (!this.seen.model) {
      document.body.classList.toggle("no-left", !model.panels[0]);
      document.body.classList.toggle("no-right", !model.panels[1]);
    }
    this.seen.model = viewer.model = model;
    document.title = model.name ? `${model.name} - Sinew` : "Sinew";
    watching.begin(model, arrays);
    model.bodies = watching.objects.names.body;
    viewer.frame = viewer.option = viewer.refused = null;
    viewer.data = {};
    this.commands.begin();
    this.overlay.clear();
    this.foot.begin();
    this.insets.begin();
    this.panels = [
      fillLeft(part("left"), this.commands, this.insets),
      fillRight(part("right"), this.commands),
      () => this.strip.show(),
      () => this.timeline.show(),
    ];
  }

  /** @param {"controller" | "spectator"} role */
  play(role) {
    this.seen.role = viewer.role = role;
    this.commands.watching.ask();
    this.stand(true, "");
    this.picture.resize();
  }

  /** @param {Message} message */
  take(message) {
    this.commands.watching.take(message);
    viewer.frame = message.words;
    const data = Object.entries(message.arrays).filter(([name]) => name.startsWith(DATA));
    viewer.data = Object.fromEntries(data.map(([name, array]) => [name.slice(DATA.length), array]));
    viewer.option = message.words.option ?? viewer.option;
    this.beside.show(recording()?.names ?? []);
    this.insets.follow();
  }

  /** @param {string} text the state as a keyframe */
  async copy(text) {
    const copied = await copyText(/** @type {HTMLDialogElement} */ (part("text")), text);
    if (copied) this.foot.say("the state is in the clipboard");
  }

  /** @param {import("./wire.js").Numbers} film of the server's */
  keep(film) {
    this.commands.film.take(film);
    this.panels.forEach((show) => show());
  }

  /** @param {Record<string, any>} words what cannot be, and why */
  refuse(words) {
    viewer.refused = words;
    if (words.of === "film") {
      this.commands.film.take(null);
      this.foot.tell(words.text);
    }
    this.panels.forEach((show) => show());
  }

  /**
   * There is no frame, and this is why.
   * @param {string} text
   */
  suffer(text) {
    this.foot.tell(text);
  }

  // ---- the pictures

  /** Return its own, those beside it, and insets. */
  pictures() {
    const further = [...this.beside.followers, ...this.insets.followers()];
    return [this.picture, ...further.map(({ picture }) => picture)];
  }

  /**
   * Show what is about the picture.
   * @param {number} frames that have come since the last time
   */
  show(frames) {
    this.panels.forEach((show) => show());
    this.seen.samples = this.commands.watching.samples.length;
    this.seen.plotting = this.strip.cost;
    this.warn();
    this.seen.frames += frames;
  }

  /** Show how far the loading of a model is. */
  showLoading() {
    const { loading, blob } = this.dropping;
    part("empty").hidden = !loading.empty || !!loading.busy || !!blob;
    this.panels.forEach((show) => show());
    this.warn();
  }

  warn() {
    if (this.scene.staysSolid()) this.foot.tell("wires of very large meshes are not supported yet: they stay solid");
    const faults = (recording()?.faults ?? []).map((/** @type {string} */ fault) => `${fault}; what is played ends before it`);
    const given = viewer.frame?.status?.warnings;
    this.foot.warn([...this.dropping.lines, ...faults, ...(Array.isArray(given) ? given.map(String) : [])]);
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
    sinewFlags: () => viewer.frame?.flags,
    sinewOptions: () => viewer.frame?.opt,
    sinewIds: (/** @type {number | undefined} */ width, /** @type {number | undefined} */ height) =>
      page.scene.ids(width ?? page.picture.canvas.width, height ?? page.picture.canvas.height),
    sinewPicture: (which = 0) => {
      const picture = page.pictures()[which];
      picture.draw();
      return picture.canvas.toDataURL();
    },
    sinewFrame: (which = 0) => page.pictures()[which]?.frame,
  });
} catch (error) {
  console.error(error);
  part("line").textContent = `This browser cannot show the page: ${error instanceof Error ? error.message : error}`;
}
