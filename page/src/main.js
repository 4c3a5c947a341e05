// The page of a viewer: what it is sent it draws, what is done in it it tells.
import { REVISION } from "three";
import { unpack } from "./wire.js";

console.debug(REVISION, unpack);
