// Files that are dropped into the page or chosen: they are gathered, and sent to the server piece by piece.
import { controls, viewer } from "./state.js";

/**
 * @typedef {{name: string, file: File}} Named a file, and its name from the folder on that was dropped
 * @typedef {object} Ways
 * @property {(words: Record<string, any> & {do: string}) => void} send
 * @property {(piece: ArrayBuffer) => void} sendPiece
 * @property {() => void} show called when something is different
 */

const MOST_FILES = 10000, MOST_BYTES = 2 ** 28;
const PIECE = 48 * 1024; // bytes of a message; the server takes 64 kB
const AHEAD = 16; // pieces that are on their way
const LISTED = 4; // bytes of the length of the list

/** Return the files of an entry of a drop, folders walked through; what is hidden is left out. */
async function filesOf(/** @type {FileSystemEntry} */ entry, /** @type {Named[]} */ out) {
  if (entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const { file } = /** @type {FileSystemFileEntry} */ (entry);
    out.push({ name: entry.fullPath.replace(/^\//, ""), file: await new Promise((done, fail) => file.call(entry, done, fail)) });
    if (out.length > MOST_FILES) throw new RangeError(`more than ${MOST_FILES} files are dropped`);
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, fail) => reader.readEntries(done, fail)); // at most 100 at a time
    if (!some.length) return;
    for (const one of some) await filesOf(one, out);
  }
}

/** Return files as one drop: see python/sinew/viewer/drops.py. */
function pack(/** @type {Named[]} */ files) {
  if (!files.length) throw new RangeError("there are no files in it");
  if (files.length > MOST_FILES) throw new RangeError(`${files.length} files, ${MOST_FILES} at most`);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  if (total > MOST_BYTES) throw new RangeError(`${Math.ceil(total / 2 ** 20)} MB, ${MOST_BYTES / 2 ** 20} at most`);
  const list = new TextEncoder().encode(JSON.stringify(files.map(({ name, file }) => [name, file.size])));
  const length = new DataView(new ArrayBuffer(LISTED));
  length.setUint32(0, list.length, true);
  return new Blob([length.buffer, list, ...files.map(({ file }) => file)]);
}

/** What is dropped into the page, and how far it is. */
export class Dropping {
  /** @param {Ways} ways */
  constructor(ways) {
    this.ways = ways;
    /** @type {Blob | null} what is being sent */
    this.blob = null;
    this.number = 0; // of what is being sent
    this.sent = 0;
    this.taken = 0; // bytes that the server has; -1: it has not said yet whether it wants them
    this.sending = false;
    this.refusal = "";
    this.opens = false; // whether the viewer opens models; it has said so
    /** @type {{busy: string, told: string[], asks: string, choices: string[], empty: boolean}} what the server says */
    this.loading = { busy: "", told: [], asks: "", choices: [], empty: false };
  }

  /** Take what is dragged over an element: the whole page, as a browser would leave it for a file that it misses. */
  listen(/** @type {HTMLElement} */ over) {
    for (const kind of ["dragenter", "dragover"]) {
      over.addEventListener(kind, (event) => {
        if (!/** @type {DragEvent} */ (event).dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        over.classList.add("dragged");
      });
    }
    over.addEventListener("dragleave", (event) => {
      if (!over.contains(/** @type {Node | null} */ (event.relatedTarget))) over.classList.remove("dragged");
    });
    over.addEventListener("drop", (event) => {
      event.preventDefault();
      over.classList.remove("dragged");
      // the entries are gone when this function has returned
      const { items = [], files } = event.dataTransfer ?? {};
      const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
      if (entries.length) this.open(this.walk(entries));
      else if (files?.length) this.choose(files);
    });
  }

  /** @param {FileSystemEntry[]} entries */
  async walk(entries) {
    /** @type {Named[]} */
    const out = [];
    for (const entry of entries) await filesOf(entry, out);
    return out;
  }

  /** Open files that were chosen. */
  choose(/** @type {FileList} */ list) {
    const files = [...list].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
    this.open(Promise.resolve(files.filter(({ name }) => !name.split("/").some((part) => part.startsWith(".")))));
  }

  /** @param {Promise<Named[]>} files */
  async open(files) {
    this.refusal = this.why();
    if (!this.refusal) {
      try {
        this.begin(pack(await files));
      } catch (error) {
        this.refusal = `not opened: ${error instanceof Error ? error.message : error}`;
      }
    }
    this.ways.show();
  }

  /** Return why nothing can be opened here. */
  why() {
    if (!viewer.connected) return "not opened: there is no connection";
    if (!this.opens) return "a program steps this model: it stays, and nothing can be dropped here";
    return controls() ? "" : "only the page that controls opens models";
  }

  /** @param {Blob} blob */
  begin(blob) {
    this.stop();
    this.blob = blob;
    this.number += 1;
    this.sent = 0;
    this.taken = -1;
    this.tell({ do: "drop", bytes: blob.size, upload: this.number });
  }

  /** Say something that is about no model. @param {Record<string, any> & {do: string}} words */
  tell(words) {
    this.ways.send({ ...words, model: undefined });
  }

  /** Give up what is being sent. */
  stop() {
    if (this.blob) this.tell({ do: "drop", bytes: 0, upload: this.number });
    this.blob = null;
  }

  /** The connection was lost, and what was on its way with it. */
  lose() {
    if (this.blob) this.refusal = "not opened: the connection was lost; drop it again";
    this.blob = null;
  }

  /**
   * Hear how far the server is.
   * @param {{upload?: number, taken?: number, refused?: string}} words
   */
  hear({ upload, taken, refused }) {
    if (upload !== this.number) return; // what was dropped before
    if (refused) {
      this.refusal = refused;
      this.blob = null;
    } else if (this.blob) {
      this.taken = taken ?? 0;
      if (this.taken === this.blob.size) this.blob = null;
      else this.send();
    }
    this.ways.show();
  }

  /** Send pieces, until enough are on their way. */
  async send() {
    if (this.sending) return;
    this.sending = true;
    try {
      while (this.blob && this.taken >= 0 && this.sent < Math.min(this.blob.size, this.taken + AHEAD * PIECE)) {
        const { blob, sent } = this;
        const piece = await blob.slice(sent, sent + PIECE).arrayBuffer();
        if (blob !== this.blob) continue; // another one was dropped meanwhile
        this.sent += piece.byteLength;
        this.ways.sendPiece(piece);
      }
    } catch (error) {
      this.refusal = `not opened: a file cannot be read: ${error instanceof Error ? error.message : error}`;
      this.stop();
      this.ways.show();
    } finally {
      this.sending = false;
    }
  }

  /** Show one of several models or recordings of a drop; empty: none of them. */
  pick(/** @type {string} */ name) {
    this.tell({ do: "open", name });
  }

  /** Load the model again, and reset it. */
  reload() {
    if (this.opens && controls()) this.tell({ do: "reload" });
  }

  /** Return what is going on, empty: nothing. */
  get progress() {
    if (this.blob) return `sending, ${Math.floor((100 * Math.max(0, this.taken)) / this.blob.size)} %`;
    return this.loading.busy ? `loading ${this.loading.busy.replace(/^.*\//, "")}` : "";
  }

  /** Return lines for the list of warnings. */
  get lines() {
    return [...(this.refusal ? [this.refusal] : []), ...this.loading.told];
  }

  /** Hear which model is loaded. @param {Record<string, any>} words */
  load(words) {
    this.opens = true;
    const text = (/** @type {any} */ list) => (Array.isArray(list) ? list.map(String) : []);
    this.loading = {
      busy: String(words.busy ?? ""), told: text(words.told), asks: String(words.asks ?? ""), choices: text(words.choices),
      empty: words.empty === true,
    };
    if (this.loading.busy) this.refusal = "";
    this.ways.show();
  }
}
