// Parts of tensors: requested when a card is near the viewport; the last responses are cached, so that moving back and
// forth requests each once.

import { fetchTensor, type PointName, type TensorHeader, type TensorsQuestion, tensorFile } from "../api/client";
import { decodeFrame } from "../base/frame";
import { requestQueue } from "../base/request_queue";

export type { PointName, TensorHeader };
export type Piece = TensorHeader["strings"][number];
export { tensorFile };

export type TensorPart = {
  readonly header: TensorHeader;
  /** Row by row; null if there is no image. */
  readonly cells: Float32Array | null;
  readonly binEdges: Float64Array | null;
  readonly binCounts: Float64Array | null;
};

export type TensorQuestion = PointName & Omit<TensorsQuestion, keyof PointName>;

const MOST = 200;
const kept = new Map<string, TensorPart>();
const queue = requestQueue(4);

export function partIn(frame: ArrayBuffer): TensorPart {
  const { header, arrays } = decodeFrame<TensorHeader>(frame);
  return {
    header,
    cells: (arrays.get("cells") as Float32Array | undefined) ?? null,
    binEdges: (arrays.get("bin_edges") as Float64Array | undefined) ?? null,
    binCounts: (arrays.get("bin_counts") as Float64Array | undefined) ?? null,
  };
}

/** Calls `done` or `failed` once, immediately if the part is cached. The returned function cancels the request. */
export function loadPart(
  question: TensorQuestion,
  urgency: () => number,
  done: (part: TensorPart) => void,
  failed: (error: Error) => void,
): () => void {
  const key = JSON.stringify(question);
  const known = kept.get(key);
  if (known !== undefined) {
    kept.delete(key);
    kept.set(key, known);
    done(known);
    return () => {};
  }
  return queue.add({
    urgency,
    run: async (signal) => {
      try {
        const part = partIn(await fetchTensor(question, { signal }));
        kept.set(key, part);
        for (const old of kept.keys()) {
          if (kept.size <= MOST) break;
          kept.delete(old);
        }
        if (!signal.aborted) done(part);
      } catch (error) {
        if (!signal.aborted) failed(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
