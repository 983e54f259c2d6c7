// Where the values of heavy kinds are: pictures, clips, pages. An address names one value for good, so that the browser
// keeps what it fetched.

import { type BlobOptions, blobUrl, elementOf } from "../api/blob_key";
import { fetchFile } from "../api/client";
import type { KindCard } from "./card_keys";
import type { SeriesSteps } from "./steps";

/** The address of a sample of the point at a place of the series. `kind` is the logged one, as for `stepsOf`. */
export function blobOf(
  { kind, tag, run }: Pick<KindCard, "kind" | "tag" | "run">,
  { steps, walls, offsets }: Pick<SeriesSteps, "steps" | "walls" | "offsets">,
  at: number,
  sample = 0,
  options: BlobOptions = {},
): string {
  return blobUrl(run, tag, steps[at] ?? 0, walls[at] ?? 0, offsets[at] ?? 0, elementOf(kind, sample), options);
}

/** What lies at such an address, for kinds whose bytes the page looks at itself. */
export function fetchBlob(address: string, stop: AbortSignal): Promise<Blob> {
  return fetchFile(address, { signal: stop });
}
