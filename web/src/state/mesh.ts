// Loads meshes with all their parts, the nearest card first. The last ones are cached, so that moving back and forth
// over steps requests each once.

import { fetchMesh, type MeshHeader, type PointName } from "../api/client";
import { decodeFrame } from "../base/frame";
import { requestQueue } from "../base/request_queue";

export type { MeshHeader };

export type MeshData = {
  readonly header: MeshHeader;
  /** x, y, z of each vertex. */
  readonly vertex: Float32Array;
  /** Three vertex indices per face; null for a point cloud. */
  readonly face: Uint32Array | null;
  /** Red, green, blue of each vertex. */
  readonly color: Uint8Array | null;
};

const MOST_BYTES = 192 << 20;

const kept = new Map<string, MeshData>();
const queue = requestQueue(3);

function weight({ vertex, face, color }: MeshData): number {
  return vertex.byteLength + (face?.byteLength ?? 0) + (color?.byteLength ?? 0);
}

function keep(key: string, data: MeshData): void {
  kept.set(key, data);
  let bytes = 0;
  for (const one of kept.values()) bytes += weight(one);
  for (const [old, one] of kept) {
    if (bytes <= MOST_BYTES || kept.size === 1) return;
    kept.delete(old);
    bytes -= weight(one);
  }
}

export function meshIn(frame: ArrayBuffer): MeshData {
  const { header, arrays } = decodeFrame<MeshHeader>(frame);
  return {
    header,
    vertex: (arrays.get("vertex") as Float32Array | undefined) ?? new Float32Array(),
    face: (arrays.get("face") as Uint32Array | undefined) ?? null,
    color: (arrays.get("color") as Uint8Array | undefined) ?? null,
  };
}

/** Calls `done` or `failed` once, immediately if the mesh is cached. The returned function cancels the request. */
export function loadMesh(
  name: PointName,
  sample: number,
  urgency: () => number,
  done: (data: MeshData) => void,
  failed: (error: Error) => void,
): () => void {
  const key = JSON.stringify([name.run, name.tag, name.step, name.offset, sample]);
  const known = kept.get(key);
  if (known !== undefined) {
    // move it to the end: the least recently used one is evicted first
    kept.delete(key);
    kept.set(key, known);
    done(known);
    return () => {};
  }
  return queue.add({
    urgency,
    run: async (signal) => {
      try {
        const data = meshIn(await fetchMesh({ ...name, sample }, { signal }));
        // not cached if parts are missing: they may be there at the next request
        if (data.header.missing.length === 0) keep(key, data);
        if (!signal.aborted) done(data);
      } catch (error) {
        if (!signal.aborted) failed(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
