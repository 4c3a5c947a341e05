// Builds the page: npm run build -- OUTDIR writes OUTDIR/index.html, OUTDIR/page.js and OUTDIR/player.js.
import { build } from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const MOST = 400_000; // bytes of a script, packed by gzip
// the page of a viewer, and what plays a recording in a page of one file, where a script stands in the text of the page
const SCRIPTS = /** @type {const} */ ([["page.js", "src/main.js", "esm"], ["player.js", "src/player/main.js", "iife"]]);

/**
 * @param {string} script the file that is written
 * @param {string} entry
 * @param {"esm" | "iife"} format
 */
async function bundle(script, entry, format) {
  await build({
    entryPoints: [join(import.meta.dirname, entry)],
    outfile: script,
    bundle: true,
    minify: true,
    format,
    target: "es2022",
    charset: "utf8",
    legalComments: "inline", // the licence of three.js goes with it
    logLevel: "warning",
  });
  const size = gzipSync(await readFile(script), { level: 9 }).length;
  console.log(`${script}: ${size} bytes packed, of ${MOST} at most`);
  if (size > MOST) throw new Error(`${script} has ${size} bytes packed, more than ${MOST}`);
}

/** @param {string} out the folder that is written to */
async function make(out) {
  await mkdir(out, { recursive: true });
  for (const [name, entry, format] of SCRIPTS) await bundle(join(out, name), entry, format);
  await copyFile(join(import.meta.dirname, "index.html"), join(out, "index.html"));
}

const out = process.argv[2];
if (!out) {
  console.error("usage: npm run build -- OUTDIR");
  process.exit(2);
}
// npm runs this in its own folder; what is given is relative to where npm was called
await make(resolve(process.env.INIT_CWD ?? "", out));
