// URLs of heavy values: images, clips, pages of HTML. The content of a URL never changes, so the browser caches it.

import { type BlobOptions, blobUrl, elementOf } from "../api/blob_key";
import { fetchFile } from "../api/client";
import type { KindCard } from "./card_keys";
import type { SeriesSteps } from "./steps";

/** Returns the URL of a sample of the point at an index of the series. `kind` is the logged one, as for `stepsOf`. */
export function blobOf(
  { kind, tag, run }: Pick<KindCard, "kind" | "tag" | "run">,
  { steps, walls, offsets }: Pick<SeriesSteps, "steps" | "walls" | "offsets">,
  at: number,
  sample = 0,
  options: BlobOptions = {},
): string {
  return blobUrl(run, tag, steps[at] ?? 0, walls[at] ?? 0, offsets[at] ?? 0, elementOf(kind, sample), options);
}

/** Fetches such a URL, for kinds whose bytes the page reads itself. */
export function fetchBlob(address: string, stop: AbortSignal): Promise<Blob> {
  return fetchFile(address, { signal: stop });
}
