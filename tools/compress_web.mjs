// Compressed forms of a built page, beside its files: `main.js.br` for browsers that take brotli, `main.js.gz` for the rest
// (over plain http to another machine they take nothing better). The server picks one; what does not get smaller is left out.
// Large files, which are libraries that one kind of data needs, are only packed by gzip: brotli would take a minute for them.
//
//   node tools/compress_web.mjs FOLDER

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const MIN_BYTES = 1000; // as server/compression.py: below a packet nothing is gained
const LARGE_BYTES = 1_500_000;
const TEXT = /\.(html|js|mjs|css|json|webmanifest|svg|txt|wasm|map)$/;

const brotli = (body) =>
  brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
const gzip = (body) => gzipSync(body, { level: 9, memLevel: 9 });

const [folder] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXT.test(entry.name)) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const body = readFileSync(path);
  if (body.length < MIN_BYTES) continue;
  const forms = body.length > LARGE_BYTES ? [[".gz", gzip]] : [[".br", brotli], [".gz", gzip]];
  for (const [suffix, pack] of forms) {
    const packed = pack(body);
    if (packed.length < body.length) writeFileSync(path + suffix, packed);
  }
}
