// The way to the server: messages come, words go; a connection that drops is made again.
import { unpack } from "./wire.js";

/**
 * @typedef {import("./wire.js").Message} Message
 * @typedef {object} Ends
 * @property {(message: Message) => void | Promise<void>} message called with each message, one after the other
 * @property {(connected: boolean, why: string) => void} state called when it is open, and with why it is not
 */

const WAITS = [500, 1000, 2000, 5000, 10000]; // milliseconds before it is tried again
const REFUSED = 1008; // what the page said was nothing that pages say

/** Return the address of the socket; relative, as a proxy may serve the page under a path of its own. */
function address() {
  const out = new URL("socket", document.baseURI);
  out.protocol = out.protocol === "https:" ? "wss:" : "ws:";
  return out;
}

/** A connection, for as long as the page is open. */
export class Connection {
  /** @param {Ends} ends */
  constructor(ends) {
    this.ends = ends;
    this.failures = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
  }

  /** Connect; after a drop again, with growing waits. */
  open() {
    const socket = new WebSocket(address());
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

  /**
   * Tell the server something; what is said while there is no connection is not heard.
   * @param {Record<string, any> & {do: string}} words
   */
  send(words) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(words));
  }
}
