// The way to the server: messages come, words go; a connection that drops is made again.
import { viewer } from "./state.js";
import { unpack } from "./wire.js";

/**
 * @typedef {import("./wire.js").Message} Message
 * @typedef {object} Ends
 * @property {(message: Message) => void | Promise<void>} message called with each message, one after the other
 * @property {(connected: boolean, why: string) => void} state called when it is open, and with why it is not
 */

const WAITS = [500, 1000, 2000, 5000, 10000]; // milliseconds before it is tried again
const REFUSED = 1008; // what the page said was nothing that pages say

/**
 * Return the address of a socket; relative, as a proxy may serve the page under a path of its own.
 * @param {string} which of the page's pictures it is for
 */
function address(which) {
  const out = new URL("socket", document.baseURI);
  out.search = which;
  out.protocol = out.protocol === "https:" ? "wss:" : "ws:";
  return out;
}

/** A connection, for as long as the page is open or until it is closed. */
export class Connection {
  /**
   * @param {string} which of the page's pictures it is for: "" its own, `world=N` or `camera=N` a further one
   * @param {Ends} ends
   */
  constructor(which, ends) {
    this.which = which;
    this.ends = ends;
    this.failures = 0;
    this.closed = false;
    /** @type {WebSocket | null} */
    this.socket = null;
  }

  /** Connect; after a drop again, with growing waits. */
  open() {
    if (this.closed) return;
    const socket = new WebSocket(address(this.which));
    let queue = Promise.resolve();
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.ends.state(true, "");
    socket.onmessage = ({ data }) => {
      // a texture is unpacked in a while, and what comes after it waits
      queue = queue.then(() => this.hear(socket, data));
    };
    socket.onclose = ({ code, reason }) => this.drop(socket, code, reason);
    this.socket = socket;
  }

  /**
   * @param {WebSocket} socket
   * @param {ArrayBuffer} data
   */
  async hear(socket, data) {
    if (socket !== this.socket) return;
    try {
      await this.ends.message(unpack(data));
      this.failures = 0;
    } catch (error) {
      console.error(error);
      this.ends.state(true, `a message could not be shown: ${error instanceof Error ? error.message : error}`);
    }
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   * @param {string} reason
   */
  drop(socket, code, reason) {
    if (socket !== this.socket) return;
    this.socket = null;
    if (code === REFUSED) {
      this.ends.state(false, `the server has closed the connection: ${reason}. Reload the page.`);
      return;
    }
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)];
    this.failures += 1;
    this.ends.state(false, `lost connection; the next try is in ${wait / 1000} s`);
    setTimeout(() => this.open(), wait);
  }

  /** End it; nothing more comes. */
  close() {
    const { socket } = this;
    this.closed = true;
    this.socket = null;
    socket?.close();
  }

  /**
   * Tell the server something, and of which model; what is said while there is no connection is not heard.
   * @param {Record<string, any> & {do: string}} words
   */
  send(words) {
    const about = { model: viewer.model?.number, ...words };
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(about));
  }

  /**
   * Send the next bytes of files that are dropped.
   * @param {ArrayBuffer} piece
   */
  sendPiece(piece) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(piece);
  }
}
