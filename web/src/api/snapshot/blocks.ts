// Blocks of a snapshot: gzip as base64 in elements, unpacked when they are needed.

import { bytesOf } from "./blobs";

const unpacked = new Map<string, Promise<ArrayBuffer>>();

/** Returns the bytes of a block. Each is unpacked once. */
export function blockOf(name: string): Promise<ArrayBuffer> {
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const bytes = unpack(name);
  unpacked.set(name, bytes);
  return bytes;
}

function unpack(name: string): Promise<ArrayBuffer> {
  const text = document.querySelector(`script[data-block="${CSS.escape(name)}"]`)?.textContent;
  if (text === undefined || text === null) return Promise.reject(new Error(`the snapshot has no block ${name}`));
  const packed = new Blob([bytesOf(text)]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
