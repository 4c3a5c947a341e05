// Builds the page: npm run build -- OUTDIR writes OUTDIR/index.html and OUTDIR/page.js.
import { build } from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const MOST = 400_000; // bytes of the script, packed by gzip

/** @param {string} out the folder that is written to */
async function make(out) {
  const here = import.meta.dirname;
  const script = join(out, "page.js");
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: [join(here, "src", "main.js")],
    outfile: script,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline", // the licence of three.js goes with it
    logLevel: "warning",
  });
  await copyFile(join(here, "index.html"), join(out, "index.html"));
  const size = gzipSync(await readFile(script), { level: 9 }).length;
  console.log(`${script}: ${size} bytes packed, of ${MOST} at most`);
  if (size > MOST) throw new Error(`page.js has ${size} bytes packed, more than ${MOST}`);
}

const out = process.argv[2];
if (!out) {
  console.error("usage: npm run build -- OUTDIR");
  process.exit(2);
}
// npm runs this in its own folder; what is given is relative to where npm was called
await make(resolve(process.env.INIT_CWD ?? "", out));
